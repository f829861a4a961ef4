"""What nobody's phone would send: messages, frames, forms and requests, by a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from urllib.parse import quote, urlencode

from games.services.act import ACTIONS
from tests.security.wire import BINARY, CLOSE, PING, PONG, TEXT, frame

Luck = random.Random

WORDS = sorted(ACTIONS)
# After these the attacker's own seat is gone, and with it what was to be attacked.
LEAVING = {"leave_table", "remove", "hand_host"}
ODD_TEXTS = (
    "", " ", "\x00", "\u202e\u2066", "\ufeff", "\ud800", "%00", "%s%n{0}", "' OR 1=1--",
    "../../etc", "<script>1</script>", "{{7*7}}", "${7*7}", "-0", "1e308", "1e999", "NaN",
    "Infinity", "0x10", "9" * 400, "-" + "9" * 40, "\u0667", "true", "null", "[]", "{}",
    "\r\nSet-Cookie: x=1", "é" * 300, "\U0001f9c1" * 50, "a" * 5000,
)  # fmt: skip
ODD_VALUES: tuple[object, ...] = (
    None, True, -1, 0, 2**31, 2**63, 2**64, -(2**63) - 1, 10**400, 0.5, -0.0, 1e308, [], {}, [[]],
    {"a": {"b": []}}, "x", "1", ["1"], [None] * 500, "\u0000", "\ud800",
)  # fmt: skip
KEYS = ("ack", "ping", "echo", "beat", "do", "n")


def message(luck: Luck, seat: int) -> str:
    """Return the text of a message as no page sends it."""
    return luck.choice(_MESSAGES)(luck, seat)


def _letters(luck: Luck, seat: int) -> str:
    plane = luck.choice((0x7F, 0xFF, 0xD7FF, 0x10FFFF))
    points = (luck.randint(0, plane) for _n in range(luck.randint(0, 200)))
    return "".join(chr(p) for p in points if not 0xD800 <= p <= 0xDFFF)


def _deep(luck: Luck, seat: int) -> str:
    depth = luck.choice((10, 500, 2000, 8000))
    begin, end = luck.choice((("[", "]"), ('{"ack":', "}"), ("[[", "")))
    return begin * depth + end * depth


def _wrong_types(luck: Luck, seat: int) -> str:
    names = luck.sample(KEYS, luck.randint(1, 4))
    return json.dumps({name: luck.choice(ODD_VALUES) for name in names})


def _absurd(luck: Luck, seat: int) -> str:
    """Everything has the type it should have."""
    said = {
        "ack": luck.choice((-1, 0, 2**62, 10**6)),
        "ping": luck.choice((-1e308, 0.0, 1e308, 5e-324)),
        "echo": luck.choice((-(2**62), 0, 2**62)),
        "beat": "".join(luck.choices("0123456789abcdef", k=32)),
        "n": luck.choice((-(2**62), 2**62)),
    }
    names = luck.sample(sorted(said), luck.randint(1, 4))
    return json.dumps({name: said[name] for name in names})


def _broken(luck: Luck, seat: int) -> str:
    """A message as it should be, but for one letter, or its end."""
    text = json.dumps({"ping": 1.5, "ack": 3, "do": form(luck, seat), "n": 4})
    at = luck.randrange(len(text))
    return text[:at] if luck.random() < 0.5 else text[:at] + luck.choice('"{}[],:\\x') + text[at:]


def _unknown(luck: Luck, seat: int) -> str:
    name = luck.choice(("type", "action", "__class__", "table.wake", "regions", "seq", "did", ""))
    return json.dumps({name: luck.choice(ODD_VALUES), "ping": 1.0})


def _long(luck: Luck, seat: int) -> str:
    return json.dumps({"do": "x=" + "y" * luck.choice((2048, 16_383, 16_400, 60_000)), "n": 1})


def _does(luck: Luck, seat: int) -> str:
    return json.dumps({"do": form(luck, seat), "n": luck.randint(0, 99)})


_MESSAGES: tuple[Callable[[Luck, int], str], ...] = (
    _letters, _deep, _wrong_types, _absurd, _broken, _unknown, _long, _does, _does, _does, _does,
)  # fmt: skip


# --- forms ---------------------------------------------------------------------------------------


def form(luck: Luck, seat: int) -> str:
    """Return an encoded form that means to act, with something wrong in it."""
    kind = luck.random()
    if kind < 0.05:
        return luck.choice(("", "&&&=", "%", "%zz=%", "a" * 3000, "action", "=roll", "\x00", "é=é"))
    if kind < 0.1:
        return urlencode({f"x{n}": "1" for n in range(luck.choice((150, 300, 1500)))})
    fields = nonsense_for(luck, luck.choice([w for w in WORDS if w not in LEAVING]), seat)
    pairs = list(fields.items())
    if kind < 0.2:
        pairs += luck.sample(pairs, 1) * luck.choice((1, 5, 80))
    text = "&".join(f"{quote(name)}={quote(value, errors='replace')}" for name, value in pairs)
    return text[: luck.randrange(len(text))] if kind > 0.95 else text


def nonsense_for(luck: Luck, word: str, seat: int) -> dict[str, str]:
    """Return an action's own fields, filled with whatever comes."""
    fields = {"action": word, "seat": str(seat), "tap": f"t{luck.getrandbits(60)}"}
    for name in ACTIONS[word].__struct_encode_fields__:
        if luck.random() < 0.8:
            fields[name] = value(luck)
    for name in ("saw", "pressed", "note", "dice", "dice-0", "dice-alone", "fingers-0", "receipt"):
        if luck.random() < 0.15:
            fields[name] = value(luck)
    if luck.random() < 0.1:
        fields[luck.choice(("seat", "tap", "action"))] = value(luck)
    return fields


def value(luck: Luck) -> str:
    """Return a small number, as keys are, or something odd."""
    if luck.random() < 0.5:
        return str(luck.randint(-2, 60))
    return luck.choice(ODD_TEXTS)


# --- frames that are none ------------------------------------------------------------------------


def bad_frame(luck: Luck) -> bytes:
    """Return bytes that break the protocol itself; a server may close for any of them."""
    return luck.choice(_BAD_FRAMES)(luck)


def _noise(luck: Luck) -> bytes:
    return luck.randbytes(luck.randint(1, 60))


_BAD_FRAMES: tuple[Callable[[Luck], bytes], ...] = (
    lambda luck: frame(TEXT, b"\xff\xfe" + _noise(luck) + b"\xc3"),
    lambda luck: frame(TEXT, b"\xed\xa0\x80"),
    lambda luck: frame(TEXT, b"{}", is_masked=False),
    lambda luck: frame(TEXT, b"{}", reserved=luck.randint(1, 7)),
    lambda luck: frame(luck.choice((3, 4, 5, 6, 7, 11, 15)), _noise(luck)),
    lambda luck: frame(PING, b"x" * 126),
    lambda luck: frame(PING, b"x", fin=False),
    lambda luck: frame(PONG, _noise(luck)),
    lambda luck: frame(0, _noise(luck)),
    lambda luck: frame(TEXT, b'{"pi', fin=False) + frame(TEXT, b"{}"),
    lambda luck: frame(TEXT, b'{"ping"', fin=False) + frame(0, b": 1", fin=False),
    lambda luck: b"".join(frame(0 if n else TEXT, b"x" * 700, fin=False) for n in range(120)),
    lambda luck: frame(CLOSE, b"\x03"),
    lambda luck: frame(CLOSE, b"\x00\x01" + _noise(luck)),
    lambda luck: frame(CLOSE, b"\x03\xe8\xff\xff"),
    lambda luck: frame(TEXT, b"x", length=2**62),
    lambda luck: frame(TEXT, b"x", length=2**63),
    lambda luck: frame(TEXT, b"x" * 70_000),
    lambda luck: frame(TEXT, b"{}", length=200),
    lambda luck: frame(TEXT, b'{"ping": 1}')[: luck.randint(1, 12)],
    _noise,
    lambda luck: b"GET / HTTP/1.1\r\n\r\n",
    lambda luck: b"\x00" * 200,
)


def bytes_frame(luck: Luck) -> bytes:
    """Return a frame of bytes, which is in order, but nothing that we say."""
    return frame(BINARY, luck.randbytes(luck.choice((0, 1, 40, 3000))))
