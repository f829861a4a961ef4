"""What a template is drawn from is read off it, and never less than that (R7)."""

from __future__ import annotations

import pytest
from django.template import engines
from jinja2 import DictLoader, Environment

from games.screens.kept import sheet_of
from games.screens.pages import PAGES
from games.screens.reads import NotRead, reads_of

TEMPLATES = {
    "draw": "{% macro mark(seat) %}{{ seat.mark }}{% endmacro %}"
    "{% macro who(seat, big=false) %}{{ mark(seat) }}{{ seat.name }}{% endmacro %}"
    "{% macro again(seat) %}{{ again(seat.next) }}{{ seat.hp }}{% endmacro %}"
    "{% macro lost(a) %}{% if a %}{% set own = 1 %}{% endif %}{{ own }}{% endmacro %}",
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
    ],
)
def test_what_a_template_reads_is_read_off_it(source, reads):
    env = Environment(loader=DictLoader({**TEMPLATES, "page": source}), autoescape=True)
    env.globals |= {"each": None, "sender": None}
    assert {".".join(path) for path in reads_of(env, "page")} == set(reads.split())


def test_what_can_not_be_read_is_drawn_every_time():
    env = Environment(loader=DictLoader({"page": "{% include which %}"}), autoescape=True)
    with pytest.raises(NotRead):
        reads_of(env, "page")
    assert sheet_of(env, "page") is None


def test_every_region_of_a_bout_can_be_kept():
    env = engines["jinja2"].env
    regions = [region for page in PAGES.values() for region in page.values()]
    assert all(region.is_kept for region in regions)
    assert [r.template for r in regions if sheet_of(env, r.template) is None] == []
