"""What the admin calls the fields of a campaign's rows."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from games import admin_words
from games.admin_words import Words

WORDS: Final[Words] = {
    **admin_words.WORDS,
    # campaigns, who plays in them, and oracles
    "blurb": _("a line about it"),
    "campaign": _("campaign"),
    "closed_at": _("closed on"),
    "entries": _("entries"),
    "has_left": _("has left"),
    "is_away": _("not here for this chapter"),
    "is_gm": _("is the GM"),
    "is_in_front": _("is in front of everybody"),
    "title": _("title"),
    # chapters
    "beside": _("beside which chapter"),
    "chapter": _("chapter"),
    "chooser": _("who chooses the oracle"),
    "declined": _("places on the owe list that were passed over"),
    "end_note": _("note at the end"),
    "gm_name": _("who was the GM"),
    "oracle": _("oracle"),
    "oracle_title": _("title of the oracle"),
    "placement": _("when it lies in the story"),
    "returning": _("who comes back"),
    "step": _("step"),
    "story_order": _("place in the story"),
    "told": _("chronicle as it was rewritten"),
    "when_and_where": _("when and where"),
    # characters and their strengths
    "description": _("description"),
    "effects": _("effects"),
    "forms": _("forms"),
    "lent_to": _("lent to"),
    "npc_form": _("form on an NPC's sheet"),
    "owner": _("whose it is"),
    "pc_form": _("form on a player's sheet"),
    "version": _("what it can do"),
    # action sequences
    "act": _("what is done"),
    "actor": _("who does it"),
    "agreed": _("who would rather end it"),
    "earlier": _("record from another house"),
    "is_held": _("its dice wait"),
    "needs_far_reach": _("only far-reaching would reach it"),
}
