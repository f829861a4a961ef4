"""Whose turn it is in a fight: what the rules leave to the people at the table (KN-12)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from characters.models import Encounter
from games.errors import Forbidden, MovedOn
from games.models import Game, rows
from games.rules import knave_fight as kf
from games.rules.knave_fight import refusals
from games.services.change import Change
from games.services.host import is_gm
from games.services.refusing import reason_of
from games.stored import state_of


def acting_side(view: kf.View, passed_round: int) -> kf.Side | None:
    """Return whose turn it is: the first side's until it is done, or the second has begun.

    It is done when everybody up has made all of their combat action, or when the host has said so
    for this round: else the second side would cut off a monster's further attacks (KN-12, KN-13).
    """
    if view.first is None:
        return None
    waits = any(
        f.side is view.first and f.status is kf.Status.UP and not f.is_done for f in view.fighters
    )
    is_done = view.second_began or passed_round == view.round or not waits
    return view.first.other if is_done else view.first


def standing(view: kf.View) -> set[kf.Side]:
    """Return the sides of which somebody still stands."""
    return {f.side for f in view.fighters if f.status is kf.Status.UP}


def side_on(view: kf.View, passed_round: int) -> kf.Side | None:
    """Return whose turn it is, or None where a side has nobody left to face (KN-12, KN-16)."""
    is_on = len(standing(view)) == len(kf.Side)
    return acting_side(view, passed_round) if is_on else None


def passed_round(game: Game) -> int:
    """Return the round in which the host has said that the first side is done."""
    found = rows.first(Encounter, game_id=game.pk)
    return found.passed_round if found else 0


def check_with_us(change: Change, fighter: kf.Fighter) -> None:
    """Raise Forbidden for whoever has gone over to the foes: the host alone acts for them."""
    if fighter.side is kf.Side.FOES and not is_gm(change):
        raise Forbidden(reason_of(refusals.NOT_YOURS))


def check_turn(change: Change, game: Game, action: kf.FightAction, side: kf.Side) -> None:
    """Raise MovedOn when a player would cut the other side's turn short; the host may.

    The rules let the second side begin at any time, since nobody has to act,
    and that ends the first side's turn: one hasty tap must not.
    """
    state = state_of(game)
    if is_gm(change) or kf.fault(state, None, action) is not None:
        return  # the rules have their own words for what they refuse
    if isinstance(action, kf.Attack | kf.Stunt) and state.of(action.by).both:
        return  # the second half of what was begun in time (KN-18)
    acting = acting_side(kf.view(state, None), passed_round(game))
    if acting is not None and acting is not side:
        if acting is not state.first:
            raise MovedOn(_("Your side's turn is over for this round."))
        text = {
            kf.Side.FOES: _("The foes act first this round. Wait for them."),
            kf.Side.PARTY: _("The party acts first this round."),
        }[acting]
        raise MovedOn(text)
