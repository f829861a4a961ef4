"""Guild names to start from, for who can't think of one in a loud room."""

from __future__ import annotations

import secrets

from django.utils.translation import get_language

ENGLISH_FIRST = """
    Ash Bramble Candle Copper Crooked Dusk Ember Fennel Ferret Flint Gallow Ginger Grim
    Hazel Hollow Inky Ivory Jackdaw Juniper Lantern Lucky Magpie Moth Mudlark Nettle
    Nimble Onyx Pepper Pewter Quick Raven Rook Rusty Sable Salt Shade Silver Smoke Sparrow
    Tallow Thistle Velvet Vesper Whisper Wick Wren
"""
ENGLISH_LAST = """
    Bell Blade Boot Candle Cloak Coin Crow Dice Fang Finch Fox Glove Hand Hook Jack Key Knot
    Lace Lark Mask Moss Nail Needle Owl Pike Purse Rat Ring Spoon Thorn Thumb Tongue
"""
SPANISH_FIRST = """
    Aguja Alfiler Alondra Anillo Arenque Bolsa Bota Búho Candil Capa Cardo Cascabel Ceniza Clavo
    Colmillo Cuchara Cuervo Daga Dado Dedal Espina Farol Gancho Gato Gorrión Guante Hiedra Hurón
    Lengua Llave Lobo Máscara Mirlo Moneda Musgo Naipe Nudo Ortiga Polilla Pulgar Rata Sombra
    Tejón Urraca Vela Zorro
"""
# Fits a first part of either gender.
SPANISH_LAST = """
    Amable Ardiente Audaz Azul Cobarde Elegante Errante Feliz Feroz Fugaz Gris Humilde Ilustre
    Impar Insigne Insomne Noble Rebelde Sagaz Salvaje Tenaz Triste Veloz Verde
    de_Bronce de_Cera de_Cobre de_Cuero de_Humo de_Niebla de_Noche de_Plata de_Sal de_Seda
"""


def parts(language: str) -> tuple[list[str], list[str]]:
    """Return what a name in this language is put together from."""
    spanish = language.startswith("es")
    first, last = (SPANISH_FIRST, SPANISH_LAST) if spanish else (ENGLISH_FIRST, ENGLISH_LAST)
    return first.split(), [part.replace("_", " ") for part in last.split()]


def suggest(language: str = "") -> str:
    """Return a guild name in a language, else that of the page: one of some 1,500."""
    first, last = parts(language or get_language() or "en")
    one = secrets.choice(first)
    return f"{one} {secrets.choice([part for part in last if part != one])}"
