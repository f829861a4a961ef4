// What is told to whoever taps here, and where: above everything, or at the field that it is about.

import { byId, say, TOLD_MS } from "./page.js";
import { focusNear } from "./regions.js";

const NOTICE_MS = 20000;

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

// What the log says aloud as well is told in silence (`off`): it would be heard twice. It then stands in no
// live region at all. In one that is off, a screen reader took the words for said, and left out the log's.
function makeLive(place, live) {
  if (live === "off") return ["role", "aria-live"].forEach((name) => place.removeAttribute(name));
  place.setAttribute("role", "alert");
  place.setAttribute("aria-live", live);
}
// Whether an answer's text has such an element. Asked before it stands in the page: from what its place is as the
// words come there a screen reader takes whether to say them.
export const holds = (html, selector) => parsed(html).querySelector(selector) !== null;
const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

export function notice(html, ms = NOTICE_MS, live = "assertive") {
  const place = noticePlace();
  // A question is answered at the question: it stands far from the button that was pressed by key. There the focus
  // has it read, and it would be heard twice.
  const isComeTo = holds(html, "[data-sure]") && document.activeElement?.matches(":focus-visible");
  makeLive(place, isComeTo ? "off" : live);
  htmx.swap(place, html, { swapStyle: "innerHTML" });
  keepClear(place);
  if (isComeTo) focusNear(place.firstElementChild);
  clearTimeout(noticeTimers.get(place));
  // Not under who has come to it by keys: they close it.
  noticeTimers.set(place, setTimeout(() => place.contains(document.activeElement) || place.replaceChildren(), ms));
}

// A refusal that is about something typed or ticked stands where that is, until it is changed; any
// other above everything. Those who look at the button have the field off their screen often enough.
let refused = null; // the field, the words about it, and what had described it before

export function refuse(html, form) {
  const told = parsed(html).querySelector(".notice");
  const field = told?.dataset.field && fieldOf(form, told.dataset.field);
  if (field) return refuseAt(field, wordsBelow(field, told.querySelector("p").textContent));
  dropRefusal();
  notice(html);
}

export function wordsBelow(field, text) {
  const words = document.createElement("p");
  words.id = `${field.id}-refused`;
  words.className = "refused-here";
  words.textContent = text;
  const row = field.closest(".count-row"); // as short as its label, its number and its button
  if (row) row.after(words);
  else (field.closest("fieldset, .field, .field-row") ?? field.parentElement).append(words);
  return words;
}

export function refuseAt(field, words) {
  noticePlace().replaceChildren();
  dropRefusal();
  const described = field.getAttribute("aria-describedby");
  words.classList.add("error");
  // Told with the field as that takes the focus; an alert beside it would be heard as well.
  if (document.activeElement === field) words.setAttribute("role", "alert");
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", [...new Set([...(described?.split(" ") ?? []), words.id])].join(" "));
  refused = { field, words, described };
  // Not at once: a page beside the table takes no focus until its answer has ended, and words that come with
  // the focus were heard twice, of the field and once more as its new description.
  setTimeout(() => field.focus({ preventScroll: true }), TOLD_MS);
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

// A pass works once. Who has it now is said aloud by the log; here it is read, in silence. So no live region
// is around it: a screen reader took the log's words for said. Nor is the address spelled out.
document.addEventListener("htmx:afterSwap", ({ target }) => target.id === "pass-offer" && say(target.querySelector("p").textContent));
document.addEventListener("taproom:told", ({ detail }) => {
  const offer = document.querySelector(".pass-offer");
  const taken = detail.find(({ kind, seat }) => kind === "seat_passed" && seat === Number(offer?.dataset.seat));
  if (!taken) return;
  const words = Object.assign(document.createElement("p"), { textContent: taken.text });
  offer.querySelector(".pass-words").replaceChildren(words);
});
