// The live page: one socket brings regions of HTML, forms carry taps out. Nothing here decides
// what is legal or rolls a die. HTML alone can't keep a socket, measure a clock, or send the
// instant of a press; that is why each part below is a script.
// One file, though a long one: all of it shares the socket, and a phone asks for it once.

const PING_EVERY = 5000;
const LOOK_EVERY = 1000;
// As BEAT_SECONDS in games/live/stops.py.
const BEAT_EVERY = 2000;
// A ping and its answer, and what a piece of a long message takes on a slow line.
const DEAD_AFTER = 8000;
const LONGEST_REST = 2000;
const LOCK_MS = 500;
const DOUBLE_TAP_MS = 900;
const NOTICE_MS = 20000;
const RECEIPT_MS = 8000;
const TROUBLE_MS = 2000;
const OUTBOX = "taproom-outbox";
const STOP = "taproom-stop";
const TAB = "taproom-tab";

const page = document.querySelector("main[data-page]");
const byId = (id) => document.getElementById(id);
const safety = byId("safety");
// A page beside the table (a sheet, the shop) has a socket as well: for the stop and the pause.
const seated = page ?? safety;

// What happened, for sounds, vibration and motion (fx.js).
const announce = (told) => document.dispatchEvent(new CustomEvent("taproom:told", { detail: told }));

// --- taps: each press has an id of its own, and the same id however often it is sent -------------

function newTap(length = 12) {
  // randomUUID needs https; a laptop on a LAN has none.
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

document.addEventListener("htmx:configRequest", (event) => {
  const { parameters, elt, triggeringEvent } = event.detail;
  // htmx knows which button was pressed only where it stands within its form.
  const button = triggeringEvent?.submitter;
  if (button?.name && !parameters.has(button.name)) parameters.set(button.name, button.value);
  if (elt.matches("[data-tap]")) parameters.set("tap", newTap());
  // Another language is a page loaded anew: it opens where somebody has just been.
  const open = document.querySelector("button[data-tab][aria-selected=true]")?.dataset.tab;
  if (parameters.get?.("action") === "speak" && open) sessionStorage.setItem(TAB, open);
  if (elt.matches("[data-press]")) {
    parameters.set("pressed", String(Math.round(serverTime(pressedAt || performance.now()))));
    parameters.set("note", clock.note);
  }
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

const readOutbox = () => JSON.parse(sessionStorage.getItem(OUTBOX) || "[]");
const writeOutbox = (taps) => {
  sessionStorage.setItem(OUTBOX, JSON.stringify(taps));
  document.documentElement.toggleAttribute("data-unsent", taps.length > 0);
  markWaiting();
};

// A button whose tap is kept stays marked, over every redraw, until that tap was answered; and is
// not sent a second time meanwhile. Those that count (a hit point more, and one more) go on doing so.
const COUNTS = "form.hp, form.quick";
function markWaiting() {
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

// The house cannot write now (503, and it says so in words), or the proxy before it does not find
// it (502, 504: a page of the proxy's): later it can again.
const isTrouble = (status) => status >= 502 && status <= 504;

function keepTap({ path, parameters, headers, triggeringEvent, elt }) {
  const body = new URLSearchParams(parameters).toString();
  // A picture or a file fits no outbox; it stays chosen in its form.
  if ([...(parameters.values?.() ?? [])].some((value) => value instanceof File)) return;
  const pressed = triggeringEvent?.submitter ?? elt?.querySelector("button");
  writeOutbox([...readOutbox(), { path, body, headers, button: pressed?.id ?? "" }]);
  if (document.documentElement.dataset.line === "off") byId("say").textContent = byId("unsent").textContent;
  setTimeout(emptyOutbox, 800);
}

// Over the socket where there is one: no new line is opened for a tap, and no cookie is looked up.
// What changes a cookie or the whole page, or is long, goes by itself.
const BY_REQUEST = new Set(["speak", "offer_pass", "leave_table"]);
const LONGEST_DO = 12000;
const asked = new Map();
let askedLast = 0;

function goesBySocket(path, body) {
  const address = new URL(path, location.href).pathname;
  const isOurs = page && address === `/t/${page.dataset.code}/act/`;
  const isShort = body.length < LONGEST_DO && !BY_REQUEST.has(new URLSearchParams(body).get("action"));
  return isOurs && isShort && socket?.readyState === WebSocket.OPEN;
}

function askBySocket(body) {
  return new Promise((resolve, reject) => {
    const n = ++askedLast;
    const late = setTimeout(() => answerAsked(n, null), htmx.config.timeout);
    asked.set(n, { resolve, reject, late });
    socket.send(JSON.stringify({ do: body, n }));
  });
}

// No answer is no refusal: the tap may have been done, and is sent again under the same id.
function answerAsked(n, answer) {
  const waits = asked.get(n);
  if (!waits) return;
  asked.delete(n);
  clearTimeout(waits.late);
  if (answer) waits.resolve(answer);
  else waits.reject(new TypeError("no answer"));
}

async function post(path, body, headers) {
  if (goesBySocket(path, body)) {
    const { status, html, headers: told } = await askBySocket(body);
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
  const isFile = [...(parameters.values?.() ?? [])].some((value) => value instanceof File);
  const body = isFile ? "" : new URLSearchParams(parameters).toString();
  if (isFile || !goesBySocket(path, body)) return;
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

// What to do with the answer to a form's tap. Where the form stands is found out now: a push may
// have redrawn it by the time of the answer.
function hearing(elt, { parameters }) {
  const word = parameters.action ?? parameters.get?.("action");
  // What is typed stands outside the regions, and no push empties it once it has been sent.
  const sheet = elt.closest(".typed-sheet");
  const words = document.querySelector(elt.closest("[hx-include]")?.getAttribute("hx-include") ?? ":not(*)");
  return ({ status, text, isReceipt }) => {
    if (status === 502 || status === 504) return;
    if (status >= 400) {
      // The second of two quick taps asks for what the first has just done: no news to anybody.
      if (word !== done.word || performance.now() - done.at > DOUBLE_TAP_MS) notice(text);
      return;
    }
    done = { word, at: performance.now() };
    // What was refused a moment ago is old news once something else was done.
    if (isReceipt) {
      // What was done is said; what was typed for it would be sent a second time by a second tap.
      // Not by htmx: from a form that the push has just redrawn it finds nothing else of the page.
      notice(text, RECEIPT_MS);
      if (elt.closest(".compose-card")) elt.reset();
      if (words) words.value = "";
    } else if (status === 204) {
      noticePlace().replaceChildren();
      if (words) words.value = "";
      if (page && sheet) {
        sheet.open = false;
        sheet.querySelectorAll("form").forEach((form) => form.reset());
      }
      if (safety?.contains(elt)) elt.reset();
      else if (!page) location.reload(); // no socket redraws a page beside the table
    }
  };
}

let done = { word: "", at: -DOUBLE_TAP_MS };
let emptying = false;
async function emptyOutbox() {
  if (emptying) return;
  emptying = true;
  try {
    for (let taps = readOutbox(); taps.length; taps = readOutbox()) {
      const [tap] = taps;
      const answer = await post(tap.path, tap.body, tap.headers);
      if (isTrouble(answer.status)) {
        // Said once, and then again only when it has gone from the screen.
        if (answer.status === 503 && !noticePlace().firstElementChild) notice(answer.text);
        setTimeout(emptyOutbox, TROUBLE_MS);
        return;
      }
      // Others may have come in while this one was under way.
      writeOutbox(readOutbox().slice(1));
      if (answer.status >= 400) notice(answer.text);
    }
  } catch {
    setTimeout(emptyOutbox, 1500);
  } finally {
    emptying = false;
  }
}

// Taps that come quicker than answers: each is sent, one after the other, and none is swallowed by
// the redraw that the one before has brought.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target.closest(COUNTS);
    if (!form) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const parameters = new FormData(form, event.submitter);
    parameters.set("tap", newTap());
    const path = form.getAttribute("action");
    const headers = { ...JSON.parse(document.body.getAttribute("hx-headers")), "HX-Request": "true" };
    writeOutbox([...readOutbox(), { path, body: new URLSearchParams(parameters).toString(), headers }]);
    emptyOutbox();
  },
  true,
);

// --- notices --------------------------------------------------------------------------------------

let noticeTimer = 0;
// An open sheet lies over everything else, notices too: then they stand in it.
const noticePlace = () => document.querySelector("dialog[open] .stop-notice") ?? byId("notice");
function notice(html, ms = NOTICE_MS) {
  const place = noticePlace();
  htmx.swap(place, html, { swapStyle: "innerHTML" });
  keepClear(place);
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => place.replaceChildren(), ms);
}

// What is said about a button never lies on it, nor on those above and below it.
const CLEAR_OF = 64;
let pressedBox = null;
addEventListener("submit", ({ submitter }) => (pressedBox = submitter?.getBoundingClientRect() ?? null), true);
function keepClear(place) {
  place.removeAttribute("data-low");
  const box = place.firstElementChild?.getBoundingClientRect();
  const isNear = box && pressedBox && pressedBox.top < box.bottom + CLEAR_OF && pressedBox.bottom > box.top - CLEAR_OF;
  place.toggleAttribute("data-low", Boolean(isNear) && pressedBox.bottom < innerHeight / 2);
}
document.addEventListener("click", async (event) => {
  const back = event.target.closest("[data-undo]");
  if (back) {
    const form = document.querySelector("form[data-tap]");
    const sure = back.hasAttribute("data-sure");
    const body = new URLSearchParams({
      action: "undo", event: back.dataset.undo, sure, tap: newTap(), seat: page.dataset.seat,
    });
    byId("notice").replaceChildren();
    const headers = { ...JSON.parse(document.body.getAttribute("hx-headers")), "HX-Request": "true" };
    // The form's own `action` is one of its fields, so its address is asked for by name.
    const answer = await post(form.getAttribute("action"), body.toString(), headers);
    if (answer.status >= 400) notice(answer.text);
  }
  const told = event.target.closest("[data-dismiss]")?.closest("#notice, #pass-offer, .stop-notice");
  told?.replaceChildren();
});

// --- presses: a shout counts from the touch, not from the lift of the finger ----------------------

let pressedAt = 0;
let lockedUntil = 0;

function press(button, at) {
  const form = button.closest("form[data-press]");
  if (!form || performance.now() < lockedUntil || form.dataset.sent) return;
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
// --- the clock: the server's time as this phone best knows it --------------------------------------

const clock = { samples: [], offset: Date.now() - performance.now(), note: "" };

const serverTime = (at) => at + clock.offset;

function learnClock(pong) {
  const now = performance.now();
  const trip = now - pong.pong;
  clock.samples = [...clock.samples.slice(-11), { trip, offset: pong.now + trip / 2 - now }];
  clock.offset = clock.samples.reduce((a, b) => (b.trip < a.trip ? b : a)).offset;
}

// --- the socket -------------------------------------------------------------------------------------

let socket = null;
let heardAt = 0;
let pingedAt = 0;
let tries = 0;
let retry = 0;
let seq = Number(page?.dataset.seq || 0);
let epoch = page?.dataset.epoch || "";
let isFirst = true;
let have = page?.dataset.have || "";

function connect() {
  clearTimeout(retry);
  if (socket && socket.readyState < 2) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const { code, page: kind = "phone", seat } = seated.dataset;
  const query = new URLSearchParams({ seq, have });
  have = ""; // after the first push the page is no longer what it was served as
  socket = new WebSocket(`${scheme}://${location.host}/ws/t/${code}/${kind}/${seat}/?${query}`);
  const mine = socket;
  stopToken = "";
  socket.onopen = () => {
    heardAt = performance.now();
    isFirst = true;
    // Quick ones first: the best of them is a good clock within a second, on a slow line in two.
    [0, 150, 400, 1500].forEach((wait) => setTimeout(ping, wait));
    emptyOutbox();
  };
  let begun = "";
  socket.onmessage = ({ data }) => {
    [heardAt, tries] = [performance.now(), 0];
    // A long message comes in pieces: "+" before each, "." before the last.
    if (data[0] === "+") begun += data.slice(1);
    else if (data[0] === ".") {
      const whole = begun + data.slice(1);
      begun = "";
      hear(JSON.parse(whole));
    } else hear(JSON.parse(data));
  };
  socket.onclose = (event) => {
    if (mine !== socket) return;
    for (const n of [...asked.keys()]) answerAsked(n, null);
    // The seat is gone from this device: the door says so, unless another seat is still held.
    if (event.code === 4403) return location.replace(`/t/${seated.dataset.code}/join/?gone=1`);
    setLine("off");
    // Newer pages of this seat took the place: this one asks again when it is looked at.
    if (event.code === 4408) return;
    retry = setTimeout(connect, Math.min(LONGEST_REST, 300 * 2 ** tries++) * (0.7 + Math.random() * 0.6));
  };
}

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function ping() {
  pingedAt = performance.now();
  send({ ping: performance.now() });
}

function hear(message) {
  setLine("on");
  if (message.mark) send({ echo: message.mark });
  if (message.note) clock.note = message.note;
  if (message.did !== undefined) return answerAsked(message.did, message);
  if (message.pong !== undefined) {
    learnClock(message);
    stopToken = message.beat;
    if (epoch && message.epoch && message.epoch !== epoch) location.reload();
    return;
  }
  if (message.regions) {
    draw(message);
    send({ ack: message.seq });
  }
}

function draw({ epoch: newEpoch, seq: newSeq, game, mode, regions: changed, common, told }) {
  regions.bring(Object.entries(common));
  if (isPaused()) wantStop(false);
  if (!page) return;
  // The table has turned to another game: that is another page.
  if (game !== page.dataset.game) {
    history.scrollRestoration = "manual";
    return location.reload();
  }
  if (page.dataset.mode === "knocking" && mode !== "knocking") return location.reload();
  const isFresh = !isFirst && newEpoch === epoch;
  [seq, epoch, isFirst] = [newSeq, newEpoch, false];
  page.dataset.mode = mode;
  page.dataset.seq = newSeq;
  const step = byId("setup")?.dataset.step;
  const drafted = byId("make")?.dataset.draft;
  regions.bring(Object.entries(changed));
  if (document.documentElement.hasAttribute("data-unsent")) markWaiting();
  document.dispatchEvent(new CustomEvent("taproom:drawn"));
  // A new step begins at its top, unless somebody is typing.
  const isTyping = document.activeElement?.matches("input, textarea, select");
  if (isFresh && byId("setup")?.dataset.step !== step && !isTyping) toTop();
  writeLog(told);
  byId("say").textContent = told.slice(-4).map((t) => t.text).join(" ");
  if (isFresh) announce(told);
  if (isFresh && !isTyping) followDice(told);
  if (isFresh && byId("tab-game") && told.some((t) => t.kind === "fight_begun")) openTab("game");
  // A new knave that was asked for elsewhere waits on the sheet to be looked over and taken.
  if (isFresh && !drafted && byId("make")?.dataset.draft) {
    openTab("sheet");
    toTop();
  }
}

// A fight that begins is where everybody looks next; who is in it sees what the dice do at its top,
// unless something is open.
const DICE = new Set(["round_opened", "turns_ordered", "top_tied", "move_made", "answer_met", "round_closed"]);
function followDice(told) {
  const begins = told.some((t) => t.kind === "sequence_begun");
  const isBusy = document.querySelector(".typed-sheet[open], .asks details[open], .talk details[open]");
  const follows = told.some((t) => DICE.has(t.kind)) && !isBusy && document.querySelector("#fight .wfight.is-mine");
  if (!byId("tab-me") || !(begins || follows)) return;
  if (begins) openTab("me");
  if (page.dataset.tab === "me") toTop();
}

// A panel scrolls by itself on a phone, a page as a whole elsewhere.
function toTop() {
  for (const panel of [window, ...document.querySelectorAll(".panel")]) panel.scrollTo(0, 0);
}

function writeLog(told) {
  const list = byId("log-list");
  if (!list || page.dataset.page === "gm") return; // the host's log is a region, with Undo
  for (const line of told.filter((t) => !byId(`log-${t.seq}`))) {
    const [item, time] = [document.createElement("li"), document.createElement("time")];
    item.id = `log-${line.seq}`;
    item.className = `log-line log-${line.kind}`;
    time.textContent = line.at;
    item.append(`${line.text} `, time);
    list.append(item);
  }
  list.querySelector(".log-empty")?.remove();
  while (list.children.length > 80) list.firstElementChild.remove();
}

function setLine(state) {
  document.documentElement.dataset.line = state;
}

function wakeUp() {
  if (document.visibilityState === "hidden") return;
  tries = 0;
  if (!socket || socket.readyState > 1) return connect();
  const asked = performance.now();
  ping();
  // A socket that slept may look open and be dead: two seconds without an answer tell.
  setTimeout(() => heardAt < asked && restart(), 2000);
}

function restart() {
  const old = socket;
  socket = null;
  old?.close();
  for (const n of [...asked.keys()]) answerAsked(n, null);
  connect();
}

// --- the stop: inside a beat that every phone sends alike, so that no line tells who asked ------

let stopToken = "";

const isPaused = () => byId("paused")?.hidden === false;

// Kept over a change of page, until the pause is seen: a stop that is lost would be worse.
function wantStop(wants) {
  if (wants) sessionStorage.setItem(STOP, seated.dataset.code);
  else sessionStorage.removeItem(STOP);
  safety?.toggleAttribute("data-waits", wants);
}

const wantsStop = () => sessionStorage.getItem(STOP) === seated.dataset.code;

function beat() {
  if (document.visibilityState === "hidden") return;
  const noise = newTap(16);
  send({ beat: (wantsStop() && stopToken) || noise });
}

if (safety) {
  const sheet = byId("stop-sheet");
  byId("stop-open").addEventListener("click", () => sheet.showModal());
  byId("stop-now").addEventListener("click", () => {
    if (!isPaused()) wantStop(true);
    if (document.documentElement.dataset.line !== "off") sheet.close();
  });
  sheet.addEventListener("click", ({ target }) => {
    if (target === sheet || target.closest("[data-close-stop]")) sheet.close();
  });
  wantStop(wantsStop() && !isPaused());
}

if (seated) {
  setInterval(beat, BEAT_EVERY);
  // Timers of a sleeping page don't run, so this counts only time in which it was awake.
  setInterval(() => {
    if (document.visibilityState === "hidden") return;
    const now = performance.now();
    if (socket?.readyState === WebSocket.OPEN && now - heardAt > DEAD_AFTER) restart();
    else if (now - pingedAt >= PING_EVERY) ping();
  }, LOOK_EVERY);
  document.addEventListener("visibilitychange", wakeUp);
  addEventListener("online", wakeUp);
  addEventListener("pageshow", (event) => event.persisted && location.reload());
  addEventListener("offline", () => setLine("off"));
  htmx.config.timeout = 8000;
  writeOutbox(readOutbox()); // what was kept before this page was loaded
  connect();
}

// --- tabs, suggestions -------------------------------------------------------------------------------

document.addEventListener("click", async (event) => {
  const tab = event.target.closest("button[data-tab]");
  if (tab) openTab(tab.dataset.tab);
  const suggest = event.target.closest("[data-suggest]");
  if (suggest) {
    const field = byId(suggest.dataset.suggest);
    field.value = await (await fetch("/suggest/")).text();
    field.focus();
  }
  const goes = event.target.closest("a[data-go]");
  if (goes) {
    // Not by the address: a browser would scroll back to it with every redraw.
    event.preventDefault();
    const place = byId(goes.hash.slice(1));
    if (place?.matches("details")) place.open = true;
    place?.scrollIntoView({ block: "start" });
  }
  const checks = event.target.closest("[data-check]");
  if (checks) byId(checks.dataset.check).checked = true;
  const filler = event.target.closest("[data-fill]");
  if (filler) byId(filler.dataset.fill).value = filler.value;
});

// Six dice on six forms: what takes a die that is taken trades with who has it.
document.addEventListener("change", ({ target }) => {
  const grid = target.closest("[data-dice]");
  const line = target.closest("[data-die]");
  if (!grid || !line) return;
  const lines = [...grid.querySelectorAll("[data-die]")];
  const [was, now] = [line.dataset.die, target.value];
  line.dataset.die = now;
  const allowed = grid.dataset.dice.split(" ").filter((sides) => sides === now).length;
  const having = lines.filter((one) => one.dataset.die === now);
  const other = having.length > allowed && having.find((one) => one !== line);
  if (!other) return;
  other.dataset.die = was;
  other.querySelector(`input[value="${was}"]`).checked = true;
});

// What a tap unfolds should not unfold below the edge of the screen.
document.addEventListener("click", (event) => {
  const folded = event.target.closest("summary")?.parentElement;
  // Not on "toggle": a redraw opens again what was open, and the page would jump.
  if (folded) requestAnimationFrame(() => folded.open && folded.scrollIntoView({ block: "nearest" }));
});

function openTab(name) {
  page.dataset.tab = name;
  for (const tab of document.querySelectorAll("button[data-tab]")) {
    tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
  }
  for (const panel of document.querySelectorAll("[data-panel]")) {
    panel.hidden = panel.dataset.panel !== name;
  }
  regions.catchUp();
  if (name === "log") byId("log-list")?.lastElementChild?.scrollIntoView({ block: "end" });
}

const wasOpen = sessionStorage.getItem(TAB);
sessionStorage.removeItem(TAB);
if (wasOpen && byId(`tab-${wasOpen}`)) openTab(wasOpen);
