"""Compiles and reads templates while a process has nothing else to do.

Otherwise the first page of a game, and the first drawing after a start, would wait for all of its
templates: 0.4 s were measured, and after a restart that is in the middle of a fight.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.screens.compiled import ENGINES
from games.screens.kept import stencil_of
from games.screens.pruned import pieces_of


def warm_up() -> Iterator[None]:
    """Make one template ready with each step, so that other work waits for one at most."""
    env = ENGINES["jinja2"].env
    for name in env.list_templates(extensions=["jinja"]):
        env.get_template(name)
        stencil_of(env, name)
        if pieces_of(env, name) is not None:
            stencil_of(env, name, with_pieces=False)
        yield
