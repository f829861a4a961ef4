// The outbox: a tap is kept, and sent again under the same id, until the house has answered it,
// whatever page that is on by then. Whether it goes by socket or by request is decided here as
// well, each time anew.

import { ask, carries, countGone, showWithoutLine } from "./line.js";
import { hasNotice, holds, notice } from "./notices.js";
import { byId, page, safety, say, seated } from "./page.js";
import { tabStore } from "./store.js";
import { foldSheet, forgetDice, loadAnew, sayDone } from "./written.js";

const RECEIPT_MS = 8000;
const RETRY_MS = 800;
const TROUBLE_MS = 2000;
const LOST_MS = 1500;
const MS_A_BYTE = 2; // of a slow line, which others use as well
const OUTBOX = "taproom-outbox";

// A tap as it is sent, however often; where its answer is to be shown; and the words by which
// somebody knows it again.
export function tapOf(form, submitter, parameters) {
  const button = submitter ?? form.querySelector("button");
  return {
    path: form.getAttribute("action"), // one of its fields is called `action` as well
    body: new URLSearchParams(parameters).toString(),
    button: button?.id ?? "",
    label: button?.getAttribute("aria-label") || [mainWords(button), button].map((one) => one?.textContent.trim()).find(Boolean),
    target: form.getAttribute("hx-target"),
    words: form.closest("[hx-include]")?.getAttribute("hx-include"),
    from: location.pathname,
  };
}
// A name without its small print; but all of it where only a part is there for the eye.
function mainWords(button) {
  const first = button?.querySelector("b, span");
  return first?.querySelector("b") ?? (first?.matches(".visually-hidden") ? button : first);
}
const valueIn = ({ body }, name) => new URLSearchParams(body).get(name);
const idOf = (tap) => valueIn(tap, "tap");

// --- what is kept ------------------------------------------------------------------------------------

const readOutbox = () => JSON.parse(tabStore.getItem(OUTBOX) || "[]");
const writeOutbox = (taps) => {
  const isKept = tabStore.setItem(OUTBOX, JSON.stringify(taps));
  document.documentElement.toggleAttribute("data-unsent", taps.length > 0);
  markWaiting();
  return isKept;
};
const without = (tap) => readOutbox().filter((one) => idOf(one) !== idOf(tap));
const settle = (tap) => readOutbox().length && writeOutbox(without(tap));

function keepTap(tap) {
  writeOutbox([...without(tap), tap]);
  if (document.documentElement.dataset.line === "off") say(byId("unsent").textContent);
  setTimeout(emptyOutbox, RETRY_MS);
}

// What is under way when the page goes, or when its phone is put away long enough to lose it, is
// sent again by the next page, under the same id, so that it happens once.
const underway = new Set();
function keepUnderway() {
  const ids = new Set([...underway].map(idOf));
  if (ids.size) writeOutbox([...readOutbox().filter((one) => !ids.has(idOf(one))), ...underway]);
}
addEventListener("pagehide", keepUnderway);
document.addEventListener("visibilitychange", () => document.hidden && keepUnderway());

// A button whose tap is kept stays marked, through every redraw, until that tap was answered.
// Meanwhile it is not sent a second time, unless it counts in steps (a hit point more).
export function markWaiting() {
  const waits = new Set(readOutbox().map(({ button }) => button).filter(Boolean));
  for (const one of document.querySelectorAll("button[data-waits]")) {
    if (!waits.has(one.id)) ["data-waits", "aria-busy"].forEach((name) => one.removeAttribute(name));
  }
  for (const id of waits) {
    byId(id)?.setAttribute("data-waits", "");
    byId(id)?.setAttribute("aria-busy", "true");
  }
}
addEventListener(
  "submit",
  (event) => {
    if (!event.submitter?.hasAttribute("data-waits")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

// Whoever has got up is led elsewhere, however soon the socket closes.
let isLedAway = false;
function leadAway() {
  isLedAway = true;
  countGone();
}
const asks = (action) => [...underway, ...readOutbox()].some((tap) => valueIn(tap, "action") === action);
export const getsUp = () => isLedAway || asks("leave_table");
export const speaks = () => asks("speak");

// Where a seat is gone from this phone, none of its taps will ever be taken.
const held = byId("left-words")?.dataset.held.split(" ");
const isTaken = (tap) => tap.path !== location.pathname.replace("join/", "act/") || held.includes(valueIn(tap, "seat"));
if (held) writeOutbox(readOutbox().filter(isTaken));

// --- sent, by socket or by request --------------------------------------------------------------------

// Statuses after which a tap is sent again later: the house cannot write now (503, said in words),
// what stands before it cannot find it (502, 504, a tunnel's 520 and up), or a portal wants to be
// asked first (511, or a 200 without the house's mark). Some proxies and tunnels say other things
// where there is no house, or first want to know who asks, or want a rest.
const SAID_FOR_HOUSE = new Set([401, 403, 404, 407, 408, 429, 503]);
export const isAway = ({ status, isHouse }) =>
  status === 502 || status === 504 || status === 511 || status >= 520 || (!isHouse && (status < 400 || SAID_FOR_HOUSE.has(status)));
const isTrouble = (answer) => answer.status === 503 || isAway(answer);

// Over the socket where there is one: that opens no new line and looks up no cookie. What changes a
// cookie or the whole page, or is long, goes as a request: the house refuses it over a socket (BY_REQUEST
// in games/live/taps.py, LONGEST_MESSAGE in games/live/consumer.py).
const BY_REQUEST = new Set(["speak", "offer_pass", "leave_table"]);
const LONGEST_DO = 12000;

export function goesBySocket(tap) {
  const address = new URL(tap.path, location.href).pathname;
  const isOurs = page && address === `/t/${page.dataset.code}/act/`;
  const needsRequest = BY_REQUEST.has(valueIn(tap, "action"));
  // Where a socket carries nothing a request fails at once, and then the tap is kept.
  return isOurs && !needsRequest && tap.body.length < LONGEST_DO && carries();
}

const headersOfPage = () => ({ ...JSON.parse(document.body.getAttribute("hx-headers")), "HX-Request": "true" });

async function post(tap) {
  if (goesBySocket(tap)) {
    const { status, html, headers: told } = await ask(tap.body);
    return { status, isHouse: true, text: html, isReceipt: status === 200, goTo: told["HX-Redirect"] };
  }
  const takes = tap.body.length * MS_A_BYTE;
  const patience = { silence: new AbortController(), arrives: performance.now() + takes + LOST_MS };
  const late = setTimeout(() => patience.silence.abort(), htmx.config.timeout + takes);
  waited.add(patience);
  try {
    return await request(tap, patience.silence.signal);
  } finally {
    clearTimeout(late);
    waited.delete(patience);
  }
}

async function request({ path, body }, signal) {
  const headers = { ...headersOfPage(), "Content-Type": "application/x-www-form-urlencoded" };
  const answer = await fetch(path, { method: "POST", body, headers, signal });
  return readAnswer(answer.status, await answer.text(), (name) => answer.headers.get(name));
}

// A request that was sent into silence would be waited for as long as the browser does, which is
// minutes, and all kept taps behind it. A new line tells that the house is there again; but what was sent
// a moment ago, or is long, may still be on its way. What a router has forgotten looks to the browser like
// a connection to send by: so nothing is sent again by request that the new line takes.
const waited = new Set();
export function lineIsBack() {
  for (const { silence, arrives } of waited) setTimeout(() => silence.abort(), arrives - performance.now());
  emptyOutbox();
}

const readAnswer = (status, text, told) => ({
  status,
  isHouse: Boolean(told("Taproom")),
  text: told("Taproom") ? text : byId("no-line").innerHTML, // nobody else's page stands in ours
  isReceipt: status === 200 && Boolean(told("Taproom-Receipt")),
  goTo: told("HX-Redirect"),
  isAnew: Boolean(told("HX-Refresh")),
  isStale: Boolean(told("Taproom-Stale")),
});
export const answerOf = (xhr) => readAnswer(xhr.status, xhr.responseText, (name) => xhr.getResponseHeader(name));

// Returns the answer, or nothing where there was none. It goes when the one before it was answered.
export async function sendOrKeep(tap, before) {
  underway.add(tap);
  try {
    await before;
    const answer = await post(tap);
    if (isTrouble(answer)) keepTap(tap);
    else settle(tap);
    return answer;
  } catch {
    return keepTap(tap);
  } finally {
    underway.delete(tap);
  }
}

// What htmx sends is kept like the rest.
export function watch(xhr, tap) {
  underway.add(tap);
  for (const lost of ["error", "timeout"]) xhr.addEventListener(lost, () => keepTap(tap));
  xhr.addEventListener("load", () => {
    const answer = answerOf(xhr);
    if (answer.goTo) leadAway();
    if (isTrouble(answer)) keepTap(tap);
    else settle(tap);
  });
  xhr.addEventListener("loadend", () => underway.delete(tap));
}

// Of two that ask for the same kind of thing, two numbers say, the later one is what is meant: it does
// not overtake one that is kept. Anything else goes at once.
export function isBehind(tap) {
  const isLike = (one) => ["action", "seat"].every((name) => valueIn(one, name) === valueIn(tap, name));
  return readOutbox().some((one) => one.path === tap.path && isLike(one));
}

// After all that are waiting already.
export function sendInTurn(tap) {
  writeOutbox([...readOutbox(), tap]);
  emptyOutbox();
}

let emptying = false;
async function emptyOutbox() {
  if (emptying) return;
  emptying = true;
  const refusals = new Set();
  let done = null;
  try {
    for (let taps = readOutbox(); taps.length; taps = readOutbox()) {
      const [tap] = taps;
      const answer = await post(tap);
      if (isTrouble(answer)) {
        // Said once, and then again only when it has gone from the screen.
        if (!isAway(answer) && !hasNotice()) notice(answer.text);
        setTimeout(emptyOutbox, TROUBLE_MS);
        return;
      }
      // Once: the page that comes has another token, or it is not that. This one sends no more.
      if (answer.isStale && !tap.isOld && writeOutbox([{ ...tap, isOld: true }, ...without(tap)])) {
        location.reload();
        await new Promise(() => {});
      }
      settle(tap); // others may have come in while this one was under way
      if (answer.status >= 400) {
        refusals.add(named(answer.text, tap)); // said once, however often it was pressed
        notice([...refusals].join(""));
      } else {
        hearKept(tap, answer);
        done = tap;
      }
    }
    if (done) showDone(done);
  } catch {
    setTimeout(emptyOutbox, LOST_MS);
  } finally {
    emptying = false;
  }
}

// --- answered when nobody listens any more ------------------------------------------------------------

function hearKept(tap, { text, isReceipt, goTo, isAnew }) {
  if (goTo) {
    leadAway();
    return location.assign(goTo);
  }
  if (isAnew) return location.reload();
  const place = tap.target && !isReceipt && text && document.querySelector(tap.target);
  if (place) htmx.swap(place, text, { swapStyle: "innerHTML" });
  if (isReceipt && !hasNotice()) sayReceipt(text);
  if (isReceipt || !text) showWithoutLine();
  emptyWhatWasSent(tap);
}

export const sayReceipt = (text) => notice(text, RECEIPT_MS, holds(text, "[data-unheard]") ? "polite" : "off");

// The fields it was sent with are emptied as they would have been at once, unless somebody has gone
// on typing there.
function emptyWhatWasSent({ button, body, words }) {
  const { form } = byId(button) ?? {};
  const sent = new URLSearchParams(body);
  const isAsSent = ([name, value]) => form.elements.namedItem(name)?.type === "hidden" || sent.getAll(name).includes(value);
  if (form && [...new FormData(form)].every(isAsSent)) {
    forgetDice(form);
    const sheet = page && form.closest(".typed-sheet");
    if (sheet) foldSheet(sheet);
    else if (form.matches(".empties, .compose-card *") || safety?.contains(form)) form.reset();
  }
  const said = words && document.querySelector(words);
  if (said && said.value === sent.get(said.name)) said.value = "";
}

// Minutes later people are busy with something else: say which tap it was.
function named(html, { label }) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  if (label) body.querySelector("p")?.prepend(`${label} – `);
  return body.innerHTML;
}

// No socket redraws a page beside the table: it is loaded anew, but not while somebody is typing
// there.
function showDone(tap) {
  const button = byId(tap.button);
  if (page || tap.from !== location.pathname || safety?.contains(button)) return;
  const isTyping = document.activeElement?.matches("input, textarea, select");
  if (isTyping) sayDone(button, false);
  else loadAnew(button?.form, tap.button);
}

// What was kept before this page was loaded. A page without a seat has no socket to tell it that the
// house is there; one that lies in everybody's cache has no token to send a tap with.
if (seated) writeOutbox(readOutbox());
else if (headersOfPage()["X-CSRFToken"]) emptyOutbox();
