"""What each action does, one module for each kind. Importing this package registers them all."""

from games.deeds import bout, door, gathering, house_rules, mouth, people, safety, undo

__all__ = ["bout", "door", "gathering", "house_rules", "mouth", "people", "safety", "undo"]
