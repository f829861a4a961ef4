"""What each of Knave's actions does. Importing this package registers them all."""

from characters.deeds import encounters, fight, hours, people, referee, rolls

__all__ = ["encounters", "fight", "hours", "people", "referee", "rolls"]
