"""Where there is little room: three calls a row, seven at the table."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.phones.people import Company
from tests.phones.test_nothing_cut import OVERLAPS, PARTED
from tests.phones.wicked_ready import posts

# Pairs of buttons that lie over one another.
TANGLED = """(where) => {
  const boxes = [...document.querySelectorAll(where)].map((e) => e.getBoundingClientRect());
  return boxes.filter((a, i) => boxes.slice(i + 1).some((b) => a.left < b.right - 1
    && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length;
}"""


def test_by_mouth_each_call_has_a_place_of_its_own_where_a_nine_may_be_healed(
    company: Company,
) -> None:
    """BK-24 by mouth: with HEAL beside BRAVE and KNAVE no button lies over another's, nor over a
    hand, and each word is whole."""
    ana, ben = company.ana(), company.joined("Ben")
    for name in ("Cleo", "Dora", "Emma", "Finn", "Gus"):
        posts(ana, "add_player", name=name)
    seats = company.house.rows(
        "select s.number from games_seat s join games_table t on t.id = s.table_id"
        " where t.code = ? order by s.number",
        company.code,
    )
    for number, seat in enumerate(seats, 10):
        whose = ben if seat["number"] == seats[1]["number"] else ana
        posts(whose, "pick_number", seat=seat["number"], number=number)
    posts(ana, "configure", setting="shouting", value="mouth")
    posts(ana, "configure", setting="has_nine_sisters", value="true")
    tess = company.tess()
    posts(ana, "choose_first", who=seats[0]["number"])
    posts(ana, "start_bout")
    ana.rolls(9)
    tess.catches_up()
    expect(tess.sees(".heard-grid")).to_be_visible()
    for width, height in ((1180, 820), (1024, 768), (820, 1180)):
        tess.page.set_viewport_size({"width": width, "height": height})
        assert tess.page.evaluate(TANGLED, ".heard-grid button") == 0
        assert not tess.page.evaluate(OVERLAPS, [".heard-grid button, .hub .die", ".place-card"])
    for phone in (320, 390):
        ana.page.set_viewport_size({"width": phone, "height": 844})
        assert ana.page.evaluate(PARTED, ".act .call-button") == []
        assert ana.page.evaluate(TANGLED, ".ring-seat .ring-number, .ring-seat .mark") == 0
