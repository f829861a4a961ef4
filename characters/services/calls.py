"""Answers to the host's calls for rolls: saves (KN-8 to KN-10) and nights (KN-21)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from characters.actions import RollSave
from characters.models import Answer, Article, Call, Character, Item
from characters.services.fighting import mend
from characters.services.goods import brought
from characters.services.kit import spend
from characters.services.telling import tell_of
from games.errors import MovedOn
from games.rules.dice import RecordedDice, SystemDice
from games.rules.knave import days, saves
from games.rules.knave.abilities import Ability
from games.services.act import Tap
from games.services.change import Change
from games.services.dice import dice_for
from games.services.ledger import keep


def open_call(change: Change, call: Call, who: list[Character]) -> None:
    """Ask these characters for a roll."""
    keep(change, call)
    keep(change, *(Answer(call=call, character=one) for one in who))


def not_asked(character: Character) -> MovedOn:
    """Return the refusal of a roll that somebody is not asked for.

    It is the same whether the call is gone or asks somebody else: that one may be hidden.
    """
    return MovedOn(_("Nobody asks %(name)s for that roll.") % {"name": character.name})


def waiting_for(call: Call, character: Character) -> Answer:
    """Return the answer that a character still owes.

    Raises MovedOn when the call is closed, was not for them or is answered.
    """
    answer = call.answers.filter(character=character).first()
    if not call.is_open or answer is None:
        raise not_asked(character)
    if answer.total is not None:
        raise MovedOn(_("%(name)s has rolled for that already.") % {"name": character.name})
    return answer


def roll_save(character: Character, terms: Call | RollSave, dice: RecordedDice) -> saves.Rolled:
    """Roll a save on these terms: against 15, or against somebody's defense (KN-8 to KN-10)."""
    bonus = character.bonuses.of(Ability(terms.ability))
    edge = saves.Edge(terms.edge) if terms.edge else None
    if terms.defense is None:
        return saves.save(dice, bonus, edge, terms.modifier)
    return saves.opposed(dice, bonus, terms.defense, edge, terms.modifier)


def tell_save(
    change: Change,
    character: Character,
    terms: Call | RollSave,
    rolled: saves.Rolled,
    reason: str = "",
) -> None:
    """Log a save with all that its total is made of."""
    tell_of(
        change,
        "save_rolled",
        character,
        ability=terms.ability,
        reason=reason,
        edge=terms.edge,
        faces=rolled.faces,
        natural=rolled.natural,
        total=rolled.total,
        target=rolled.target,
        success=rolled.success,
        is_real=change.play.is_real,
    )


def answer_save(change: Change, answer: Answer, character: Character, dice: RecordedDice) -> None:
    """Roll a save for a call and keep the answer."""
    call = answer.call
    rolled = roll_save(character, call, dice)
    answer.faces, answer.total = list(rolled.faces), rolled.total
    answer.is_success, answer.is_real = rolled.success, change.play.is_real
    keep(change, answer)
    tell_save(change, character, call, rolled, call.reason)


def answer_night(change: Change, call: Call, character: Character, tap: Tap) -> None:
    """Sleep for a call: the d8 is the server's or was typed, and the hungry roll none (KN-21)."""
    answer = waiting_for(call, character)
    is_fed = any(_rations(one) for one in (character, character.employer) if one)
    dice = dice_for(change, tap, [days.HEALING_DIE]) if is_fed else RecordedDice(SystemDice())
    sleep(change, character, dice, answer)


def sleep(
    change: Change,
    character: Character,
    dice: RecordedDice,
    answer: Answer | None = None,
    *,
    leaves: int = 0,
) -> None:
    """Eat a ration and sleep: d8 and Constitution; without a meal nothing heals (KN-21)."""
    before = character.hp
    if eat(change, character, leaves=leaves):
        face, hp = days.night(
            dice, character.bonuses.of(Ability.CONSTITUTION), character.hp, character.max_hp
        )
        change.play.faces = list(dice.faces)
        tell_of(
            change,
            "night_rested",
            character,
            face=face,
            total=hp - before,
            hp=hp,
            max_hp=character.max_hp,
            is_real=change.play.is_real,
        )
        mend(change, character, hp - before)
    else:
        face, hp = None, before
        tell_of(change, "slept_hungry", character)
    if answer is not None:
        answer.faces = [] if face is None else [face]
        answer.total, answer.is_success = hp - before, face is not None
        answer.is_real = change.play.is_real
        keep(change, answer)


def eat(change: Change, character: Character, *, leaves: int = 0) -> bool:
    """Eat one ration: one's own, or for a hireling the employer's; tell whether there was one.

    **Ruling:** food comes on top of a hireling's wage, so the employer feeds it. Of the
    employer's rations it `leaves` so many.
    """
    for holder in (character, character.employer):
        held = _rations(holder) if holder else []
        if sum(ration.count for ration in held) > (0 if holder is character else leaves):
            spend(change, held[0])
            return True
    return False


def _rations(holder: Character) -> list[Item]:
    """Return the rations that somebody has with them: what is at home feeds nobody."""
    held = brought(holder.items.order_by("position", "id"))
    return [item for item in held if item.kind == Article.Kind.RATION]
