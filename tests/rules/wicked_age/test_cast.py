"""Words of an element worth a tap (WA-8, WA-9)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.wicked_age.cast import phrases
from games.rules.wicked_age.oracles import LANGUAGES, shipped


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


# Of every oracle that comes with the program, what was offered and is nobody, or was cut badly.
NOBODY = {
    "en": "his tongue|three days head of his house|three days dead|six days overdue|her leave"
    "|the other's eye|two holding hands|the dye vats elder brother|A doorpost spirit sworn"
    "|one wants|feeding whatever lives|four diviners name|its rope came up|one more|one room more"
    "|all their own|one buried|the women of one|the one seen buying sandals|a newly"
    "|the unhappy whisper",
    "es": "las tres vienen|sus tíos cuánto|tres días dueño|otra vez húmedo|seis días de retraso"
    "|la cruza|los desata|la llama madre|la cree|la añora|su bando hizo|la lleva|los conquistó"
    "|dos los ahorcaron|la abrió|una aceituna negra irá|los amasa|la sufrió|la deja|el de ayer"
    "|la cercó|las vende|los guían|los manda|los desencantaría|su general pidiera perdón|la oye"
    "|las tres miente|el deber de alimentar|otro respira|una enterraron|un cuarto más|la cobra"
    "|el de su hermano|su amo despacio|la trae|la limpia|la sabe|la alimenta|detrás|manos azules"
    "|púrpura declaradas|el grano vendida|otro hombre escondida|diecinueve años"
    "|la mañana de la boda",
}
SOMEBODY = {
    "en": "A captain of hired slingers|hired slingers|fourteen conquering soldiers|the night market"
    "|a newly seated young judge|The debt tally|the dead|the living|the third|one soldier"
    "|its hostess|seven sworn sisters|a blue-handed slave of the dye vats|four diviners|the unhappy"
    "|the women",
    "es": "la tercera|la calle más pobre|un centinela|El más forzudo|su bando|su general"
    "|El único pozo|catorce soldados vencedores|cien soldados|el inquilino|otro hombre|las mujeres"
    "|una tintorera de brazos azules|Una cabrera de diecinueve años|su amo|los suyos|los muertos",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_the_oracles_that_come_with_the_program_people_are_offered_and_what_they_do_is_not(
    language: str,
):
    elements = [entry.text for oracle in shipped(language) for entry in oracle.entries]
    offered = {phrase for element in elements for phrase in phrases(element)}
    assert not offered.intersection(NOBODY[language].split("|"))
    assert not set(SOMEBODY[language].split("|")) - offered


@given(st.text(max_size=120))
def test_what_is_offered_stands_in_the_element(element):
    found = phrases(element)
    assert len(set(found)) == len(found)
    squeezed = " ".join(element.split()).casefold()
    # The article that is in "del" and "al" stands before what is offered.
    parted = re.sub(r"\bal ", "a el ", squeezed)
    assert all(phrase and phrase.casefold() in parted for phrase in found)
