"""Requests that no browser makes, as bytes: to a real server, so that the server itself is tried.

`paths` are those of a table; everything else is by the luck of a seed.
"""

from __future__ import annotations

import json
import random
import zlib
from urllib.parse import quote

from tests.security.nonsense import ODD_TEXTS, WORDS, form, nonsense_for, value

Luck = random.Random
CSRF = "chaoschaoschaoschaoschaoschaos12"
METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "x", "")
TYPES = (
    "application/x-www-form-urlencoded",
    "application/json",
    "multipart/form-data; boundary=b",
    "multipart/form-data",
    "multipart/form-data; boundary=" + "b" * 300,
    "text/plain; charset=utf-16",
    "application/x-www-form-urlencoded; charset=nonsense",
    "multipart/form-data; boundary=b; charset=base64",
    "multipart/form-data; boundary=b; charset=undefined",
    "application/json; charset*0*=x''%41",
    "a/b/c;;;=",
    "",
)
ODD_FILES = tuple(kind for kind in TYPES if kind.startswith("multipart/form-data; boundary=b; "))
HEADERS = (
    "Accept-Language", "Accept", "Accept-Encoding", "Cookie", "Referer", "Origin", "X-CSRFToken",
    "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "HX-Request",
    "HX-Current-URL", "HX-Current-URL-URI-AutoEncoded", "HX-Target", "HX-Prompt", "If-None-Match",
    "If-Modified-Since", "Range", "Content-Encoding", "Expect", "Connection", "Upgrade",
    "Transfer-Encoding", "Content-Length", "Host", "X-HTTP-Method-Override", "Authorization",
    "Sec-Fetch-Site", "Date",
)  # fmt: skip
PICTURES = (
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff\xe0\x00\x10JFIF",
    b"GIF89a\xff\xff\xff\xff",
    b"RIFF\xff\xff\xff\xffWEBPVP8 ",
    b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
    b"BM" + b"\xff" * 50,
    b"II*\x00" + b"\xff" * 200,
    b"P6 99999 99999 255\n",
    b"\x00" * 3000,
    b"",
)


def a_bomb(side: int = 30_000) -> bytes:
    """Return a small PNG that would be a huge picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        tail = zlib.crc32(kind + data).to_bytes(4, "big")
        return len(data).to_bytes(4, "big") + kind + data + tail

    head = side.to_bytes(4, "big") * 2 + b"\x08\x00\x00\x00\x00"
    rows = zlib.compress(b"\x00" * 100_000)
    return PICTURES[0] + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def request(luck: Luck, port: int, paths: list[str], cookie: str, seat: int, file: str) -> bytes:
    """Return the bytes of one request. `file` is a campaign's, to be sent broken."""
    kind = luck.random()
    if kind < 0.06:
        return _no_request(luck)
    method, path, headers, body = "POST", luck.choice(paths), {}, b""
    if kind < 0.4:
        path = luck.choice([p for p in paths if p.endswith("/act/")])
        body = form(luck, seat).encode("utf-8", "replace")
        headers["Content-Type"] = TYPES[0] if luck.random() < 0.8 else luck.choice(TYPES)
    elif kind < 0.5:
        path = luck.choice([p for p in paths if p.endswith("/actions/")])
        body, headers["Content-Type"] = _json(luck, seat), TYPES[1]
    elif kind < 0.65:
        headers["Content-Type"] = luck.choice((*TYPES[:3], *ODD_FILES))
        body = _file(luck, file) if "multipart" in headers["Content-Type"] else _fields(luck)
    elif kind < 0.85:
        method = luck.choice(METHODS) if luck.random() < 0.3 else "GET"
        path = _odd_path(luck, path) if luck.random() < 0.7 else path
    else:
        body, headers["Content-Type"] = luck.randbytes(luck.randint(0, 400)), luck.choice(TYPES)
    return _bytes(luck, port, method, path, headers, body, cookie)


def _bytes(
    luck: Luck, port: int, method: str, path: str, odd: dict[str, str], body: bytes, cookie: str
) -> bytes:
    headers = {
        "Host": f"127.0.0.1:{port}",
        "Cookie": f"sid={cookie}; csrf={CSRF}",
        "X-CSRFToken": CSRF,
        "Content-Length": str(len(body)),
        "Connection": "close",
        **({"HX-Request": "true"} if luck.random() < 0.5 else {}),
        **odd,
    }
    for _n in range(luck.choice((0, 0, 0, 1, 3))):
        headers[luck.choice(HEADERS)] = value(luck).replace("\r\n", " ")
    if luck.random() < 0.02:
        headers |= {f"X-{n}": "y" * 60 for n in range(luck.choice((50, 400, 2000)))}
    lines = "".join(f"{name}: {text}\r\n" for name, text in headers.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("utf-8", "replace") + body


def _no_request(luck: Luck) -> bytes:
    return luck.choice(
        (
            luck.randbytes(200),
            b"\r\n\r\n\r\n",
            b"GET\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
            b"GET /\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + luck.randbytes(100),
            b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 70_000 + b"\r\n\r\n",
            b"POST /join/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"POST /join/ HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
            b"POST /join/ HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\nx",
            b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            b"GET /" + b"a" * luck.choice((3000, 20_000, 70_000)) + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        )
    )


def _odd_path(luck: Luck, path: str) -> str:
    odd = quote(luck.choice(ODD_TEXTS), errors="replace")[:2000]
    return luck.choice(
        (
            f"{path}?seat={odd}",
            f"{path}?page={odd}&q={odd}&as={odd}&seat=1&seat=2",
            f"{path}{odd}",
            path.replace("/", "//", 2),
            path + "%",
            path + "%00",
            path + "%ff%fe",
            path + "..%2f..%2f",
            f"/j/{odd}/",
            f"/seat/{odd}/",
            f"/house-rule/{odd}/",
            f"/t/{odd}/",
            f"/static/{odd}",
            f"/api/tables/{odd}/",
            f"/admin/{odd}",
            f"{path}?{'&'.join(f'a{n}=1' for n in range(600))}",
        )
    )


def _json(luck: Luck, seat: int) -> bytes:
    word = luck.choice([w for w in WORDS if w != "leave_table"])
    fields: dict[str, object] = dict(nonsense_for(luck, word, seat))
    for name in list(fields):
        if luck.random() < 0.5 and name != "action":
            fields[name] = luck.choice(
                (None, [], {}, -1, 2**63, 10**30, 1.5, True, luck.randint(0, 50))
            )
    text = json.dumps({"seat": seat, "action": fields, "tap": f"j{luck.getrandbits(60)}"})
    return text.encode() if luck.random() < 0.8 else text[: luck.randrange(len(text))].encode()


def _fields(luck: Luck) -> bytes:
    names = ("name", "host_name", "table_name", "rules", "code", "language", "next", "role", "text",
             "effects", "cry", "number", "title", "tap", "oracle", "q")  # fmt: skip
    chosen = luck.sample(names, luck.randint(1, 8))
    pairs = (f"{n}={quote(value(luck), errors='replace')}" for n in chosen)
    return "&".join(pairs).encode()


def _file(luck: Luck, file: str) -> bytes:
    """Return a form with a picture or a campaign's file in it, and something wrong with that."""
    kind = luck.random()
    if kind < 0.4:
        sent = luck.choice((*PICTURES, a_bomb())) + luck.randbytes(luck.randint(0, 60))
        name = "photo"
    else:
        sent, name = _broken_file(luck, file), "file"
    head = f'Content-Disposition: form-data; name="{name}"; filename="{value(luck)[:80]}"'
    parts = b'--b\r\nContent-Disposition: form-data; name="tap"\r\n\r\nu%d\r\n' % luck.getrandbits(
        50
    )
    end = luck.choice((b"\r\n--b--\r\n", b"\r\n--b--\r\n", b"", b"--"))
    return parts + f"--b\r\n{head}\r\n\r\n".encode("utf-8", "replace") + sent + end


def _broken_file(luck: Luck, file: str) -> bytes:
    at, to = sorted(luck.randrange(len(file)) for _n in range(2))
    odd = luck.choice(("null", "-1", "[]", "{}", '"x"', "1e999", "true", "9" * 300, ""))
    kind = luck.randrange(5)
    if kind == 0:
        return file[:at].encode()
    if kind == 1:
        return (file[:at] + odd + file[min(to, at + 12) :]).encode("utf-8", "replace")
    if kind == 2:
        return b"\xef\xbb\xbf" + file.encode()
    if kind == 3:
        return luck.randbytes(500)
    return file.replace(luck.choice(('"name"', ": 1", "true", '"text"')), odd, 3).encode()
