"""A Knave table to look around at: a party, foes that wait, loot, a goal. One tap fills it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from characters import actions
from characters.deeds.encounters import add_foes, prepare_encounter
from characters.deeds.loot import new_pile
from characters.deeds.making import add_party
from characters.deeds.referee import announce_goal
from characters.deeds.shop import add_item
from characters.models import Article, Monster
from games.services.act import Tap
from games.services.change import Change
from games.services.ledger import keep

MONSTER = "goblin"
FIND = "holy-water"


def try_out(change: Change) -> None:
    """Lay out an evening for one person, who plays a party of three against what waits."""
    tap = Tap("trial")
    add_party(change, actions.AddParty(count=3), tap)
    for one in change.table.characters.all():
        one.seat = change.seat
        keep(change, one)
    prepare_encounter(change, actions.PrepareEncounter(_("At the old mill")), tap)
    monster = Monster.objects.filter(key=MONSTER).first()
    if monster:
        add_foes(change, actions.AddFoes(0, monster.pk, count=3), tap)
    new_pile(change, actions.NewPile(_("Under the millstone"), silver=30, copper=12), tap)
    find = Article.objects.filter(key=FIND).first()
    pile = change.table.piles.filter(is_open=True).first()
    if find and pile:
        add_item(change, actions.AddItem(pile=pile.pk, article=find.pk), tap)
    goal = _("Find out what the miller was paid for")
    announce_goal(change, actions.AnnounceGoal(goal, worth=100), tap)
    # What lies ready at a trial is nobody's doing: there is nothing to take back.
    change.ledger.clear()
