"""A long form that finds no room while it comes is refused in words, and nothing else is."""

from __future__ import annotations

from tests.keeping.conftest import Opened
from tests.keeping.machine import Answer, Phone

BOUNDARY = "what-is-sent"
# Up to a hundred thousand bytes are kept in memory by Daphne, up to 2.5 million by Django.
LONG, LONGER = 200_000, 3_000_000


def brings(phone: Phone, length: int) -> Answer:
    """Send a campaign's file of so many bytes, as the page does that takes one."""
    fields = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n'
        f"{phone.token}\r\n--{BOUNDARY}\r\n"
        'Content-Disposition: form-data; name="file"; filename="a.json"\r\n'
        f"Content-Type: application/json\r\n\r\n{'x' * length}\r\n--{BOUNDARY}--\r\n"
    )
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    return phone.sends(f"{phone.path}campaign/bring/", fields.encode(), kind)


def test_a_form_that_finds_no_room_is_refused_in_words(opened: Opened):
    """It was answered 500 on uvicorn; Daphne broke the line, and the page said nothing at all."""
    machine = opened.machine
    ana = Phone(machine)
    assert brings(ana, LONGER).status == 422, "no campaign's file, as there is room to see"
    with machine.full():
        for length in (LONG, LONGER) if opened.server == "daphne" else (LONGER,):
            answer = brings(ana, length)
            assert answer.status == 503, (length, answer, machine.log()[-1500:])
            assert "cannot write anything down just now" in answer.words
            told = {name.lower(): value for name, value in answer.headers.items()}
            assert told["taproom"] == "house"
            assert int(told["retry-after"]) > 0
        assert ana.sees(ana.path).status == 200
        assert ana.is_answered()
    assert brings(ana, LONGER).status == 422
    assert ana.taps("tap-1", 7).status == 204
    assert "Traceback" not in machine.log()
