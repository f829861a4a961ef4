"""What each action does, one module for each kind. Importing this package registers them all."""

from games.deeds import bout, gathering, house_rules, mouth, people, safety, table, undo

__all__ = ["bout", "gathering", "house_rules", "mouth", "people", "safety", "table", "undo"]
