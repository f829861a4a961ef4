"""Making a knave: one tap rolls it, each part may be had anew before it is taken (KN-1 to 7)."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _
from msgspec.structs import replace

from characters import actions
from characters.deeds.people import check_room_for
from characters.models import Character
from characters.models.sheet import NAME_LENGTH
from characters.services import fighting, finding, making, players, traits
from characters.services.names import check_name
from characters.services.telling import tell, tell_of
from games.errors import Forbidden, Malformed, MovedOn
from games.models import Seat
from games.rules.dice import RecordedDice, SystemDice, TypedDice
from games.rules.engine import IllegalAction
from games.rules.knave import creation
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.dice import check_real_dice, dice_for
from games.services.host import is_gm
from games.services.ledger import keep
from games.services.refusing import reason_of, refused
from games.text import clean_name

State = Character.State
Kind = Character.Kind
ABILITY_DICE = 18
LONGEST_TRAIT = 400


def draft_sheet(change: Change, key: int) -> Character:
    """Return a knave in the making that the actor may write on. Raises MovedOn for a made one."""
    found = finding.sheet_named(change, key)
    if found.state != State.DRAFT:
        raise MovedOn(_("%(name)s has been made already.") % {"name": found.name})
    return found


def _check_may_start(seat: Seat) -> None:
    draft = players.draft_on(seat)
    if draft:
        raise MovedOn(
            _("%(name)s is still in the making. Take it, or throw it away.") % {"name": draft.name}
        )
    _check_plays_none(seat)


def _check_plays_none(seat: Seat) -> None:
    """Raise MovedOn for who plays a knave that lives; the referee may play several."""
    knave = players.knave_of(seat)
    if knave and not seat.is_gm:
        raise MovedOn(_("You play %(name)s, who is alive.") % {"name": knave.name})


@deed(actions.NewKnave, may="seat")
def new_knave(change: Change, action: actions.NewKnave, tap: Tap) -> None:
    """KN-7: one tap. The app rolls; real dice for the abilities are typed in afterwards."""
    assert change.seat
    _check_may_start(change.seat)
    check_room_for(change)
    shelf, dice = making.read_shelf(), RecordedDice(SystemDice())
    options = making.options_of(change.table)
    draft = creation.create(dice, shelf.tables, traits.KEYS, shelf.weapons, options)
    character = Character(table=change.table, seat=change.seat, name=making.new_name(change.table))
    making.write_draft(character, draft, shelf)
    keep(change, character)
    change.play.faces = dice.faces
    change.answer["character"] = character.pk
    tell_of(change, "knave_rolled", character, **making.story_of(draft))


@deed(actions.Reroll, may="seat")
def reroll(change: Change, action: actions.Reroll, tap: Tap) -> None:
    """Roll a part again (KN-7); the rules refuse where the table lets the dice stand."""
    character = draft_sheet(change, action.character)
    options = making.options_of(change.table)
    dice = RecordedDice(SystemDice())
    if tap.faces:
        sides = list(creation.dice_of(action.part, options))
        if not sides:
            raise Malformed(_("The app rolls this part."), field="dice")
        dice = dice_for(change, tap, sides)
        if making.may_type(character, action.part, options, change.table.settings.dice):
            options = replace(options, may_reroll=True)
    shelf = making.read_shelf()
    try:
        draft = creation.reroll(
            making.draft_of(character),
            f"trait:{action.key}" if action.part == "trait" else action.part,
            dice,
            tables=shelf.tables,
            trait_tables=traits.KEYS,
            weapons=shelf.weapons,
            options=options,
        )
    except IllegalAction as refusal:
        raise refused(refusal) from refusal
    _forget_words(character, action)
    making.write_draft(character, draft, shelf, {action.part} if change.play.is_real else ())
    keep(change, character)
    change.play.faces = dice.faces
    told = {"part": action.part, "key": action.key, "is_real": change.play.is_real}
    tell_of(change, "knave_rerolled", character, **told, **making.story_of(draft))


def _forget_words(character: Character, action: actions.Reroll) -> None:
    """Let the dice speak again where a player had written a trait of their own."""
    again = {"trait": {action.key}, "traits": set(traits.KEYS), "all": set(traits.KEYS)}
    gone = again.get(action.part, set())
    character.traits = {k: text for k, text in character.traits.items() if k not in gone}
    rolled = character.draft.get("traits", ())
    character.draft = {**character.draft, "traits": [t for t in rolled if t["table"] not in gone]}


@deed(actions.TypeAbilities, may="seat")
def type_abilities(change: Change, action: actions.TypeAbilities, tap: Tap) -> None:
    """Enter real dice for the abilities (KN-1)."""
    character = draft_sheet(change, action.character)
    check_real_dice(change)
    options = making.options_of(change.table)
    if not making.may_type(character, "abilities", options, change.table.settings.dice):
        raise MovedOn(_("At this table the dice stand as they fell."))
    # A d6 shows one digit: how they are grouped says nothing.
    faces = [int(face) for face in re.findall(r"\d", action.faces[:200], re.ASCII)]
    if len(faces) != ABILITY_DICE or not all(1 <= face <= 6 for face in faces):
        raise Malformed(
            _("Eighteen faces of a d6 are needed, three for each ability."), field="faces"
        )
    dice = RecordedDice(TypedDice(faces))
    before = making.draft_of(character)
    # The rules' own way to set dice: what is typed takes the place of what was rolled.
    draft = creation.reroll(before, "abilities", dice, tables={}, trait_tables=(), weapons=())
    making.write_draft(character, draft, making.read_shelf(), {"abilities"})
    keep(change, character)
    change.play.faces, change.play.is_real = dice.faces, True
    told = {"part": "abilities", "key": "", "is_real": True}
    tell_of(change, "knave_rerolled", character, **told, **making.story_of(draft))


@deed(actions.ChooseWeapon, may="seat")
def choose_weapon(change: Change, action: actions.ChooseWeapon, tap: Tap) -> None:
    """KN-3: the weapon is the player's choice, wherever the dice stand."""
    character = draft_sheet(change, action.character)
    shelf = making.read_shelf()
    try:
        draft = creation.with_weapon(making.draft_of(character), action.weapon, shelf.weapons)
    except IllegalAction as refusal:
        raise Malformed(reason_of(refusal), field="weapon") from refusal
    _write(change, character, draft, shelf)
    tell_of(change, "weapon_chosen", character, item=shelf.articles[action.weapon].names())


def _write(
    change: Change, character: Character, draft: creation.Draft, shelf: making.Shelf
) -> None:
    making.write_draft(character, draft, shelf)
    keep(change, character)


@deed(actions.SetTrait, may="seat")
def set_trait(change: Change, action: actions.SetTrait, tap: Tap) -> None:
    """KN-7: a trait is chosen from its table or written, on a draft as on a sheet."""
    character = finding.sheet_named(change, action.character)
    if character.state == State.DEAD:
        raise MovedOn(_("%(name)s is dead.") % {"name": character.name})
    if action.trait not in traits.KEYS:
        raise Malformed(_("There is no such trait."), field="trait")
    shelf = making.read_shelf()
    texts = {k: text for k, text in character.traits.items() if k != action.trait}
    if action.text.strip():
        text = clean_name(action.text, field="text", longest=LONGEST_TRAIT)
        row = shelf.named(action.trait, text)
        texts[action.trait] = row.names() if row else {"en": text}
    character.traits = texts
    keep(change, character)
    said = texts.get(action.trait, {"en": ""})
    tell_of(change, "trait_set", character, trait=action.trait, text=said)


@deed(actions.SwapAbilities, may="seat")
def swap_abilities(change: Change, action: actions.SwapAbilities, tap: Tap) -> None:
    """KN-2: once, after all six are rolled."""
    character = draft_sheet(change, action.character)
    draft = making.draft_of(character)
    if draft.swapped:
        raise MovedOn(_("Two abilities may be swapped once, and these have been."))
    try:
        draft = creation.with_swap(draft, (action.first, action.second))
    except IllegalAction as refusal:
        raise Malformed(reason_of(refusal), field="second") from refusal
    _write(change, character, draft, making.read_shelf())
    tell_of(change, "abilities_swapped", character, first=action.first, second=action.second)


@deed(actions.ConfirmKnave, may="seat")
def confirm_knave(change: Change, action: actions.ConfirmKnave, tap: Tap) -> None:
    """Take the knave: its kit is packed, and it joins a fight that is running.

    Where a death was taken back, the one who lives goes on (KN-16): the next one waits,
    unless the referee says otherwise.
    """
    character = draft_sheet(change, action.character)
    if character.seat and not is_gm(change):
        _check_plays_none(character.seat)
    if action.name.strip():
        character.name = clean_name(action.name, longest=NAME_LENGTH)
    check_name(change, character.name, character)
    character.state = State.UP
    draft, shelf = making.draft_of(character), making.read_shelf()
    making.outfit(change, character, draft, shelf)
    keep(change, character)
    player = character.seat.name if character.seat else ""
    tell_of(change, "knave_made", character, player=player)
    if character.seat:
        fighting.join_late(change, character)


@deed(actions.DiscardKnave, may="seat")
def discard_knave(change: Change, action: actions.DiscardKnave, tap: Tap) -> None:
    """Throw a draft away; where the dice stand, only the referee may."""
    character = draft_sheet(change, action.character)
    if not (making.options_of(change.table).may_reroll or is_gm(change)):
        raise MovedOn(_("At this table the dice stand as they fell."))
    character.state = State.GONE
    keep(change, character)
    tell_of(change, "knave_discarded", character)


@deed(actions.AddParty)
def add_party(change: Change, action: actions.AddParty, tap: Tap) -> None:
    """Roll several ready knaves of a level for anybody to take (KN-7, KN-23)."""
    check_room_for(change, action.count)
    shelf, dice = making.read_shelf(), RecordedDice(SystemDice())
    options = making.options_of(change.table)
    raising = finding.party_of(change.table).settings.raising
    drafts = creation.party(
        action.count, dice, shelf.tables, traits.KEYS, shelf.weapons, options=options
    )
    made: list[Character] = []
    for draft in drafts:
        veteran = creation.of_level(draft, action.level, dice, raises=raising)
        character = Character(
            table=change.table,
            state=State.UP,
            name=making.new_name(change.table),
            level=veteran.level,
            xp=veteran.xp,
        )
        making.write_draft(character, draft, shelf)
        character.keep_bonuses(veteran.bonuses)
        character.hp = character.max_hp = veteran.max_hp
        keep(change, character)
        making.outfit(change, character, draft, shelf)
        keep(change, character)
        made.append(character)
    change.play.faces = dice.faces
    names = [c.name for c in made]
    tell(change, "party_added", *made, names=names, count=len(made), level=action.level)


@deed(actions.ClaimKnave, may="seat")
def claim_knave(change: Change, action: actions.ClaimKnave, tap: Tap) -> None:
    """Take a knave that nobody plays; of two who tap at once, one gets it."""
    assert change.seat
    character = finding.living_sheet_named(change, action.character, anybody=True)
    if character.kind != Kind.KNAVE:
        raise Forbidden(_("Only a knave can be taken over."))
    if not players.is_free(character):
        raise MovedOn(_("Somebody was quicker: %(name)s is taken.") % {"name": character.name})
    _check_may_start(change.seat)
    character.seat = change.seat
    keep(change, character)
    tell_of(change, "knave_claimed", character, player=change.seat.name)
    fighting.join_late(change, character)


@deed(actions.HandKnave)
def hand_knave(change: Change, action: actions.HandKnave, tap: Tap) -> None:
    """Give a sheet to a seat, or to nobody: one in the making only to who can go on making it."""
    character = finding.sheet_named(change, action.character)
    seat = None
    if not action.seat_to and character.state == State.DRAFT:
        raise MovedOn(_("%(name)s is still in the making.") % {"name": character.name})
    if action.seat_to:
        seat = change.table.seats.filter(
            number=action.seat_to, standing=Seat.Standing.SEATED
        ).first()
        if seat is None or seat.role == Seat.Role.SCREEN:
            raise MovedOn(_("Nobody sits there."), field="seat_to")
        if character.state == State.DRAFT and players.draft_on(seat) not in (None, character):
            raise MovedOn(_("They have a knave in the making already."), field="seat_to")
    character.seat = seat
    keep(change, character)
    tell_of(change, "knave_handed", character, player=seat.name if seat else "")
    if seat and character.kind == Kind.KNAVE and character.is_alive:
        fighting.join_late(change, character)
