"""A whole evening of Knave: everybody, everything and every secret that a table can hold.

Ana is the host. Ben plays Ash, who employs Tib; Dora plays Birch. Nobody plays Stray. Tess is the
tablet, Kim waits at the door, Cleo has only heard of the table. Fay hosts another table, at which
Gil is seated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from characters.actions import KnaveAction
from characters.deeds.fight import FightWield
from characters.models import (
    Answer,
    Call,
    Character,
    Encounter,
    Goal,
    HirelingKind,
    Item,
    Monster,
    Pile,
    Spell,
)
from characters.models.book import Shipped
from characters.services import making, traits
from characters.services.finding import party_of
from games.models import Device, Event, House, Table
from games.rules.dice import SeededDice
from games.rules.knave import creation
from games.services.act import ACTIONS
from tests.characters.crew import article, knave, owns
from tests.games.every_row import EveryRow
from tests.games.party import Party, Person, done

Fields = dict[str, Any]
BIDI = "\u202e\u2066\u200f"  # what turns a line round, and nobody sees


class Company:
    """The cast's table, turned to Knave and full of things."""

    def __init__(self, cast: Party) -> None:
        self.cast = cast
        self.ana, self.ben, self.tess, self.cleo = cast.ana, cast.ben, cast.tess, cast.cleo
        (self.dora,) = cast.welcomes("Dora")
        self.kim = Person("Kim")
        done(self.ana.does("set_door", door="ask"))
        self.kim.joins(self.table)
        self.kim.has_come()
        done(self.ana.does("set_door", door="open"))
        done(self.ana.does("turn_table", rules="knave"))
        party_of(self.table)
        self._people()
        self._things()
        self._plans()

    @property
    def table(self) -> Table:
        return self.ana.table

    def _people(self) -> None:
        figures = {"constitution": 5, "charisma": 3, "gold": 9, "xp": 1000, "max_hp": 8}
        self.ash = knave(self.table, self.ben, "Ash", **figures)
        self.birch = knave(self.table, self.dora, "Birch", **figures)
        self.stray = knave(self.table, None, "Stray")
        trade = HirelingKind.objects.first()
        hired = {"kind": "hireling", "employer": self.ash, "trade": trade, "wage": 2}
        self.tib = knave(self.table, None, "Tib", morale=7, days_owed=2, **hired)
        npc = {"kind": "npc", "natural_defense": 13, "natural_die": 6, "morale": 8}
        self.warden = knave(self.table, None, "Warden", **npc)
        self.shade = knave(self.table, None, "Shade", is_hidden=True, **npc)
        self.draft = in_the_making(self.table, self.ben, "Nascent")

    def _things(self) -> None:
        ash = self.ash
        self.sword = owns(ash, "sword")
        self.sword.quality = 2
        self.sword.save()
        self.dagger = owns(ash, "dagger", is_equipped=True)
        self.torches = owns(ash, "torch", 3)
        self.rations = owns(ash, "travel-rations", 4)
        self.twins = [owns(ash, "candle", 2), owns(ash, "candle", 3)]
        self.sack = owns(ash, "sack")
        self.book = Item.objects.create(
            table=self.table, holder=ash, spell=Spell.objects.first(), kind="spell_book"
        )
        self.cellar = Pile.objects.create(table=self.table, name="Cellar", silver=9, copper=4)
        self.found = owns(self.cellar, "torch", 2)
        self.vault = Pile.objects.create(table=self.table, name="Vault", gold=3, is_shown=False)
        self.gem = owns(self.vault, "crowbar")

    def _plans(self) -> None:
        self.goal = Goal.objects.create(table=self.table, text="Find the miller", worth=100)
        self.plot = Goal.objects.create(table=self.table, text="Burn the mill", is_shown=False)
        done(self.ana.does("prepare_encounter", name="Ambush"))
        goblin = Monster.objects.get(key="goblin").pk
        done(self.ana.does("add_foes", encounter=0, monster=goblin, count=2))
        self.ambush = Encounter.objects.get(table=self.table)
        self.call = Call.objects.create(table=self.table, ability="dex")
        for one in (self.ash, self.birch):
            Answer.objects.create(call=self.call, character=one)
        self.cast.dice.fall(3)
        done(self.ana.does("roll_dice", dice="d6", is_secret="true"))
        self.secret = Event.objects.get(table=self.table, kind="dice_rolled")

    # --- scenes ----------------------------------------------------------------------------------

    def fights(self) -> None:
        """Begin the fight; the party acts first, and Ash stands in melee with a goblin."""
        self.fights_without_melee()
        done(self.ben.does("fight-engage", by=self.id, on="goblin-1"))

    def fights_without_melee(self) -> None:
        """Begin the fight; the party acts first."""
        done(self.ana.does("start_fight", encounter=self.ambush.pk))
        self.cast.dice.faces = [6]
        done(self.ana.does("fight-initiative"))

    def without_knaves_of_ben(self) -> None:
        """Let Ben have neither a knave nor one in the making."""
        Character.objects.filter(pk__in=[self.ash.pk, self.draft.pk]).update(state="gone")

    @property
    def id(self) -> str:
        """Ash's name in the fight's record."""
        return f"k{self.ash.pk}"


def in_the_making(table: Table, player: Person, name: str) -> Character:
    """Put a knave that is rolled but not confirmed on the table."""
    shelf = making.read_shelf()
    draft = creation.create(
        SeededDice(3), shelf.tables, traits.KEYS, shelf.weapons, creation.Options()
    )
    one = Character(table=table, seat=player.row, name=name)
    making.write_draft(one, draft, shelf)
    one.save()
    return one


PEOPLE = ("ash", "draft", "stray", "tib")
THINGS = ("sword", "torches", "rations", "book")
PLANS = {"vault": "pile", "cellar": "pile", "call": "call", "goal": "goal"}


def _on(row: str, /, **more: Any) -> Callable[[Company], Fields]:
    """Name a row of the company's in the field that an action about it has."""
    field = "character" if row in PEOPLE else "item" if row in THINGS else PLANS[row]
    return lambda c: {field: getattr(c, row).pk, **more}


def _blow(**more: Any) -> Callable[[Company], Fields]:
    return lambda c: {"by": c.id, "on": "goblin-1", **more}


ASKED: dict[str, Callable[[Company], Fields]] = {
    # making
    "new_knave": lambda c: {},
    "reroll": _on("draft", part="hp"),
    "type_abilities": _on("draft", faces="123456" * 3),
    "choose_weapon": _on("draft", weapon="dagger"),
    "set_trait": _on("ash", trait="virtue", text="Patient"),
    "swap_abilities": _on("draft", first="str", second="dex"),
    "confirm_knave": _on("draft", name="Wren"),
    "discard_knave": _on("draft"),
    "add_party": lambda c: {"count": 2, "level": 2},
    "claim_knave": _on("stray"),
    "hand_knave": lambda c: {"character": c.stray.pk, "seat_to": c.dora.seat},
    # the sheet
    "edit_knave": _on("ash", name="Ashen", gender="she", notes="Owes the miller."),
    "choose_mark": _on("ash", mark="skull"),
    "keep_portrait": _on("ash"),
    "change_hp": _on("ash", by=-1),
    "set_ability": _on("ash", ability="str", bonus=4),
    "set_level": _on("ash", level=2, xp=1200, max_hp=9),
    "set_coins": _on("ash", gold=1, silver=2, copper=3),
    "give_coins": lambda c: {"character": c.ash.pk, "to": c.birch.pk, "gold": 2},
    "allow_overload": _on("ash", on="true"),
    "roll_save": _on("ash", ability="dex"),
    "level_up": _on("ash", abilities="str,dex,con"),
    # things
    "use_item": _on("rations"),
    "drop_item": _on("torches", count=1),
    "give_item": lambda c: {"item": c.torches.pk, "to": c.birch.pk, "count": 1},
    "equip_item": _on("sword", on="true"),
    "leave_home": _on("torches", home="true"),
    "put_inside": lambda c: {"item": c.torches.pk, "container": c.sack.pk},
    "split_item": _on("torches", count=1),
    "merge_item": lambda c: {"item": c.twins[0].pk},
    "break_item": _on("sword"),
    "repair_item": _on("sword", points=1),
    "light_item": _on("torches", on="true"),
    "cast_spell": _on("book"),
    "move_item": _on("sword", by=1),
    "buy_item": lambda c: {"character": c.ash.pk, "article": article("torch"), "count": 1},
    "add_item": _on("ash", name="Odd key", slots=1, count=1),
    # loot
    "new_pile": lambda c: {"name": "Hollow tree", "gold": 1},
    "show_pile": _on("vault", on="true"),
    "close_pile": _on("cellar"),
    "claim_item": lambda c: {"character": c.ash.pk, "item": c.found.pk, "count": 1},
    "claim_coins": lambda c: {"character": c.ash.pk, "pile": c.cellar.pk, "silver": 2},
    "claim_pile": lambda c: {"character": c.ash.pk, "pile": c.cellar.pk},
    "share_coins": lambda c: {"pile": c.cellar.pk},
    # the referee
    "ask_saves": lambda c: {"ability": "wis", "who": c.ash.pk, "reason": "A draught"},
    "roll_missing": _on("call"),
    "close_call": _on("call"),
    "hurt_many": lambda c: {"amount": 1, "who": f"{c.ash.pk},{c.birch.pk}", "cause": "Smoke"},
    "heal_many": lambda c: {"amount": 1, "who": c.ash.pk},
    "award_xp": lambda c: {"amount": 50, "who": c.ash.pk, "reason": "Wit"},
    "award_level": lambda c: {"who": c.stray.pk},
    "award_coin": lambda c: {"silver": 30, "who": c.ash.pk},
    "announce_goal": lambda c: {"text": "Cross the ford", "worth": 50},
    "show_goal": lambda c: {"goal": c.plot.pk, "on": "true"},
    "reach_goal": _on("goal"),
    "drop_goal": _on("goal"),
    "pass_turns": lambda c: {"turns": 3},
    "make_camp": lambda c: {"kind": "haven"},
    "roll_dice": lambda c: {"dice": "2d6", "reason": "Luck"},
    "roll_table": lambda c: {"table": "reaction"},
    "show_roll": lambda c: {"event": c.secret.seq},
    "configure_knave": lambda c: {"setting": "shop_open", "value": "false"},
    # people
    "hire": lambda c: {"character": c.ash.pk, "trade": HirelingKind.objects.first().pk},
    "pay_hireling": _on("tib", days=1),
    "dismiss": _on("tib"),
    "roll_morale": _on("tib"),
    "set_morale": _on("tib", morale=9),
    "take_on": lambda c: {"character": c.tib.pk, "employer": c.draft.pk},
    "add_npc": lambda c: {"name": "Reeve", "level": 2, "hp": 6},
    "show_sheet": lambda c: {"character": c.shade.pk, "on": "true"},
    # encounters
    "prepare_encounter": lambda c: {"name": "Ford"},
    "add_foes": lambda c: {"encounter": 0, "monster": Monster.objects.get(key="goblin").pk},
    "add_stat_line": lambda c: {"encounter": 0, "text": "Orc: AC 6, HD 1, #AT 1, D 1-8, ML 8"},
    "drop_foe": lambda c: {"encounter": c.ambush.pk, "foe": "goblin-1"},
    "face_party": lambda c: {"encounter": c.ambush.pk, "character": c.warden.pk},
    "name_leader": lambda c: {"encounter": c.ambush.pk, "foe": "goblin-1", "on": "true"},
    "drop_encounter": lambda c: {"encounter": c.ambush.pk},
    "start_fight": lambda c: {"encounter": c.ambush.pk},
    "join_fight": lambda c: {"character": c.warden.pk},
    "side_done": lambda c: {},
    "end_fight": lambda c: {},
    # the fight
    "fight-initiative": lambda c: {},
    "fight-attack": _blow(rolled_by="attacker"),
    "fight-save": lambda c: {"by": "goblin-1", "ability": "dex", "who": c.id, "against": "int"},
    "fight-stunt": _blow(ability="str", against="dex", effect="Tripped"),
    "fight-engage": lambda c: {"by": c.id, "on": "goblin-2"},
    "fight-disengage": lambda c: {"by": c.id},
    "fight-flee": lambda c: {"of": c.id},
    "fight-turn": lambda c: {"of": "goblin-2"},
    "fight-morale": lambda c: {"of": "goblin-1"},
    "fight-hurt": lambda c: {"on": "goblin-1", "amount": 1},
    "fight-heal": lambda c: {"on": c.id, "amount": 1},
    "fight-wield": lambda c: {"by": c.id, "item": c.sword.pk},
}
"""By the word of every action: fields with which Ben, or the host, may do it."""

IN_A_FIGHT = {"join_fight", "side_done", "end_fight"} | {
    word for word in ASKED if word.startswith("fight-")
}
TEARS_DOWN = {"end_fight", "discard_knave", "drop_encounter", "close_pile", "keep_portrait"}
"""Actions that take away what the others need."""
KNAVELESS = {"new_knave", "claim_knave"}
"""Actions that Ben's seat may do only while nobody is his."""


def words_of_knave() -> set[str]:
    """Return the word of every action of Knave's that has a deed."""
    kinds = {*KnaveAction.__subclasses__(), FightWield}
    return {word for word, kind in ACTIONS.items() if kind in kinds or word.startswith("fight-")}


def stands_ready(company: Company, word: str) -> Fields:
    """Bring the table to where an action can be done, and return its fields."""
    if word in IN_A_FIGHT:
        company.fights()
    if word in KNAVELESS:
        company.without_knaves_of_ben()
    if word == "take_on":  # Ash is dead, and Ben's next knave is there
        Character.objects.filter(pk=company.ash.pk).update(state="dead", hp=-1)
        Character.objects.filter(pk=company.draft.pk).update(state="up", charisma=3)
    if word == "confirm_knave":  # nobody takes a second knave beside one who lives
        Character.objects.filter(pk=company.ash.pk).update(state="gone")
    company.cast.dice.faces = [2] * 2000
    return ASKED[word](company)


all_rows = EveryRow("games", "characters", without=(Shipped, House, Device))
"""Every row of every table, but for the book and for who has looked in."""
