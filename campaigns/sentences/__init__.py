"""The log of In a Wicked Age in words; each module tells the events of the deeds named like it."""

from campaigns.sentences import (
    campaign,
    closing,
    files,
    interests,
    nameless,
    owe,
    scenes,
    sequences,
    setup,
    sheets,
    strengths,
)
from games.sentences import Telling

ALL: tuple[dict[str, Telling], ...] = tuple(
    {kind: nameless.with_names(telling) for kind, telling in told.TELLINGS.items()}
    for told in (
        campaign,
        closing,
        files,
        interests,
        owe,
        scenes,
        sequences,
        setup,
        sheets,
        strengths,
    )
)
"""The sentences of every kind of event, for the table's log."""

LONG = setup.LONG
"""Those whose sentence fills a phone's screen."""

KINDS = frozenset(kind for told in ALL for kind in told)
"""Every kind of event of a campaign: a table's log may hold another game's as well."""
