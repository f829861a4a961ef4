"""Hirelings and NPCs (KN-24): hiring, wages, morale outside a fight (KN-20)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from characters import actions
from characters.models import Character, HirelingKind
from characters.models.sheet import NAME_LENGTH
from characters.services.body import lay_out
from characters.services.combatants import fighter_id
from characters.services.fighting import fight_of, leave
from characters.services.finding import living_sheet_named
from characters.services.making import new_name
from characters.services.names import check_name
from characters.services.telling import tell, tell_of
from characters.services.trade import pay
from games.errors import MovedOn, NotFound
from games.rules.knave import people
from games.rules.knave.abilities import Ability, Bonuses
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.dice import dice_for
from games.services.host import gm_seat
from games.services.ledger import keep
from games.services.refusing import look_again
from games.stored import state_of
from games.text import clean_name

MOST_SHEETS = 200
"""Living sheets at a table; more would slow every phone at it."""

Kind = Character.Kind
State = Character.State


def check_room_for(change: Change, more: int = 1) -> None:
    """Raise MovedOn when the table has more sheets than anybody can play."""
    living = change.table.characters.exclude(state__in=[State.DEAD, State.GONE])
    if living.count() + more > MOST_SHEETS:
        raise MovedOn(_("There are too many characters at this table. Send some away first."))


@deed(actions.Hire, may="seat")
def hire(change: Change, action: actions.Hire, tap: Tap) -> None:
    """Take a hireling on, as many as the Charisma bonus allows (KN-24)."""
    employer = living_sheet_named(change, action.character)
    trade = HirelingKind.objects.filter(pk=action.trade, is_hidden=False).first()
    if trade is None:
        raise NotFound(_("Nobody of that trade is for hire."))
    _check_may_hire(employer)
    check_room_for(change)
    name = clean_name(action.name.strip() or new_name(change.table), longest=NAME_LENGTH)
    check_name(change, name)
    one = Character(
        table=change.table,
        kind=Kind.HIRELING,
        state=State.UP,
        name=name,
        employer=employer,
        trade=trade,
        wage=trade.wage,
        level=trade.level,
        hp=trade.hp,
        max_hp=trade.hp,
        natural_defense=trade.armor_defense,
        natural_attack=trade.attack_bonus,
        natural_die=trade.die,
        natural_is_ranged=trade.is_ranged,
        morale=trade.morale,
    )
    one.keep_bonuses(_level_bonuses(trade.level))
    keep(change, one)
    tell(
        change,
        "hireling_hired",
        one,
        employer,
        name=one.name,
        employer=employer.name,
        trade=trade.names(),
        wage=trade.wage,
    )


def _check_may_hire(employer: Character) -> None:
    """Raise MovedOn but for a knave with fewer hirelings than the Charisma bonus allows (KN-24)."""
    if employer.kind != Kind.KNAVE:
        raise MovedOn(_("Only a knave hires people."))
    limit = people.hireling_limit(employer.bonuses.of(Ability.CHARISMA))
    hired = employer.hirelings.exclude(state__in=[State.DEAD, State.GONE]).count()
    if hired >= limit:
        text = ngettext(
            "%(name)s may have %(count)s hireling at most: the Charisma bonus.",
            "%(name)s may have %(count)s hirelings at most: the Charisma bonus.",
            limit,
        )
        raise MovedOn(text % {"name": employer.name, "count": limit})


@deed(actions.TakeOn, may="seat")
def take_on(change: Change, action: actions.TakeOn, tap: Tap) -> None:
    """Let a knave employ a hireling whose employer is dead (KN-16, KN-24).

    **Ruling:** what is owed stays owed: whoever takes somebody on pays it.
    """
    employer = living_sheet_named(change, action.employer)
    one = living_sheet_named(change, action.character, anybody=True)
    if one.kind != Kind.HIRELING:
        raise MovedOn(_("%(name)s is not for hire.") % {"name": one.name})
    if one.is_employed:
        told = {"name": one.name, "employer": str(one.employer)}
        raise MovedOn(_("%(name)s works for %(employer)s.") % told)
    _check_may_hire(employer)
    one.employer, one.seat = employer, None
    keep(change, one)
    tell(change, "hireling_taken_on", one, employer, name=one.name, employer=employer.name)


def _level_bonuses(level: int) -> Bonuses:
    """Return the abilities of somebody without scores: every bonus is the level."""
    return Bonuses(**{ability.value: level for ability in Ability})


def person(change: Change, key: int) -> Character:
    """Return a living hireling or NPC. Raises MovedOn for a knave."""
    found = living_sheet_named(change, key)
    if found.kind == Kind.KNAVE:
        raise MovedOn(_("%(name)s is a knave of the party.") % {"name": found.name})
    return found


@deed(actions.PayHireling, may="seat")
def pay_hireling(change: Change, action: actions.PayHireling, tap: Tap) -> None:
    """Pay days of wage that are owed, from the employer's purse."""
    one = person(change, action.character)
    employer = one.employer
    if employer is None or not employer.is_alive:
        raise MovedOn(_("%(name)s has no employer who could pay.") % {"name": one.name})
    count = min(action.days, one.days_owed)
    if not count:
        raise MovedOn(_("%(name)s is owed nothing.") % {"name": one.name})
    price = one.wage * count
    pay(change, employer, price)
    one.days_owed -= count
    keep(change, one)
    tell(
        change,
        "hireling_paid",
        one,
        employer,
        name=one.name,
        employer=employer.name,
        count=count,
        price=price,
    )


@deed(actions.Dismiss, may="seat")
def dismiss(change: Change, action: actions.Dismiss, tap: Tap) -> None:
    """Send somebody away; what they carried stays behind."""
    one = person(change, action.character)
    leave(change, one)
    lay_out(change, one)
    one.state = State.GONE
    keep(change, one)
    tell_of(change, "person_dismissed", one)


@deed(actions.RollMorale, stops_in_pause=True)
def roll_morale(change: Change, action: actions.RollMorale, tap: Tap) -> None:
    """Roll whether somebody holds (KN-20); what they do when they break is the host's word."""
    one = person(change, action.character)
    if one.morale is None:
        raise MovedOn(_("%(name)s has no morale rating.") % {"name": one.name})
    dice = dice_for(change, tap, [6, 6])
    faces, holds = people.morale(dice, one.morale)
    change.play.faces = dice.faces
    tell_of(
        change,
        "morale_rolled",
        one,
        moment=action.moment,
        faces=faces,
        total=sum(faces),
        success=holds,
        is_real=change.play.is_real,
    )


@deed(actions.SetMorale)
def set_morale(change: Change, action: actions.SetMorale, tap: Tap) -> None:
    """Raise or lower a rating after good or bad treatment (KN-20); the rating is the host's."""
    one = person(change, action.character)
    before, one.morale = one.morale, action.morale
    keep(change, one)
    to = gm_seat(change)
    tell_of(change, "morale_set", one, to=to, before=before, morale=one.morale)


@deed(actions.ShowSheet)
def show_sheet(change: Change, action: actions.ShowSheet, tap: Tap) -> None:
    """Let the table meet an NPC that was kept to oneself, or hide it again."""
    one = living_sheet_named(change, action.character)
    if one.kind != Kind.NPC or one.is_hidden != action.on:
        raise look_again()
    if action.on:
        show(change, one)
        return
    game = fight_of(change.table)
    if game is not None and state_of(game).find(fighter_id(one)) is not None:
        raise MovedOn(_("%(name)s is in the fight, where all see them.") % {"name": one.name})
    one.is_hidden = True
    keep(change, one)
    tell_of(change, "npc_hidden", one)


def show(change: Change, one: Character) -> None:
    """Let the table meet somebody, unless they are in sight already."""
    if not one.is_hidden:
        return
    one.is_hidden = False
    keep(change, one)
    tell_of(change, "npc_shown", one)


@deed(actions.AddNpc)
def add_npc(change: Change, action: actions.AddNpc, tap: Tap) -> None:
    """Write a sheet of the referee's, in sight or hidden."""
    check_room_for(change)
    name = clean_name(action.name, longest=NAME_LENGTH)
    check_name(change, name)
    one = Character(
        table=change.table,
        kind=Kind.NPC,
        state=State.UP,
        name=name,
        level=action.level,
        hp=action.hp,
        max_hp=action.hp,
        natural_defense=action.armor_defense,
        natural_attack=action.level,
        natural_die=action.die,
        morale=action.morale,
        is_hidden=not action.is_shown,
    )
    one.keep_bonuses(_level_bonuses(action.level))
    keep(change, one)
    tell_of(change, "npc_added", one)
