"""The live table: who is connected, waking readers after a commit, pushing what changed.

Nothing here writes a table except two that go through the same service as everybody: the clock,
which plays the table's own moves, and the stop, which pauses it. Whatever is held here is a cache:
it may be dropped at any moment.
"""
