"""`manage.py replay`: what it prints, where it complains, how it ends."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.utils import translation

from games.management.commands.replay import LONGEST_LINE, Command
from tests.starting import starts

ROOT = Path(__file__).parents[2]
GOOD = """\
{"game": "brave_or_knave", "format": 1, "seats": ["Moth", "Ash"], "numbers": {"Moth": 7, "Ash": 13}}
{"by": "Moth", "action": "roll", "dice": [11]}
{"by": "Ash", "action": "shout", "call": "brave", "at_ms": 640}
{"by": null, "action": "close"}
"""
WON = GOOD + '{"by": "Ash", "action": "roll", "dice": [1]}\n'
BAD = GOOD + '{"by": "Moth", "action": "roll", "dice": [3]}\n'


@pytest.fixture
def record(tmp_path):
    def write(text: str, name: str = "bout.jsonl") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def replay(*files: str, **options: bool) -> tuple[int, list[dict], list[str]]:
    """Run the command; return its exit code, what it printed and what it complained about."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    try:
        call_command(Command(), *files, stdout=out, stderr=err, no_color=True, **options)
    except SystemExit as end:
        code = int(end.code or 0)
    said = [json.loads(line) for line in out.getvalue().splitlines()]
    return code, said, err.getvalue().splitlines()


def test_a_good_record_prints_how_it_ends(record):
    code, said, complaints = replay(record(WON))
    assert (code, complaints, len(said)) == (0, [], 1)
    assert (said[0]["phase"], said[0]["winners"]) == ("over", ["Moth"])
    assert list(said[0]) == ["phase", "must", "standing", "roller", "call", "fingers", "winners"]


def test_a_record_that_breaks_a_rule_stops_at_its_line(record):
    path = record(BAD)
    code, said, (complaint,) = replay(path)
    assert (code, said) == (1, [])
    assert complaint.startswith(f"{path}:5: ")
    assert "BK-12" in complaint


def test_json_prints_the_game_after_every_line_the_first_too(record):
    code, said, _ = replay(record(WON), every_line=True)
    assert code == 0
    assert [one["phase"] for one in said] == ["open", "shout", "shout", "challenge", "over"]


def test_json_prints_as_far_as_the_record_goes(record):
    code, said, complaints = replay(record(BAD), every_line=True)
    assert (code, len(said), len(complaints)) == (1, 4, 1)


def test_several_files_end_in_one_line_each_and_a_bad_one_does_not_stop_the_rest(record):
    paths = [record(WON, "a"), record(BAD, "b"), record("", "c"), record(GOOD, "d")]
    code, said, complaints = replay(*paths)
    assert code == 1
    assert [one["phase"] for one in said] == ["over", "challenge"]
    assert [line.split(": ")[0] for line in complaints] == [f"{paths[1]}:5", f"{paths[2]}:1"]


def test_a_dash_reads_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(BAD.encode())))
    code, said, (complaint,) = replay("-")
    assert (code, said) == (1, [])
    assert complaint.startswith("-:5: ")


def test_a_file_that_is_not_there_is_a_complaint(tmp_path):
    code, _, (complaint,) = replay(str(tmp_path / "none"))
    assert code == 1
    assert complaint.startswith(f"{tmp_path / 'none'}:")


def test_names_are_printed_as_they_are(record, capsys):
    call_command(Command(), record(GOOD.replace("Moth", "Ünda")))
    assert '"Ünda"' in capsys.readouterr().out


def test_the_command_line_exits_as_the_rules_page_says(record):
    """In processes of their own: everything above runs inside this one."""
    command = [sys.executable, "manage.py", "replay"]
    files = [record(WON, "good"), record(BAD, "bad")]
    ends = [
        subprocess.run([*command, path], cwd=ROOT, capture_output=True, text=True, check=False)
        for path in files
    ]
    assert [end.returncode for end in ends] == [0, 1]
    assert json.loads(ends[0].stdout.splitlines()[-1])["phase"] == "over"
    assert ends[1].stderr.startswith(f"{files[1]}:5: ")


def test_records_are_judged_where_there_is_no_house_and_none_is_made(record, tmp_path):
    """On a checkout that nobody can write to it did not start; elsewhere it left a secret key."""
    path, folder = record(WON), tmp_path / "house"
    for place in (folder, Path("/proc/none")):
        end = subprocess.run(
            [sys.executable, "manage.py", "replay", path],
            cwd=ROOT,
            env={**os.environ, "TAPROOM_DATA": str(place)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (end.returncode, end.stderr) == (0, "")
        assert json.loads(end.stdout)["phase"] == "over"
    assert not folder.exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux's own disk that is always full")
def test_what_finds_no_room_is_told_and_is_no_fault_of_the_record(record):
    line = f"{sys.executable} manage.py replay {record(WON)} >/dev/full"
    end = subprocess.run(
        ["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert end.returncode == 1
    assert end.stderr.startswith("CommandError: There is no room for what this prints")


def test_a_terminal_that_hears_no_more_or_says_nothing_is_no_fault(record):
    """A closed standard input, a reader that has gone, and one that knows ASCII only."""
    path = record(GOOD.replace("Moth", "Ünda"))
    nothing = "-:1: a record begins with the line that sets the game up\n"
    ways = (
        ("{python} manage.py replay - <&-", 1, nothing),
        ("{python} manage.py replay --json {path} | true; exit ${{PIPESTATUS[0]}}", 0, ""),
        ("PYTHONIOENCODING=ascii {python} manage.py replay {path} >/dev/null", 0, ""),
    )
    for way, code, complaint in ways:
        line = way.format(python=sys.executable, path=path)
        end = subprocess.run(
            ["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert (end.returncode, end.stderr) == (code, complaint)


def test_a_line_that_is_too_long_is_called_that_and_not_broken(record):
    """Its first megabyte was read as if it were all of it: "Input data was truncated"."""
    close = GOOD.splitlines()[-1]
    longest = close.rjust(LONGEST_LINE - 1) + "\n"
    path = record(GOOD.replace(close + "\n", longest))
    assert replay(path)[::2] == (0, [])
    says = json.dumps({"by": "Moth", "action": "award", "to": "é" * LONGEST_LINE})
    for line in (says, f" {longest}", " " * LONGEST_LINE + "\n "):
        path = record(GOOD + line)
        code, said, complaints = replay(path)
        assert (code, said) == (1, [])
        assert complaints == [f"{path}:5: this line is too long: at most {LONGEST_LINE} bytes"]


def test_what_has_no_line_s_end_is_not_read_for_ever():
    """A device was read into memory until there was none left."""
    code, said, (complaint,) = replay("/dev/zero")
    assert (code, said) == (1, [])
    assert complaint.startswith("/dev/zero:1: this line is too long")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"by": "Moth", "action": "roll", "dice": [3]}', " (BK-12)"),
        ('{"by": "Moth", "by": "Moth"}', 'esto aparece dos veces en un objeto: "by"'),
        ('{"action": "roll"}', "falta el campo by"),
        ('{"by": "Moth", "action": "roll", "how": 1}', "no hay ningún campo how"),
        ('{"by": "Moth", "action": "roll", "dice": "x"}', "$.dice: hay `str` en lugar de `array`"),
        ('{"by": "Moth", "action": "shout", "call": "x"}', "'x' no es una de las opciones"),
        ("{", "esta línea no es JSON"),
        ("[" * 100_000, "esta línea está anidada demasiado hondo"),
        ("\udcff", "esta línea no es texto en UTF-8"),
        ("x" * LONGEST_LINE + "x", "esta línea es demasiado larga"),
    ],
    ids=lambda words: words[:40],
)
def test_why_a_record_does_not_play_is_said_in_the_language_of_the_terminal(
    tmp_path: Path, line: str, told: str
):
    path = tmp_path / "bout.jsonl"
    path.write_text(GOOD + line + "\n", encoding="utf-8", errors="surrogateescape")
    with translation.override("es"):
        code, said, (complaint,) = replay(str(path))
    assert (code, said) == (1, [])
    assert complaint.startswith(f"{path}:5: ")
    assert told in complaint
    assert "this" not in complaint


def test_a_record_is_judged_in_spanish_where_there_is_no_house(tmp_path: Path):
    empty = tmp_path / "empty"
    empty.touch()
    ended = starts(tmp_path, "replay", str(empty), LC_ALL="es_ES.UTF-8", LANGUAGE="")
    why = "un registro empieza por la línea que prepara la partida"
    assert (ended.returncode, ended.stderr) == (1, f"{empty}:1: {why}\n")
