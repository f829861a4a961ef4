"""Names for knaves who were given none: short ones, easy to say in English and in Spanish.

In fights, in the log and where somebody is chosen people are told apart by their names, so no two
who live at a table have the same.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from itertools import product

from django.utils.translation import gettext as _

from characters.models import Character
from games.errors import Malformed
from games.services.change import Change
from games.services.host import is_gm
from games.text import is_among

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
    pairs = map(" ".join, product(NAMES.split(), SURNAMES.split()))
    return secrets.choice([name for name in pairs if name not in taken])


def check_name(change: Change, name: str, one: Character | None = None) -> None:
    """Raise Malformed where somebody else who lives at the table is called so.

    Only the host is told of those whom the table has not met.
    """
    others = change.table.characters.filter(state__in=Character.ALIVE)
    if one is not None:
        others = others.exclude(pk=one.pk)
    if not is_gm(change):
        others = others.filter(is_hidden=False)
    if is_among(name, others.values_list("name", flat=True)):
        text = _("Somebody at this table is called %(name)s already: choose another name.")
        raise Malformed(text % {"name": name}, field="name")
