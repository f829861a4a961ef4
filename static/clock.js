// The instant of a press, in the house's time as well as this phone knows it: a shout counts from
// the touch, not from the lift of the finger, and a slow line costs nothing.

import { announce } from "./page.js";

// As FALSE_START_MS in games/deeds/bout.py.
const LOCK_MS = 500;
// How far two clocks drift apart within a minute, and rounding.
const DRIFT_MS = 20;

const clock = { samples: [], offset: Date.now() - performance.now(), note: "" };

const serverTime = (at) => at + clock.offset;

export function learnClock(pong) {
  const now = performance.now();
  const trip = now - pong.pong;
  const offset = pong.now + trip / 2 - now;
  // A difference that no round trip explains is from before the house's clock was set, or from
  // before this phone slept.
  const fits = (old) => Math.abs(old.offset - offset) <= (old.trip + trip) / 2 + DRIFT_MS;
  clock.samples = [...clock.samples.filter(fits).slice(-11), { trip, offset }];
  clock.offset = clock.samples.reduce((a, b) => (b.trip < a.trip ? b : a)).offset;
}

// The house's signed note of what the line takes, to be shown with a press.
export const keepNote = (note) => (clock.note = note);

// --- presses --------------------------------------------------------------------------------------

let pressedAt = 0;
let lockedUntil = 0;

function press(button, at) {
  const form = button.closest("form[data-press]");
  if (!form || performance.now() < lockedUntil || form.dataset.sent) return;
  if (button.hasAttribute("data-waits")) return; // it would not be sent, and count as sent ever after
  pressedAt = at;
  if (form.querySelector("[name=action]").value === "false_start") {
    lockPresses();
  } else {
    form.dataset.sent = "1";
    button.classList.add("is-pressed");
  }
  announce([{ kind: "press" }]);
  form.requestSubmit(button);
  pressedAt = 0;
}

function lockPresses() {
  lockedUntil = performance.now() + LOCK_MS;
  document.documentElement.toggleAttribute("data-locked", true);
  setTimeout(() => document.documentElement.toggleAttribute("data-locked", false), LOCK_MS);
}

document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest?.("form[data-press] button");
  if (button && event.button === 0) press(button, event.timeStamp);
});
document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest?.("form[data-press] button");
    if (!button) return;
    event.preventDefault();
    // detail 0: a keyboard or a screen reader pressed it, so no pointer came before.
    if (event.detail === 0) press(button, event.timeStamp);
  },
  true,
);

document.addEventListener("htmx:configRequest", ({ detail: { parameters, elt } }) => {
  if (!elt.matches("[data-press]")) return;
  parameters.set("pressed", String(Math.round(serverTime(pressedAt || performance.now()))));
  parameters.set("note", clock.note);
});
