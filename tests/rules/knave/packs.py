"""Whatever somebody might carry, however unlikely."""

from __future__ import annotations

from hypothesis import strategies as st

from games.rules.knave.slots import Load, Thing

KINDS = ("weapon", "ammunition", "light", "ration", "container", "spell_book", "gear", "animal")

things = st.builds(
    Thing,
    key=st.integers(1, 12),
    kind=st.sampled_from(KINDS),
    count=st.integers(0, 300) | st.just(10**6),
    slots=st.integers(0, 5),
    bundle=st.integers(0, 20),
    is_home=st.booleans(),
    inside=st.none() | st.integers(1, 12),
    is_equipped=st.booleans(),
    holds=st.integers(0, 10),
    holds_only=st.none() | st.just("ammunition"),
)
loads = st.builds(
    Load,
    things=st.lists(things, max_size=12).map(tuple),
    gold=st.integers(0, 10**6),
    silver=st.integers(0, 300),
    copper=st.integers(0, 300),
)
