"""A chapter's setup in words: steps, oracle, story sheet, character list, coming back."""

from __future__ import annotations

from campaigns.sentences.campaign import plain
from campaigns.words import card_name, name_of
from games.grammar import and_list
from games.said import gettext as _
from games.sentences import Data, Names, Telling
from games.text import as_sentence


def _moved(d: Data, n: Names) -> str:
    return {
        "coming_back": _("Who comes back?"),
        "oracle": _("Now the oracle is chosen."),
        "pick": _("Now an element is picked."),
        "deal": _("Now the cards are dealt."),
        "cast": _("Now the elements are read: who is in them?"),
        "choose": _("Now everybody chooses whom to play."),
        "sheets": _("Everybody has chosen. Now the sheets are written."),
        "interests": _("Now the best interests are named."),
    }[d["step"]]


def _went_back(d: Data, n: Names) -> str:
    return {
        "coming_back": _("Back to the question who comes back."),
        "oracle": _("Back to choosing the oracle."),
        "pick": _("Back to picking an element."),
        "deal": _("Back to dealing the cards."),
        "cast": _("Back to reading the elements."),
        "choose": _("Back to choosing whom to play."),
        "sheets": _("Back to writing sheets."),
        "interests": _("Back to naming best interests."),
        "play": _("The chapter is not over yet: back to play."),
    }[d["step"]]


def _came_back(d: Data, n: Names) -> str:
    if d["how"]:
        return _("%(name)s comes back, played by %(by)s: %(how)s.") % {
            **d,
            "how": d["how"].rstrip("."),
        }
    return _("%(name)s comes back, played by %(by)s.") % d


def _dealt(d: Data, n: Names) -> str:
    return _("The cards are dealt: %(cards)s.") % {"cards": and_list(_cards(d["cards"]))}


def _cards(cards: list[str]) -> list[str]:
    return [card_name(card) for card in cards]


def _added(d: Data, n: Names) -> str:
    return _("One card more: %(card)s.") % {"card": card_name(d["card"])}


def _former(d: Data, n: Names) -> str:
    if d["text"]:
        return _("%(by)s plays %(name)s again: %(text)s.") % d
    return _("%(by)s plays %(name)s again. One name is struck from the owe list for it.") % d


def _lots(d: Data, n: Names) -> str:
    told = {**d, "names": and_list(d["names"])}
    return _("Lots are drawn between %(names)s for “%(text)s”: it is %(by)s's.") % told


def _placed(d: Data, n: Names) -> str:
    text = {
        "after": _("Chapter %(number)s takes place after chapter %(beside)s."),
        "before": _("Chapter %(number)s takes place before chapter %(beside)s."),
        "same_time": _("Chapter %(number)s takes place at the same time as chapter %(beside)s."),
        "unknown": _("Nobody knows when chapter %(number)s takes place."),
    }[d["placement"]]
    return " ".join([text % d, as_sentence(d["text"])] if d["text"] else [text % d])


def _named(d: Data, n: Names) -> str:
    if not d["title"]:
        return _("Chapter %(number)s has no title any more.") % d
    return _("Chapter %(number)s is called “%(title)s”.") % d


LONG = {"premise_told", "cast_told"}
"""What a chapter's chronicle opens with."""


def _premise(d: Data, n: Names) -> str:
    """Tell what the chapter was made of; the texts are sentences of their own."""
    told = {**d, "texts": " ".join(d["texts"])}
    if d["by"]:
        return _("%(by)s chose the oracle “%(title)s”: %(texts)s") % told
    return _("Out of “%(title)s”: %(texts)s") % told


def _cast(d: Data, n: Names) -> str:
    told = [_player(pc) for pc in d["pcs"]]
    text = _("In this chapter: %(names)s.") % {"names": and_list(told)}
    if d["npcs"]:
        npcs = _("Against and beside them: %(names)s.") % {"names": and_list(d["npcs"])}
        return f"{text} {npcs}"
    return text


def _player(pc: Data) -> str:
    if not pc["name"]:  # whoever went away before the character had one
        return name_of(pc["by"])
    text = _("%(name)s (%(by)s)") if pc["by"] else "%(name)s"
    if pc["is_returning"]:
        text = _("%(name)s, once more (%(by)s)") if pc["by"] else _("%(name)s, once more")
    return text % pc


def _begun(d: Data, n: Names) -> str:
    if d["title"]:
        return _("Chapter %(number)s begins: “%(title)s”.") % d
    return _("Chapter %(number)s begins.") % d


def _joined(d: Data, n: Names) -> str:
    if d["is_returning"]:
        return _("%(name)s comes into this story once more, played by %(by)s.") % d
    return _("%(name)s comes into the story, played by %(by)s.") % d


TELLINGS: dict[str, Telling] = {
    "chapter_opened": plain(lambda: _("Chapter %(number)s is set up.")),
    "chapter_put_away": plain(lambda: _("Chapter %(number)s is put away before it began.")),
    "setup_moved": _moved,
    "setup_went_back": _went_back,
    "pc_came_back": _came_back,
    "return_declined": plain(
        lambda: _("%(by)s would rather not bring %(name)s back now; the name stays on the list.")
    ),
    "oracle_chosen": plain(lambda: _("%(by)s chooses the oracle: %(title)s.")),
    "element_picked": plain(lambda: _("%(by)s picks an element: “%(text)s”")),
    "cards_dealt": _dealt,
    "card_added": _added,
    "element_edited": plain(lambda: _("On the story sheet now: “%(text)s”")),
    "element_struck": plain(lambda: _("Element %(number)s is taken out.")),
    "element_restored": plain(lambda: _("Element %(number)s is in again.")),
    "cast_added": plain(lambda: _("On the list of characters: %(text)s.")),
    "cast_edited": plain(lambda: _("On the list of characters now: %(text)s.")),
    "cast_dropped": plain(lambda: _("Off the list of characters: %(text)s.")),
    "cast_restored": plain(lambda: _("On the list of characters again: %(text)s.")),
    "cast_joined": plain(lambda: _("“%(text)s” and “%(other)s” are one person.")),
    "cast_parted": plain(lambda: _("“%(text)s” is a person apart.")),
    "cast_taken": plain(lambda: _("%(by)s chooses “%(text)s”.")),
    "cast_wanted": plain(lambda: _("%(by)s would like “%(text)s” too, which %(has)s has.")),
    "cast_left": plain(lambda: _("%(by)s gives “%(text)s” back.")),
    "cast_not_wanted": plain(lambda: _("%(by)s does not want “%(text)s” any more.")),
    "cast_lots_drawn": _lots,
    "former_taken": _former,
    "npc_made": plain(lambda: _("The GM has somebody new: %(name)s.")),
    "npc_returned": plain(lambda: _("%(name)s is there again.")),
    "sheet_ready": plain(lambda: _("%(name)s is ready.")),
    "sheet_not_ready": plain(lambda: _("%(name)s is not ready yet.")),
    "chapter_placed": _placed,
    "chapter_named": _named,
    "premise_told": _premise,
    "cast_told": _cast,
    "pc_joined": _joined,
    "play_begun": _begun,
    "play_went_on": plain(lambda: _("Chapter %(number)s goes on.")),
}
