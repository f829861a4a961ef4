"""Traits (KN-7): each written by itself, forgotten and written again, told within a sentence."""

from __future__ import annotations

import pytest

from characters.services import traits
from tests.characters.crew import knave, made, new
from tests.games.party import Party, done


def test_kn7_a_trait_that_was_forgotten_can_be_written_again(party: Party):
    """The page had a field for each trait that there was: one that was emptied lost its own."""
    ash = made(party)
    page = f"knave/{ash.pk}/"
    assert 'id="trait-skin"' in party.ben.sees(page)
    done(party.ben.does("set_trait", character=ash.pk, trait="skin"))
    assert 'id="trait-skin"' in party.ben.sees(page)
    done(party.ben.does("set_trait", character=ash.pk, trait="skin", text="Blue"))
    ash.refresh_from_db()
    assert ash.traits["skin"] == {"en": "Blue"}


def test_kn7_a_sheet_that_never_had_traits_has_a_field_for_each(party: Party):
    """A hireling's and an NPC's page opened "Write my own words" on nothing."""
    warden = knave(party.table, None, "Warden", kind="npc")
    page = party.ana.sees(f"knave/{warden.pk}/")
    assert all(f'id="trait-{key}"' in page for key in traits.KEYS)


def test_kn7_a_trait_forgotten_of_a_draft_is_told_no_more(party: Party):
    """What the dice had said stood there again, and the knave that was made did not have it."""
    done(party.ana.does("turn_table", rules="knave"))
    draft = new(party)
    skin = draft.traits["skin"]["en"]
    assert f"skin {skin.lower()}" in party.ben.sees()
    done(party.ben.does("set_trait", character=draft.pk, trait="skin"))
    assert skin not in party.ben.sees()


def test_nobody_is_asked_for_the_traits_of_the_dead(party: Party):
    """Each of those fields was refused."""
    ash = made(party)
    done(party.ana.does("change_hp", character=ash.pk, by=-99))
    for one in (party.ana, party.ben):
        page = one.sees(f"knave/{ash.pk}/")
        assert 'id="trait-skin"' not in page
        assert 'id="save-knave"' in page


@pytest.mark.parametrize(
    ("trait", "words"),
    [
        ({"en": "Battle Scar", "es": "Cicatriz de batalla"}, "battle scar"),
        ({"en": "Escaped from Castle Orm."}, "escaped from Castle Orm"),
        ({"en": "AWOL"}, "AWOL"),
        ({"en": ""}, ""),
    ],
)
def test_kn7_what_a_player_wrote_keeps_its_names_and_one_full_stop(trait, words):
    """Of "Escaped from Castle Orm." the sheet told "escaped from castle orm., face…"."""
    assert traits.told(trait) == words
