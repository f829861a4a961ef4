"""A fight of Knave that never ends: five knaves against five trolls, healed as fast as hurt.

A round is initiative, a strike by each knave, three blows of the trolls, and the host's healing.
The dice are typed: without a 1 or a 20 no weapon breaks, and a hit takes one hit point, so that
nobody's morale is ever asked for. A miss has to miss with a troll's +8 as well: the damage of a hit
without a second die would be rolled, and nobody would know what to heal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from characters.models import Article, Character, Encounter
from characters.services import goods
from characters.services.finding import party_of

if TYPE_CHECKING:
    from bench.tables import Taps

HOST = 0
KNAVES = range(5)
TROLLS = "Troll (5): AC 4 [15], HD 8 (36hp), #AT 1, D 1-8, ML 12"
HIT, MISS = "15,1", "2"
# Which blow of either side misses, and so has no foe to be healed after it.
THE_MISS = 2
# The host taps two of three times: faster than a finger can, and the socket would be closed for it.
FINGER_MS = 80


class Fight:
    """Rounds of one fight, each like the one before."""

    rules = "knave"

    def gather(self, taps: Taps) -> None:
        table = taps.here.table
        party_of(table)
        sword = Article.objects.get(key="sword")
        for number in KNAVES:
            one = Character.objects.create(
                table=table,
                seat=taps.here.seats[number + 1],
                name=("Ash", "Birch", "Cedar", "Dogwood", "Elder")[number],
                state="up",
                hp=20,
                max_hp=20,
                constitution=5,
            )
            item = goods.from_article(table, sword)
            item.holder, item.position, item.is_equipped = one, 1, True
            item.save()
            taps.names[f"k{number}"] = f"k{one.pk}"
        taps.tap(HOST, "prepare_encounter", settles=False, name="Bridge")
        taps.tap(HOST, "add_stat_line", settles=False, encounter=0, text=TROLLS)
        met = Encounter.objects.get(table=table)
        self.foes = [foe["id"] for foe in met.foes]
        taps.tap(HOST, "start_fight", settles=False, encounter=met.pk)

    def cycle(self, taps: Taps) -> None:
        taps.tap(HOST, "fight-initiative", dice=6)
        for number in KNAVES:
            blow = {"by": f"{{k{number}}}", "on": self.foes[number], "rolled_by": "attacker"}
            taps.tap(number + 1, "fight-attack", **blow, dice=_falls(number))
        for number in KNAVES[:3]:
            blow = {"by": self.foes[number], "on": f"{{k{number}}}", "rolled_by": "attacker"}
            taps.tap(HOST, "fight-attack", **blow, dice=_falls(number))
        for number in KNAVES:
            if number != THE_MISS:
                taps.tap(HOST, "fight-heal", on=self.foes[number], amount=1, pause_ms=FINGER_MS)
        for number in KNAVES[:2]:
            taps.tap(HOST, "fight-heal", on=f"{{k{number}}}", amount=1, pause_ms=FINGER_MS)


def _falls(blow: int) -> str:
    return MISS if blow == THE_MISS else HIT


PLAY = Fight()
