"""Reading elements into characters: what in a text is worth a tap (WA-8, WA-9).

A character may be named by any words of an element. `phrases` guesses the likely ones, in
English and Spanish, without knowing any grammar; what it misses is written by hand.
"""

from __future__ import annotations

import re
from typing import Final

_PUNCTUATION: Final = ',;:.!?¡¿()[]«»“”"—–…'
_CLAUSE: Final = re.compile(rf"[{re.escape(_PUNCTUATION)}]+")
_LONGEST_PHRASE: Final = 6
_LONGEST_GROUP: Final = 10
# What somebody is or does: "hidden", "slowly", "lavándose los pies".
_TAIL: Final = re.compile(r"(?:ed|ly|mente|(?:[aá]nd|[iy][eé]nd)o(?:se|me|te|nos|l[aeo]s?)*)$")
_NO_TAILS: Final = ("family", "tally", "bully", "ally", "ugly", "holy", "bed", "seed", "blando")
# What somebody did or will do, in Spanish: no noun ends so.
_DID: Final = ("ó", "aron", "eron", "ará", "erá", "irá", "arán", "erán", "irán")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What begins a group of words that may be somebody.
OPENERS: Final = {
    "en": _set(
        "a an the his her its their this these those another one two three four"
        " five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty"
        " fifty sixty eighty hundred several some many all both"
    ),
    "es": _set(
        "un una unos unas el la los las su sus este esta estos estas ese esa otro otra dos"
        " tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince diecinueve"
        " veinte treinta cuarenta cincuenta sesenta ochenta cien varios varias algunos algunas"
        " todos todas ambos ambas"
    ),
}
# What ends one: relatives, conjunctions, prepositions, the commonest verbs, and what names nobody
# in particular ("no fire", "each sure of it").
_BREAKS: Final = {
    "en": _set(
        "he she it they them him who whom whose which that what and or but nor yet while when"
        " where why how because if beneath behind though so than as in on at to from by with for"
        " under over into after before against"
        " between among upon without until since through about near across beside inside"
        " toward towards along is are was were be been being has have had having will would can"
        " could must may might shall should do does did not never still now already alone once"
        " together only ever just again says said no each every put out everybody nobody"
        " himself herself itself themselves whatever whichever whoever"
    ),
    "es": _set(
        "él ella ellos ellas que quien quienes cuyo cuya cuyos cuyas cual cuales y e o u ni pero"
        " mientras cuando donde porque si aunque como a en con por para sin sobre bajo entre"
        " hasta desde contra tras"
        " ante hacia según es era eran fue fueron sea está están estaba estaban ha han había"
        " habían tiene tienen tenía será puede pueden podía debe deben no nunca aún todavía ya"
        " sólo solo siempre jamás dice dicen se lo le les cada ningún ninguna antes ahora"
        " ponerse salir oír morir alimentar cuánto cuánta cuanto cuándo cómo despacio"
        " detrás delante dentro fuera encima debajo abajo arriba"
    ),
}
# What somebody does, in the words of the oracles that come with the program; behind a noun it
# ends the group.
_DOES: Final = {
    "en": _set(
        "knows wait waits hold wakes recounts disbelieves insist remain goes go salutes speaks"
        " grows went sits wants meant paid built held foretold sold sleeps tastes keeps left"
        " objects casts bolts give sells stands burns owns walks asks returns talk trade decline"
        " sleep quarrel dry remember rise stays ties carry know swore weeping drawn stuck given dug"
        " woken born stolen hidden missing unpaid back due alive long full wet quiet whisper came"
        " seen sung sworn dead elder sufficient"
    ),
    "es": _set(
        "quema dejó entrega anuda conversan conserva vuelve ofrecen vende vienen viene saluda"
        " aseguran baja bajan visten cavan pagan llama llaman miente discuten llevan lleva señalan"
        " hace pesa guarda secan enseña quiere suponen gobierna da prueba duermen duerme susurran"
        " sueñan trae sabe saben trajo regalan siguen desencantaría manda hizo cruza desata amasa"
        " deja añora cree limpia alimenta cobra guían oye pidiera respira"
        " vendida escondida destinado declaradas colmada vueltos llorado honda"
    ),
}
# Behind an article these may be somebody after all, where it is no pronoun: "y la guarda", but
# "quien la manda".
_ALSO_ONE: Final = _set("entrega baja llama pesa guarda prueba manda cobra")
_PRONOUNS: Final = ("la", "los", "las")
_BEFORE_A_PRONOUN: Final = _set("que quien quienes se no ya porque si nunca donde")
# What several do, though one may have it: "four diviners name", "his own name".
_THEY_DO: Final = ("name",)
# Behind these it is done, or is so, to people who were named before ("both know", "todos dan").
_OF_THEM: Final = _set("both all this todos todas ambos ambas")
_SO_THEY_ARE: Final = _set("cheerful convenient dan alegres")
_LINKS: Final = {"en": _set("of"), "es": _set("de del")}
# By these small words a language is known.
_SMALL: Final = {tongue: OPENERS[tongue] | _BREAKS[tongue] | _LINKS[tongue] for tongue in OPENERS}
# An hour, or how long: "la mañana de la boda", "three days dead".
_TIMES: Final = {
    "en": _set(
        "time times hour hours dusk dawn noon day days night nights morning evening week weeks"
        " month months year years moon season seasons"
    ),
    "es": _set(
        "vez veces hora horas anochecer amanecer mediodía día días noche noches mañana tarde"
        " semana semanas mes meses año años luna alba"
    ),
}
# Behind an article alone: a part, a limb, or a word that leans on another; nobody.
_NOBODY: Final = {
    "en": _set(
        "other other's same rest dark way half middle end present take own more leave holding life"
        " head face faces hair hand hands neck elbow palms tongue teeth feet nose eye eyes forearm"
    ),
    "es": _set(
        "otro otra mismo misma único única resto suyo suya ajenos sola mitad medio fin fondo"
        " mundo raso mando vida gusto alma cuello"
        " cabeza cara pelo mano manos codo dedo dientes pies antebrazo lengua nariz muñeca"
    ),
}
# Of what is bare behind "de": "una tintorera de brazos azules".
_LIMBS: Final = _set("manos brazos ojos cejas")
# Behind an article it is whole: "la otra", "the one".
_OTHER: Final = ("otro", "otra", "otros", "otras", "one")
# What follows is one of several that were named before.
_EACH: Final = frozenset(("each", "every", "cada"))
# These stand before somebody, and behind "of" alone for nobody: "un secreto de los".
_BEFORE_ONE: Final = _set(
    "a an the one his her its their these those un una unos unas el la los las su sus otro otra"
)
# Of one more of a kind: "un cuarto más"; but "la calle más pobre".
_MORE: Final = _set("more más")
_WHOSE: Final = ("el", "la", "los", "las")
# Two words in one, of which the second is an article.
_TO_THE: Final = "al"
_OF_THE: Final = "del"
_THE: Final = "el"


def phrases(element: str) -> tuple[str, ...]:
    """Return the groups of words in an element that may be characters, in reading order (WA-8).

    A group with "of" stands whole and then in its parts: both may be somebody.

    >>> phrases("The eldest daughter of a weaver, and nine soldiers who sing.")
    ('The eldest daughter of a weaver', 'The eldest daughter', 'a weaver', 'nine soldiers')
    """
    language = _language_of(element)
    found: dict[str, None] = {}
    for number, clause in enumerate(_CLAUSE.split(element)):
        for group in _groups(clause.split(), language, takes_bare=number == 0):
            parts = _parts(group, language)
            found.update(dict.fromkeys(" ".join(words) for words in (group, *parts)))
    return tuple(phrase for phrase in found if not _is_nobody(phrase.split(), language))


def _language_of(text: str) -> str:
    """Guess the language by the small words that only one of the two has."""
    words = [word.strip(_PUNCTUATION) for word in text.casefold().split()]
    return max(_SMALL, key=lambda language: sum(word in _SMALL[language] for word in words))


def _groups(words: list[str], language: str, *, takes_bare: bool) -> list[list[str]]:
    """Cut a clause into groups, each from an opener to the next break.

    An element may begin with a bare one ("Twin sisters …"), if `takes_bare`.
    """
    openers, links = OPENERS[language], _LINKS[language]
    groups: list[list[str]] = [[]] if takes_bare else []
    goes_on = openers | links
    is_open = takes_bare
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        bare = word.casefold()
        if before.casefold() in _EACH or (bare in _PRONOUNS and _is_pronoun(before, after)):
            is_open = False
        elif bare in openers and not (is_open and _ends_in(groups[-1], goes_on)):
            groups.append([word])
            is_open = True
        elif bare == _TO_THE:
            groups.append([_THE])
            is_open = True
        elif bare in _BREAKS[language] or (is_open and _is_tail(bare, groups[-1], language)):
            is_open = False
        elif is_open:
            groups[-1].append(word)
    return [kept for group in groups if (kept := _trimmed(group, links))]


def _is_pronoun(before: str, after: str) -> bool:
    """Tell "quien la manda" from "y la guarda": nobody is named by the former."""
    return before.casefold() in _BEFORE_A_PRONOUN and after.casefold() in _DOES["es"]


def _is_tail(word: str, group: list[str], language: str) -> bool:
    """Tell whether a word says what somebody does or what was done to them, not what they are."""
    openers, does = OPENERS[language], _DOES[language]
    if not group:
        return False
    last = group[-1].casefold()
    if last in _OF_THEM:
        return word in does or word in _SO_THEY_ARE
    if last in openers and not (len(group) > 1 and last in _OTHER):
        # "la cruza", "one wants"; but "the hidden door", and "la guarda" may be somebody.
        alone = language == "es" or (last == "one" and word.endswith("s"))
        return alone and word not in _ALSO_ONE and _is_done(word, language)
    if last in _LINKS[language] or last.endswith("ly"):
        return False
    is_said_of_it = bool(_TAIL.search(word)) and word not in _NO_TAILS
    return is_said_of_it or _is_done(word, language) or (word in _THEY_DO and last.endswith("s"))


def _is_done(word: str, language: str) -> bool:
    return word in _DOES[language] or (language == "es" and word.endswith(_DID))


def _ends_in(group: list[str], words: frozenset[str]) -> bool:
    return bool(group) and group[-1].casefold() in words


def _trimmed(group: list[str], links: frozenset[str]) -> list[str]:
    """Take off what leads on to a word that is not in the group: "of", "of the", or whose it is."""
    kept = group[:_LONGEST_GROUP]
    leads_on = links | _MORE
    while _ends_in(kept, leads_on) or (_ends_in(kept, _BEFORE_ONE) and _ends_in(kept[:-1], links)):
        kept.pop()
    return [*kept[:-1], kept[-1].removesuffix("'s").removesuffix("’s")] if kept else []


def _parts(group: list[str], language: str) -> list[list[str]]:
    """Cut a group at "of"; behind it a bare word is somebody only if it is several."""
    parts: list[list[str]] = [[]]
    for word in group:
        if word.casefold() in _LINKS[language]:
            parts.append([_THE] if word.casefold() == _OF_THE else [])
        else:
            parts[-1].append(word)
    return [
        part[:_LONGEST_PHRASE]
        for number, part in enumerate(parts)
        if part
        and (number == 0 or part[0].casefold() in OPENERS[language] or part[-1].endswith("s"))
    ]


def _is_nobody(words: list[str], language: str) -> bool:
    """Tell whether nobody stands behind the article, as in "the", "the other", "one night"."""
    openers, leaning, times = OPENERS[language], _NOBODY[language], _TIMES[language]
    small = [word.casefold() for word in words]
    named = [word for word in small if word not in openers and word not in leaning]
    # "tres días dueño", "three days dead"; but "the night market" is somewhere.
    lasts = bool(named) and named[0] in times and (language == "es" or named[0].endswith("s"))
    if lasts or times.issuperset(named):
        return True
    # "el de su hermano", and "brazos azules", which are only part of somebody.
    return (small[0] in _WHOSE and small[1] in _LINKS[language]) or small[0] in _LIMBS
