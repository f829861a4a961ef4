// What this page is, and how one goes about on it without the house's hearing of it: tabs, folds,
// sheets, and the keys for them.

import { catchUp, focusNear } from "./regions.js";

export const page = document.querySelector("main[data-page]");
export const byId = (id) => document.getElementById(id);
export const safety = byId("safety");
// A page beside the table (a sheet, the shop) has a socket as well: for the stop and the pause.
export const seated = page ?? safety;

// What happened, for sounds, vibration and motion (fx.js).
export const announce = (told) => document.dispatchEvent(new CustomEvent("taproom:told", { detail: told }));

// To whoever hears the page. Each sentence is a node of its own: a screen reader that comes to read the
// first of two reads what stands there by then, the second, and has been heard to read that twice. Nodes
// that come in one moment it has been heard to read from the last to the first, so they come apart.
const SAID_MS = 10000;
const APART_MS = 300;
let next = null; // what waits to be said, if something has just been
function sayNow(words) {
  const said = Object.assign(document.createElement("p"), { textContent: words });
  byId("say").append(said);
  setTimeout(() => said.remove(), SAID_MS);
  next = [];
  setTimeout(() => {
    const waiting = next.join(" ");
    next = null;
    if (waiting) sayNow(waiting);
  }, APART_MS);
}
export function say(words) {
  if (next) next.push(words);
  else sayNow(words);
}

// Chromium tells a screen reader of the focus at once, but of what has changed in the page up to a sixth of a
// second later: until then what takes the focus is read as if nothing had.
export const TOLD_MS = 200;

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

// Chromium before 108 knows no dvh, and by its vh a page is as high as the window without the
// browser's own bar: the tabs, and the die above them, lay below the edge.
if (!CSS.supports("height: 1dvh")) {
  const measure = () => document.documentElement.style.setProperty("--vh", `${innerHeight / 100}px`);
  addEventListener("resize", measure);
  measure();
}

document.addEventListener("click", (event) => {
  const tab = event.target.closest("button[data-tab]");
  if (tab) openTab(tab.dataset.tab);
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
});

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
