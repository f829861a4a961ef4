"""What a server holds in memory for phones that sleep, at tables where a game is being played."""

from __future__ import annotations

from bench import load
from bench.processes import GAMES, SEATS, Load

FEW = 350
REST_SECONDS = 4


def measure(server: str, *, many: int) -> dict[str, float]:
    """Return MB with 0, 350 and `many` sockets, and KB for each phone beyond the first 350.

    The first phones load code and templates that all share; what each further one adds is its own.
    `many` is more than 350.
    """
    count = -(-many // SEATS)
    options = load.arguments().parse_args(["--game", GAMES[0], "--server", server, "--reuse"])
    with (
        load.ours(GAMES[0], options, count) as (started, data),
        Load(started.port, "-f", str(data / "plan"), "-z", "-b") as generator,
    ):
        found = {"0": started.memory_mb()}
        for sockets in (FEW, count * SEATS):
            generator.order(f"connect {sockets // SEATS}")
            generator.order(f"idle {REST_SECONDS}")
            found[str(sockets)] = started.memory_mb()
    grown = found[str(count * SEATS)] - found[str(FEW)]
    found["KB a phone"] = grown * 1e6 / 1024 / (count * SEATS - FEW)
    return found
