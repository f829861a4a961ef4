"""Two phones press at the same instant: a chapter goes one step, and whoever came second is told.

Each form says for which step it was drawn; the controls are forms that do not.
"""

from __future__ import annotations

import pytest

from campaigns.models import Interest, Owed
from tests.campaigns.conftest import TroupeWhere
from tests.campaigns.owe_list import first_is_over
from tests.campaigns.pages import button_sends
from tests.campaigns.troupe import Troupe
from tests.games.party import NEVER, Person
from tests.security.shown import Shown

ELSEWHERE = "The chapter is at another step now."


@pytest.fixture
def second(troupe_where: TroupeWhere) -> Troupe:
    return troupe_where(first_is_over)


def brought_back(second: Troupe) -> None:
    """Let Mekha, at the top of the owe list, come back in the second chapter (WA-85)."""
    second.do(second.amy, "open_chapter")
    first = second.campaign.owed.get(order=1)
    second.do(second.amy, "bring_back", owed=first.pk)
    second.do(second.amy, "choose_oracle", oracle="bronze_and_dust")


def test_two_who_go_back_at_once_go_back_one_step(second: Troupe):
    brought_back(second)
    assert second.step == "pick"
    hers = button_sends(second.amy, "step_back")
    theirs = button_sends(second.erin, "step_back", "gm/")
    second.do(second.amy, "step_back", **hers)
    assert second.refusal(second.erin, "step_back", **theirs) == ELSEWHERE
    assert second.step == "oracle"
    assert second.chapter.returning == second.named("Mekha")


def test_without_the_step_that_was_seen_who_came_back_is_sent_away(second: Troupe):
    """The control."""
    brought_back(second)
    for who in (second.amy, second.erin):
        second.do(who, "step_back", at_step=NEVER)
    assert second.chapter.returning is None
    assert Owed.objects.get(order=1).struck == ""


def ready_for_two_steps(troupe: Troupe) -> None:
    """Let a table that has chosen go back to the list, where nobody is waited for any more."""
    troupe.at_step("sheets")
    for _each in range(2):
        troupe.do(troupe.amy, "step_back")
    assert troupe.step == "cast"


def test_two_who_go_on_at_once_go_on_one_step(troupe: Troupe):
    ready_for_two_steps(troupe)
    hers = button_sends(troupe.amy, "step_on")
    theirs = button_sends(troupe.erin, "step_on", "gm/")
    troupe.do(troupe.erin, "step_on", **theirs)
    assert troupe.refusal(troupe.amy, "step_on", **hers) == ELSEWHERE
    assert troupe.step == "choose"


def test_without_the_step_that_was_seen_one_is_skipped(troupe: Troupe):
    """The control."""
    ready_for_two_steps(troupe)
    for who in (troupe.amy, troupe.erin):
        troupe.do(who, "step_on", at_step=NEVER)
    assert troupe.step == "sheets"


def test_back_to_play_is_said_of_the_closing(troupe: Troupe):
    """Two of the host's pages: the second would go on back, from play to the interests."""
    troupe.in_play()
    troupe.do(troupe.erin, "propose_end")
    back = button_sends(troupe.erin, "step_back", "gm/")
    troupe.do(troupe.erin, "step_back", **back)
    assert troupe.refusal(troupe.erin, "step_back", **back) == ELSEWHERE
    assert troupe.step == "play"
    again = button_sends(troupe.erin, "step_back", "gm/")
    troupe.do(troupe.erin, "step_back", **again)
    assert troupe.refusal(troupe.erin, "step_back", **again) == ELSEWHERE
    assert troupe.step == "interests"


# --- an interest, on the pages of the GM and of whoever plays (WA-30) -----------------------------
def test_who_writes_over_an_interest_that_was_put_otherwise_is_told(troupe: Troupe):
    troupe.at_step("interests")
    troupe.interests()
    number = troupe.pc("Amy").number
    troupe.dice.fall(*[1] * 20)  # names that the page suggests
    hers = button_sends(troupe.amy, "edit_interest", f"character/{number}/")
    theirs = button_sends(troupe.erin, "edit_interest", f"character/{number}/")
    key = hers["interest"]
    troupe.do(troupe.amy, "edit_interest", **{**hers, "text": "The ford is for all"})
    words = troupe.refusal(troupe.erin, "edit_interest", **{**theirs, "text": "To own the ford"})
    assert "“The ford is for all”" in words
    troupe.do(troupe.erin, "edit_interest", **theirs)  # she has changed no word of it
    assert Interest.objects.get(pk=key).text == "The ford is for all"
    troupe.do(troupe.erin, "edit_interest", **{**theirs, "text": "To own it", "was": NEVER})
    assert Interest.objects.get(pk=key).text == "To own it"  # the control


# --- an oracle of the table's own, open in two editors (WA-5) -------------------------------------
ORACLE = """Salt and Sand

A smuggler, owed by everybody.
A widow, with a boat and no crew.
A clerk, who counts what is not his.
A well, and a dog that drinks there.
"""


class Editor:
    """An oracle's editor that somebody has open, with what it was given."""

    def __init__(self, who: Person, oracle: str) -> None:
        self.who, self.path = who, f"/t/{who.code}/oracles/{oracle}/"
        self._opens(who.client.get(self.path).content.decode())

    def _opens(self, page: str) -> None:
        self.page = page
        (form,) = [one for one in Shown(page).forms if one.attributes.get("enctype")]
        self.given = {f.name: f.value for f in form.fields if f.name in ("tap", "was")}

    def keeps(self, text: str, **given: str) -> int:
        answer = self.who.client.post(
            self.path, {**self.given, "text": text, "written_as": "text", **given}
        )
        if answer.status_code != 302:
            self._opens(answer.content.decode())
        return answer.status_code


def an_oracle(troupe: Troupe) -> str:
    troupe.do(troupe.amy, "write_oracle", text=ORACLE)
    return f"own-{troupe.table.oracles.get().pk}"


def told_by(troupe: Troupe) -> str:
    return " ".join(entry["text"] for entry in troupe.table.oracles.get().entries)


def test_wa5_who_keeps_an_oracle_that_another_has_written_since_is_told(troupe: Troupe):
    oracle = an_oracle(troupe)
    hers, his = Editor(troupe.amy, oracle), Editor(troupe.tom, oracle)
    assert hers.keeps(ORACLE + "A diver, who found it.\n") == 302
    assert his.keeps(ORACLE + "A priest, who prays for it.\n") == 409
    assert "Somebody else has written this oracle meanwhile." in his.page
    assert "A priest, who prays for it." in his.page  # what he typed is there still
    assert "A diver" in told_by(troupe)
    assert his.keeps(ORACLE + "A priest, who prays for it.\n") == 302  # he has been told
    assert "A priest" in told_by(troupe)


def test_wa5_a_fault_in_a_line_does_not_let_what_another_has_written_be_forgotten(troupe: Troupe):
    oracle = an_oracle(troupe)
    hers, his = Editor(troupe.amy, oracle), Editor(troupe.tom, oracle)
    assert hers.keeps(ORACLE + "A diver, who found it.\n") == 302
    assert his.keeps(" ") == 422
    assert his.keeps(ORACLE + "A priest, who prays for it.\n") == 409


def test_without_what_it_was_given_an_editor_writes_over_it(troupe: Troupe):
    """The control."""
    oracle = an_oracle(troupe)
    hers, his = Editor(troupe.amy, oracle), Editor(troupe.tom, oracle)
    assert hers.keeps(ORACLE + "A diver, who found it.\n") == 302
    assert his.keeps(ORACLE + "A priest, who prays for it.\n", was="") == 302
    assert "A diver" not in told_by(troupe)
