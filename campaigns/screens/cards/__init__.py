"""Everything a campaign screen is drawn from."""

from __future__ import annotations

from campaigns.screens.cards.chapter import (
    BoardCard,
    CastCard,
    ChapterCard,
    ElementCard,
    OracleCard,
    SceneCard,
    SetupCard,
    StepCard,
    ThreadCard,
)
from campaigns.screens.cards.fights import (
    DieCard,
    FightCard,
    FighterCard,
    GiverCard,
    MyFighterCard,
    PairCard,
    RollCard,
    TalkCard,
    TermCard,
)
from campaigns.screens.cards.people import (
    FormCard,
    FormerCard,
    InterestCard,
    MemberCard,
    OwedCard,
    ReturnCard,
    SheetCard,
    StrengthCard,
)
from campaigns.screens.cards.seats import (
    GmCampaign,
    MyCampaign,
)

__all__ = [
    "BoardCard",
    "CastCard",
    "ChapterCard",
    "DieCard",
    "ElementCard",
    "FightCard",
    "FighterCard",
    "FormCard",
    "FormerCard",
    "GiverCard",
    "GmCampaign",
    "InterestCard",
    "MemberCard",
    "MyCampaign",
    "MyFighterCard",
    "OracleCard",
    "OwedCard",
    "PairCard",
    "ReturnCard",
    "RollCard",
    "SceneCard",
    "SetupCard",
    "SheetCard",
    "StepCard",
    "StrengthCard",
    "TalkCard",
    "TermCard",
    "ThreadCard",
]
