"""Names for knaves who were given none: short ones, easy to say in English and in Spanish."""

from __future__ import annotations

import secrets
from collections.abc import Collection

NAMES = """
    Alba Aldo Alma Ansel Aurelio Bea Belisa Benito Berta Bran Bruna Calixto Carmela Cata Celia
    Cirilo Clemente Corvina Dalia Dario Dimas Dorotea Elvira Emeric Esteban Fabiola Fausto Fermina
    Flora Gaspar Gemma Gil Greta Guiomar Hilario Hugo Ines Isidora Ivo Jacinta Jonas Justina Lalo
    Lavinia Leandra Leon Lope Lucan Mael Maravillas Marta Matilda Mencia Milo Nadia Nicanor Norma
    Octavia Odo Olalla Orlan Osric Paloma Pascual Perla Quintin Ramona Remedios Rolando Rosaura
    Rufo Sabina Salvador Sancha Silvano Tadeo Telma Tiburcio Tobias Urraca Ursula Valentin Vela
    Vicenta Wanda Xenia Yago Zoe
"""
SURNAMES = """
    Abril Bravo Candela Ceniza Cobre Cuervo Daga Espina Farol Garza Halcon Hueso Jara Lobo Luna
    Marsh Moro Niebla Nuez Oro Paja Pardo Quill Rasa Rook Sal Sombra Thorn Tordo Vane Vega Zorro
"""


def random_name(taken: Collection[str]) -> str:
    """Return a name that nobody at the table has: one word, or two where the first is taken."""
    free = [name for name in NAMES.split() if name not in taken]
    if free:
        return secrets.choice(free)
    return f"{secrets.choice(NAMES.split())} {secrets.choice(SURNAMES.split())}"
