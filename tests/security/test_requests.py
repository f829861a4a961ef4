"""S1 for pages: whatever a request is made of, it is answered, and never as a fault of ours.

Against a real server, so that what no framework lets through is tried as well.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import EpsImagePlugin, Image

from characters.pictures import small_portrait
from config.bounds import MOST, MOST_HEARD
from config.sessions import SessionStore
from games.errors import Malformed
from tests.asked import posted
from tests.chaos.house import House, Zygote, house_of
from tests.security.attack import troubles
from tests.security.figures import measured
from tests.security.odd_requests import PICTURES, a_bomb, request
from tests.security.servers import GROWS_AT_MOST_MB, forker
from tests.sizes import SERVERS, size

REQUESTS = dict.fromkeys(SERVERS, size(150, 20_000))
HANDS = 12
# Who sends half a request waits for its answer for ever.
PATIENCE = 4.0
FILE = Path(__file__).parents[1] / "campaigns" / "files" / "format-1.json"


class Requests:
    """So many odd requests to a house, by the phones of some tables."""

    def __init__(self, house: House, tables: list[dict[str, Any]], count: int) -> None:
        self.house, self.tables, self.left = house, tables, count
        self.statuses: Counter[int] = Counter()
        self.wrong: list[str] = []
        self.memory: list[float] = []
        self.file = FILE.read_text()

    async def run(self) -> None:
        await asyncio.gather(*(self._one_hand(random.Random(n)) for n in range(HANDS)))

    async def _one_hand(self, luck: random.Random) -> None:
        while self.left > 0 and self.house.is_alive:
            self.left -= 1
            table = luck.choice(self.tables)
            seat = luck.choice(table["seats"])
            data = request(
                luck, self.house.port, paths_of(table), seat["sid"], seat["number"], self.file
            )
            status = await answered(self.house.port, data)
            self.statuses[status] += 1
            if status >= 500:
                self.wrong.append(f"{status} for {data[:400]!r}")
            if self.left % 20 == 0:
                self.memory.append(self.house.rss_mb())


def paths_of(table: dict[str, Any]) -> list[str]:
    at = f"/t/{table['code']}/"
    beside = (
        "", "act/", "act/", "join/", "screen/", "gm/", "gm/house-rule/", "records/", "records/1/",
        "knave/1/", "knave/2/portrait/", "knave/1/shop/", "graveyard/", "character/1/",
        "campaign/", "campaign/bring/", "campaign/search/", "campaign/people/", "campaign/1/",
        "oracles/new/", "oracles/", "gm/as/2/",
    )  # fmt: skip
    front = ["/", "/start/", "/try/", "/join/", "/language/", "/offline/", "/manifest.webmanifest"]
    api = f"/api/tables/{table['code']}/"
    return [*front, api, f"{api}actions/", "/api/schema/", *(at + page for page in beside)]


async def answered(port: int, data: bytes) -> int:
    """Send bytes and return the status that comes back; 0 where the line is closed without one."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(data)
        first = await asyncio.wait_for(reader.readline(), PATIENCE)
        await asyncio.wait_for(reader.read(-1), PATIENCE)
        return int(first.split()[1]) if first.startswith(b"HTTP/1") else 0
    except (ConnectionError, TimeoutError):
        return 0
    finally:
        writer.transport.abort()


@pytest.mark.parametrize("server", REQUESTS)
async def test_no_request_is_a_fault_of_ours(mother: Zygote, server: str):
    with forker(server, mother) as zygote, house_of(zygote) as house:
        tables = house.seed(1, 3, plays=True)
        tables += house.seed(1, 3, "knave", trial=True) + house.seed(1, 3, "wicked_age", trial=True)
        await house.opens()
        tried = Requests(house, tables, REQUESTS[server])
        await tried.run()
        assert house.is_alive
        wrong = tried.wrong + troubles(house.log.read_text(errors="replace"))
        kept = house.job("check")
    assert wrong == [], f"{len(wrong)} wrong:\n" + "\n".join(wrong[:5])
    assert (kept["gaps"], kept["replayed_wrong"], kept["integrity"]) == ([], [], "ok")
    assert {200, 302, 400, 403, 404, 409, 422} <= set(tried.statuses), tried.statuses
    assert tried.statuses[0] < REQUESTS[server] / 5
    grown = max(tried.memory) - tried.memory[len(tried.memory) // 4]
    assert grown < GROWS_AT_MOST_MB, tried.memory
    measured("S1", f"requests to {server}", REQUESTS[server])
    measured("S1", f"MB grown by requests on {server}", round(grown, 1))


@pytest.mark.parametrize("server", SERVERS)
async def test_a_request_without_end_fills_no_disk(mother: Zygote, server: str):
    """Who says beforehand that it is too long is told so, in words; who does not is cut off.

    What some browser may send is heard to its end first: until then it shows no answer.
    """
    with forker(server, mother) as zygote, house_of(zygote) as house:
        await house.opens()
        head = b"POST /join/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n" % house.port
        too_long = head + b"Content-Length: %d\r\n\r\n"
        assert await answered(house.port, too_long % (MOST_HEARD + 1)) == 413
        assert await answered(house.port, too_long % (MOST + 1) + b"x" * (MOST + 1)) == 413
        assert await answered(house.port, head + b"Content-Length: 6\r\n\r\ncode=x") == 403
        damaged = b"Content-Type: multipart/form-data\r\nContent-Length: 1\r\n\r\nx"
        assert await answered(house.port, head + damaged) == 403, "no server reads forms before us"
        assert await taken(house.port, head + b"Transfer-Encoding: chunked\r\n\r\n") < 2 * MOST
        assert troubles(house.log.read_text(errors="replace")) == []


async def taken(port: int, head: bytes) -> int:
    """Send and send, and return how many bytes it took until the line was cut."""
    _reader, writer = await asyncio.open_connection("127.0.0.1", port)
    sent, megabyte = 0, b"x" * (1 << 20)
    try:
        writer.write(head)
        while sent < 3 * MOST:
            writer.write(b"%x\r\n%s\r\n" % (len(megabyte), megabyte))
            await asyncio.wait_for(writer.drain(), PATIENCE)
            sent += len(megabyte)
    except (ConnectionError, TimeoutError):
        pass
    finally:
        writer.transport.abort()
    return sent


# --- what is read of one -------------------------------------------------------------------------

PARTS = b'--b\r\nContent-Disposition: form-data; name="code"\r\n\r\n\xe9\r\n--b--\r\n'


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("charset", ["base64", "undefined", "idna", "rot13", "latin-1", "none"])
def test_a_form_in_letters_that_nobody_sends_is_refused_in_words(charset: str):
    """Python knows names that make no text of bytes: Django believed them, and broke."""
    answer = posted("/join/", f"multipart/form-data; boundary=b; charset={charset}", PARTS)
    assert answer["status"] == 400
    assert "That could not be read." in answer["body"].decode()
    utf8 = posted("/join/", "multipart/form-data; boundary=b; charset=UTF-8", PARTS)
    assert utf8["status"] in (404, 422)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=b", "application/json", "*/*"])
def test_a_header_in_letters_that_there_are_not_is_no_fault_of_ours(kind: str):
    """S1: a parameter may say its own (RFC 2231), and what Django does not know was a 500."""
    odd = "; charset*0*=x''%41"
    answer = posted("/join/", kind + odd, PARTS)
    assert answer["status"] == (400 if kind.startswith("multipart") else 415)
    api = posted("/api/tables/ABCDEF/actions/", kind + odd, b"{}")
    assert api["status"] in (400, 404, 415)


@pytest.mark.django_db(transaction=True)
def test_a_session_that_no_database_can_be_asked_for_is_none():
    """A cookie may bring a NUL, as an octal number; PostgreSQL takes it in no question."""
    odd = rb'sid="\000aaaaaaaaaaaa"'
    answer = posted("/join/", "application/x-www-form-urlencoded", b"code=x", odd)
    assert answer["status"] in (404, 422)
    store = SessionStore("\0aaaaaaaaaaaa")
    assert store.session_key is None
    assert SessionStore("a" * 32).session_key == "a" * 32


# --- pictures ------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(len(PICTURES)))
def test_what_is_no_picture_is_refused(n: int):
    with pytest.raises(Malformed):
        small_portrait(_sent(PICTURES[n]))


def test_a_small_file_that_would_be_a_huge_picture_is_refused():
    with pytest.raises(Malformed):
        small_portrait(_sent(a_bomb()))


def test_no_other_program_is_called_for_a_picture(monkeypatch: pytest.MonkeyPatch):
    """PostScript would be drawn by a program of its own."""
    called: list[Any] = []
    monkeypatch.setattr(EpsImagePlugin, "Ghostscript", lambda *given, **more: called.append(given))
    file = BytesIO()
    Image.new("RGB", (4, 4)).save(file, "EPS")
    with pytest.raises(Malformed):
        small_portrait(_sent(file.getvalue()))
    assert not called
    with suppress(AssertionError):  # nothing was drawn
        Image.open(BytesIO(file.getvalue())).load()  # the control
    assert called


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_what_phones_send_is_a_picture_and_loses_where_it_was_taken(kind: str):
    file = BytesIO()
    exif = Image.Exif()
    exif[0x010F] = "A place"
    Image.new("RGB", (40, 30), "teal").save(file, kind, exif=exif)
    kept = Image.open(BytesIO(small_portrait(_sent(file.getvalue()))))
    assert (kept.format, kept.size, len(kept.getexif())) == ("JPEG", (256, 256), 0)


def _sent(data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("photo", data)
