"""Action sequences of In a Wicked Age, one after the other, in which nobody is harmed.

Two of five characters, whose dice are all of one size, choose their forms, roll, move and answer
for two rounds and then have nothing against each other any more: no sheet is worse for it and no
name is written on the owe list, so that the next one begins as this one did. The dice are typed,
the answer always a little lower. A sequence's own key is read off the page, as a phone reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from campaigns.models import Campaign, Chapter, Character, Part, Sequence
from campaigns.services.sheets import sheet_value
from games.rules import wicked_sequence as ws
from games.rules.wicked_age.forms import PC_FORMS
from games.stored import state_of

if TYPE_CHECKING:
    from bench.tables import Taps

HOST = 0
PEOPLE = ("Amek", "Mekha", "Tajie", "Sarit", "Oren")
DIE = 8
ROUNDS = 2
MOST_TAPS = 100
WON = ("advantage", "bought")


class Sequences:
    """Two fights, Amek with Mekha and Tajie with Sarit; then from the beginning."""

    rules = "wicked_age"

    def gather(self, taps: Taps) -> None:
        taps.tap(HOST, "begin_campaign", settles=False, name="The Salt Road")
        campaign = Campaign.objects.get(table=taps.here.table, is_in_front=True)
        chapter = Chapter.objects.create(campaign=campaign, number=1, step="play")
        members = {m.seat_id: m for m in campaign.members.all()}
        for number, name in enumerate(PEOPLE, 1):
            member = members[taps.here.seats[number].pk]
            one = Character.objects.create(
                campaign=campaign,
                number=number,
                kind="pc",
                owner=member,
                name=name,
                forms={form: {"base": DIE, "current": DIE} for form in PC_FORMS},
            )
            before = sheet_value(one)
            Part.objects.create(chapter=chapter, character=one, member=member, before=before)
            taps.names[f"c{number}"] = one.pk

    def cycle(self, taps: Taps) -> None:
        for actor, other in ((1, 2), (3, 4)):
            who: dict[str, Any] = {"actor": f"{{c{actor}}}", "who": f"{{c{other}}}"}
            taps.tap(actor, "start_sequence", act="Takes the lamp by force", **who)
            row = Sequence.objects.filter(chapter__campaign__table=taps.here.table).latest("pk")
            taps.names["sequence"] = row.pk
            for _tap in range(MOST_TAPS):
                state: ws.State = state_of(Sequence.objects.get(pk=row.pk).game)
                if state.phase is ws.Phase.OVER:
                    break
                self._turn(taps, state, {f"r{n}": n for n in (actor, other)})

    def _turn(self, taps: Taps, state: ws.State, places: dict[str, int]) -> None:
        place = {one.id: at for one, at in zip(state.participants, places.values(), strict=True)}
        if state.phase is ws.Phase.CHOOSE:
            for number in place.values():
                self._tap(taps, number, "take_dice", forms="directly,with_violence")
        elif state.phase is ws.Phase.BETWEEN and state.round < ROUNDS:
            first = next(iter(place.values()))
            taps.tap(first, "next_round", sequence="{sequence}")
        elif state.phase is ws.Phase.BETWEEN:
            for number in place.values():
                self._tap(taps, number, "agree_to_end")
        elif state.phase is ws.Phase.ROLL:
            self._roll(taps, state, place, state.to_roll[0], 0)
        elif state.phase is ws.Phase.TURN:
            assert state.mover is not None
            throw = state.of(state.mover).throw
            if throw is None or not throw.lies:
                self._roll(taps, state, place, state.mover, 0)
            else:
                other = next(n for who, n in place.items() if who != state.mover)
                mover = place[state.mover]
                self._tap(taps, mover, "make_move", to=f"{{c{other}}}", says="Reaches for it")
        else:
            self._roll(taps, state, place, state.to_answer[0], 1)

    def _roll(
        self, taps: Taps, state: ws.State, place: dict[str, int], who: str, less: int
    ) -> None:
        """Roll all that is due, as high as dice go; later in the order, and in answer, lower."""
        less += list(place).index(who) if state.phase is ws.Phase.ROLL else 0
        owed = ws.dice_owed(state, who)
        # A won die at its best would double the answer, and that costs somebody.
        faces = [1 if label in WON else sides - less for label, sides in owed]
        self._tap(taps, place[who], "roll_forms", dice=",".join(map(str, faces)))

    def _tap(self, taps: Taps, number: int, action: str, **fields: Any) -> None:
        taps.tap(number, action, sequence="{sequence}", who=f"{{c{number}}}", **fields)


PLAY = Sequences()
