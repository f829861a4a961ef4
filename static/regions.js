// Puts regions of HTML into the page. Most of a push is on the page already, and on a cheap phone
// each new node costs its style, its layout and the shapes of its words once more. So what is the
// same stays, and only the rest is replaced.

const byId = (id) => document.getElementById(id); // page.js has it too, but runs after this
// Made where nothing is loaded or run before it is part of the page.
const draft = document.createElement("template");

// --- what a person has hold of ---------------------------------------------------------------------

// A press is a finger that goes down and up on one and the same button. So the page stands still under
// it, and what comes meanwhile is shown after the click: else the press would be lost in a redraw, or
// act on what has just come there. But not for long, since a finger may only be resting.
const STILL_MS = 1000;
const CLICK_AFTER_MS = 350;
const CONTROLS = "button, a, summary, label, input, select, textarea";
const COUNTS_AT_ONCE = "form[data-press] *"; // as a shout does, from the touch (clock.js)
const PRESSED_BY_SPACE = "button, summary, input:is([type=checkbox], [type=radio])";
let touched = null;
let isStill = false;
let change = 0;
let waiting = [];

const within = (ms, then) => {
  clearTimeout(change);
  change = setTimeout(then, ms);
};

function goOn() {
  isStill = false;
  const those = waiting;
  waiting = [];
  those.forEach((show) => show());
}

function touch({ type, target }) {
  touched = target;
  const isPressed = type === "pointerdown" && target.matches?.(COUNTS_AT_ONCE);
  isStill = !isPressed && Boolean(target.closest?.(CONTROLS));
  within(STILL_MS, goOn);
}

// Only after everything that a click does.
function release() {
  touched = null;
  within(0, goOn);
}
const releaseSoon = () => within(CLICK_AFTER_MS, release);

// A finger that begins to scroll presses nothing any more: that is a "pointercancel".
const PRESSES = { pointerdown: touch, pointerup: releaseSoon, pointercancel: release, click: release };
for (const [name, then] of Object.entries(PRESSES)) document.addEventListener(name, then, true);
const isSpace = ({ key, target }) => key === " " && target.matches?.(PRESSED_BY_SPACE);
document.addEventListener("keydown", (event) => isSpace(event) && !event.repeat && touch(event), true);
document.addEventListener("keyup", (event) => isSpace(event) && releaseSoon(), true);

// Shows something once nothing is being pressed, in the order in which it came.
export function whenLetGo(show) {
  if (isStill || waiting.length) waiting.push(show);
  else show();
}

// The same for a tap that is on its way: its form waits for the answer, and the next tap is another
// form's. Not for one that only has the focus: whoever hears the page would lose their place in it.
const isHeld = (form) => form.matches(".htmx-request, [data-sent]");

// A button that asks before it acts asks anew when its phone comes out of a pocket, where one press
// has opened the question and the next would answer it.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) document.querySelectorAll(".once[id$=-ask][open]").forEach((asks) => (asks.open = false));
});

// --- forms: htmx prepares them when they are first used, not with every push --------------------------

const unprepared = new WeakSet();

function prepare({ target }) {
  const form = target.closest?.("form");
  // Before htmx hears of it: it keeps in mind which button was pressed.
  if (form && unprepared.delete(form)) htmx.process(form);
}
document.addEventListener("click", prepare, true);
document.addEventListener("submit", prepare, true);

function noteForms(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return;
  if (node.matches("form[hx-post]")) unprepared.add(node);
  else for (const form of node.querySelectorAll("form[hx-post]")) unprepared.add(form);
}

// --- one tree into another ----------------------------------------------------------------------------

// Whether an element may become the new one. A control that does something else is another control
// to whoever has its focus or hears it read, unless it has the same id.
function isLike(was, now) {
  if (was.nodeName !== now.nodeName) return false;
  if (was.nodeType !== Node.ELEMENT_NODE) return true;
  if (was.id !== now.id) return false;
  if (was.localName === "form") return was.getAttribute("hx-post") === now.getAttribute("hx-post") && !isHeld(was);
  if (was.localName === "input") return was.type === now.type && was.name === now.name;
  return was.id !== "" || !was.matches(CONTROLS);
}

function morph(was, now) {
  if (was.isEqualNode(now)) return;
  if (was.nodeType !== Node.ELEMENT_NODE) {
    // Spaces between elements look alike however many they are.
    if (was.data.trim() || now.data.trim()) was.data = now.data;
    return;
  }
  matchAttributes(was, now);
  if (was.firstChild || now.firstChild) matchChildren(was, now);
}

// By their names: `attributes` makes a node of each.
function matchAttributes(was, now) {
  const names = now.getAttributeNames();
  for (const name of names) {
    const value = now.getAttribute(name);
    if (was.getAttribute(name) !== value) was.setAttribute(name, value);
  }
  const had = was.getAttributeNames();
  if (had.length === names.length) return;
  for (const name of had) if (!now.hasAttribute(name) && !stays(was, now, name)) was.removeAttribute(name);
}

// What somebody has unfolded, what holds the focus for what is gone, and what fx.js has noted about a
// lesson that is still the same.
function stays(was, now, name) {
  if (name === "open") return was.id !== "" && was.localName === "details";
  if (name === "tabindex") return was === document.activeElement;
  if (name !== "hidden" && name !== "data-counted") return false;
  return was.hasAttribute("data-counted") && now.hasAttribute("data-teach");
}

// From both ends, as far as they are the same: one line more in a list then changes one line.
function matchChildren(was, now) {
  const [old, fresh] = [[...was.childNodes], [...now.childNodes]];
  let [start, oldEnd, freshEnd] = [0, old.length, fresh.length];
  while (start < oldEnd && start < freshEnd && old[start].isEqualNode(fresh[start])) start++;
  while (oldEnd > start && freshEnd > start && old[oldEnd - 1].isEqualNode(fresh[freshEnd - 1])) {
    oldEnd--;
    freshEnd--;
  }
  const after = old[oldEnd] ?? null;
  const rest = old.slice(start, oldEnd);
  let at = 0;
  for (const node of fresh.slice(start, freshEnd)) {
    const found = find(node, rest, at);
    if (found < 0) {
      noteForms(node);
      was.insertBefore(node, rest[at] ?? after);
    } else {
      while (at < found) rest[at++].remove();
      morph(rest[at++], node);
    }
  }
  while (at < rest.length) rest[at++].remove();
}

// Spaces between elements are all alike: one further on would cost what lies between.
const LOOKED_AT = 8;

function find(node, rest, at) {
  const isElement = node.nodeType === Node.ELEMENT_NODE;
  const end = Math.min(rest.length, at + (isElement ? LOOKED_AT : 1));
  for (let i = at; i < end; i++) if (isLike(rest[i], node)) return i;
  return -1;
}

// --- a region -----------------------------------------------------------------------------------------

const FIELDS = "select, textarea, input:not([type=hidden], [type=checkbox], [type=radio])";
const BOXES = "input:is([type=checkbox], [type=radio])";
const STAYING = "select[data-stays]";

// A region on a view that nobody looks at waits until somebody does, or until newer HTML comes.
const unread = new Map();
const isUnseen = (region) => region?.closest("[data-rests][hidden]");

// Parsed all at once: starting a parser costs as much as many lines of HTML.
export function bring(news) {
  const seen = [];
  for (const [name, html] of news) {
    // A piece that is not there yet lies in a region that waits. What comes later is applied later:
    // a piece after the region around it, which brings all its pieces along as they were then.
    const region = byId(name);
    unread.delete(name);
    if (isUnseen(region) || (!region && unread.size)) unread.set(name, html);
    else seen.push([name, html]);
  }
  if (!seen.length) return;
  draft.innerHTML = seen.map(([, html]) => html).join("");
  const drawn = new Map([...draft.content.children].map((region) => [region.id, region]));
  const isFollowed = isLookedAt(document.activeElement);
  for (const [name] of seen) swap(name, drawn.get(name));
  const focus = document.activeElement;
  if (isFollowed && focus.matches(CONTROLS)) focus.scrollIntoView({ block: "nearest" });
  if (root) noteHeld(seen.map(([name]) => name));
}

// A region says in `data-holds` what the look of other regions depends on; the page's root lists
// all of it, because `:has()` would be evaluated with every node that comes or goes.
const root = document.querySelector("main[data-holds]");
const held = new Map();

function noteHeld(names) {
  for (const name of names) held.set(name, byId(name)?.dataset.holds);
  const words = [...held.values()].filter(Boolean).join(" ");
  if (root.dataset.holds !== words) root.dataset.holds = words;
}
if (root) noteHeld([...root.querySelectorAll("[data-holds]")].map(({ id }) => id));

export const catchUp = () => bring([...unread]);

function swap(name, next) {
  const region = byId(name);
  if (!region || !next) return region?.remove();
  const open = [...region.querySelectorAll("details[open][id]")].map((d) => d.id);
  const ticked = [...region.querySelectorAll(BOXES)].map(({ id, checked }) => ({ id, checked }));
  const focus = region.contains(document.activeElement) && holdOf(document.activeElement);
  region.querySelectorAll(STAYING).forEach(noteChosen);
  // What is chosen in a field was chosen for what stood there.
  if (region.contains(touched) || region.querySelector(FIELDS) || !isLike(region, next)) {
    noteForms(next);
    region.replaceWith(next);
  } else morph(region, next);
  open.forEach((id) => byId(id)?.setAttribute("open", ""));
  if (ticked.length) tickAgain(byId(name), ticked);
  byId(name).querySelectorAll(STAYING).forEach(chooseAgain);
  if (focus) keepFocus(focus);
}

// By keys: what is then focused shows it, and a touch looks for no next place.
const holdOf = (element) => ({ id: element.id, around: around(element), byKeys: element.matches(":focus-visible") });

// The ids of what it lies in, from the inside out.
function around(element) {
  const ids = [];
  for (let at = element.parentElement; at; at = at.parentElement) if (at.id) ids.push(at.id);
  return ids;
}

// Where the button that was pressed is gone, what it lay in holds the focus: from there the next key
// goes on to what is asked now, and not to the top of the page. A button that is disabled or hidden loses
// it too, one frame later; and what is hidden, or has no box of its own, cannot hold it.
function keepFocus({ id, around, byKeys }) {
  const same = id && byId(id);
  if (!byKeys && same && document.activeElement === same) return; // nor is its place asked for
  if (same && !same.disabled && same.getClientRects().length) {
    if (document.activeElement !== same) same.focus({ preventScroll: true });
  } else if (byKeys) focusNear(same?.parentElement ?? byId(around.find(byId)));
}

// By keys one goes on from what has the focus, wherever it has gone: down a list, or further down than
// the window. Whoever has scrolled away from it is left to read; and a field is focused by a touch, too.
function isLookedAt(focus) {
  if (focus === document.body || !focus.matches(":focus-visible") || focus.matches(FIELDS)) return false;
  const { left, top, width, height } = focus.getBoundingClientRect();
  return focus.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}

// Of the page as a whole the next key would begin at its top: there it is the view that is looked at.
export function focusNear(place) {
  const view = document.querySelector("[data-panel]:not([hidden])");
  for (; place && place.localName !== "main"; place = place.parentElement) if (takesFocus(place)) return;
  if (view ?? place) takesFocus(view ?? place);
}

function takesFocus(place) {
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  if (document.activeElement === place) return true;
  place.removeAttribute("tabindex");
  return false;
}

// As long as it is the same question, though in a pause there is nothing to be chosen.
const chosen = new Map();
const questionOf = (field) => `${field.form.elements.saw.value} ${field.textContent}`;
const noteChosen = (field) => chosen.set(field.id, { question: questionOf(field), value: field.value });
function chooseAgain(field) {
  const was = chosen.get(field.id);
  if (was?.question === questionOf(field)) field.value = was.value;
}

function tickAgain(region, ticked) {
  for (const box of region.querySelectorAll(BOXES)) {
    if (box.checked !== box.defaultChecked) box.checked = box.defaultChecked;
  }
  for (const { id, checked } of ticked) {
    const box = id && byId(id);
    // A radio that was off may be what the server has just chosen.
    if (box && (checked || box.type === "checkbox")) box.checked = checked;
  }
}
