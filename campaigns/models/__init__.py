"""What is kept of In a Wicked Age. Only services write these rows."""

from campaigns.models.campaign import LINE, NAME, STORY, Campaign, Member, OwnOracle
from campaigns.models.chapter import (
    CHOOSING,
    LATE,
    LISTING,
    PROSE,
    SET_UP,
    CastLine,
    Chapter,
    Element,
    Interest,
    Part,
    Scene,
)
from campaigns.models.character import Character, Holding, Strength
from campaigns.models.sequence import Moment, Offer, Owed, Sequence

__all__ = [
    "CHOOSING",
    "LATE",
    "LINE",
    "LISTING",
    "NAME",
    "PROSE",
    "SET_UP",
    "STORY",
    "Campaign",
    "CastLine",
    "Chapter",
    "Character",
    "Element",
    "Holding",
    "Interest",
    "Member",
    "Moment",
    "Offer",
    "Owed",
    "OwnOracle",
    "Part",
    "Scene",
    "Sequence",
    "Strength",
]
