"""What a template is drawn from is read off it, and never less than that (R7)."""

from __future__ import annotations

import pytest
from django.template import engines
from jinja2 import DictLoader, Environment

from games.rules import brave_or_knave as bk
from games.screens.each import each
from games.screens.kept import NOBODY, DrawnBefore, stencil_of
from games.screens.paths import NotRead
from games.screens.pieces import piece, recall_whole
from games.screens.pruned import pieces_of
from games.screens.reads import reads_of
from games.stage import STAGES, Region
from tests.games.party import Person, done

TEMPLATES = {
    "draw": "{% macro framed() %}<b>{{ caller() }}</b>{% endmacro %}"
    "{% macro mark(seat) %}{{ seat.mark }}{% endmacro %}"
    "{% macro who(seat, big=false) %}{{ mark(seat) }}{{ seat.name }}{% endmacro %}"
    "{% macro again(seat) %}{{ again(seat.next) }}{{ seat.hp }}{% endmacro %}"
    "{% macro tree(item, mine) %}{{ mine.url }}{{ tree(item.next, mine) }}{{ item.x }}"
    "{% endmacro %}"
    "{% macro turned(a, b) %}{{ a.x }}{{ turned(b, a) }}{% endmacro %}"
    "{% macro handed(form, seat) %}{{ form(seat) }}{% endmacro %}"
    "{% macro lost(a) %}{% if a %}{% set own = 1 %}{% endif %}{{ own }}{% endmacro %}",
    "pieces": "{% set one = piece('row', 'p', seat=a) %}{{ one }}",
    "row": "{{ seat.hand }}{{ more }}",
    "part": "{{ scene.phase }}{{ near.x }}",
}


@pytest.mark.parametrize(
    ("source", "reads"),
    [
        ("{{ scene.call }}{% if mine.may %}x{% endif %}", "scene.call mine.may"),
        ("{% for s in scene.ring %}{{ s.name }}{% endfor %}", "scene.ring.[].# scene.ring.[].name"),
        ("{% for s in scene.ring|reverse %}{{ s.name }}{% endfor %}", "scene.ring"),
        ("{{ scene.ring|length }}", "scene.ring.[].#"),
        ("{% set s = mine.seat %}{{ s.name }}", "mine.seat.name"),
        ("{% if a %}{% set s = mine.seat %}{% endif %}{{ s.name }}", "a mine.seat.name s.name"),
        ("{% from 'draw' import who %}{{ who(mine.seat) }}", "mine.seat.mark mine.seat.name"),
        ("{% from 'draw' import who %}{{ who(a.b, big=c.d) }}", "a.b.mark a.b.name"),
        ("{% from 'draw' import again %}{{ again(a) }}", "a.hp a.next"),
        ("{% from 'draw' import tree %}{{ tree(a, mine) }}", "a.x a.next mine.url"),
        ("{% from 'draw' import turned %}{{ turned(c, d) }}", "c d"),
        ("{% from 'draw' import handed, mark %}{{ handed(mark, a) }}", "a.mark"),
        ("{% from 'draw' import handed, mark %}{% set mark = b %}{{ handed(mark, a) }}", "b a"),
        ("{% set near = a.b %}{% include 'part' %}", "scene.phase a.b.x"),
        (
            "{{ each('row', 'seat', scene.ring, more=a.b) }}",
            "scene.ring.[].# scene.ring.[].hand a.b",
        ),
        ("{% from 'draw' import lost %}{{ lost(a) }}", "a"),
        ("{% from 'draw' import lost with context %}{{ lost(a) }}", "a own"),
        ("{{ unknown(mine) }}{{ table[0] }}", "unknown mine table"),
        ("{{ (a.b if c else d.e).f }}", "a.b.f c d.e.f"),
        ("{{ sender(mine) }}", "mine.sender"),
        ("{% set me = answering(mine, a.saw) %}{{ me.saw }}", "mine.act_url mine.sender a.saw"),
    ],
)
def test_what_a_template_reads_is_read_off_it(source, reads):
    env = Environment(loader=DictLoader({**TEMPLATES, "page": source}), autoescape=True)
    env.globals |= {"each": None, "sender": None, "answering": None}
    assert {".".join(path) for path in reads_of(env, "page")} == set(reads.split())


@pytest.mark.parametrize(
    ("source", "reads"),
    [
        ("{{ piece('row', 'a-' ~ a.id, seat=b) }}", "a.id"),
        ("{% if a and not b.c %}x{% endif %}", "a.? b.c.?"),
        ("{% set x = a or b %}{{ x.name }}{% if x %}!{% endif %}", "a.? a.name b.? b.name"),
        ("{% set on = a|selectattr('up')|list %}{% if on %}x{% endif %}", "a.? a.[].up"),
        (
            "{% for s in a|rejectattr('is', 'equalto', b.c) %}{{ s.name }}{% endfor %}",
            "a.[].is b.c a.[].# a.[].name",
        ),
        ("{{ a|map(attribute='x.y')|max }}", "a.[].x.y"),
        ("{% for s in a|list + b|list %}{{ s.x }}{% endfor %}", "a.[].# a.[].x b.[].# b.[].x"),
        ("{% set n = a + b %}{% if n %}x{% endif %}", "a b"),
        ("{% for s in a[:n] %}{{ s.x }}{% endfor %}", "n a.[].# a.[].x"),
        ("{{ a|sort }}{{ b|selectattr('x')|first }}", "a b"),
    ],
)
def test_what_stands_around_pieces_is_read_more_finely(source, reads):
    env = Environment(loader=DictLoader({**TEMPLATES, "page": source}), autoescape=True)
    env.globals |= {"piece": None}
    found = reads_of(env, "page", with_pieces=False)
    assert {".".join(path) for path in found} == set(reads.split())


IN_MANY_WAYS = """
{% from 'draw' import framed %}{% set on = a|selectattr('up')|list %}{% set seen = [] %}
{% for s in on %}<li>{% set _none = seen.append(s.id) %}
{% call framed() %}{{ piece('row', 's-' ~ s.id, seat=s) }}{% endcall %}</li>
{% else %}{{ piece('row', 'none', seat=b) }}{% endfor %}
{% set block %}{% if seen|length > 1 %}{{ piece('row', 'two', seat=on[1], more=seen) }}
{% elif b %}{{ b.name }}{% else %}{{ piece('row', 'else', seat=b) }}{% endif %}{% endset %}
{% if not seen %}{{ block }}{% endif %}
"""


@pytest.mark.parametrize("b", [None, {"name": "B", "mark": 1}])
@pytest.mark.parametrize("up", [(), (1,), (0, 2), (0, 1, 2)])
def test_a_template_of_pieces_alone_names_them_as_the_whole_does(b, up):
    sources = {**TEMPLATES, "page": IN_MANY_WAYS}
    env = Environment(loader=DictLoader(sources), autoescape=True)
    found = []
    env.globals["piece"] = lambda template, name, **given: found.append((name, given)) or "piece"
    seats = [{"id": n, "up": n in up} for n in range(3)]
    env.get_template("page").render(a=seats, b=b)
    whole, found[:] = list(found), []
    only = pieces_of(env, "page")
    assert only is not None
    shown = only.render(a=seats, b=b)
    assert found == whole
    assert set(shown.split()) <= {"piece", "piece" * len(whole)}


@pytest.mark.parametrize(
    "source",
    [
        "{% macro m(s) %}{{ piece('row', 's', seat=s) }}{% endmacro %}{{ m(a) }}",
        "{% call(x) draw() %}{{ piece('row', 's', seat=x) }}{% endcall %}",
        "{% macro m(s) %}{{ piece('row', 's', seat=s) }}{% endmacro %}"
        "{{ piece('row', 't', seat=m(a)) }}",
        "{% from 'draw' import framed %}{% call framed(piece('row', 's')) %}x{% endcall %}",
        "{% filter upper %}{{ piece('row', 's', seat=a) }}{% endfilter %}",
        "{% include 'pieces' %}{{ piece('row', 's', seat=a) }}",
        "{% from 'pieces' import one %}{{ piece('row', 's', seat=a) }}{{ one }}",
        "<p>{{ a }}</p>",
    ],
)
def test_where_pieces_can_not_be_followed_all_of_it_is_drawn(source):
    env = Environment(loader=DictLoader({**TEMPLATES, "page": source}), autoescape=True)
    assert pieces_of(env, "page") is None


@pytest.mark.parametrize("more", ["", ", own=b"])
def test_one_template_may_be_a_row_and_a_piece(more):
    """What was kept of it as the one was shown as the other: the page ended in an error."""
    page = f"{{{{ piece('who', 'p', seat=a{more}) }}}}{{{{ each('who', 'seat', [a]{more}) }}}}"
    sources = {"who": "{{ seat }}{{ own }}" if more else "{{ seat }}", "page": page}
    env = Environment(loader=DictLoader(sources), autoescape=True, auto_reload=False)
    env.globals |= {"each": each, "piece": piece}
    given = {"a": "Ana", "b": "!", "language": "en"}
    whole = recall_whole(DrawnBefore(), env, "page", given)
    assert whole.html(NOBODY) == 2 * ("Ana!" if more else "Ana")


def every_region() -> list[Region]:
    return [r for stage in STAGES.values() for page in stage.pages.values() for r in page.values()]


def test_every_region_in_pieces_is_drawn_by_its_pieces():
    env = engines["jinja2"].env
    in_pieces = {r.template for r in every_region() if r.has_pieces}
    assert len(in_pieces) > 5
    for template in in_pieces:
        assert pieces_of(env, template) is not None, template
        assert stencil_of(env, template, with_pieces=False) is not None, template


def test_what_can_not_be_read_is_drawn_every_time():
    env = Environment(loader=DictLoader({"page": "{% include which %}"}), autoescape=True)
    with pytest.raises(NotRead):
        reads_of(env, "page")
    assert stencil_of(env, "page") is None


def test_every_region_of_every_game_can_be_kept():
    env = engines["jinja2"].env
    assert [r.template for r in every_region() if stencil_of(env, r.template) is None] == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rules", STAGES)
def test_every_region_stands_on_its_page(rules: str):
    """One that is listed and placed nowhere would be drawn and sent for nobody."""
    ana = Person("Ana")
    ana.opens_table()
    if rules != bk.NAME:
        done(ana.does("turn_table", rules=rules))
    for page, path in (("phone", ""), ("screen", "screen/"), ("gm", "gm/")):
        html = ana.sees(path)
        assert [name for name in STAGES[rules].pages[page] if f' id="{name}"' not in html] == []
