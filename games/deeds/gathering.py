"""Before a bout: guild names, personal numbers, who plays, in what order, who begins."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games import actions
from games.bouts import house_rules_on, setup_gathered
from games.deeds.bout import bout_being_played, entrant_of
from games.errors import Forbidden, Malformed, MovedOn, too_late
from games.models import Entrant, Game, Seat, rows
from games.models.table import NAME_LENGTH
from games.regulars import REGULARS
from games.rules import brave_or_knave as bk
from games.rules.dice import RecordedDice, SystemDice
from games.rules.engine import IllegalAction
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.refusing import reason_of
from games.stage import guild_name_of
from games.stored import encode, rules_of
from games.text import clean_name, guild_key

HouseRules = tuple[bk.HouseRule, ...]


def gathering(change: Change) -> Game:
    """Return the game that gathers. Raises MovedOn when a bout is being played, or none is."""
    game = change.game()
    if game is None:
        raise MovedOn(_("The bout is over. Play another first."))
    if game.status != Game.Status.GATHERING:
        raise MovedOn(_("The bout has begun already."))
    return game


def _if_meant(game: Game, bout: int | None) -> Game:
    """Return the bout. Raises MovedOn where a phone has kept its tap for another one."""
    if bout not in (None, game.pk):
        raise too_late()
    return game


def enter(game: Game, seat: Seat, guild_name: str) -> None:
    """Give a seat its part in a game, under a guild name made unique by a numeral if need be."""
    taken = {one.guild_key for one in rows.fetch(Entrant, game_id=game.pk)}
    rows.insert(_part(game, seat, guild_name, taken))


def _part(game: Game, seat: Seat, guild_name: str, taken: set[str], **given: Any) -> Entrant:
    """Return a part yet to be inserted; its name is `taken` from now on."""
    name = _free_name(guild_name, taken)
    taken.add(guild_key(name))
    named = {"guild_name": name, "guild_key": guild_key(name)}
    return rows.new(Entrant, game=game, seat=seat, order=seat.place, **named, **given)


def _free_name(guild_name: str, taken: set[str]) -> str:
    name, count = guild_name, 2
    while guild_key(name) in taken:
        suffix = f" {count}"
        name, count = guild_name[: NAME_LENGTH - len(suffix)] + suffix, count + 1
    return name


def take_own_names(game: Game) -> None:
    """Name who has chosen no guild name by the character that they have at this table by now."""
    entrants = list(game.entrants.select_related("seat"))
    for entrant in entrants:
        name = guild_name_of(entrant.seat)
        if entrant.guild_name == entrant.seat.name and name != entrant.guild_name:
            taken = {other.guild_key for other in entrants if other is not entrant}
            _rename(entrant, _free_name(name, taken))


def _rename(entrant: Entrant, name: str) -> None:
    entrant.guild_name, entrant.guild_key = name, guild_key(name)
    entrant.save(update_fields=["guild_name", "guild_key"])


@deed(actions.PickNumber, may="seat")
def pick_number(change: Change, action: actions.PickNumber, tap: Tap) -> None:
    """BK-3: the table is locked, so of two who pick one number in the same instant one wins.

    A house rule's number is nobody's (BK-25). Whoever has it already is not told of again.
    """
    game = gathering(change)
    entrant = entrant_of(game, change.seat)
    holder = rows.first(Entrant, game_id=game.pk, number=action.number)
    if holder and holder.pk != entrant.pk:
        raise MovedOn(
            _("%(number)s is taken by %(name)s. Choose another number.")
            % {"number": action.number, "name": holder.guild_name},
            field="number",
        )
    rule = next((r for r in house_rules_on(change.table) if r.number == action.number), None)
    if rule:
        raise MovedOn(
            _("%(number)s belongs to the house rule “%(rule)s”. Choose another number.")
            % {"number": action.number, "rule": rule.name},
            field="number",
        )
    if entrant.number == action.number:
        return
    entrant.number = action.number
    entrant.save(update_fields=["number"])
    change.log("number_picked", game=game, name=entrant.guild_name, number=action.number)


@deed(actions.NameGuild, may="seat")
def name_guild(change: Change, action: actions.NameGuild, tap: Tap) -> None:
    """BK-2: unique at the table without regard to case or surrounding space."""
    game = gathering(change)
    entrant = entrant_of(game, change.seat)
    name = clean_name(action.name, field="name")
    if game.entrants.filter(guild_key=guild_key(name)).exclude(pk=entrant.pk).exists():
        raise MovedOn(
            _("%(name)s sits here already. Choose another name.") % {"name": name},
            field="name",
        )
    before = entrant.guild_name
    if name == before:
        return
    _rename(entrant, name)
    change.log("guild_named", game=game, before=before, name=name)


@deed(actions.TakePart, may="seat")
def take_part(change: Change, action: actions.TakePart, tap: Tap) -> None:
    """Give a seat its part in the coming bout (BK-1), or take it back with its number (BK-3)."""
    assert change.seat
    game = gathering(change)
    entrant = rows.first(Entrant, game_id=game.pk, seat_id=change.seat.pk)
    if action.plays and not entrant:
        if game.entrants.count() >= bk.MAX_SEATS:
            raise MovedOn(_("The bout is full: eighteen numbers, eighteen players."))
        enter(game, change.seat, guild_name_of(change.seat))
        change.log("seat_plays", game=game, name=change.seat.name)
    elif entrant and not action.plays:
        entrant.delete()
        change.log("seat_watches", game=game, name=entrant.guild_name)


@deed(actions.MoveSeat)
def move_seat(change: Change, action: actions.MoveSeat, tap: Tap) -> None:
    """BK-5: the order can be changed before the first roll."""
    game = gathering(change)
    seated = change.table.seats.filter(standing=Seat.Standing.SEATED)
    ring = list(seated.exclude(role=Seat.Role.SCREEN))
    at = next((i for i, s in enumerate(ring) if s.number == action.who), None)
    if at is None:
        raise MovedOn(_("Nobody sits there."))
    seat, to = ring[at], (at + action.by) % len(ring)
    ring[at], ring[to] = ring[to], seat
    for place, other in enumerate(ring):
        other.place = place
        game.entrants.filter(seat=other).update(order=place)
    Seat.objects.bulk_update(ring, ["place"])
    change.log("seat_moved", game=game, name=seat.name, way=action.by)


@deed(actions.ChooseFirst)
def choose_first(change: Change, action: actions.ChooseFirst, tap: Tap) -> None:
    """BK-6: the table says who rolls first, or, naming nobody, lets the die say it."""
    game = gathering(change)
    before, game.first = game.first_id, None
    name = ""
    if action.who is not None:
        entrant = game.entrants.filter(seat__number=action.who).first()
        if entrant is None:
            raise MovedOn(_("That seat only watches."))
        game.first, name = entrant.seat, entrant.guild_name
    if game.first_id == before:
        return
    game.save(update_fields=["first"])
    change.log("first_chosen", game=game, name=name)


@deed(actions.StartBout, may="seat", stops_in_pause=True)
def start_bout(change: Change, action: actions.StartBout, tap: Tap) -> None:
    """Begin with everybody who has a number; who has none watches (BK-1, BK-3, BK-25)."""
    assert change.seat
    if change.table.rules != bk.NAME:  # nobody could play it behind another game, nor call it off
        raise too_late()
    game = _if_meant(gathering(change), action.bout)
    house_rules = house_rules_on(change.table)
    _regulars_give_way(change, game, house_rules)
    entrants = rows.fetch(Entrant, game_id=game.pk)
    missing = [one for one in entrants if one.number is None]
    playing = [one for one in entrants if one.number is not None]
    if missing and not change.seat.is_gm:
        text = _("Waiting for %(names)s. The host can begin without them.")
        raise Forbidden(text % {"names": ", ".join(e.guild_name for e in missing)})
    if len(playing) < bk.MIN_SEATS:
        raise MovedOn(_("Two players with a number are needed at least."))
    _check_house_rules(game, house_rules)
    for entrant in missing:
        entrant.delete()
    dice = RecordedDice(SystemDice())
    try:
        setup = setup_gathered(game, house_rules)
        state = rules_of(game).setup(setup, dice)
    except IllegalAction as refusal:
        raise Malformed(reason_of(refusal)) from refusal
    for order, entrant in enumerate(playing):
        if entrant.order != order:
            entrant.order = order
            rows.update(entrant, ["order"])
    # A record names who began, also when the die chose.
    game.setup = encode(msgspec.structs.replace(setup, first=state.roller))
    game.state = encode(state)
    game.status, game.started_at = Game.Status.PLAYING, timezone.now()
    change.play.faces = dice.faces
    opener = setup.names[state.roller]
    change.log("bout_started", game=game, names=list(setup.names), first=opener, faces=dice.faces)
    game.scene = change.table.seq + len(change.events)
    game.scene_ms = game.moved_ms = change.now_ms
    game.locks = {}
    game.save()


def number_for(game: Game, regular: str, house_rules: HouseRules) -> int | None:
    """Return what this regular likes best of what nobody has and no house rule is about (BK-25)."""
    taken: set[int | None] = {rule.number for rule in house_rules}
    taken.update(game.entrants.exclude(number=None).values_list("number", flat=True))
    return next((n for n in REGULARS[regular].numbers if n not in taken), None)


def _on_house_rules(game: Game, house_rules: HouseRules) -> QuerySet[Entrant]:
    """Return who has a number that a house rule is about, and may not have it (BK-25)."""
    return game.entrants.filter(number__in=[rule.number for rule in house_rules])


def _regulars_give_way(change: Change, game: Game, house_rules: HouseRules) -> None:
    """Let regulars choose again whose number a house rule has taken since: nobody else can."""
    for entrant in _on_house_rules(game, house_rules).exclude(seat__regular=""):
        entrant.number = number_for(game, entrant.seat.regular, house_rules)
        entrant.save(update_fields=["number"])
        if entrant.number is not None:
            name, number = entrant.guild_name, entrant.number
            change.log("number_picked", game=game, name=name, number=number)


def _check_house_rules(game: Game, house_rules: HouseRules) -> None:
    """BK-25: the table is told who must choose another number, and why."""
    clash = _on_house_rules(game, house_rules).first()
    if clash:
        text = _("%(name)s must choose another number: %(number)s is the house rule “%(rule)s”.")
        rule = next(r.name for r in house_rules if r.number == clash.number)
        raise MovedOn(text % {"name": clash.guild_name, "number": clash.number, "rule": rule})


@deed(actions.EndBout)
def end_bout(change: Change, action: actions.EndBout, tap: Tap) -> None:
    """Call the bout off; the next gathers at once, with who sits here."""
    game = _if_meant(bout_being_played(change), action.bout)
    game.status, game.ended_at = Game.Status.ENDED, timezone.now()
    game.save(update_fields=["status", "ended_at"])
    change.log("bout_called_off", game=game)
    gather_again(change, game)


@deed(actions.Rematch, may="seat")
def rematch(change: Change, action: actions.Rematch, tap: Tap) -> None:
    """Gather again: same names, same numbers, each free to change them."""
    if change.table.rules != bk.NAME:  # a phone that slept says so to people at another game
        raise too_late()
    game = change.game()
    if game is not None and game.status == Game.Status.PLAYING:
        raise MovedOn(_("The bout has begun already."))
    if game is not None:
        raise MovedOn(_("The next bout is gathering already."))
    last = change.table.games.filter(rules=bk.NAME).first()
    game = gather_again(change, last)
    change.log("rematch_called", game=game)


def gather_again(change: Change, last: Game | None) -> Game:
    """Open the gathering for the next bout, with who is still seated.

    Whoever had a part in the last has one before the others: there are eighteen (BK-1).
    """
    game = Game.objects.create(table=change.table)
    before = {e.seat_id: e for e in rows.fetch(Entrant, game_id=last.pk)} if last else {}
    here = rows.fetch(Seat, table_id=change.table.pk, standing=Seat.Standing.SEATED)
    seated = rows.belonging(here, table=change.table)
    taken: set[str] = set()
    parts = []
    for seat in sorted(seated, key=lambda one: one.pk not in before):
        if seat.role == Seat.Role.SCREEN:
            continue
        old = before.get(seat.pk)
        if last and old is None and seat.is_gm:
            continue  # a host who only hosted goes on hosting
        name = old.guild_name if old else guild_name_of(seat)
        parts.append(_part(game, seat, name, taken, number=old.number if old else None))
    rows.insert(*parts[: bk.MAX_SEATS])
    return game
