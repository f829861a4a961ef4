"""The live table: who is connected, waking readers after a commit, pushing what changed.

Nothing here writes a table, but the clock, which plays the table's own moves
through the same service as everybody, and the stop, which pauses it that way.
What is held is a cache: dropped at any moment, nothing differs.
"""
