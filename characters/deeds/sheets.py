"""The sheet: names and notes, hit points, coins, saves, levels, and the referee's corrections."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from characters import actions
from characters.models import Call, Character, Portrait
from characters.models.sheet import NAME_LENGTH
from characters.services import calls, fighting, finding, goods, kit, purse
from characters.services.body import bounded_hp
from characters.services.names import check_name
from characters.services.telling import tell, tell_of
from games.errors import Forbidden, Malformed, MovedOn
from games.models import rows
from games.rules.dice import RecordedDice
from games.rules.engine import IllegalAction
from games.rules.knave import growth, saves
from games.rules.knave.abilities import Ability, Bonuses
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.dice import dice_for
from games.services.host import is_gm
from games.services.ledger import keep
from games.services.meanwhile import counted, written
from games.services.refusing import refused
from games.text import clean_name, clean_prose

LONGEST_GENDER = 30
LONGEST_NOTES = 8000
MARKS = frozenset(
    {
        "sword",
        "skull",
        "crow",
        "wolf",
        "rat",
        "moon",
        "flame",
        "key",
        "eye",
        "hand",
        "boar",
        "snake",
    }
)
"""The drawn marks that can stand for a portrait."""
MOST_PORTRAITS = 10
"""Pictures that are kept of one character, the earlier ones for an undo."""


@deed(actions.EditKnave, may="seat")
def edit_knave(change: Change, action: actions.EditKnave, tap: Tap) -> None:
    """Write what is told of a knave; what another has written meanwhile is not written over."""
    character = finding.sheet_named(change, action.character)
    before = character.name
    is_given = bool(action.gender.strip())
    new = {
        "name": clean_name(action.name, longest=NAME_LENGTH),
        "gender": clean_name(action.gender, field="gender", longest=LONGEST_GENDER)
        if is_given
        else "",
        "notes": clean_prose(action.notes, longest=LONGEST_NOTES, field="notes"),
    }
    for field, text in new.items():
        was = getattr(action, f"was_{field}")
        setattr(character, field, written(field, text, getattr(character, field), was=was))
    if character.name != before:
        check_name(change, character.name, character)
    keep(change, character)
    tell_of(change, "knave_edited", character, before=before)


@deed(actions.ChooseMark, may="seat")
def choose_mark(change: Change, action: actions.ChooseMark, tap: Tap) -> None:
    """A mark takes the portrait's place; nothing takes both away."""
    character = finding.sheet_named(change, action.character)
    if action.mark and action.mark not in MARKS:
        raise Malformed(_("There is no such mark."), field="mark")
    character.mark, character.portrait_at = action.mark, None
    keep(change, character)
    tell_of(change, "mark_chosen", character, mark=action.mark)


@deed(actions.KeepPortrait, may="seat")
def keep_portrait(change: Change, action: actions.KeepPortrait, tap: Tap) -> None:
    """Keep the picture that came along.

    The picture itself stays out of the ledger, which is no place for pictures: an undo deletes its
    row, and the sheet shows the one before it again.
    """
    character = finding.sheet_named(change, action.character)
    if not tap.picture:
        raise Malformed(_("Choose a picture."), field="photo")
    now = timezone.now()
    # To the millisecond, as the ledger has it: by its instant the picture is found again.
    at = now.replace(microsecond=now.microsecond // 1000 * 1000)
    kept = character.portraits.order_by("-at").values_list("pk", flat=True)
    Portrait.objects.filter(pk__in=list(kept[MOST_PORTRAITS - 1 :])).delete()
    keep(change, rows.new(Portrait, character=character, at=at, picture=tap.picture))
    character.portrait_at = at
    keep(change, character)
    tell_of(change, "portrait_kept", character)


@deed(actions.ChangeHp, may="seat")
def change_hp(change: Change, action: actions.ChangeHp, tap: Tap) -> None:
    """Add to or take from hit points (KN-16); a fight that is running hears of it."""
    character = finding.living_sheet_named(change, action.character)
    before = character.hp
    most = fighting.most_hp(change, character) if action.by > 0 else character.max_hp
    if action.by > 0 and before >= most:
        text = _("%(name)s is at full hit points already.")
        if most < character.max_hp:
            text = _("%(name)s has a new maximum, which counts from the next fight on.")
        raise MovedOn(text % {"name": character.name})
    if action.by == 0:
        raise Malformed(_("Say how many hit points."), field="by")
    hp = bounded_hp(character, min(before + action.by, most))
    # Told first: whether somebody falls of it or wakes is told after.
    told = {"by": hp - before, "hp": hp, "max_hp": character.max_hp}
    to = fighting.figures_to(change, character)
    tell_of(change, "hp_changed", character, to=to, **told)
    if action.by < 0:
        fighting.harm(change, character, -action.by, is_told=to is not None)
    else:
        fighting.mend(change, character, action.by, is_told=to is not None)


@deed(actions.SetAbility)
def set_ability(change: Change, action: actions.SetAbility, tap: Tap) -> None:
    """The referee's correction; slots follow Constitution at once (KN-4)."""
    character = finding.living_sheet_named(change, action.character)
    ability = Ability(action.ability)
    before = character.bonuses.of(ability)
    setattr(character, ability.name.lower(), action.bonus)
    keep(change, character)
    tell_of(
        change,
        "ability_set",
        character,
        to=fighting.figures_to(change, character),
        ability=action.ability,
        before=before,
        bonus=action.bonus,
    )


@deed(actions.SetLevel)
def set_level(change: Change, action: actions.SetLevel, tap: Tap) -> None:
    """Set the figures of a level right (KN-23); hit points stay within the new maximum."""
    character = finding.living_sheet_named(change, action.character)
    new = {"level": action.level, "xp": action.xp, "max_hp": action.max_hp}
    new = _since(character, action, new)
    for field, number in new.items():
        setattr(character, field, number)
    character.hp = min(character.hp, character.max_hp)
    keep(change, character)
    fighting.regear(change, character)
    tell_of(change, "level_set", character, to=fighting.figures_to(change, character), **new)


def _since(
    character: Character, action: actions.SetLevel | actions.SetCoins, new: dict[str, int]
) -> dict[str, int]:
    """Return what a form makes of numbers that may have changed since it was filled in."""
    return {
        field: counted(
            field, number, getattr(character, field), was=getattr(action, f"was_{field}")
        )
        for field, number in new.items()
    }


@deed(actions.AllowOverload)
def allow_overload(change: Change, action: actions.AllowOverload, tap: Tap) -> None:
    """KN-4: over the limit only by the referee's word, which shows on the sheet."""
    character = finding.living_sheet_named(change, action.character)
    character.may_overload = action.on
    keep(change, character)
    tell_of(change, "overload_allowed", character, on=action.on)


@deed(actions.SetCoins, may="seat")
def set_coins(change: Change, action: actions.SetCoins, tap: Tap) -> None:
    """Write what is in the purse: never more than there is room for (KN-4).

    Where players may not write things on their own sheets, they do not make money either.
    """
    character = finding.living_sheet_named(change, action.character)
    before, worth = purse.coins_of(character), purse.worth_of(character)
    wanted = _since(character, action, purse.coins_of(action))
    more = sum(wanted.values()) - sum(before.values())
    if more > 0:
        goods.check_room(character, coins=more)
    for metal, count in wanted.items():
        setattr(character, metal, count)
    may_add = is_gm(change) or finding.party_of(change.table).settings.may_add
    if purse.worth_of(character) > worth and not may_add:
        raise Forbidden(_("At this table only the referee adds things."))
    keep(change, character)
    tell_of(change, "coins_set", character, **wanted)


@deed(actions.GiveCoins, may="seat")
def give_coins(change: Change, action: actions.GiveCoins, tap: Tap) -> None:
    """Hand coins over, all of them or none: the receiver needs the room (KN-4)."""
    giver = finding.living_sheet_named(change, action.character)
    taker = finding.living_sheet_named(change, action.to, anybody=True)
    given = purse.coins_of(action)
    if giver == taker or not any(given.values()):
        raise Malformed(_("Say how many coins, and to whom."), field="gold")
    purse.check_coins(giver, given)
    goods.check_takers_room(taker, coins=sum(given.values()))
    purse.hand_over(change, giver, taker, given)
    tell(
        change, "coins_given", giver, taker, name=giver.name, taker=taker.name, **purse.told(given)
    )


@deed(actions.RollSave, may="seat", stops_in_pause=True)
def roll_save(change: Change, action: actions.RollSave, tap: Tap) -> None:
    """KN-8 to KN-10. In answer to a call, the call's terms count and not the form's."""
    character = finding.living_sheet_named(change, action.character)
    if action.call is not None:
        _answer(change, action.call, character, tap)
        return
    kit.check_awake(change, character)
    dice = _d20s(change, tap, action.edge)
    rolled = calls.roll_save(character, action, dice)
    change.play.faces = dice.faces
    calls.tell_save(change, character, action, rolled)


def _answer(change: Change, key: int, character: Character, tap: Tap) -> None:
    """Roll what the referee has called for, once; anybody living may, even unconscious."""
    call = change.table.calls.filter(pk=key).first()
    if call is None:
        raise calls.not_asked(character)
    if call.kind == Call.Kind.NIGHT:
        calls.answer_night(change, call, character, tap)
        return
    answer = calls.waiting_for(call, character)
    dice = _d20s(change, tap, call.edge)
    calls.answer_save(change, answer, character, dice)
    change.play.faces = dice.faces


def _d20s(change: Change, tap: Tap, edge: str) -> RecordedDice:
    """Return one d20, or with advantage or disadvantage two (KN-10)."""
    return dice_for(change, tap, [saves.DIE] * (2 if edge else 1))


def _check_chosen(old: Bonuses, chosen: Sequence[str]) -> None:
    """Raise Malformed, with how many abilities are to rise, unless so many are named (KN-23)."""
    count = min(growth.RAISES, len(growth.may_rise(old)))
    if len(chosen) != count:
        text = ngettext(
            "Choose the one ability that rises.", "Choose %(count)s abilities that rise.", count
        )
        raise Malformed(text % {"count": count}, field="abilities")


def _check_level(character: Character, level: int | None) -> None:
    """Raise MovedOn where the level that was asked for is not the next.

    When two are due, a second press would take the other with what was chosen for the first.
    """
    if level not in (None, character.level + 1):
        text = _("%(name)s has level %(level)s already.")
        raise MovedOn(text % {"name": character.name, "level": character.level})


@deed(actions.LevelUp, may="seat", stops_in_pause=True)
def level_up(change: Change, action: actions.LevelUp, tap: Tap) -> None:
    """KN-23: as many d8 as the new level, and three abilities that are chosen or rolled for."""
    character = finding.living_sheet_named(change, action.character)
    _check_level(character, action.level)
    if character.level < growth.HIGHEST_LEVEL and not growth.is_due(character.level, character.xp):
        raise MovedOn(_("%(name)s needs more experience first.") % {"name": character.name})
    by_dice = finding.party_of(change.table).settings.raising == "dice"
    level, before = character.level + 1, character.max_hp
    sides = [growth.HP_DIE] * level
    dice = dice_for(change, tap, sides, more=by_dice)
    old = character.bonuses
    rolls: tuple[growth.RaiseRoll, ...] = ()
    try:
        faces, most = growth.roll_max_hp(dice, level, before)
        if by_dice:
            # A form lists those that can rise; the rules want to hear the others too.
            top = (a.value for a in Ability if a not in growth.may_rise(old))
            order = [*action.abilities, *(a for a in top if a not in action.abilities)]
            rolls, new = growth.raise_by_dice(dice, old, order)
        else:
            _check_chosen(old, action.abilities)
            new = growth.raise_three(old, action.abilities)
    except IllegalAction as refusal:
        raise refused(refusal, field="abilities") from refusal
    character.level, character.max_hp = level, most
    character.keep_bonuses(new)
    keep(change, character)
    change.play.faces = dice.faces
    tell_of(
        change,
        "level_reached",
        character,
        level=level,
        faces=list(faces),
        before=before,
        total=most,
        raised=[a.value for a in Ability if new.of(a) > old.of(a)],
        tried=[[r.ability, r.face, r.has_risen] for r in rolls],
        is_real=change.play.is_real,
    )
