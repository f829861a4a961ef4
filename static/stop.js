// The stop: inside a beat that every phone sends alike, so that no line tells who asked.

import { byId, randomHex, safety, seated, TOLD_MS } from "./page.js";
import { send } from "./line.js";
import { focusNear } from "./regions.js";
import { tabStore } from "./store.js";

// As BEAT_SECONDS in games/live/stops.py.
const BEAT_MS = 2000;
const STOP = "taproom-stop";

// What this socket was given to stop play with; another socket is given another.
let token = "";
export const takeToken = (given) => (token = given);
// The same for requests, where no socket comes through.
let tokenByRequest = "";
export const takeTokenByRequest = (given) => (tokenByRequest = given);

export const isPaused = () => byId("paused")?.hidden === false;

// Kept over a change of page, until the pause is seen: a stop that is lost would be worse.
export function wantStop(wants) {
  if (wants) tabStore.setItem(STOP, seated.dataset.code);
  else tabStore.removeItem(STOP);
  safety?.toggleAttribute("data-waits", wants);
}

const wantsStop = () => tabStore.getItem(STOP) === seated.dataset.code;

const beatWith = (given) => {
  const noise = randomHex(16);
  return (wantsStop() && given) || noise;
};
export const beatByRequest = () => beatWith(tokenByRequest);

function beat() {
  if (document.visibilityState !== "hidden") send({ beat: beatWith(token) });
}

// What lies under the pause is reached by no key and read out to nobody; afterwards whoever was there
// is there again.
const main = document.querySelector("main");
let before = null;
export function coverPage() {
  const isCovered = Boolean(document.querySelector("#pause-screen[open]"));
  if (!main || main.inert === isCovered) return;
  if (isCovered) before = main.contains(document.activeElement) ? document.activeElement : null;
  main.inert = isCovered;
  if (before) (isCovered ? byId("pause-fold") : byId(before.id) ?? before).focus({ preventScroll: true });
  // Loaded under the pause: what ended it is gone, and what was around that lies behind the page.
  else if (!isCovered && document.activeElement === safety) focusNear(main);
}
document.addEventListener("toggle", coverPage, true);
coverPage();

// What took the focus as the dialog opened was never read, nor what took it when that closed again: whoever hears
// the page pressed Stop, and heard nothing.
const nameSheet = () => document.activeElement === byId("stop-close") && focusNear(byId("stop-title"));

if (safety) {
  const sheet = byId("stop-sheet");
  byId("stop-open").addEventListener("click", () => {
    byId("say").replaceChildren(); // else read once more as it comes back from under the sheet
    sheet.showModal();
    setTimeout(nameSheet, TOLD_MS);
  });
  byId("stop-now").addEventListener("click", () => {
    if (!isPaused()) wantStop(true);
    if (document.documentElement.dataset.line !== "off") sheet.close();
  });
  sheet.addEventListener("click", ({ target }) => {
    if (target === sheet || target.closest("[data-close-stop]")) sheet.close();
  });
  wantStop(wantsStop() && !isPaused());
}

if (seated) setInterval(beat, BEAT_MS);
