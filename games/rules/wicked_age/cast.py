"""Reading elements into characters: what in a text is worth a tap (WA-8, WA-9).

A character may be named by any words of an element. `phrases` guesses the likely ones, in
English and Spanish, without knowing any grammar; what it misses is written by hand.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

_PUNCTUATION: Final = ',;:.!?¡¿()[]«»“”"—–…'
_CLAUSE: Final = re.compile(rf"[{re.escape(_PUNCTUATION)}]+")
_LONGEST_PHRASE: Final = 6
_LONGEST_GROUP: Final = 10
# What somebody is or does: "hidden", "slowly", "lavándose los pies".
_TAIL: Final = re.compile(r"(?:ed|ly|mente|(?:[aá]nd|[iy][eé]nd)o(?:se|me|te|nos|l[aeo]s?)*)$")
_NO_TAILS: Final = ("family", "blando")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What begins a group of words that may be somebody.
_OPENERS: Final = {
    "en": _set(
        "a an the his her its their this these those another one two three four"
        " five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred several"
        " some many all both"
    ),
    "es": _set(
        "un una unos unas el la los las su sus este esta estos estas ese esa otro otra dos"
        " tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cuarenta cincuenta"
        " cien varios varias algunos algunas todos todas ambos ambas"
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
        " himself herself itself themselves"
    ),
    "es": _set(
        "él ella ellos ellas que quien quienes cuyo cuya cuyos cuyas cual cuales y e o u ni pero"
        " mientras cuando donde porque si aunque como a en con por para sin sobre bajo entre"
        " hasta desde contra tras"
        " ante hacia según es era eran fue fueron sea está están estaba estaban ha han había"
        " habían tiene tienen tenía será puede pueden podía debe deben no nunca aún todavía ya"
        " sólo solo siempre jamás dice dicen se lo le les cada ningún ninguna antes ahora"
        " ponerse salir oír morir"
    ),
}
# What somebody does, in the words of the oracles that come with the program. Behind an article it
# may be somebody after all ("the wait", "la guarda"); behind a noun it ends the group.
_DOES: Final = _set(
    "knows wait waits hold wakes recounts disbelieves insist remain goes go salutes speaks grows"
    " went sits wants meant paid built held foretold sold sleeps tastes keeps left objects casts"
    " bolts give sells stands burns owns walks asks returns talk trade decline sleep quarrel dry"
    " remember rise stays ties carry know swore wants weeping drawn stuck given dug woken born"
    " stolen hidden missing unpaid back due alive long full wet quiet"
    " quema dejó entrega plantó alzaron alzó anuda conversan conserva vuelve ofrecen ahorcaron"
    " vende vienen viene saluda aseguran oyó baja bajan visten cavan pagan llama llaman miente"
    " discuten llevan lleva agravió amó señalan hace pesa enterraron entró guarda secan enseña"
    " quiere juró suponen arruinó empeñó gobierna da prueba duermen duerme susurran legó sueñan"
    " trae sabe saben trajo regalan siguen subió prometieron desencantaría manda"
)
# Behind these it is done, or is so, to people who were named before ("both know", "todos dan").
_OF_THEM: Final = _set("both all this todos todas ambos ambas")
_SO_THEY_ARE: Final = _set("cheerful convenient dan alegres")
_LINKS: Final = {"en": _set("of"), "es": _set("de del")}
# By these small words a language is known.
_SMALL: Final = {tongue: _OPENERS[tongue] | _BREAKS[tongue] | _LINKS[tongue] for tongue in _OPENERS}
# Behind an article alone: an hour, a part, a limb, or a word that leans on another; nobody.
_NOBODY: Final = {
    "en": _set(
        "other same rest dark way half middle end present take"
        " time times hour hours dusk dawn noon day days night nights morning evening week weeks"
        " month months year years moon season seasons"
        " head face faces hair hand hands neck elbow palms"
    ),
    "es": _set(
        "otro otra mismo misma resto suyo suya ajenos sola mitad medio fin fondo"
        " vez veces hora horas anochecer amanecer mediodía día días noche noches mañana tarde"
        " semana semanas mes meses año años luna alba mundo raso cuello mando"
        " cabeza cara pelo mano manos codo dedo dientes pies antebrazo lengua nariz muñeca"
    ),
}
# Behind an article it is whole: "la otra".
_OTHER: Final = ("otro", "otra", "otros", "otras")
# What follows is one of several that were named before.
_EACH: Final = frozenset(("each", "every", "cada"))
# These stand before somebody, and behind "of" alone for nobody: "un secreto de los".
_BEFORE_ONE: Final = _set(
    "a an the his her its their these those un una unos unas el la los las su sus otro otra"
)
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


def _groups(words: list[str], language: str, takes_bare: bool) -> list[list[str]]:
    """Cut a clause into groups, each from an opener to the next break.

    An element may begin with a bare one ("Twin sisters …"), if `takes_bare`.
    """
    openers, links = _OPENERS[language], _LINKS[language]
    groups: list[list[str]] = [[]] if takes_bare else []
    goes_on = openers | links
    is_open = takes_bare
    for before, word in pairwise(["", *words]):
        bare = word.casefold()
        if before.casefold() in _EACH:
            is_open = False
        elif bare in openers and not (is_open and _ends_in(groups[-1], goes_on)):
            groups.append([word])
            is_open = True
        elif bare == _TO_THE:
            groups.append([_THE])
            is_open = True
        elif bare in _BREAKS[language] or (is_open and _is_tail(bare, groups[-1], openers)):
            is_open = False
        elif is_open:
            groups[-1].append(word)
    return [kept for group in groups if (kept := _trimmed(group, links))]


def _is_tail(word: str, group: list[str], openers: frozenset[str]) -> bool:
    """Tell whether a word after a noun says what was done to it, not what it is."""
    last = group[-1].casefold() if group else ""
    if last in _OF_THEM:
        return word in _DOES or word in _SO_THEY_ARE
    follows_a_noun = bool(group) and (last not in openers or (len(group) > 1 and last in _OTHER))
    is_said_of_it = bool(_TAIL.search(word)) and word not in _NO_TAILS
    return follows_a_noun and (is_said_of_it or word in _DOES)


def _ends_in(group: list[str], words: frozenset[str]) -> bool:
    return bool(group) and group[-1].casefold() in words


def _trimmed(group: list[str], links: frozenset[str]) -> list[str]:
    """Take off what leads on to a word that is not in the group: "of", "of the", or whose it is."""
    kept = group[:_LONGEST_GROUP]
    while _ends_in(kept, links) or (_ends_in(kept, _BEFORE_ONE) and _ends_in(kept[:-1], links)):
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
        and (number == 0 or part[0].casefold() in _OPENERS[language] or part[-1].endswith("s"))
    ]


def _is_nobody(words: list[str], language: str) -> bool:
    """Tell whether there is nobody behind the article, as in "the", "the other", "one night"."""
    empty = _OPENERS[language] | _NOBODY[language]
    return all(word.casefold() in empty for word in words)
