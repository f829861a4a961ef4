// Taps on their way to the house: each press has an id of its own, and the same id however often it
// is sent; and what did not get through is kept and sent again until it is answered.

import { ask, isOpen } from "./line.js";
import {
  byId, dropNotice, hasNotice, loadAnew, notice, page, pressed, randomHex, refuse, rememberTab,
  safety, sayDone, seated,
} from "./page.js";
import { tabStore } from "./store.js";

const DOUBLE_TAP_MS = 900;
const SAME_PRESS_MS = 350;
const RECEIPT_MS = 8000;
const TROUBLE_MS = 2000;
const OUTBOX = "taproom-outbox";

document.addEventListener("htmx:configRequest", (event) => {
  const { parameters, elt, triggeringEvent } = event.detail;
  // htmx knows which button was pressed only where it stands within its form.
  const button = triggeringEvent?.submitter;
  if (button?.name && !parameters.has(button.name)) parameters.set(button.name, button.value);
  if (elt.matches("[data-tap]")) parameters.set("tap", randomHex());
  if (page && parameters.has("saw")) parameters.set("front", page.dataset.game);
  if (parameters.get?.("action") === "speak") rememberTab();
  if (page?.dataset.page === "gm" && page.dataset.game !== "brave_or_knave" && !safety?.contains(elt)) {
    parameters.set("receipt", "1");
    const pick = document.querySelector("input[data-encounter]:checked");
    if (pick && parameters.get("encounter") === "0") parameters.set("encounter", pick.value);
  }
  // A form for chosen characters is sent with those that are ticked anywhere on the page.
  if (elt.matches(".picks")) {
    const ticked = [...document.querySelectorAll("input[data-pick]:checked")];
    parameters.set("who", ticked.map((box) => box.value).join(","));
  }
});

// --- the outbox: a tap that did not get through is sent again until it is answered ---------------

const readOutbox = () => JSON.parse(tabStore.getItem(OUTBOX) || "[]");
const writeOutbox = (taps) => {
  tabStore.setItem(OUTBOX, JSON.stringify(taps));
  document.documentElement.toggleAttribute("data-unsent", taps.length > 0);
  markWaiting();
};

// A button whose tap is kept stays marked, over every redraw, until that tap was answered; and is
// not sent a second time meanwhile, but for those that count.
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

// What is given to several stays there to be given again: of a double click it is given once. Not of
// buttons in general, since knocks are quick.
let last = { button: "", at: -SAME_PRESS_MS };
addEventListener(
  "click",
  (event) => {
    const button = event.target.closest("form.picks button");
    if (!button) return;
    const isSame = button.id === last.button && event.timeStamp - last.at < SAME_PRESS_MS;
    if (event.detail > 1 && isSame) event.preventDefault();
  },
  true,
);
// A press that a wrong field has held back was none: once that is put right, the next one counts.
addEventListener("submit", ({ submitter, timeStamp: at }) => (last = { button: submitter?.id, at }), true);

// The house cannot write now (503, and it says so in words), or what stands before it does not find
// it (502, 504, and a tunnel's 520 and on: pages of their own): later it can again.
const isAway = (status) => status === 502 || status === 504 || status >= 520;
const isTrouble = (status) => status === 503 || isAway(status);

// A picture or a file goes by itself, and fits no outbox.
const hasFile = (parameters) => [...(parameters.values?.() ?? [])].some((value) => value instanceof File);
const headersOfPage = () => ({ ...JSON.parse(document.body.getAttribute("hx-headers")), "HX-Request": "true" });

// A tap as it is sent, however often, and what of the page it came from: where its answer is put, and
// by which words somebody knows it again.
function tapOf(form, submitter, parameters) {
  const button = submitter ?? form.querySelector("button");
  return {
    path: form.getAttribute("action"), // one of its fields is called `action` as well
    body: new URLSearchParams(parameters).toString(),
    button: button?.id ?? "",
    label: button?.getAttribute("aria-label") || [button?.querySelector("b, span"), button].map((one) => one?.textContent.trim()).find(Boolean),
    target: form.getAttribute("hx-target"),
    words: form.closest("[hx-include]")?.getAttribute("hx-include"),
    from: location.pathname,
  };
}
const requested = (elt, { parameters, triggeringEvent }) => tapOf(elt, triggeringEvent?.submitter, parameters);
const idOf = ({ body }) => new URLSearchParams(body).get("tap");
const without = (tap) => readOutbox().filter((one) => idOf(one) !== idOf(tap));

function keepTap(tap) {
  writeOutbox([...without(tap), tap]);
  if (document.documentElement.dataset.line === "off") byId("say").textContent = byId("unsent").textContent;
  setTimeout(emptyOutbox, 800);
}

// What is on its way when the page goes, or when its phone is put away for long enough to lose it, is
// asked again by the next page: under the same id, so that it happens once.
const underway = new Set();
function keepUnderway() {
  const ids = new Set([...underway].map(idOf));
  if (ids.size) writeOutbox([...readOutbox().filter((one) => !ids.has(idOf(one))), ...underway]);
}
addEventListener("pagehide", keepUnderway);
document.addEventListener("visibilitychange", () => document.hidden && keepUnderway());

// Returns the answer, or nothing where there was none.
async function sendOrKeep(tap) {
  underway.add(tap);
  try {
    const answer = await post(tap);
    if (isTrouble(answer.status)) keepTap(tap);
    else settle(tap);
    return answer;
  } catch {
    return keepTap(tap);
  } finally {
    underway.delete(tap);
  }
}
const settle = (tap) => readOutbox().length && writeOutbox(without(tap));

// Whoever has got up is led elsewhere, however soon the socket closes.
let isLedAway = false;
export const getsUp = () =>
  isLedAway || [...underway, ...readOutbox()].some(({ body }) => new URLSearchParams(body).get("action") === "leave_table");

// Where the seat is gone from this phone, none of its taps will ever be taken.
if (byId("left-words")) writeOutbox(readOutbox().filter(({ path }) => path !== location.pathname.replace("join/", "act/")));

// Over the socket where there is one: no new line is opened for a tap, and no cookie is looked up.
// What changes a cookie or the whole page, or is long, goes by itself: as BY_REQUEST in
// games/live/taps.py, and within LONGEST_MESSAGE of games/live/consumer.py.
const BY_REQUEST = new Set(["speak", "offer_pass", "leave_table"]);
const LONGEST_DO = 12000;

function goesBySocket(path, body) {
  const address = new URL(path, location.href).pathname;
  const isOurs = page && address === `/t/${page.dataset.code}/act/`;
  const needsRequest = BY_REQUEST.has(new URLSearchParams(body).get("action"));
  // Offline, a socket looks open for seconds: a request fails at once, and then the tap is kept.
  const isThere = isOpen() && document.documentElement.dataset.line !== "off";
  return isOurs && !needsRequest && body.length < LONGEST_DO && isThere;
}

async function post({ path, body }) {
  if (goesBySocket(path, body)) {
    const { status, html, headers: told } = await ask(body);
    return { status, text: html, isReceipt: status === 200, goTo: told["HX-Redirect"] };
  }
  const headers = { ...headersOfPage(), "Content-Type": "application/x-www-form-urlencoded" };
  const answer = await fetch(path, { method: "POST", body, headers });
  const told = (name) => answer.headers.get(name);
  return {
    status: answer.status,
    text: await answer.text(),
    isReceipt: Boolean(told("Taproom-Receipt")),
    goTo: told("HX-Redirect"),
    isAnew: Boolean(told("HX-Refresh")),
  };
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  if (!elt.matches("[data-tap]")) return;
  if (hasFile(requestConfig.parameters)) return;
  const tap = requested(elt, requestConfig);
  if (!goesBySocket(tap.path, tap.body)) return;
  event.preventDefault();
  const hear = hearing(elt, requestConfig);
  elt.classList.add("htmx-request");
  underway.add(tap);
  const mine = (elt.sending ?? Promise.resolve())
    .then(() => sendOrKeep(tap))
    .then((answer) => {
      if (!answer) return;
      hear(answer);
      if (answer.goTo) location.assign(answer.goTo);
    })
    .finally(() => {
      if (elt.sending !== mine) return;
      elt.classList.remove("htmx-request");
      delete elt.dataset.sent;
    });
  elt.sending = mine;
});

// A push may redraw a form while its request is under way; htmx's own events would then reach
// nobody, so the request itself is listened to.
document.addEventListener("htmx:beforeSend", ({ detail: { xhr, elt, requestConfig } }) => {
  if (!elt.matches("[data-tap]")) return;
  const hear = hearing(elt, requestConfig);
  if (!page && !safety?.contains(elt)) holdPage(xhr);
  // What has a file stays chosen in its form.
  if (!hasFile(requestConfig.parameters)) {
    const tap = requested(elt, requestConfig);
    underway.add(tap);
    for (const lost of ["error", "timeout"]) xhr.addEventListener(lost, () => keepTap(tap));
    xhr.addEventListener("load", () => (isTrouble(xhr.status) ? keepTap(tap) : settle(tap)));
    xhr.addEventListener("loadend", () => underway.delete(tap));
  }
  xhr.addEventListener("load", () => {
    isLedAway = Boolean(xhr.getResponseHeader("HX-Redirect"));
    const isReceipt = xhr.status === 200 && Boolean(xhr.getResponseHeader("Taproom-Receipt"));
    hear({ status: xhr.status, text: xhr.responseText, isReceipt });
  });
  xhr.addEventListener("loadend", () => delete elt.dataset.sent);
});

// A page beside the table loads anew when something was done: until then nothing is done twice. What
// was not done leaves the page as it was, and whoever pressed by keys where they were.
function holdPage(xhr) {
  const had = document.activeElement;
  document.body.inert = true;
  xhr.addEventListener("loadend", () => {
    document.body.inert = xhr.status > 0 && xhr.status < 400;
    if (!document.body.inert && document.activeElement === document.body) had?.focus({ preventScroll: true });
  });
}

let done = { word: "", at: -DOUBLE_TAP_MS }; // what was answered last, and when

// What to do with the answer to a form's tap. Where the form stands is found out now: a push may
// have redrawn it by the time of the answer.
function hearing(elt, { parameters, triggeringEvent }) {
  const word = parameters.action ?? parameters.get?.("action");
  // What is typed stands outside the regions, and no push empties it once it has been sent.
  const sheet = elt.closest(".typed-sheet");
  const included = elt.closest("[hx-include]")?.getAttribute("hx-include");
  const words = included ? document.querySelector(included) : null;
  return ({ status, text, isReceipt }) => {
    if (isAway(status)) return;
    if (status >= 400) {
      elt.querySelector(".is-pressed")?.classList.remove("is-pressed");
      // The second of two quick taps asks for what the first has just done: no news to anybody.
      if (word !== done.word || performance.now() - done.at > DOUBLE_TAP_MS) refuse(text, elt);
      return;
    }
    done = { word, at: performance.now() };
    forgetDice(elt);
    // What was refused a moment ago is old news once something else was done.
    if (isReceipt) {
      // What was done is said; what was typed for it would be sent a second time by a second tap.
      // Not by htmx: from a form that the push has just redrawn it finds nothing else of the page.
      dropNotice();
      notice(text, RECEIPT_MS, text.includes(" data-unheard>") ? "polite" : "off");
      if (elt.matches(".empties, .compose-card *")) elt.reset();
      if (words) words.value = "";
    } else if (status === 204) {
      dropNotice();
      if (words) words.value = "";
      if (page && sheet) foldSheet(sheet);
      if (elt.matches(".empties") || safety?.contains(elt)) elt.reset();
      else if (!page) loadAnew(elt, triggeringEvent?.submitter?.id); // no socket redraws a page beside the table
    }
  };
}

// What dice showed for one roll is not said of the next.
const forgetDice = (form) => form.querySelectorAll("[name^=dice-]:checked").forEach((one) => (one.checked = false));

function foldSheet(sheet) {
  // What is folded away holds no focus: what unfolds it again does.
  if (sheet.contains(document.activeElement)) sheet.querySelector("summary").focus({ preventScroll: true });
  sheet.open = false;
  sheet.querySelectorAll("form").forEach((form) => form.reset());
}

// A kept tap is answered when nobody listens any more, on whatever page is there by then. What it was
// sent with goes as it would have gone at once, unless somebody has gone on typing there.
function emptyWhatWasSent({ button, body, words }) {
  const { form } = byId(button) ?? {};
  const sent = new URLSearchParams(body);
  const isAsSent = ([name, value]) => form.elements.namedItem(name)?.type === "hidden" || sent.getAll(name).includes(value);
  if (form && [...new FormData(form)].every(isAsSent)) {
    const sheet = page && form.closest(".typed-sheet");
    if (sheet) foldSheet(sheet);
    else if (form.matches(".empties, .compose-card *") || safety?.contains(form)) form.reset();
  }
  const said = words && document.querySelector(words);
  if (said && said.value === sent.get(said.name)) said.value = "";
}

function hearKept(tap, { text, isReceipt, goTo, isAnew }) {
  if (goTo) {
    isLedAway = true;
    return location.assign(goTo);
  }
  if (isAnew) return location.reload();
  const place = tap.target && !isReceipt && text && document.querySelector(tap.target);
  if (place) htmx.swap(place, text, { swapStyle: "innerHTML" });
  if (isReceipt && !hasNotice()) notice(text, RECEIPT_MS, text.includes(" data-unheard>") ? "polite" : "off");
  emptyWhatWasSent(tap);
}

// Minutes later somebody is at something else: which tap it was is said with it.
function named(html, { label }) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  if (label) body.querySelector("p")?.prepend(`${label} – `);
  return body.innerHTML;
}

// No socket redraws a page beside the table: it is loaded anew, but not from under a sentence.
function showDone(tap) {
  const button = byId(tap.button);
  if (page || tap.from !== location.pathname || safety?.contains(button)) return;
  const isTyping = document.activeElement?.matches("input, textarea, select");
  if (isTyping) sayDone(button, false);
  else loadAnew(button?.form, tap.button);
}

let emptying = false;
export async function emptyOutbox() {
  if (emptying) return;
  emptying = true;
  const refusals = [];
  let done = null;
  try {
    for (let taps = readOutbox(); taps.length; taps = readOutbox()) {
      const [tap] = taps;
      const answer = await post(tap);
      if (isTrouble(answer.status)) {
        // Said once, and then again only when it has gone from the screen.
        if (answer.status === 503 && !hasNotice()) notice(answer.text);
        setTimeout(emptyOutbox, TROUBLE_MS);
        return;
      }
      settle(tap); // others may have come in while this one was under way
      if (answer.status >= 400) {
        refusals.push(named(answer.text, tap));
        notice(refusals.join(""));
      } else {
        hearKept(tap, answer);
        done = tap;
      }
    }
    if (done) showDone(done);
  } catch {
    setTimeout(emptyOutbox, 1500);
  } finally {
    emptying = false;
  }
}

// Taps that come quicker than answers, as a hit point more, and one more: each is sent, one after the
// other, and none is swallowed by the redraw that the one before has brought.
const COUNTS = "form.hp, form.quick";
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target.closest(COUNTS);
    if (!form) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const parameters = new FormData(form, event.submitter);
    parameters.set("tap", randomHex());
    // Without its button, which counts on meanwhile.
    writeOutbox([...readOutbox(), { ...tapOf(form, event.submitter, parameters), button: "" }]);
    emptyOutbox();
  },
  true,
);

document.addEventListener("click", async ({ target, detail }) => {
  const back = target.closest("[data-undo]");
  if (!back) return;
  const form = document.querySelector("form[data-tap]");
  const sure = back.hasAttribute("data-sure");
  const tap = tapOf(form, back, { action: "undo", event: back.dataset.undo, sure, tap: randomHex(), seat: page.dataset.seat });
  byId("notice").replaceChildren();
  if (detail === 0 && !back.isConnected) pressed()?.focus(); // by keys one goes on from what it was about
  const answer = await sendOrKeep(tap);
  if (answer?.status >= 400 && !isAway(answer.status)) notice(answer.text);
});

if (seated) {
  htmx.config.timeout = 8000;
  writeOutbox(readOutbox()); // what was kept before this page was loaded
}
