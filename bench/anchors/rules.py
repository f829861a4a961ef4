"""Other engines on one core, random play with legal moves listed: a line of JSON, actions a second,
for each line that is read.

Runs in the anchors' own venv. python-chess: games of at most 150 random moves. OpenSpiel: pig and
liar's dice, in C++ with a Python caller. An engine that is not installed is null.
"""

import json
import random
import sys
import time
from collections.abc import Callable

SECONDS = 0.5


def per_second(play: Callable[[], int]) -> float:
    """Play for a while; return actions for each second of processor time."""
    play()
    actions, begun = 0, time.process_time()
    while time.process_time() - begun < SECONDS:
        actions += play()
    return actions / (time.process_time() - begun)


def chess_game() -> int:
    import chess

    board, moves = chess.Board(), 0
    while moves < 150 and (legal := list(board.legal_moves)):
        board.push(random.choice(legal))
        moves += 1
    return moves


def spiel_game(name: str) -> Callable[[], int]:
    import pyspiel

    game = pyspiel.load_game(name)

    def play() -> int:
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal() and actions < 2000:
            if state.is_chance_node():
                legal = [outcome for outcome, _chance in state.chance_outcomes()]
            else:
                legal = state.legal_actions()
            state.apply_action(random.choice(legal))
            actions += 1
        return actions

    return play


def measured(play: Callable[[], Callable[[], int]]) -> float | None:
    try:
        return round(per_second(play()))
    except ImportError:
        return None


def main() -> None:
    random.seed(1)
    for _wish in sys.stdin:
        found = {
            "python-chess": measured(lambda: chess_game),
            "OpenSpiel pig": measured(lambda: spiel_game("pig")),
            "OpenSpiel liar's dice": measured(lambda: spiel_game("liars_dice")),
        }
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
