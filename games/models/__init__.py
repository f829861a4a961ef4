"""What is kept of a table. Only services write these rows."""

from games.models.log import Event, Play, Undone
from games.models.play import Entrant, Game, HouseRule
from games.models.safety import ContentLine
from games.models.table import Device, House, JoinAttempt, Seat, SeatPass, Table

__all__ = [
    "ContentLine",
    "Device",
    "Entrant",
    "Event",
    "Game",
    "House",
    "HouseRule",
    "JoinAttempt",
    "Play",
    "Seat",
    "SeatPass",
    "Table",
    "Undone",
]
