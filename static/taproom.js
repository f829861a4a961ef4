// The live page: one socket brings regions of HTML, forms carry taps out. Nothing here decides
// what is legal or rolls a die. HTML alone can't keep a socket, measure a clock, or send the
// instant of a press; that is why each part below is a script.

const PING_EVERY = 5000;
const DEAD_AFTER = 10000;
const LOCK_MS = 500;
const DOUBLE_TAP_MS = 900;
const NOTICE_MS = 20000;
const OUTBOX = "taproom-outbox";

const page = document.querySelector("main[data-page]");
const byId = (id) => document.getElementById(id);

// What happened, for sounds, vibration and motion (fx.js).
const announce = (told) => document.dispatchEvent(new CustomEvent("taproom:told", { detail: told }));

// --- taps: each press has an id of its own, and the same id however often it is sent -------------

function newTap() {
  // randomUUID needs https; a laptop on a LAN has none.
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

document.addEventListener("htmx:configRequest", (event) => {
  const { parameters, elt } = event.detail;
  if (elt.matches("[data-tap]")) parameters.set("tap", newTap());
  if (elt.matches("[data-press]")) {
    parameters.set("pressed", String(Math.round(serverTime(pressedAt || performance.now()))));
    parameters.set("note", clock.note);
  }
  if (page?.dataset.page === "gm" && page.dataset.game !== "brave_or_knave") {
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
};

function keepTap({ path, parameters, headers }) {
  const body = new URLSearchParams(parameters).toString();
  writeOutbox([...readOutbox(), { path, body, headers }]);
  setTimeout(emptyOutbox, 800);
}

// A push may redraw a form while its request is under way; htmx's own events would then reach
// nobody, so the request itself is listened to.
document.addEventListener("htmx:beforeSend", ({ detail: { xhr, elt, requestConfig } }) => {
  if (!elt.matches("[data-tap]")) return;
  if (!page) {
    // A page beside the table loads anew when something was done: until then nothing is done twice.
    document.body.inert = true;
    xhr.addEventListener("loadend", () => (document.body.inert = xhr.status > 0 && xhr.status < 400));
  }
  xhr.addEventListener("error", () => keepTap(requestConfig));
  xhr.addEventListener("timeout", () => keepTap(requestConfig));
  const word = requestConfig.parameters.action ?? requestConfig.parameters.get?.("action");
  xhr.addEventListener("load", () => {
    if (xhr.status >= 400) {
      // The second of two quick taps asks for what the first has just done: no news to anybody.
      if (word !== done.word || performance.now() - done.at > DOUBLE_TAP_MS) notice(xhr.responseText);
    } else done = { word, at: performance.now() };
    if (xhr.status >= 400) return;
    // What was refused a moment ago is old news once something else was done.
    if (xhr.status === 200 && xhr.getResponseHeader("HX-Retarget")) {
      // What was done is said; what was typed for it would be sent a second time by a second tap.
      if (elt.closest(".compose-card")) elt.reset();
      setTimeout(() => byId("notice").querySelector(".receipt")?.remove(), 8000);
    } else if (xhr.status === 204) {
      byId("notice").replaceChildren();
      if (!page) location.reload(); // no socket redraws a page beside the table
    }
  });
  xhr.addEventListener("loadend", () => delete elt.dataset.sent);
});

let done = { word: "", at: -DOUBLE_TAP_MS };
let emptying = false;
async function emptyOutbox() {
  if (emptying) return;
  emptying = true;
  try {
    for (let taps = readOutbox(); taps.length; taps = readOutbox()) {
      const [tap, ...rest] = taps;
      const headers = { ...tap.headers, "Content-Type": "application/x-www-form-urlencoded" };
      const answer = await fetch(tap.path, { method: "POST", body: tap.body, headers });
      writeOutbox(rest);
      if (answer.status >= 400) notice(await answer.text());
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
    const form = event.target.closest("form.hp, form.quick");
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
function notice(html) {
  htmx.swap(byId("notice"), html, { swapStyle: "innerHTML" });
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => byId("notice").replaceChildren(), NOTICE_MS);
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
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body, headers });
    if (answer.status >= 400) notice(await answer.text());
  }
  const told = event.target.closest("[data-dismiss]")?.closest("#notice, #pass-offer");
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
  const { code, page: kind, seat } = page.dataset;
  const query = new URLSearchParams({ seq, have });
  have = ""; // after the first push the page is no longer what it was served as
  socket = new WebSocket(`${scheme}://${location.host}/ws/t/${code}/${kind}/${seat}/?${query}`);
  const mine = socket;
  socket.onopen = () => {
    tries = 0;
    heardAt = performance.now();
    isFirst = true;
    // Quick ones first: the best of them is a good clock within a second, on a slow line in two.
    [0, 150, 400, 1500].forEach((wait) => setTimeout(ping, wait));
    emptyOutbox();
  };
  let begun = "";
  socket.onmessage = ({ data }) => {
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
    // The seat is gone from this device: the door says so, unless another seat is still held.
    if (event.code === 4403) return location.replace(`/t/${page.dataset.code}/join/?gone=1`);
    setLine("off");
    retry = setTimeout(connect, Math.min(5000, 300 * 2 ** tries++) * (0.7 + Math.random() * 0.6));
  };
}

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function ping() {
  send({ ping: performance.now() });
}

function hear(message) {
  heardAt = performance.now();
  setLine("on");
  if (message.mark) send({ echo: message.mark });
  if (message.note) clock.note = message.note;
  if (message.pong !== undefined) {
    learnClock(message);
    if (epoch && message.epoch && message.epoch !== epoch) location.reload();
    return;
  }
  if (message.regions) {
    draw(message);
    send({ ack: message.seq });
  }
}

function draw({ epoch: newEpoch, seq: newSeq, game, mode, regions, told }) {
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
  for (const [name, html] of Object.entries(regions)) swapRegion(name, html);
  writeLog(told);
  byId("say").textContent = told.slice(-4).map((t) => t.text).join(" ");
  if (isFresh) announce(told);
  // A fight that begins is where everybody looks next.
  if (isFresh && byId("tab-game") && told.some((t) => t.kind === "fight_begun")) openTab("game");
}

function swapRegion(name, html) {
  const region = byId(name);
  if (!region || region.outerHTML === html) return;
  const open = [...region.querySelectorAll("details[open][id]")].map((d) => d.id);
  const ticked = [...region.querySelectorAll("input[id]:is([type=checkbox], [type=radio])")].map(
    ({ id, checked }) => ({ id, checked }),
  );
  const focus = region.contains(document.activeElement) ? document.activeElement.id : "";
  htmx.swap(region, html, { swapStyle: "outerHTML", settleDelay: 0 });
  open.forEach((id) => byId(id)?.setAttribute("open", ""));
  for (const { id, checked } of ticked) {
    const box = byId(id);
    // A radio that was off may be what the server has just chosen.
    if (box && (checked || box.type === "checkbox")) box.checked = checked;
  }
  if (focus && document.activeElement?.id !== focus) byId(focus)?.focus({ preventScroll: true });
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
  connect();
}

if (page) {
  // Timers of a sleeping page don't run, so this counts only time in which it was awake.
  setInterval(() => {
    if (document.visibilityState === "hidden") return;
    if (socket?.readyState === WebSocket.OPEN && performance.now() - heardAt > DEAD_AFTER) restart();
    else ping();
  }, PING_EVERY);
  document.addEventListener("visibilitychange", wakeUp);
  addEventListener("online", wakeUp);
  addEventListener("pageshow", (event) => event.persisted && location.reload());
  addEventListener("offline", () => setLine("off"));
  htmx.config.timeout = 8000;
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
  if (name === "log") byId("log-list")?.lastElementChild?.scrollIntoView({ block: "end" });
}
