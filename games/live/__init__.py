"""The live table: who is connected, taps as they come in, waking readers, pushing what changed.

Nothing here writes a table but by the one way in (`games.services.act`): people's taps, the clock,
which plays the table's own moves, and the stop, which pauses it. Whatever is held here is a cache:
it may be dropped at any moment.
"""
