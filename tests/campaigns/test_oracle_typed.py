"""The oracle's editor: what was typed into it stands in the form that comes back."""

from __future__ import annotations

from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from campaigns.actions.campaign import LONGEST_ORACLE
from campaigns.deeds import campaign as deeds
from campaigns.models import OwnOracle
from campaigns.views.oracles import LARGEST
from games.rules.wicked_age.oracles import Oracle
from games.services import act
from tests.campaigns.troupe import Troupe

TYPED = "Salt and Sand\n\nA smuggler, owed by everybody."
YAML = "title: Two\nentries:\n  - text: A widow\n    implied: [her son]\n" + "".join(
    f"  - text: Entry {n}\n" for n in range(3)
)
FIVE = "abcde"


@pytest.mark.parametrize("file", [b"\xff\xfe\x00", b"x" * (LARGEST + 1), b"", b" \n"])
def test_a_file_that_is_none_leaves_what_was_typed_beside_it(troupe: Troupe, file: bytes):
    given = {"text": TYPED, "written_as": "text", "file": SimpleUploadedFile("odd.txt", file)}
    answer = troupe.amy.client.post(f"/t/{troupe.amy.code}/oracles/new/", given)
    page = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert TYPED in page
    assert "That file is" in page


def test_whoever_writes_as_much_as_the_field_takes_has_it_still(troupe: Troupe):
    """In letters of three bytes it was more than a form might bring: a page without any of it."""
    text = "ក" * LONGEST_ORACLE
    given = {"text": text, "written_as": "text"}
    answer = troupe.amy.client.post(f"/t/{troupe.amy.code}/oracles/new/", given)
    assert answer.status_code == 422
    assert text in answer.content.decode()


def test_a_file_says_by_its_name_that_it_is_yaml(troupe: Troupe):
    """Read as plain lines, its title was “title: Two”, and each hint of an entry an entry."""
    given = {"text": "", "written_as": "text", "file": SimpleUploadedFile("Two.YML", YAML.encode())}
    answer = troupe.amy.client.post(f"/t/{troupe.amy.code}/oracles/new/", given)
    assert answer.status_code == 302
    assert (OwnOracle.objects.get().title, len(OwnOracle.objects.get().entries)) == ("Two", 4)


def test_one_with_hints_is_changed_with_all_it_has(troupe: Troupe):
    """It opened as plain lines, which have none: whoever mended a word lost all hints."""
    troupe.do(troupe.amy, "write_oracle", text=YAML, written_as="yaml")
    row = OwnOracle.objects.get()
    page = f"oracles/own-{row.pk}/"
    shown = unescape(troupe.amy.sees(page))
    assert "her son" in shown
    assert 'value="yaml" checked' in shown
    assert "her son" not in troupe.amy.sees(page, **{"as": "text"})
    plain = YAML.replace("    implied: [her son]\n", "")
    troupe.do(troupe.amy, "write_oracle", text=plain, written_as="yaml", oracle=row.pk)
    assert 'value="text" checked' in troupe.amy.sees(page)


def test_no_table_waits_while_an_oracle_is_read(troupe: Troupe, monkeypatch: pytest.MonkeyPatch):
    """S1: on SQLite all do that wait for the lock, and some take a tenth of a second to read."""
    done: list[str] = []
    locked, read = act.locked, deeds.read_oracle

    def locks(table: int) -> object:
        done.append("locked")
        return locked(table)

    def reads(*told: str) -> Oracle:
        done.append("read")
        return read(*told)

    monkeypatch.setattr(act, "locked", locks)
    monkeypatch.setattr(deeds, "read_oracle", reads)
    troupe.do(troupe.amy, "write_oracle", text="\n".join(("Town", *FIVE)))
    assert done == ["read", "locked"]
    troupe.refusal(troupe.amy, "write_oracle", 422, text="Town")
    assert done == ["read", "locked", "read"]
