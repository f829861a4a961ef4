"""Knave's log in words; each module tells the events of the deeds it is named after."""

from characters.sentences.words import said

__all__ = ["said"]
