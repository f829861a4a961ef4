// Sound, speech, vibration, motion, light and staying awake: extra channels, each with its own switch.
// The number and the words are on the page before any of this runs.

import { phoneStore } from "./store.js";

const DEFAULTS = { sound: "on", speech: "off", vibration: "on", motion: "on", theme: "dark", flat: "off", shake: "off" };
const root = document.documentElement;
const LIGHT = matchMedia("(prefers-color-scheme: light)");

// --- switches, kept on this device ---------------------------------------------------------------

const read = (name) => phoneStore.getItem(`taproom-${name}`) || DEFAULTS[name];

function write(name, value) {
  phoneStore.setItem(`taproom-${name}`, value);
  root.dataset[name] = value;
  if (name === "theme") light(value);
  for (const button of document.querySelectorAll(`[data-switch="${name}"]`)) {
    const isOn = button.dataset.value ? button.dataset.value === value : value === "on";
    button.setAttribute("aria-pressed", String(isOn));
  }
}

// The style sheets know two themes; the system's choice is one of them. The browser's own bar
// follows.
function light(theme) {
  root.dataset.theme = theme === "auto" ? (LIGHT.matches ? "light" : "dark") : theme;
  document.querySelector("meta[name=theme-color]").content = getComputedStyle(root).getPropertyValue("--page").trim();
}
LIGHT.addEventListener("change", () => light(read("theme")));

// No region holds a switch, so a push need not set them again.
function applySwitches() {
  for (const name of Object.keys(DEFAULTS)) write(name, read(name));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-switch]");
  if (!button) return;
  const name = button.dataset.switch;
  write(name, button.dataset.value || (read(name) === "on" ? "off" : "on"));
  if (name === "sound" && read(name) === "on") {
    wake(); // it may be the page's first sound: every touch before this one was of a silent page
    knock(0.4);
  }
  if (name === "speech") {
    speechSynthesis.cancel();
    speak(button.innerText);
  }
  if (name === "shake") listenForShakes();
});
addEventListener("storage", applySwitches); // another page of this device has turned one
applySwitches();

// --- sound: made here, so that no file has to be loaded ------------------------------------------

const Sound = window.AudioContext || window.webkitAudioContext;
let audio = null;
let rest = 0;
// By then every effect is over. As long as a page could sound, silence is worked out a hundred times
// a second: all evening, on a phone's battery.
const REST_MS = 2000;

function wake() {
  audio ||= new Sound();
  if (audio.state !== "running") audio.resume(); // Safari's "interrupted", after a call, as well
  clearTimeout(rest);
  rest = setTimeout(() => audio.suspend(), REST_MS);
}

// Browsers let a page sound only after a touch. Sound may be turned on later, on another page as well.
if (Sound) document.addEventListener("pointerdown", () => audio || (read("sound") === "on" && wake()));
else document.querySelector('[data-switch="sound"]')?.remove();

function tone({ from, to = from, seconds, kind = "sine", loud = 0.3, after = 0 }) {
  if (read("sound") !== "on" || !audio) return;
  wake();
  const start = audio.currentTime + after;
  const [source, volume] = [audio.createOscillator(), audio.createGain()];
  source.type = kind;
  source.frequency.setValueAtTime(from, start);
  source.frequency.exponentialRampToValueAtTime(to, start + seconds);
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + seconds);
}

const knock = (loud = 0.9) => tone({ from: 160, to: 50, seconds: 0.14, kind: "triangle", loud });
const rattle = () =>
  [0, 0.06, 0.11, 0.19].forEach((after) =>
    tone({ from: 900 - after * 1500, seconds: 0.03, kind: "square", loud: 0.08, after }),
  );
const chord = (notes, seconds, kind) =>
  notes.forEach((from) => tone({ from, seconds, kind, loud: 0.15 }));
const tolls = () => tone({ from: 130, to: 40, seconds: 1.2, kind: "sawtooth" });
const falls = () => tone({ from: 240, to: 90, seconds: 0.35 });
const rises = () => chord([392, 494, 587], 0.9, "triangle");
const breaks = () => tone({ from: 700, to: 120, seconds: 0.25, kind: "square", loud: 0.12 });

// --- speech: what happens, in the page's language, for who cannot look or sits too far away ---------

function speak(sentence) {
  if (read("speech") !== "on" || document.hidden || !window.speechSynthesis) return;
  // Never more than a sentence behind the table: what waits, and what is being said, yields to this.
  if (speechSynthesis.pending) speechSynthesis.cancel();
  const said = new SpeechSynthesisUtterance(sentence);
  said.lang = root.lang;
  speechSynthesis.speak(said);
}

if (!window.speechSynthesis) document.querySelector('[data-switch="speech"]')?.remove();
// A page that was loaded anew speaks only after a touch, too.
document.addEventListener("pointerdown", () => speak(""), { once: true });
document.addEventListener("taproom:aloud", ({ detail }) => speak(detail));

// --- what each event brings ------------------------------------------------------------------------

const EFFECTS = {
  press: { buzz: 15 },
  Knocked: { sound: knock, buzz: 60, flash: "knock" },
  Rolled: { sound: rattle, flash: "tumble" },
  Revealed: { sound: rattle, flash: "tumble" },
  CupRolled: { sound: rattle },
  Shouted: { sound: () => tone({ from: 420, to: 640, seconds: 0.12, kind: "sawtooth", loud: 0.12 }) },
  Grave: { sound: tolls, buzz: [80, 60, 240], flash: "grave" },
  Stave: { sound: rises, buzz: [60, 40, 60], flash: "stave" },
  FingersLost: { sound: falls, buzz: 40 },
  Bounced: { sound: () => tone({ from: 300, to: 600, seconds: 0.18 }), buzz: 20 },
  Won: { sound: () => [392, 494, 587, 784].forEach((from, i) => tone({ from, seconds: 0.4, after: i * 0.16 })), buzz: [40, 40, 40, 40, 200], flash: "won" },
  false_started: { flash: "locked" },
  // Knave
  save_rolled: { sound: rattle, flash: "tumble" },
  dice_rolled: { sound: rattle, flash: "tumble" },
  Attacked: { sound: rattle, flash: "tumble" },
  Stunted: { sound: rattle, flash: "tumble" },
  RoundBegun: { sound: () => chord([220, 330], 0.5, "triangle"), buzz: 40, flash: "tumble" },
  saves_asked: { sound: () => chord([523, 659], 0.35, "sine"), buzz: [60, 40, 60] },
  fight_begun: { sound: () => [196, 196, 262].forEach((from, i) => tone({ from, seconds: 0.3, kind: "triangle", after: i * 0.18 })), buzz: [80, 40, 80] },
  ArmorBroken: { sound: breaks, buzz: 60 },
  WeaponBroken: { sound: breaks, buzz: 60 },
  knave_fell: { sound: falls, buzz: 80 },
  knave_died: { sound: tolls, buzz: [80, 60, 240], flash: "grave" },
  level_reached: { sound: rises, buzz: [60, 40, 60] },
};

function show(kind) {
  const effect = EFFECTS[kind];
  if (!effect) return;
  effect.sound?.();
  // Before the first touch a browser refuses, with a message in its console each time.
  const mayBuzz = navigator.userActivation?.hasBeenActive ?? true;
  if (effect.buzz && mayBuzz && read("vibration") === "on") navigator.vibrate?.(effect.buzz);
  if (effect.flash && read("motion") === "on") flash(effect.flash);
}
if (!navigator.vibrate) document.querySelector('[data-switch="vibration"]')?.remove(); // no iPhone has it

// Each kind of event once; a press is an event of this phone alone.
document.addEventListener("taproom:told", (event) => {
  new Set(event.detail.map((told) => told.kind)).forEach(show);
});

const FLASH_MS = 900;

function flash(name) {
  if (root.dataset.flash === name) {
    delete root.dataset.flash;
    // An animation starts again only if the page was without it for a moment: in its style, not its
    // layout.
    void getComputedStyle(root).opacity;
  }
  root.dataset.flash = name;
  setTimeout(() => root.dataset.flash === name && delete root.dataset.flash, FLASH_MS);
}

// --- each thing is explained twice on a device, then the screen belongs to the game ----------------

const LESSONS = 2;

function teachOnce() {
  for (const line of document.querySelectorAll(".teach[data-teach]")) {
    const lesson = line.dataset.teach;
    // As long as it stays there it counts as told once, however often it is drawn.
    if (line.dataset.counted === lesson) continue;
    line.dataset.counted = lesson;
    const key = `taproom-taught-${lesson}`;
    const told = Number(phoneStore.getItem(key) || 0);
    if (told < LESSONS) phoneStore.setItem(key, told + 1);
    line.hidden = told >= LESSONS;
  }
}
document.addEventListener("taproom:drawn", teachOnce);
document.addEventListener("DOMContentLoaded", teachOnce);
teachOnce();

// --- shake to roll, where the browser tells of motion (https, and a permission on some phones) ------

const SHAKE = 22; // metres per second squared, gravity included: a walk stays under it
let shakes = false;

async function listenForShakes() {
  if (shakes || read("shake") !== "on" || !window.DeviceMotionEvent) return;
  const answer = await (DeviceMotionEvent.requestPermission?.() ?? "granted");
  if (answer !== "granted") return write("shake", "off");
  shakes = true;
  addEventListener("devicemotion", ({ accelerationIncludingGravity: pull }) => {
    const force = Math.hypot(pull?.x || 0, pull?.y || 0, pull?.z || 0);
    const die = document.getElementById("roll");
    if (force < SHAKE || read("shake") !== "on" || !die || die.dataset.shaken) return;
    die.dataset.shaken = "1";
    die.click();
  });
}
// Where the line is not encrypted no browser tells of motion.
if (!window.DeviceMotionEvent) document.querySelector('[data-switch="shake"]')?.remove();
// Where a permission is needed only a touch may ask for it, on each page anew.
if (!window.DeviceMotionEvent?.requestPermission) listenForShakes();
else document.addEventListener("click", listenForShakes, { once: true });

// --- staying awake ----------------------------------------------------------------------------------

// Over plain http there is no wake lock, but a screen on which a video plays stays awake as well. This
// one is a single picture, never seen and without sound, which would stop the music of the room. Apple's
// browsers let the screen sleep behind a video that is silent.
const SLEEPS_BESIDE_VIDEO = /apple/i.test(navigator.vendor);
let still;

async function playsStill() {
  if (SLEEPS_BESIDE_VIDEO) return false;
  if (!still) {
    const canvas = document.createElement("canvas");
    canvas.getContext("2d").fillRect(0, 0, 1, 1); // a canvas never drawn on gives no picture
    still = document.createElement("video");
    Object.assign(still, { className: "still", muted: true, srcObject: canvas.captureStream() });
    still.setAttribute("aria-hidden", "true");
    document.body.append(still);
  }
  await still.play();
  return true;
}

async function isKeptAwake() {
  try {
    await navigator.wakeLock.request("screen");
    return true;
  } catch {
    return playsStill().catch(() => false);
  }
}

async function stayAwake() {
  if (document.visibilityState !== "visible" || !document.querySelector("main[data-page]")) return;
  root.dataset.awake = (await isKeptAwake()) ? "on" : "off";
}
document.addEventListener("visibilitychange", stayAwake);
stayAwake();

// --- whose turn it is, for whoever looks at another page -------------------------------------------

// The title is what a list of tabs shows, on plain http too. The mark on the app's icon is there over
// https alone, and only where the app is installed: it waits until somebody looks.
const title = document.title;
let shown = title;
let isMarked = null;

function markTurn() {
  const isPaused = document.querySelector("#paused:not([hidden])");
  const asks = isPaused ? null : document.querySelector("[data-turn]:not([role=tab])");
  const turn = asks?.dataset.turn;
  markTab(asks?.closest("[data-panel]")?.dataset.panel, turn);
  const said = turn ? `● ${turn} · ${title}` : title;
  if (shown !== said) document.title = shown = said;
  const isMissed = Boolean(turn) && document.visibilityState === "hidden";
  if (isMissed === isMarked) return;
  isMarked = isMissed;
  // Browsers that want a permission for it refuse: then the title has to do.
  (isMissed ? navigator.setAppBadge?.() : navigator.clearAppBadge?.())?.catch(() => {});
}
// Whoever reads the log, or looks at their hand, has the view with the buttons hidden.
function markTab(name, turn) {
  for (const tab of document.querySelectorAll(".bar [data-tab]")) {
    if (tab.dataset.tab !== name) delete tab.dataset.turn;
    else if (tab.dataset.turn !== turn) tab.dataset.turn = turn;
  }
}
for (const name of ["taproom:drawn", "visibilitychange"]) document.addEventListener(name, markTurn);
markTurn();

// --- what plain http can't do is said once ----------------------------------------------------------

if (!window.isSecureContext && !phoneStore.getItem("taproom-told-http")) {
  const hint = document.getElementById("http-hint");
  if (hint) {
    hint.hidden = false;
    hint.querySelector("button")?.addEventListener("click", () => {
      phoneStore.setItem("taproom-told-http", "1");
      hint.hidden = true;
    });
  }
}

// A browser that refuses it, as in a private window, plays without one.
navigator.serviceWorker?.register("/sw.js").catch(() => {});
