"""The oracle's editor: what was typed into it stands in the form that comes back."""

from __future__ import annotations

from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from campaigns.actions.campaign import LONGEST_ORACLE
from campaigns.views.oracles import LARGEST
from tests.campaigns.troupe import Troupe

TYPED = "Salt and Sand\n\nA smuggler, owed by everybody."


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
