"""What one process made of the templates serves the next, and nothing differs without it (R5)."""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import django
import pytest
from django.conf import settings
from django.template import engines
from jinja2 import Environment, FileSystemLoader, TemplateNotFound

from config import jinja
from games import page_mark
from games.screens import compiled
from games.screens.compiled import PREFIX, CompiledBefore
from games.screens.paths import NotRead
from games.screens.pruned import pieces_of
from games.screens.reads import reads_of

PAGE = "<p>{{ scene.call }}{{ piece('row.jinja', 'row', seat=mine.seat) }}</p>"


class House:
    """Templates of a release, and the processes that read them one after the other."""

    def __init__(self, folder: Path) -> None:
        self.cache, self.templates = folder / "cache", folder / "templates"
        self.templates.mkdir()
        (self.templates / "page.jinja").write_text(PAGE)
        (self.templates / "row.jinja").write_text("<i>{{ seat.name }}</i>")
        (self.templates / "odd.jinja").write_text("{% include other %}")

    def process(self) -> Environment:
        env = Environment(loader=FileSystemLoader(self.templates))
        env.bytecode_cache = CompiledBefore(self.cache, [*self.templates.iterdir()])
        return env

    def kept(self) -> list[Path]:
        return sorted(path for path in self.cache.rglob("*") if path.is_file())


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Gather whatever is parsed, which is the dear part of it all."""
    seen: list[str] = []
    real = Environment._parse

    def parse(self: Environment, source: str, name: str | None, filename: str | None) -> object:
        seen.append(str(name))
        return real(self, source, name, filename)

    monkeypatch.setattr(Environment, "_parse", parse)
    return seen


def made_of(env: Environment) -> tuple[object, ...]:
    named: list[str] = []
    only = pieces_of(env, "page.jinja")
    assert only is not None
    only.render(scene={}, mine={"seat": 1}, piece=lambda template, name, seat: named.append(name))
    with pytest.raises(NotRead, match="an include by a variable"):
        reads_of(env, "odd.jinja")
    return (
        env.get_template("row.jinja").render(seat={"name": "Ana & Ben"}),
        reads_of(env, "page.jinja"),
        reads_of(env, "page.jinja", with_pieces=False),
        pieces_of(env, "row.jinja"),
        named,
    )


def test_the_next_process_parses_nothing(house: House, parsed: list[str]):
    first = made_of(house.process())
    assert set(parsed) == {"page.jinja", "row.jinja", "odd.jinja"}
    parsed.clear()
    assert made_of(house.process()) == first
    assert parsed == []


def test_a_changed_template_is_made_anew_and_the_old_goes(house: House):
    made_of(house.process())
    before = house.kept()
    (house.templates / "page.jinja").write_text(PAGE.replace("scene.call", "scene.phase"))
    assert ("scene", "phase") in reads_of(house.process(), "page.jinja")
    assert not [path for path in before if path.exists()]


def test_only_folders_of_ours_go(house: House):
    (house.cache / "somebody's").mkdir(parents=True)
    (house.cache / f"{PREFIX}of another release").mkdir()
    house.process()
    assert (house.cache / "somebody's").exists()
    assert not (house.cache / f"{PREFIX}of another release").exists()


@pytest.mark.parametrize("spoil", [lambda kept: b"", lambda kept: kept[:-1], lambda kept: kept * 2])
def test_what_the_power_cut_short_is_made_anew(house: House, parsed: list[str], spoil):
    first = made_of(house.process())
    for path in house.kept():
        path.write_bytes(spoil(path.read_bytes()))
    parsed.clear()
    assert made_of(house.process()) == first
    assert parsed
    parsed.clear()
    assert made_of(house.process()) == first
    assert parsed == [], "it was mended"


def test_a_folder_that_cannot_be_written_to_keeps_nothing(house: House):
    house.cache.write_text("a file, where a folder is wanted")
    assert made_of(house.process()) == made_of(house.process())


def test_a_full_disk_leaves_nothing_half_written(house: House, monkeypatch: pytest.MonkeyPatch):
    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    made_of(house.process())
    assert house.kept() == []


def test_the_real_templates_are_kept_by_all_that_decides_on_them():
    env = engines["jinja2"].env
    assert isinstance(env.bytecode_cache, CompiledBefore)
    names = {os.path.basename(path) for path in jinja._deciding_on_code()}
    assert {"jinja.py", "reads.py", "pruned.py", "compiled.py", "tap.jinja", "act.jinja"} <= names
    assert env.bytecode_cache.folder.is_dir()


def test_a_process_keeps_its_own_templates_where_a_new_release_is_put_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Each page that nobody had asked for yet was 500 until the process was replaced."""
    monkeypatch.setattr(settings, "CACHE_DIR", tmp_path / "cache")
    folder = tmp_path / "templates"
    folder.mkdir()
    for name in ("page.jinja", "gone.jinja"):
        (folder / name).write_text("as it was")
    env = jinja.environment(loader=FileSystemLoader(folder), auto_reload=False)
    (folder / "page.jinja").write_text("{{ only_new_code_has_this() }}")
    (folder / "gone.jinja").unlink()
    (folder / "new.jinja").touch()
    assert env.list_templates() == ["gone.jinja", "page.jinja"]
    assert [env.get_template(name).render() for name in env.list_templates()] == ["as it was"] * 2
    with pytest.raises(TemplateNotFound):
        env.get_template("new.jinja")


def test_a_process_is_of_the_release_that_it_began_with(monkeypatch: pytest.MonkeyPatch):
    """Its first socket came after a new one was put in its place: it said that it was that one, and
    pages kept the former scripts once it was."""
    monkeypatch.setattr(django, "setup", lambda **_how: None)
    page_mark.mark_of_pages.cache_clear()
    runpy.run_path(str(settings.BASE_DIR / "config" / "asgi.py"))
    assert page_mark.mark_of_pages.cache_info().currsize == 1


def test_somebody_at_work_on_templates_sees_the_newest(monkeypatch: pytest.MonkeyPatch):
    assert jinja.environment(auto_reload=True).bytecode_cache is None
    assert compiled.made(jinja.environment(auto_reload=True), "a name", lambda: b"made") == b"made"
