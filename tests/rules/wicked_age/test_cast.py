"""Words of an element worth a tap (WA-8, WA-9)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.wicked_age.cast import phrases


@pytest.mark.parametrize(
    ("element", "found"),
    [
        (
            "A midwife who delivered two heirs in one night, and alone knows which was which.",
            ("A midwife", "two heirs"),
        ),
        (
            "The goatherd's mother and her nine sons, with a tax-collector's ring.",
            ("The goatherd's mother", "her nine sons", "a tax-collector's ring"),
        ),
        ("Twin sisters betrothed to a ferryman", ("Twin sisters", "a ferryman")),
        (
            "Una partera que recibió a dos herederos, y un barquero cuya barca no flota.",
            ("Una partera", "dos herederos", "un barquero"),
        ),
        (
            "El fantasma del padre, que habló al cerrajero",
            ("El fantasma del padre", "El fantasma", "el padre", "el cerrajero"),
        ),
        (
            "La crecida que llega al alba y, al ponerse el sol, se lleva al hijo del general.",
            ("La crecida", "el sol", "el hijo del general", "el hijo", "el general"),
        ),
        (
            "A bathhouse where a magistrate's wife and a porter talk while the tenants sleep.",
            ("A bathhouse", "a magistrate's wife", "a porter", "the tenants"),
        ),
        ("A poor family, each with her goat, and to each", ("A poor family", "her goat")),
        (
            "Twin brothers, each sure of the other, with no fire in the dark, and no bride step.",
            ("Twin brothers",),
        ),
        ("Dos tejedoras, cada una sola, y ninguna orden esta noche", ("Dos tejedoras",)),
        (
            "A lame donkey sold four times, and two brothers who have all put on yellow; he knows.",
            ("A lame donkey", "two brothers"),
        ),
        (
            "A lane's only well, and which of the general's four onagers bolts.",
            ("A lane", "the general", "four onagers"),
        ),
        ("Three men wait, and only the wait is theirs.", ("Three men", "the wait")),
        # What two do, and what is so, is nobody.
        ("Two sentries, and both insist.", ("Two sentries",)),
        ("A throne, and ministers who find this convenient.", ("A throne",)),
        ("Dos viudas, y todos dan.", ("Dos viudas",)),
        ("Two brides and both mothers.", ("Two brides", "both mothers")),
        (
            "Una pared que dos hermanas alzaron, y la guarda que un casero legó.",
            ("Una pared", "dos hermanas", "la guarda", "un casero"),
        ),
        (
            "El señor de las salinas y su acreedora",
            ("El señor de las salinas", "El señor", "las salinas", "su acreedora"),
        ),
        # What somebody is doing is nobody, nor is what "of the" leads on to.
        (
            "Una viuda con cuatro pretendientes lavándose los pies, y una de las cuales llora.",
            ("Una viuda", "cuatro pretendientes"),
        ),
        (
            "La diosa que guisa, mientras la otra quema su aceite rogándole un secreto de los que",
            ("La diosa", "su aceite", "un secreto"),
        ),
        ("An heir of twenty, in the faces of those", ("An heir of twenty", "An heir")),
        # Behind "of" a bare word is somebody only if it is several; before it, always.
        (
            "Firstborn of bronze and a house of weavers",
            ("Firstborn of bronze", "Firstborn", "a house of weavers", "a house", "weavers"),
        ),
    ],
)
def test_likely_characters_are_found_in_both_languages(element, found):
    assert phrases(element) == found


@given(st.text(max_size=120))
def test_what_is_offered_stands_in_the_element(element):
    found = phrases(element)
    assert len(set(found)) == len(found)
    squeezed = " ".join(element.split()).casefold()
    # The article that is in "del" and "al" stands before what is offered.
    parted = re.sub(r"\bal ", "a el ", squeezed)
    assert all(phrase and phrase.casefold() in parted for phrase in found)
