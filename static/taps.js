// Taps on their way to the house: each press has an id of its own, and the same id however often it
// is sent; and what did not get through is kept and sent again until it is answered.

import { ask, isOpen } from "./line.js";
import {
  byId, dropNotice, hasNotice, loadAnew, notice, page, pressed, randomHex, refuse, rememberTab,
  safety, seated,
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

// The house cannot write now (503, and it says so in words), or the proxy before it does not find
// it (502, 504: a page of the proxy's): later it can again.
const isTrouble = (status) => status >= 502 && status <= 504;

// A picture or a file goes by itself, and fits no outbox.
const hasFile = (parameters) => [...(parameters.values?.() ?? [])].some((value) => value instanceof File);
const headersOfPage = () => ({ ...JSON.parse(document.body.getAttribute("hx-headers")), "HX-Request": "true" });

function keepTap({ path, parameters, headers, triggeringEvent, elt }) {
  const body = new URLSearchParams(parameters).toString();
  if (hasFile(parameters)) return; // it stays chosen in its form
  const pressed = triggeringEvent?.submitter ?? elt?.querySelector("button");
  writeOutbox([...readOutbox(), { path, body, headers, button: pressed?.id ?? "" }]);
  if (document.documentElement.dataset.line === "off") byId("say").textContent = byId("unsent").textContent;
  setTimeout(emptyOutbox, 800);
}

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

async function post(path, body, headers) {
  if (goesBySocket(path, body)) {
    const { status, html, headers: told } = await ask(body);
    return { status, text: html, isReceipt: status === 200, goTo: told["HX-Redirect"] };
  }
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const answer = await fetch(path, { method: "POST", body, headers: { ...headers, ...form } });
  const told = (name) => answer.headers.get(name);
  return {
    status: answer.status,
    text: await answer.text(),
    isReceipt: Boolean(told("Taproom-Receipt")),
    goTo: told("HX-Redirect"),
  };
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  if (!elt.matches("[data-tap]")) return;
  const { path, parameters, headers } = requestConfig;
  if (hasFile(parameters)) return;
  const body = new URLSearchParams(parameters).toString();
  if (!goesBySocket(path, body)) return;
  event.preventDefault();
  const hear = hearing(elt, requestConfig);
  elt.classList.add("htmx-request");
  const mine = (elt.sending ?? Promise.resolve())
    .then(() => post(path, body, headers))
    .then(
      (answer) => {
        if (isTrouble(answer.status)) keepTap(requestConfig);
        hear(answer);
        if (answer.goTo) location.assign(answer.goTo);
      },
      () => keepTap(requestConfig),
    )
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
  if (!page && !safety?.contains(elt)) {
    // A page beside the table loads anew when something was done: until then nothing is done twice.
    document.body.inert = true;
    xhr.addEventListener("loadend", () => (document.body.inert = xhr.status > 0 && xhr.status < 400));
  }
  xhr.addEventListener("error", () => keepTap(requestConfig));
  xhr.addEventListener("timeout", () => keepTap(requestConfig));
  xhr.addEventListener("load", () => isTrouble(xhr.status) && keepTap(requestConfig));
  const hear = hearing(elt, requestConfig);
  xhr.addEventListener("load", () => {
    const isReceipt = xhr.status === 200 && Boolean(xhr.getResponseHeader("Taproom-Receipt"));
    hear({ status: xhr.status, text: xhr.responseText, isReceipt });
  });
  xhr.addEventListener("loadend", () => delete elt.dataset.sent);
});

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
    if (status === 502 || status === 504) return;
    if (status >= 400) {
      // The second of two quick taps asks for what the first has just done: no news to anybody.
      if (word !== done.word || performance.now() - done.at > DOUBLE_TAP_MS) refuse(text, elt);
      return;
    }
    done = { word, at: performance.now() };
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

function foldSheet(sheet) {
  // What is folded away holds no focus: what unfolds it again does.
  if (sheet.contains(document.activeElement)) sheet.querySelector("summary").focus({ preventScroll: true });
  sheet.open = false;
  sheet.querySelectorAll("form").forEach((form) => form.reset());
}

// A kept tap is done when nobody listens any more: its sheet folds too, unless somebody has gone on
// typing in it.
function foldWhatWasSent({ button, body }) {
  const { form } = byId(button) ?? {};
  const sheet = page && form?.closest(".typed-sheet");
  const sent = new URLSearchParams(body);
  const isAsSent = ([name, value]) => name === "tap" || sent.get(name) === value;
  if (sheet && [...new FormData(form)].every(isAsSent)) foldSheet(sheet);
}

let emptying = false;
export async function emptyOutbox() {
  if (emptying) return;
  emptying = true;
  try {
    for (let taps = readOutbox(); taps.length; taps = readOutbox()) {
      const [tap] = taps;
      const answer = await post(tap.path, tap.body, tap.headers);
      if (isTrouble(answer.status)) {
        // Said once, and then again only when it has gone from the screen.
        if (answer.status === 503 && !hasNotice()) notice(answer.text);
        setTimeout(emptyOutbox, TROUBLE_MS);
        return;
      }
      // Others may have come in while this one was under way.
      writeOutbox(readOutbox().slice(1));
      if (answer.status >= 400) notice(answer.text);
      else foldWhatWasSent(tap);
    }
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
    const path = form.getAttribute("action");
    const body = new URLSearchParams(parameters).toString();
    writeOutbox([...readOutbox(), { path, body, headers: headersOfPage() }]);
    emptyOutbox();
  },
  true,
);

document.addEventListener("click", async ({ target, detail }) => {
  const back = target.closest("[data-undo]");
  if (!back) return;
  const form = document.querySelector("form[data-tap]");
  const sure = back.hasAttribute("data-sure");
  const body = new URLSearchParams({
    action: "undo", event: back.dataset.undo, sure, tap: randomHex(), seat: page.dataset.seat,
  });
  byId("notice").replaceChildren();
  if (detail === 0 && !back.isConnected) pressed()?.focus(); // by keys one goes on from what it was about
  // The form's own `action` is one of its fields, so its address is asked for by name.
  const answer = await post(form.getAttribute("action"), body.toString(), headersOfPage());
  if (answer.status >= 400) notice(answer.text);
});

if (seated) {
  htmx.config.timeout = 8000;
  writeOutbox(readOutbox()); // what was kept before this page was loaded
}
