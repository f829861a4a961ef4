"""A push that comes while a finger is down, or for a view that nobody looks at; and what a touch
lets sound."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.phones import knave
from tests.phones.arriving import posts
from tests.phones.people import Company, Person

# The page goes on a second after a finger came down, and here only when it is lifted.
NEVER_GOES_ON = """() => {
  const set = setTimeout;
  window.setTimeout = (then, ms, ...rest) => (ms === 1000 ? 0 : set(then, ms, ...rest));
}"""

KEEPS_SOUND = """const Sound = AudioContext;
  window.AudioContext = class extends Sound { constructor() { super(); window.sound = this; } };"""
# As after a call on an iPhone.
SILENCED = """() => {
  Object.defineProperty(sound, 'state', { value: 'interrupted' });
  sound.begunAgain = 0;
  sound.resume = async () => { sound.begunAgain += 1; };
}"""
KNOCKS = """document.dispatchEvent(
  new CustomEvent("taproom:told", { detail: [{ kind: "Knocked" }] }))"""


def puts_a_finger_on(person: Person, selector: str) -> None:
    button = person.sees(selector)
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box
    person.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    person.page.mouse.down()


def test_a_press_counts_whatever_others_do_while_the_finger_is_down(company: Company) -> None:
    """R2: a tap is never lost. What Ana does redraws the numbers, and Ben's was gone from under his
    finger before he lifted it."""
    ana = company.ana()
    ben = company.joined("Ben")
    company.only(ben)
    puts_a_finger_on(ben, "#number-13")
    posts(ana, "pick_number", number=7)
    ben.page.wait_for_timeout(300)
    expect(ben.sees("#number-7")).to_be_enabled()
    ben.page.mouse.up()
    expect(ben.sees("#number-13")).to_have_attribute("aria-pressed", "true")
    expect(ben.sees("#number-7")).to_be_disabled()


def test_a_space_bar_counts_whatever_others_do_until_it_is_let_go(company: Company) -> None:
    """WCAG 2.1.1: the same by keyboard, where a button is pressed when the key comes up."""
    ana = company.ana()
    ben = company.joined("Ben")
    company.only(ben)
    ben.sees("#number-13").focus()
    ben.page.keyboard.down(" ")
    posts(ana, "pick_number", number=7)
    ben.page.wait_for_timeout(300)
    ben.page.keyboard.up(" ")
    expect(ben.sees("#number-13")).to_have_attribute("aria-pressed", "true")


def test_a_finger_that_rests_does_not_stop_the_game(company: Company) -> None:
    """Whoever holds a button for long sees what others do, and presses nothing by lifting it: what
    lies there now may be something else."""
    ana = company.ana()
    ben, cleo = company.joined("Ben"), company.joined("Cleo")
    company.only(ben)
    puts_a_finger_on(ben, "#number-13")
    posts(ana, "pick_number", number=7)
    expect(ben.sees("#number-7")).to_be_disabled(timeout=3000)
    posts(cleo, "pick_number", number=17)
    expect(ben.sees("#number-17")).to_be_disabled(timeout=500)
    ben.page.mouse.up()
    ben.page.wait_for_timeout(400)
    expect(ben.sees("#number-13")).to_have_attribute("aria-pressed", "false")


def test_a_view_that_comes_into_sight_shows_the_newest(company: Company) -> None:
    """R4: nothing differs from what is there. What changed within a region that was itself waiting
    to be shown, or that had waited in two parts, stayed as it was before."""
    ana = knave.referee(company)
    ben, cleo, dora = (company.joined(name) for name in ("Ben", "Cleo", "Dora"))
    company.only(ben)
    knave.has_a_knave(ben)
    cleos = knave.has_a_knave(cleo)
    ben.presses("#tab-sheet")
    posts(ana, "change_hp", character=cleos, by=-1)
    ben.catches_up()
    doras = knave.has_a_knave(dora)
    ben.catches_up()
    for whose in (cleos, doras):
        posts(ana, "change_hp", character=whose, by=-1)
        ben.catches_up()
    ben.presses("#tab-game")
    for whose, hp in ((cleos, 4), (doras, 5)):
        expect(ben.sees(f"#member-{whose} .person-hp b")).to_have_text(str(hp))


def test_a_shout_counts_from_the_touch_and_what_comes_of_it_is_seen_at_once(
    company: Company,
) -> None:
    """BK-10: nobody has to lift a finger to see who was first."""
    ana, ben, _cleo = company.bout(Ana=7, Ben=13, Cleo=17)
    company.only(ben)
    company.house.dice_fall(5)
    posts(ana, "roll")
    ben.page.evaluate(NEVER_GOES_ON)
    puts_a_finger_on(ben, "#shout-brave")
    expect(ben.sees("#stage")).to_have_attribute("data-phase", "challenge", timeout=8000)
    ben.page.mouse.up()


def test_a_phone_that_has_nothing_to_say_lets_its_loudspeaker_rest(company: Company) -> None:
    """It drew on the battery all evening. What happens later is heard all the same."""
    ana = company.ana()
    ana.context.add_init_script(KEEPS_SOUND)
    ana.page.touchscreen.tap(5, 5)
    for state in ("running", "suspended"):
        ana.page.wait_for_function("state => window.sound?.state === state", arg=state)
    ana.page.evaluate(KNOCKS)
    ana.page.wait_for_function("() => sound.state === 'running'")


def test_after_a_call_the_phone_sounds_again(company: Company) -> None:
    """Safari has a state of its own for a page that a call, or another app, has silenced: from it
    nothing was begun again, and nobody heard a knock until the page was loaded anew."""
    ana = company.ana()
    ana.context.add_init_script(KEEPS_SOUND)
    ana.page.touchscreen.tap(5, 5)
    ana.page.wait_for_function("() => window.sound?.state === 'suspended'")
    ana.page.evaluate(SILENCED)
    ana.page.evaluate(KNOCKS)
    assert ana.page.evaluate("sound.begunAgain") == 1


def test_sound_that_is_turned_on_is_heard_at_once(company: Company) -> None:
    """The first touch had found it off, and none after it counted: silent until the next page."""
    ana = company.ana()
    ana.context.add_init_script(KEEPS_SOUND)
    ana.page.evaluate("localStorage.setItem('taproom-sound', 'off')")
    ana.page.reload()
    ana.is_live()
    ana.presses("#tab-sheet")
    assert ana.page.evaluate("window.sound === undefined")
    ana.presses("#switch-sound")
    ana.page.wait_for_function("() => window.sound?.state === 'running'")


def test_a_shout_whose_button_waited_for_an_answer_can_be_pressed_afterwards(
    company: Company,
) -> None:
    """R2: pressed while a tap of the same button was kept, it counted as sent, and was dead for as
    long as this number stood."""
    ana, ben = company.bout(Ana=7, Ben=13)
    company.only(ben)
    company.house.dice_fall(5)
    posts(ana, "roll")
    waits = "is => document.getElementById('shout-brave').toggleAttribute('data-waits', is)"
    ben.page.evaluate(waits, arg=True)
    ben.presses("#shout-brave")
    ben.page.evaluate(waits, arg=False)
    ben.presses("#shout-brave")
    expect(ben.sees("#stage")).to_have_attribute("data-phase", "challenge", timeout=8000)


# As an iPhone does it: each page has to ask, and only a touch may.
ASKS_FOR_LEAVE = """
DeviceMotionEvent.requestPermission = async () => {
  if (!navigator.userActivation.isActive) throw new DOMException("", "NotAllowedError");
  return "granted";
};
localStorage.setItem("taproom-shake", "on");
"""
SHAKES = """dispatchEvent(Object.assign(
  new Event("devicemotion"), { accelerationIncludingGravity: { x: 30, y: 0, z: 0 } }))"""


def test_a_phone_that_asks_for_leave_rolls_when_it_is_shaken_on_each_page(company: Company) -> None:
    """The switch said on, but only the page on which it had been turned on asked for leave."""
    ana, _ben = company.bout(Ana=7, Ben=13)
    company.only(ana)
    ana.page.add_init_script(ASKS_FOR_LEAVE)
    ana.page.reload()
    ana.is_live()
    expect(ana.sees("#roll")).to_be_visible()
    ana.presses("#tab-sheet")
    ana.presses("#tab-game")
    company.house.dice_fall(5)
    answered = ana.is_answered(lambda: ana.page.evaluate(SHAKES))
    assert answered.status == 204
    assert [e["face"] for e in company.events("Rolled")] == [5]
