"""The shared screen, read from the other side of the table: whole, apart, large, at every size."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.looks import only_last
from tests.phones import wicked_ready
from tests.phones.arriving import begins_for_all, posts, scene, seats_of
from tests.phones.devices import SPANISH
from tests.phones.knave import begins_fight, has_a_knave, key_of, referee
from tests.phones.layout import CUT, HIDDEN, OVERLAPS, PARTED, of_what_is_seen
from tests.phones.people import Company, Person
from tests.phones.tablet import LONG_NAMES, SCREENS, at_every_size, is_untangled, reads_from_across
from tests.phones.wicked_ready import at_interests, wants

# Which words of the middle lie over a hand, where neither is cut off.
OVER_HANDS = of_what_is_seen("""() => seen(`.hub :is(.headline, .cry, .call, .moment,
  .shout-mark b, .heard-grid button)`).filter((one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  const a = words.getBoundingClientRect();
  const within = (one.closest('.shouts') ?? words).getBoundingClientRect();
  return a.top < within.bottom - 4 && seen('.hand').some((hand) => {
    const b = hand.getBoundingClientRect();
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  });
}).map((one) => one.textContent)""")
# What is turned by half a turn to the point: a line under or through it is all but gone in Safari.
FAINT = of_what_is_seen("""(where) => seen(where).filter((one) => {
  const turned = new DOMMatrix();
  for (let at = one; at; at = at.parentElement)
    turned.preMultiplySelf(new DOMMatrix(getComputedStyle(at).transform));
  return turned.a < 0 && Math.abs(turned.b) < 1e-9;
}).length""")
# Whether the edge of one lies over another, which may be turned: then its corners alone reach far.
LIES_OVER = of_what_is_seen("""([ones, others]) => seen(ones).some((one) => {
  const { left, top, right, bottom, width } = one.getBoundingClientRect();
  return Array.from({ length: width / 4 + 1 }, (_, i) => Math.min(left + 4 * i, right - 1))
    .some((x) => [top + 1, bottom - 1].some((y) =>
      document.elementsFromPoint(x, y).some((there) => there.closest(others))));
})""")
looks = pytest.mark.looks


@pytest.mark.parametrize("players", only_last(2, 5, 10))
def test_nobody_and_nothing_lies_over_another_on_the_shared_screen(
    company: Company, players: int
) -> None:
    """The look: however long the names, in the lobby, at the die, after a cry; and the lobby says
    of each seat whether its number is still missing, and names only as many as are read."""
    ana, tess = company.ana(**SPANISH), company.tess(**SPANISH)
    for name in LONG_NAMES[: players - 1]:
        posts(ana, "add_player", name=name)
    company.only(ana, tess)
    is_untangled(tess)
    tess.reads("sin número", where="#place-1")
    tess.reads(
        "y 8 más" if players == 10 else LONG_NAMES[0], where="#table-centre .headline:not(.flip)"
    )
    seats = seats_of(company)
    begins_for_all(ana, {seat: number for number, seat in enumerate(seats, 10)})
    ana.rolls(8)
    is_untangled(tess)
    second = seats[1]
    posts(ana, "shout", seat=second, call="brave", saw=scene(company))
    tess.is_in("challenge")
    is_untangled(tess)
    company.house.dice_fall(8)
    posts(ana, "roll", seat=second, saw=scene(company))
    tess.reads("¡Rebote!", where=".cry")
    is_untangled(tess)
    # Among so many, too, the die that is waited for lies at the thumb, and one's own name is read.
    ana.catches_up()
    for button in ("#roll", "#typed-open"):
        expect(ana.sees(button)).to_be_in_viewport(ratio=1)
    assert max(ana.page.evaluate(HIDDEN, ".me-words b")) <= 0


@pytest.mark.parametrize("players", only_last(5, 10))
def test_who_shouted_second_lies_over_nobody_on_the_shared_screen(
    company: Company, players: int
) -> None:
    """The look: who shouted is told on the ruler, where it was more than one."""
    ana, tess = company.ana(**SPANISH), company.tess(**SPANISH)
    for name in LONG_NAMES[: players - 1]:
        posts(ana, "add_player", name=name)
    company.only(ana, tess)
    seats = seats_of(company)
    begins_for_all(ana, {seat: number for number, seat in enumerate(seats, 10)})
    posts_roll(ana, 8, seats[0])
    posts(ana, "shout", seat=seats[1], call="brave", saw=scene(company))
    tess.is_in("challenge")
    posts(ana, "shout", seat=seats[2], call="knave", saw=scene(company))
    expect(tess.sees(".shout-mark")).to_have_count(2)
    lies_apart_when_flat(tess, ".shout-mark", ".place-card")
    posts_roll(ana, 8, seats[1])
    tess.reads("¡Rebote!", where=".cry")
    is_untangled(tess)


def posts_roll(ana: Person, face: int, seat: int) -> None:
    ana.house.dice_fall(face)
    posts(ana, "roll", seat=seat, saw=scene(ana.company))


def lies_apart_when_flat(tess: Person, *about: str) -> None:
    """See that one lies over none of the other, on a tablet that lies either way."""
    tess.page.evaluate("document.documentElement.dataset.flat = 'on'")
    for size in SCREENS[:2]:
        tess.page.set_viewport_size(size)
        # A size is taken on in a frame or two.
        tess.page.wait_for_function(f"(about) => !({LIES_OVER})(about)", arg=list(about))
    tess.page.evaluate("delete document.documentElement.dataset.flat")


@pytest.mark.parametrize("players", only_last(3, 4, 5, 6))
def test_on_a_flat_tablet_the_middle_stays_between_the_hands(
    company: Company, players: int
) -> None:
    """What is waited for is said twice, and who shouted stands there too: over nobody's hand."""
    ana, tess = company.ana(**SPANISH), company.tess(**SPANISH)
    for name in ("Inés de la Vega", "Rusty Fang", "Copper Crow", "Paco", "Sam")[: players - 1]:
        posts(ana, "add_player", name=name)
    company.only(ana, tess)
    query = "select count(*) from games_seat s join games_table t on t.id = s.table_id"
    screen = company.house.one(f"{query} where t.code = ?", company.code) - players
    seats = [1, *range(2 + screen, players + 1 + screen)]
    begins_for_all(ana, {seat: 9 + seat for seat in seats})
    ana.rolls(8)
    tess.is_in("shout")
    is_clear_of_hands(tess)
    posts(ana, "configure", setting="shouting", value="mouth")
    expect(tess.sees(".heard-grid")).to_be_visible()
    is_clear_of_hands(tess)
    posts(ana, "configure", setting="shouting", value="phones")
    posts(ana, "shout", seat=seats[1], call="brave", saw=scene(company))
    tess.is_in("challenge")
    posts(ana, "shout", seat=seats[2], call="knave", saw=scene(company))
    tess.catches_up()
    is_clear_of_hands(tess)
    company.house.dice_fall(8)
    posts(ana, "roll", seat=seats[1], saw=scene(company))
    tess.reads("¡Rebote!", where=".cry")
    is_clear_of_hands(tess)


def is_clear_of_hands(tess: Person) -> None:
    """See that no words of the middle lie over a hand, on a tablet that lies either way."""
    tess.page.evaluate("document.documentElement.dataset.flat = 'on'")
    for size in SCREENS[:2]:
        tess.page.set_viewport_size(size)
        tess.page.wait_for_function(f"() => ({OVER_HANDS})().length === 0")
    tess.page.evaluate("delete document.documentElement.dataset.flat")


def sees_ten_face(company: Company, orcs: int) -> Person:
    """Return the shared screen of a fight that ten long names have begun with so many orcs."""
    ana, tess = referee(company, **SPANISH), company.tess(**SPANISH)
    people = [company.joined(name) for name in LONG_NAMES]
    company.only(ana, tess)
    for person in people:
        has_a_knave(person)
        posts(ana, "edit_knave", character=key_of(person), name=person.name)
    begins_fight(ana, company, "orc", orcs, first=5)
    return tess


@looks
def test_a_party_of_ten_and_eight_foes_are_whole_on_the_shared_screen(company: Company) -> None:
    """The look, Knave: whose turn it is, every name and every foe are read across the table."""
    tess = sees_ten_face(company, 8)
    for where in reads_from_across(tess):
        for what in ([".member-name b", ".member"], [".foe-face", ".foe-grid"]):
            assert tess.page.evaluate(CUT, what) == [], where
        assert tess.page.evaluate(CUT, [".now p, .roll-text", ".table-strip"]) == [], where
    tess.page.evaluate("document.documentElement.dataset.flat = 'on'")
    tess.page.set_viewport_size(SCREENS[1])
    assert tess.page.evaluate(PARTED, ".member-name b") == []
    for total in tess.sees(".roll-total").all():  # 9 and 6 are one figure without a line below
        expect(total).to_have_css("text-decoration-line", "underline")
    assert tess.page.evaluate(FAINT, ".roll-total, .member-name b") == 0


@looks
def test_fourteen_foes_are_whole_above_a_party_of_ten(company: Company) -> None:
    """The look, Knave: on an upright tablet a crowd of foes was cut through above and below, and
    most of it on a flat one, where all is said twice."""
    tess = sees_ten_face(company, 14)
    for width, height in ((820, 1180), (768, 1024)):
        tess.page.set_viewport_size({"width": width, "height": height})
        for flat in ("off", "on"):
            tess.page.evaluate("(flat) => { document.documentElement.dataset.flat = flat; }", flat)
            for what in ([".foe-face *", ".foe-grid"], [".rolled, .roll-text", ".table-strip"]):
                assert tess.page.evaluate(CUT, what) == [], (width, flat)


@looks
def test_six_foes_are_whole_beside_a_party_of_eight(company: Company) -> None:
    """The look, Knave: on a flat tablet all is said twice, and the foes between were cut through,
    as on a small one below a long list of who may act; in four rows names have room to be large."""
    ana, tess = referee(company, **SPANISH), company.tess(**SPANISH)
    people = [company.joined(name) for name in LONG_NAMES[:8]]
    company.only(ana, tess)
    for person in people:
        has_a_knave(person)
        posts(ana, "edit_knave", character=key_of(person), name=person.name)
    begins_fight(ana, company, "orc", 6, first=5)
    foes, names = [".foe-face *", ".foe-grid"], [".member-name b", ".member"]
    for where in reads_from_across(tess):
        for flat in ("on", "off"):
            tess.page.evaluate("(flat) => { document.documentElement.dataset.flat = flat; }", flat)
            assert tess.page.evaluate(CUT, foes) == [], (where, flat)
            assert tess.page.evaluate(CUT, names) == [], (where, flat)
    share = "one => parseFloat(getComputedStyle(one).fontSize) * 100 / innerHeight"
    for size in (SCREENS[0], SCREENS[-1]):
        tess.page.set_viewport_size(size)
        assert tess.sees(".member-name b").first.evaluate(share) >= 2.6, size


@looks
def test_six_players_and_what_they_want_are_whole_on_the_shared_screen(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look, In a Wicked Age: while interests are named everybody's own name stands there, and
    what is missing; in play what they want is seen to the last line."""
    cast = dict(zip(LONG_NAMES[:6], reversed(LONG_NAMES[:6]), strict=True))
    monkeypatch.setattr(wicked_ready, "CAST", cast)
    lines = (*(f"somebody of the list, number {n}" for n in range(6)), "a collector", "a rival")
    monkeypatch.setattr(wicked_ready, "LINES", lines)
    ana, people = at_interests(company, 6, **SPANISH)
    tess = company.tess(**SPANISH)
    company.only(ana, tess)
    for where in reads_from_across(tess):
        seen = [".person-head :is(b, .flag)", ".board-person"], [".board-person", ".cast-board"]
        for what in seen:
            assert tess.page.evaluate(CUT, what) == [], where
    first = cast[LONG_NAMES[0]]
    who = [*((one, cast[one.name]) for one in people), *((ana, npc) for npc in wicked_ready.NPCS)]
    for person, name in who:
        for text in ("Que el puente no se caiga", "Que nadie sepa lo que vio"):
            wants(person, name, text, first if name != first else wicked_ready.NPCS[0])
    posts(ana, "begin_play")
    for where in reads_from_across(tess):
        assert tess.page.evaluate(CUT, [".board-person", ".cast-board"]) == [], where
        assert max(tess.page.evaluate(HIDDEN, ".person-head small")) <= 1, where
    lies_apart_when_flat(tess, ".story-head .flip", "h2, .story-head .eyebrow")
    expect(tess.sees(".story-head .flip")).to_have_count(1)
    assert max(ana.page.evaluate(HIDDEN, ".web-name span")) <= 1


@looks
def test_who_plays_somebody_stands_beside_the_name(company: Company) -> None:
    """The look, In a Wicked Age: what is missing drops to a line of its own, and moves nothing."""
    ana, _people = at_interests(company)
    tess = company.tess()
    company.only(ana, tess)
    gaps = tess.page.evaluate(
        """() => [...document.querySelectorAll(".person-head:has(small)")].map(head => {
          const name = document.createRange();
          name.selectNodeContents(head.querySelector("b"));
          const beside = head.querySelector("small").getBoundingClientRect();
          return beside.left - name.getBoundingClientRect().right;
        })"""
    )
    assert len(gaps) == 3
    assert max(gaps) < 16


@looks
def test_beside_the_story_of_a_bout_stands_the_code_for_whoever_comes_next(
    company: Company,
) -> None:
    """Between two bouts somebody may sit down: the code is there, and lies over nothing."""
    ana, ben = company.bout(Ana=7, Ben=13)
    tess = company.tess()
    company.only(ana, tess)
    posts(ben, "leave_table")
    tess.reads("Ana wins", where=".table-centre")
    for where in reads_from_across(tess):
        for what in (".corner-invite .qr", ".corner-invite .code", ".winner", ".story"):
            expect(tess.sees(what)).to_be_in_viewport(ratio=1)
        assert not tess.page.evaluate(OVERLAPS, [".corner-invite", ".story, .winner"]), where


@looks
def test_a_pause_is_read_by_all_who_sit_round_the_table(company: Company) -> None:
    """The stop: nothing else stands on the shared screen then, and its words were a phone's."""
    ana, tess = company.ana(**SPANISH), company.tess(**SPANISH)
    company.only(ana, tess)
    posts(ana, "add_content_line", text="Arañas grandes en la oscuridad")
    posts(ana, "pause")
    tess.catches_up()
    share = """one => parseFloat(getComputedStyle(one).fontSize) * 100
      / Math.min(innerWidth, innerHeight)"""
    for where in at_every_size(tess.page):
        for what, least in ((".lead", 3), (".content-list span", 3), (".quiet-text", 2.4)):
            assert tess.sees(f".pause-body {what}").evaluate(share) >= least, (where, what)
        expect(tess.sees("#pause-fold")).to_be_in_viewport(ratio=1)


@looks
def test_the_code_lies_over_nothing_of_whoever_opened_the_table(company: Company) -> None:
    """The look, of what is seen first: alone at the table one has nobody above the middle."""
    ana, tess = company.ana(), company.tess()
    company.only(ana, tess)
    is_untangled(tess)
    lies_apart_when_flat(tess, ".hub .headline, .qr-frame, .big-code", ".place-card")


@looks
def test_on_a_flat_tablet_the_invitation_lies_over_no_hand(company: Company) -> None:
    """Each part is turned to its side, and what is waited for is said twice: both have room; and on
    an upright tablet, too, the code is read and scanned from where people sit."""
    ana, tess = company.ana(**SPANISH), company.tess(**SPANISH)
    for name in LONG_NAMES[:3]:
        posts(ana, "add_player", name=name)
    company.only(ana, tess)
    tess.catches_up()
    lies_apart_when_flat(tess, ".hub .headline, .qr-frame, .big-code", ".hand")
    for name in LONG_NAMES[3:]:
        posts(ana, "add_player", name=name)
    tess.catches_up()
    lies_apart_when_flat(tess, ".hub .headline, .qr-frame, .big-code", ".hand")
    tess.page.evaluate("document.documentElement.dataset.flat = 'on'")
    assert tess.sees(".qr-frame").evaluate("(one) => one.offsetWidth") >= 150
    assert tess.sees(".big-code").evaluate("(one) => one.offsetHeight") >= 44


def test_the_shared_screen_speaks_to_nobody_of_a_hand_in_spanish(company: Company) -> None:
    """WCAG 1.1.1: "you have 5 left" was said of everybody, to whoever listens to the tablet."""
    company.ana()
    company.joined("Ben")
    tess = company.tess(locale="es-ES")
    company.only(tess)
    for name in ("Ana", "Ben"):
        hand = tess.sees(".place", has_text=name).get_by_role("img")
        expect(hand).to_have_accessible_name("Quedan 5 dedos")
