"""Guild names to start from, for who can't think of one in a loud room."""

from __future__ import annotations

import secrets

FIRST = """
    Ash Bramble Candle Copper Crooked Dusk Ember Fennel Ferret Flint Gallow Ginger Grim
    Hazel Hollow Inky Ivory Jackdaw Juniper Lantern Lucky Magpie Moth Mudlark Nettle
    Nimble Onyx Pepper Pewter Quick Raven Rook Rusty Sable Salt Shade Silver Smoke Sparrow
    Tallow Thistle Velvet Vesper Whisper Wick Wren
"""
LAST = """
    Bell Blade Boot Candle Cloak Coin Crow Dice Fang Finch Fox Glove Hand Hook Jack Key Knot
    Lace Lark Mask Moss Nail Needle Owl Pike Purse Rat Ring Spoon Thorn Thumb Tongue
"""


def suggest() -> str:
    """Return a guild name: one of some 1,600."""
    first = secrets.choice(FIRST.split())
    return f"{first} {secrets.choice([w for w in LAST.split() if w != first])}"
