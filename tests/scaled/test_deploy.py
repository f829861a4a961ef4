"""What `deploy/` says fits together and fits the code: names, commands, paths, addresses.

That the house really opens with these files is shown by `test_two_processes`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import warnings
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands

from tests.scaled.deployed import DEPLOY, INSTALLED, UNITS, compose, unit, variables_of
from tests.scaled.front import CADDYFILE, ROOT

ASKED = re.compile(r"""environ(?:\.get\(|\[)\s*["']((?:TAPROOM_|DJANGO_|TZ)[A-Z_]*)["']""")
IN_CADDYFILE = re.compile(r"\{\$([A-Z_]+)")
IN_COMPOSE = re.compile(r"\$\{([A-Z_]+)")
OF_SYSTEMD = {"multi-user.target", "timers.target", "network-online.target"}
MANAGE = re.compile(r"manage\.py (\w+)")
MOST_LOST_SECONDS = 300
MAKING_SECONDS = 50
SERVICES = sorted(path.name for path in UNITS.glob("*.service"))


def asked_by_the_code() -> set[str]:
    """Return every variable that the settings and the apps ask for."""
    parts = ("config", *settings.OUR_APPS)
    paths = [path for part in parts for path in (ROOT / part).rglob("*.py")]
    return {name for path in paths for name in ASKED.findall(path.read_text())}


def named(path: Path) -> set[str]:
    """Return every variable of an example, also those that are commented out."""
    return set(re.findall(r"^#?([A-Z][A-Z_]+)=", path.read_text(), re.M))


def not_there(text: str) -> None:
    warnings.warn(text, stacklevel=2)
    pytest.skip(text)


# --- variables -----------------------------------------------------------------------------------


def test_every_variable_of_the_examples_is_known_where_it_goes():
    asked = asked_by_the_code()
    of_caddy = set(IN_CADDYFILE.findall(CADDYFILE.read_text()))
    of_compose = set(IN_COMPOSE.findall((DEPLOY / "compose.yaml").read_text()))
    assert named(DEPLOY / ".env.example") <= asked | of_compose
    assert named(DEPLOY / "proxy.env.example") <= of_caddy
    assert "TAPROOM_SECRET_KEY" in asked, "the control: the search finds something"
    assert not {"TAPROOM_SECRETKEY"} <= asked | of_compose


def test_every_variable_that_compose_asks_for_stands_in_the_example():
    of_compose = set(IN_COMPOSE.findall((DEPLOY / "compose.yaml").read_text()))
    assert of_compose
    assert of_compose <= named(DEPLOY / ".env.example")


def test_every_variable_is_explained():
    explained = (ROOT / "docs" / "hosting.md").read_text()
    names = (
        asked_by_the_code()
        | named(DEPLOY / ".env.example")
        | named(DEPLOY / "proxy.env.example")
        | set(IN_CADDYFILE.findall(CADDYFILE.read_text()))
    )
    assert sorted(n for n in names if n != "DJANGO_SETTINGS_MODULE" and n not in explained) == []


def test_the_example_s_secret_is_refused_until_it_is_changed():
    """Start-up refuses a key under fifty characters in public: nobody serves with the example's."""
    told = variables_of(DEPLOY / ".env.example")
    assert told["TAPROOM_ORIGIN"].startswith("https://")
    assert len(told["TAPROOM_SECRET_KEY"]) < 50


# --- units ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in SERVICES if name.startswith("taproom")])
def test_a_unit_runs_our_own_commands_as_nobody_special(name: str):
    told = unit(name)
    for line in told["Service.ExecStart"]:
        python, script, command, *_rest = shlex.split(line)
        assert python == f"{INSTALLED}/.venv/bin/python"
        assert (script, command in get_commands()) == ("manage.py", True), line
    assert told["Service.User"] == told["Service.Group"] == ["taproom"]
    assert told["Service.WorkingDirectory"] == [INSTALLED]
    assert told["Service.EnvironmentFile"] == ["/etc/taproom/env"]
    data = variables_of(DEPLOY / ".env.example")["TAPROOM_DATA"]
    assert data == "/var/lib/" + told["Service.StateDirectory"][0], "or it may not write there"


def test_units_name_each_other_rightly():
    there = {path.name for path in UNITS.glob("taproom*")}
    for name in there:
        told = unit(name)
        for key in ("Unit.Requires", "Unit.Wants", "Unit.PartOf", "Install.WantedBy"):
            for other in " ".join(told.get(key, [])).split():
                assert other in there | OF_SYSTEMD, (name, other)
    assert "taproom-backup.service" in there, "the timer's"


def test_processes_are_restarted_one_by_one_though_what_prepares_is_restarted_before():
    """Whoever requires a unit ends with it: `systemctl restart taproom-prepare` ended them all."""
    told = unit("taproom@.service")
    assert "Unit.Requires" not in told
    assert told["Unit.Wants"] == told["Unit.After"] == ["taproom-prepare.service"]


def test_a_command_by_hand_has_the_server_s_settings_and_user(tmp_path: Path):
    """A bare `manage.py` on a server would have opened another house, in SQLite."""
    stands_in = tmp_path / "systemd-run"
    stands_in.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    stands_in.chmod(0o755)
    said = subprocess.run(
        [DEPLOY / "taproom", "restore", "/mnt/a house.zip"],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "LANG": "es_ES.UTF-8", "LANGUAGE": "es:en"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    told = unit("taproom-backup.service")
    assert f"--property=EnvironmentFile={told['Service.EnvironmentFile'][0]}" in said
    assert f"--uid={told['Service.User'][0]}" in said
    python = told["Service.ExecStart"][0].split()[0]
    assert said[-4:] == [python, "manage.py", "restore", "/mnt/a house.zip"]
    spoken = [one for one in said if one.startswith("--setenv")]
    assert spoken == ["--setenv=LANGUAGE=es:en", "--setenv=LANG=es_ES.UTF-8"], "nothing else is set"


def test_the_proxy_s_upstreams_are_the_ports_of_the_units():
    header = (UNITS / "taproom.target").read_text()
    ports = re.findall(r"taproom@(\d+)", header)
    told = variables_of(DEPLOY / "proxy.env.example")["TAPROOM_UPSTREAMS"]
    assert told.split() == [f"127.0.0.1:{port}" for port in ports]
    assert variables_of(DEPLOY / ".env.example")["TAPROOM_PROCESSES"] == str(len(ports))
    conf = (UNITS / "caddy.service.d" / "taproom.conf").read_text()
    assert f"{INSTALLED}/{CADDYFILE.relative_to(ROOT)}" in conf


def test_systemd_goes_on_starting_a_process_however_often_it_did_not_come_up():
    """After five starts in ten seconds it would give up for good: a database that is behind its
    release for some seconds, at boot, would leave the house shut until somebody comes."""
    told = unit("taproom@.service")
    assert told["Service.Restart"] == ["always"]
    assert told["Unit.StartLimitIntervalSec"] == ["0"]


def test_systemd_reads_the_units(tmp_path: Path):
    """Only where systemd is installed: its own check of every unit, paths adapted."""
    verify = shutil.which("systemd-analyze")
    if verify is None:
        not_there("SYSTEMD IS NOT INSTALLED: its own check of the units was not made.")
    for path in UNITS.glob("taproom*"):
        text = path.read_text().replace(f"{INSTALLED}/.venv/bin/python", "/bin/true")
        (tmp_path / path.name).write_text(text.replace(INSTALLED, str(tmp_path)))
    said = subprocess.run(
        [verify, "verify", *(str(p) for p in sorted(tmp_path.glob("taproom*")))],
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in said.stderr.splitlines() if "taproom" in line]
    assert ours == []


def test_a_backup_is_whole_within_five_minutes_of_the_one_before():
    """R11, docs/hosting.md: nobody loses more than five minutes. What is played while a backup is
    made is in the next one, so a minute is left for making it, as `make play` leaves it."""
    told = unit("taproom-backup.timer")
    minutes, seconds = told["Timer.OnUnitActiveSec"][0], told["Timer.AccuracySec"][0]
    at_latest = 60 * int(minutes.removesuffix("min")) + int(seconds.removesuffix("s"))
    assert at_latest + MAKING_SECONDS <= MOST_LOST_SECONDS
    assert told["Timer.OnBootSec"] == [minutes]
    (slept,) = re.findall(r"while sleep (\d+);", compose()["services"]["backup"]["command"][-1])
    assert int(slept) + MAKING_SECONDS <= MOST_LOST_SECONDS


# --- containers ----------------------------------------------------------------------------------


def test_compose_hangs_together():
    told = compose()
    services = told["services"]
    for name, service in services.items():
        waits = service.get("depends_on", {})
        assert set(waits) <= set(services), name
        networks = service["networks"]
        assert set(networks) <= set(told["networks"]), name
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in told["volumes"] or (DEPLOY / source).exists(), volume
        for command in MANAGE.findall(str(service.get("command", ""))):
            assert command in get_commands(), (name, command)
    known = services["proxy"]["networks"]["inside"]["ipv4_address"]
    (range_,) = {one["ip_range"] for one in compose()["networks"]["inside"]["ipam"]["config"]}
    assert ip_address(known) not in ip_network(range_), "whoever starts first would have it"
    assert services["app"]["environment"]["TAPROOM_PROXY"] == known
    assert (DEPLOY / services["app"]["build"]["dockerfile"].removeprefix("deploy/")).exists()
    assert "ports" not in services["app"], "the processes believe the proxy: only it may reach them"


def test_what_runs_in_a_container_hears_that_it_is_to_end():
    """A first process is told of no TERM that it does not ask for: each `up` waited to kill it."""
    ours = [s for s in compose()["services"].values() if "build" in s]
    assert len(ours) == 3
    assert all(service["init"] for service in ours)


def test_compose_s_upstreams_are_its_processes():
    told, example = compose(), variables_of(DEPLOY / ".env.example")
    count = int(example["TAPROOM_PROCESSES"])
    port = told["services"]["app"]["command"][-1]
    names = [f"{told['name']}-app-{n}:{port}" for n in range(1, count + 1)]
    assert example["TAPROOM_UPSTREAMS"].split() == names
    assert " ".join(names) in told["services"]["proxy"]["environment"]["TAPROOM_UPSTREAMS"]


def test_compose_is_read_by_its_own_program(tmp_path: Path):
    """Only where it is installed; its first major version knows no `name`."""
    program = shutil.which("docker-compose")
    if program is None:
        not_there("COMPOSE IS NOT INSTALLED: its own check of compose.yaml was not made.")
    told = compose()
    shutil.copy(DEPLOY / ".env.example", tmp_path / ".env")
    for first in (told, {k: v for k, v in told.items() if k != "name"}):
        (tmp_path / "compose.yaml").write_text(yaml.safe_dump(first))
        said = subprocess.run(
            [program, "--file", "compose.yaml", "config", "--quiet"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        if said.returncode == 0:
            return
    pytest.fail(said.stderr)


def test_the_image_holds_nothing_of_this_machine():
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text().split()
    assert {".git", "var", ".venv", "deploy/.env"} <= set(ignored)
    containerfile = (DEPLOY / "Containerfile").read_text()
    for source in re.findall(r"^COPY (config/\S+)", containerfile, re.M):
        assert (ROOT / source).exists()
    assert "--require-hashes" in containerfile


def test_a_command_in_containers_asks_for_nothing_that_a_restore_has_to_mend():
    """docs/hosting.md, "Backups": `prepare` refuses a database of a newer release, and what depends
    on it is then not run, the restore of an earlier backup included."""
    app = compose()["services"]["app"]
    assert app["depends_on"]["prepare"]["condition"] == "service_completed_successfully"
    runs = re.findall(r"docker compose run ([^`]*) app", (ROOT / "docs/hosting.md").read_text())
    assert runs
    assert all("--no-deps" in run for run in runs)


def test_the_secrets_of_a_server_are_no_part_of_the_program():
    """`cp .env.example .env` puts them into the checkout: a commit of everything had them."""
    assert "deploy/.env" in (ROOT / ".gitignore").read_text().split()
