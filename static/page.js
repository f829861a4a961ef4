// What this page is, and what a finger does on it that the house need not hear of: tabs, folds,
// suggestions, and the notices that stand above it all.

import { catchUp, focusNear } from "./regions.js";

const NOTICE_MS = 20000;

export const page = document.querySelector("main[data-page]");
export const byId = (id) => document.getElementById(id);
export const safety = byId("safety");
// A page beside the table (a sheet, the shop) has a socket as well: for the stop and the pause.
export const seated = page ?? safety;

// What happened, for sounds, vibration and motion (fx.js).
export const announce = (told) => document.dispatchEvent(new CustomEvent("taproom:told", { detail: told }));

export function randomHex(length = 12) {
  // randomUUID needs https; a laptop on a LAN has none.
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

// Safari has it from 16 on, and an iPhone of 2015 stays at 15.
HTMLFormElement.prototype.requestSubmit ??= function (submitter = null) {
  const isComplete = this.noValidate || submitter?.formNoValidate || this.reportValidity();
  const event = new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter });
  if (!isComplete || !this.dispatchEvent(event)) return;
  if (submitter?.name) {
    const { name, value } = submitter;
    this.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  this.submit();
};

// --- notices --------------------------------------------------------------------------------------

const noticeTimers = new Map(); // of each place: what stands in one does not outlive its time by another
// An open sheet lies over everything else, notices too: then they stand in it.
const noticePlace = () => document.querySelector("dialog[open] .stop-notice") ?? byId("notice");
export const hasNotice = () => Boolean(noticePlace().firstElementChild);

export function dropNotice() {
  noticePlace().replaceChildren();
  // A name that was sent along by itself belongs to the tap that is answered now: its refusal is
  // news.
  if (!refused?.field.matches("[data-keeps]")) dropRefusal();
}

// What the log says aloud as well is told in silence (`off`): it would be heard twice.
export function notice(html, ms = NOTICE_MS, live = "assertive") {
  const place = noticePlace();
  place.setAttribute("aria-live", live);
  htmx.swap(place, html, { swapStyle: "innerHTML" });
  keepClear(place);
  // A question is answered at the question: it stands far from the button that was pressed by key.
  if (place.querySelector("[data-sure]") && document.activeElement?.matches(":focus-visible")) focusNear(place.firstElementChild);
  clearTimeout(noticeTimers.get(place));
  // Not under who has come to it by keys: they close it.
  noticeTimers.set(place, setTimeout(() => place.contains(document.activeElement) || place.replaceChildren(), ms));
}

// A refusal that is about something typed or ticked stands where that is, until it is changed; any
// other above everything. Those who look at the button have the field off their screen often enough.
let refused = null; // the field, the words about it, and what had described it before

export function refuse(html, form) {
  const told = new DOMParser().parseFromString(html, "text/html").querySelector(".notice");
  const field = told?.dataset.field && fieldOf(form, told.dataset.field);
  if (field) return refuseAt(field, wordsBelow(field, told.querySelector("p").textContent));
  dropRefusal();
  notice(html);
}

function wordsBelow(field, text) {
  const words = document.createElement("p");
  words.id = `${field.id}-refused`;
  words.className = "refused-here";
  words.setAttribute("role", "alert");
  words.textContent = text;
  const row = field.closest(".count-row"); // as short as its label, its number and its button
  if (row) row.after(words);
  else (field.closest("fieldset, .field, .field-row") ?? field.parentElement).append(words);
  return words;
}

function refuseAt(field, words) {
  noticePlace().replaceChildren();
  dropRefusal();
  const described = field.getAttribute("aria-describedby");
  words.classList.add("error");
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", [...new Set([...(described?.split(" ") ?? []), words.id])].join(" "));
  refused = { field, words, described };
  // Not at once: a page beside the table takes no focus until its answer has ended.
  requestAnimationFrame(() => field.focus({ preventScroll: true }));
  words.scrollIntoView({ block: "center" });
}

function dropRefusal() {
  if (!refused) return;
  const { field, words, described } = refused;
  refused = null;
  if (words.matches(".refused-here")) words.remove();
  else words.classList.remove("error");
  field.removeAttribute("aria-invalid");
  if (described) field.setAttribute("aria-describedby", described);
  else field.removeAttribute("aria-describedby");
}

// When a tick hides the focused element, the focus moves on from there.
document.addEventListener("change", ({ target }) => target.getClientRects().length || focusNear(target.parentElement));

const fieldOf = (form, name) =>
  [...(form?.elements ?? [])].find(
    (one) => one.name === name && one.id && one.matches("input:not([type=hidden]), select, textarea") && one.offsetParent,
  );
document.addEventListener("input", ({ target }) => {
  if (refused && (target.form === refused.field.form || target.matches("[aria-invalid]"))) dropRefusal();
});

// What is said about a button never lies on it, nor on those above and below it.
const CLEAR_OF = 64;
let pressedBox = null;
let pressedId = "";
export const pressed = () => byId(pressedId);
// On the document, after the window's own: a button that waits for its answer counts as not pressed.
document.addEventListener(
  "submit",
  ({ submitter }) => {
    pressedBox = submitter?.getBoundingClientRect() ?? null;
    pressedId = submitter?.id ?? "";
  },
  true,
);
function keepClear(place) {
  place.removeAttribute("data-low");
  const box = place.firstElementChild?.getBoundingClientRect();
  const isNear = box && pressedBox && pressedBox.top < box.bottom + CLEAR_OF && pressedBox.bottom > box.top - CLEAR_OF;
  place.toggleAttribute("data-low", Boolean(isNear) && pressedBox.bottom < innerHeight / 2);
}
document.addEventListener("click", (event) => {
  const told = event.target.closest("[data-dismiss]")?.closest("#notice, #pass-offer, .stop-notice");
  told?.replaceChildren();
  // By keys one goes on from what it was about.
  if (told && event.detail === 0) byId(pressedId)?.focus();
});

// A pass works once. Who has it now is said aloud by the log; here it is read, in silence.
document.addEventListener("taproom:told", ({ detail }) => {
  const offer = document.querySelector(".pass-offer");
  const taken = detail.find(({ kind, seat }) => kind === "seat_passed" && seat === Number(offer?.dataset.seat));
  if (!taken) return;
  const words = Object.assign(document.createElement("p"), { textContent: taken.text });
  words.setAttribute("aria-live", "off");
  offer.querySelector(".pass-words").replaceChildren(words);
});

// --- tabs, suggestions -------------------------------------------------------------------------------

document.addEventListener("click", async (event) => {
  const tab = event.target.closest("button[data-tab]");
  if (tab) openTab(tab.dataset.tab);
  const suggest = event.target.closest("[data-suggest]");
  if (suggest) {
    const field = byId(suggest.dataset.suggest);
    const answer = await fetch("/suggest/").catch(() => null);
    if (answer?.headers.has("Taproom")) field.value = await answer.text();
    field.focus();
  }
  const goes = event.target.closest("a[data-go]");
  if (goes) {
    // Not by the address: a browser would scroll back to it with every redraw.
    event.preventDefault();
    const place = byId(goes.hash.slice(1));
    const panel = place?.closest("[data-panel]");
    if (panel?.hidden) openTab(panel.dataset.panel);
    if (place?.matches("details")) place.open = true;
    place?.scrollIntoView({ block: "start" });
    // By keys one goes on from there: a fold is gone into by what unfolds it.
    if (event.detail === 0 && place?.matches("details")) place.firstElementChild.focus();
    else if (event.detail === 0) focusNear(place);
  }
  const checks = event.target.closest("[data-check]");
  if (checks) byId(checks.dataset.check).checked = true;
  const filler = event.target.closest("[data-fill]");
  if (filler) byId(filler.dataset.fill).value = filler.value;
});

// A name that was typed counts, though its button was not pressed: whoever goes on to the next thing
// takes it for done, and the bout would begin without it.
let pressedOn = null;
document.addEventListener("pointerdown", ({ target }) => (pressedOn = target), true);
document.addEventListener("input", () => (pressedOn = null), true);
document.addEventListener("focusout", ({ target, relatedTarget }) => {
  const field = target.form?.querySelector("[data-keeps]");
  if (!field || field.form.contains(relatedTarget) || field.form.contains(pressedOn)) return;
  if (field.value === (field.dataset.keeps || field.defaultValue) || !field.validity.valid) return;
  field.form.requestSubmit(field.form.querySelector("button:not([type])"));
});
document.addEventListener("submit", ({ target }) => {
  const field = target.querySelector("[data-keeps]");
  if (field) field.dataset.keeps = field.value;
});

// Six dice on six forms: what takes a die that is taken trades with who has it. The arrow keys come
// past other dice on their way: each trade of one line is of what lay there before the first.
let lay = null; // the line, and which die each had
document.addEventListener("change", ({ target }) => {
  const grid = target.closest("[data-dice]");
  const line = target.closest("[data-die]");
  if (!grid || !line) return;
  const lines = [...grid.querySelectorAll("[data-die]")];
  if (lay?.line !== line) lay = { line, dice: lines.map((one) => one.dataset.die) };
  const dice = [...lay.dice];
  const [at, now] = [lines.indexOf(line), target.value];
  const allowed = grid.dataset.dice.split(" ").filter((sides) => sides === now).length;
  const having = lines.flatMap((one, i) => (i !== at && dice[i] === now ? i : []));
  if (having.length >= allowed) dice[having[0]] = dice[at];
  dice[at] = now;
  lines.forEach((one, i) => {
    one.dataset.die = dice[i];
    const box = one.querySelector(`input[value="${dice[i]}"]`);
    if (box) box.checked = true;
  });
});
document.addEventListener("focusout", ({ relatedTarget }) => !lay?.line.contains(relatedTarget) && (lay = null));

// Fields that belong to a choice which is not chosen are neither sent nor checked: a field that
// nobody sees would silently keep its form from being sent.
export function asksOf(list) {
  const what = list.selectedOptions[0]?.dataset.for;
  for (const part of list.form.querySelectorAll("[data-when]")) {
    part.hidden = part.dataset.when !== what;
    for (const field of part.querySelectorAll("input, select, textarea")) field.disabled = part.hidden;
  }
}
document.querySelectorAll("[data-asks]").forEach(asksOf); // who has no script is asked all of it
document.addEventListener("change", ({ target }) => target.matches("[data-asks]") && asksOf(target));
document.addEventListener("reset", ({ target }) => {
  const list = target.querySelector("[data-asks]");
  if (list) requestAnimationFrame(() => asksOf(list)); // a form is told before it is reset
});

// Of those who can be ticked, whoever is chosen beside them is left out: nobody's interest is about
// themselves, and nobody stops what they do.
function leaveOut() {
  for (const list of document.querySelectorAll("[data-but]")) {
    const boxes = [...list.querySelectorAll("[type=checkbox]")];
    const fields = [...(boxes[0]?.form?.elements ?? [])];
    const chosen = fields.find(({ name, checked }) => checked && name === list.dataset.but)?.value;
    for (const box of boxes) {
      box.closest("label").hidden = box.value === chosen;
      box.checked &&= box.value !== chosen;
    }
  }
}
leaveOut(); // a browser keeps what was chosen in a page that it loads anew
document.addEventListener("change", ({ target }) => target.type === "radio" && leaveOut());
document.addEventListener("reset", () => setTimeout(leaveOut));
document.addEventListener("taproom:drawn", leaveOut);

// That a turn is an attack and a stunt together (KN-18) is one decision, wherever it is ticked:
// kept in one form only, it would be lost with the first of the two.
document.addEventListener("change", ({ target }) => {
  if (target.name !== "both") return;
  for (const tick of target.closest(".fighter")?.querySelectorAll("[type=checkbox][name=both]") ?? []) tick.checked = target.checked;
});

// A field that is folded away would silently hold its form back, too: its folds open. The browser would
// say what is missing in its own language, which need not be the seat's, and for every field at once.
let isHeldBack = false;
document.addEventListener(
  "invalid",
  (event) => {
    const field = event.target;
    const folds = "details:not([open])";
    for (let fold = field.closest(folds); fold; fold = fold.parentElement.closest(folds)) fold.open = true;
    if (!field.id || !field.getClientRects().length) return;
    event.preventDefault();
    if (isHeldBack) return;
    isHeldBack = true;
    setTimeout(() => (isHeldBack = false));
    // Where its range stands beside it already, that is marked, and told only once.
    refuseAt(field, byId(`${field.id}-range`) ?? wordsBelow(field, whatIsMissing(field)));
  },
  true,
);

function whatIsMissing({ type, min, max, title, validity, validationMessage }) {
  const { missing, choose, whole, range } = byId("say").dataset;
  if (validity.valueMissing) return /^(radio|file|select)/.test(type) ? choose : missing;
  if (validity.badInput || validity.stepMismatch) return whole;
  if ((validity.rangeUnderflow || validity.rangeOverflow) && min && max) return range.replace("{min}", min).replace("{max}", max);
  return title || validationMessage;
}

// A key that is held down would press again and again: three knocks, or the next roll as well.
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && !event.target.matches("textarea")) event.preventDefault();
});

// Firefox scrolls to no button that lies in its panel already, be it under the one at the panel's foot.
document.addEventListener("keydown", ({ key, altKey, ctrlKey }) => {
  if (key !== "Tab" || altKey || ctrlKey) return; // these go to another window
  setTimeout(() => document.activeElement?.scrollIntoView({ block: "nearest", inline: "nearest" }));
});

// A sheet at the bottom lies over the page as a dialog does: it closes like one, and the keyboard goes
// round in it, and by Stop, which lies over it. What is behind cannot be seen.
const STOPS = "summary, a[href], :is(button, input, select, textarea):enabled";
document.addEventListener("keydown", (event) => {
  const lies = (over) => !document.querySelector("dialog[open]") && document.querySelector(over);
  const sheet = lies(".bottom-sheet[open]");
  const closes = event.key === "Escape" && (sheet || lies(".screen-menu[open]"));
  if (closes) {
    closes.open = false;
    closes.firstElementChild.focus();
  } else if (sheet && event.key === "Tab") {
    const ring = [...sheet.querySelectorAll(STOPS), byId("stop-open")].filter((stop) => stop?.checkVisibility?.() ?? stop?.getClientRects().length);
    const at = ring.indexOf(document.activeElement);
    const next = at < 0 ? ring[0] : ring.at((at + (event.shiftKey ? -1 : 1)) % ring.length);
    // From one to the next inside is the browser's own way: it knows what belongs together.
    const isNear = Math.abs(ring.indexOf(next) - at) === 1 && sheet.contains(next);
    if (sheet.contains(document.activeElement) && isNear) return;
    event.preventDefault();
    next.focus();
  }
});

// The shared screen's menu lies over seats: whoever taps beside it wants to see those.
document.addEventListener("click", ({ target }) => {
  const menu = document.querySelector(".screen-menu[open]");
  if (menu && !menu.contains(target)) menu.open = false;
});

// What a screen reader calls a tab is turned with the arrows, too.
document.addEventListener("keydown", (event) => {
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const tabs = [...(event.target.closest("[role=tablist]")?.children ?? [])];
  if (!way || tabs.length < 2 || event.altKey || event.ctrlKey || event.metaKey) return;
  const next = tabs.at((tabs.indexOf(event.target) + way) % tabs.length);
  event.preventDefault();
  next.focus();
  next.click();
});

// What a tap unfolds should not unfold below the edge of the screen.
document.addEventListener("click", (event) => {
  const folded = event.target.closest("summary")?.parentElement;
  // Not on "toggle": a redraw opens again what was open, and the page would jump.
  if (folded) requestAnimationFrame(() => folded.open && folded.scrollIntoView({ block: "nearest" }));
});

export function openTab(name) {
  const was = document.activeElement?.matches(":focus-visible") && document.activeElement.closest("[data-panel]");
  page.dataset.tab = name;
  for (const tab of document.querySelectorAll("button[data-tab]")) {
    tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
  }
  for (const panel of document.querySelectorAll("[data-panel]")) {
    panel.hidden = panel.dataset.panel !== name;
  }
  catchUp();
  // A view that turns by itself takes along whoever was in the one before.
  if (was?.hidden) focusNear(was);
  if (name === "log") byId("log-list")?.lastElementChild?.scrollIntoView({ block: "end" });
}

// A panel scrolls by itself on a phone, a page as a whole elsewhere.
export function toTop() {
  for (const panel of [window, ...document.querySelectorAll(".panel")]) panel.scrollTo(0, 0);
}
