"""What a play made is not taken back from under what others have put into it since."""

from __future__ import annotations

from characters.models import Item
from tests.characters.crew import kept, knave, owns, takes_back
from tests.games.party import Party, done, refused


def test_an_undo_of_the_first_drop_loses_nothing_that_was_dropped_after_it(party: Party):
    ash, moth = knave(party.table, party.ben), knave(party.table, party.ana, "Moth")
    torch, crowbar = owns(ash, "torch"), owns(moth, "crowbar")
    before = kept()
    done(party.ben.does("drop_item", item=torch.pk))
    done(party.ana.does("drop_item", item=crowbar.pk))
    first = party.events("item_dropped")[0]
    refused(party.ben.does("undo", event=first.seq), 409)
    takes_back(party, first)
    assert Item.objects.count() == 2
    assert kept() == before
