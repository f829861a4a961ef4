// The one socket of a page: kept open, measured, and opened again when it breaks. What comes over
// it is handed on by kind; others decide what to do with it. Where no socket works, the page asks by
// request for what one would have brought.

import { keepNote, learnClock } from "./clock.js";
import { notice } from "./notices.js";
import { byId, page, say, seated } from "./page.js";
import { phoneStore, tabStore } from "./store.js";
import { keepLeft } from "./written.js";

const PING_MS = 5000;
const LOOK_MS = 1000;
// A ping and its answer, and what a chunk of a long message takes on a slow line.
const DEAD_MS = 8000;
const AWAKE_WITHIN_MS = 2000;
const LONGEST_REST_MS = 2000;
const LEAVES_WITHIN_MS = 5000;
// How often it is asked what a socket would bring: less and less often where nothing comes, and
// where the house takes its time.
const SOONEST_NEWS_MS = 3000;
const LATEST_NEWS_MS = 8000; // a stop waits for it as well
const RESTS_FOR_WORK = 10;
const LONGEST_NEWS_MS = 30_000;
// A look is a second in which somebody may see the page.
const LOOKS_IN_SILENCE = 20;
const SENT_BACK = "taproom-sent-back";
const SENT_BACK_MS = 10_000;

let socket = null;
let askedAt = 0;
let heardAt = 0;
let pingedAt = 0;
let tries = 0;
let retry = 0;
let isWelcome = false;
// Of the newest socket: whether it was ever open, and whether anything has come over it (since the
// system last said that there is no network).
let isMade = false;
let isHeard = false;
let lostAt = performance.now(); // since when nothing comes by socket
let owedAt = 0; // when a tap was answered that nothing has shown yet
let newsRest = SOONEST_NEWS_MS;
let newsAt = 0; // when it may be asked next
let asksNews = false;
let silentLooks = 0;
let seqBeside = 0; // what a page beside the table knows of
let have = page?.dataset.have || "";
// Functions that are handed in (see taproom.js), so that the modules they come from may import this one.
let hearers = {};

export function keepLine(whoHears) {
  hearers = whoHears;
  // Timers of a sleeping page don't run, so this counts only time in which it was awake.
  setInterval(() => {
    if (document.visibilityState === "hidden") return;
    const now = performance.now();
    // A connection that is never answered would be waited for as long as the browser does: minutes.
    const begun = { [WebSocket.CONNECTING]: askedAt, [WebSocket.OPEN]: heardAt }[socket?.readyState];
    if (now - begun > DEAD_MS) restart();
    else if (now - pingedAt >= PING_MS) ping();
    if (isWithoutLine() && now > newsAt) bringNews();
    hearSilence(isOn() || isResting() ? 0 : silentLooks + 1);
  }, LOOK_MS);
  document.addEventListener("visibilitychange", wakeUp);
  addEventListener("online", wakeUp);
  // A window beside others was in sight all the time.
  for (const turned of ["focus", "pointerdown", "keydown"]) addEventListener(turned, () => isResting() && wakeUp());
  addEventListener("pageshow", ({ persisted }) => persisted && comesBack());
  addEventListener("offline", () => {
    isHeard = false;
    setLine("off");
  });
  connect();
}

function whose() {
  const { code, page: kind = "phone", seat } = seated.dataset;
  return { code, kind, seat };
}
const shownSeq = () => Number(page?.dataset.seq || seqBeside);

function connect() {
  clearTimeout(retry);
  if (socket && socket.readyState < WebSocket.CLOSING) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const { code, kind, seat } = whose();
  const query = new URLSearchParams({ seq: shownSeq(), have });
  have = ""; // after the first push the page is no longer what it was served as
  askedAt = performance.now();
  isMade = isHeard = false;
  socket = new WebSocket(`${scheme}://${location.host}/ws/t/${code}/${kind}/${seat}/?${query}`);
  const mine = socket;
  socket.onopen = () => {
    heardAt = performance.now();
    isMade = true;
    hearers.opened();
    // Quick pings first: the best of them gives a good clock within a second, on a slow line in
    // two.
    [0, 150, 400, 1500].forEach((wait) => setTimeout(ping, wait));
  };
  let begun = "";
  socket.onmessage = ({ data }) => {
    [heardAt, tries, owedAt] = [performance.now(), 0, 0];
    if (!isHeard) {
      isHeard = true;
      hearers.lineIsBack();
    }
    // A long message comes in chunks: "+" before each, "." before the last.
    if (data[0] === "+") begun += data.slice(1);
    else if (data[0] === ".") {
      const whole = begun + data.slice(1);
      begun = "";
      hear(JSON.parse(whole));
    } else hear(JSON.parse(data));
  };
  socket.onclose = (event) => {
    if (mine !== socket) return;
    loseAsked();
    // TURNED_OUT and TOO_MANY_SOCKETS in games/live/consumer.py.
    if (event.code === 4403 && !isSentBack()) return seatIsGone();
    // Newer pages of this seat took its place: this one connects again when somebody turns to it.
    if (event.code === 4408) return setLine("rests");
    setLine("off");
    showOwed();
    retry = setTimeout(connect, Math.min(LONGEST_REST_MS, 300 * 2 ** tries++) * (0.7 + Math.random() * 0.6));
  };
}

// The seat is gone from this device, as the door will say. Whoever has just got up waits for the
// answer to that, which leads elsewhere and clears what this phone has kept.
function seatIsGone() {
  countGone();
  const goes = () => {
    keepLeft();
    location.replace(`/t/${seated.dataset.code}/join/?gone=${seated.dataset.seat}`);
  };
  setTimeout(goes, hearers.getsUp() ? LEAVES_WITHIN_MS : 0);
}

// Whom the door sends straight back has the seat, and only the socket is not believed: something on
// its way takes the cookie off it. The page stays, as where no socket comes through.
function isSentBack() {
  const [now, before] = [Date.now(), Number(tabStore.getItem(SENT_BACK))];
  tabStore.setItem(SENT_BACK, now);
  return !isWelcome && now - before <= SENT_BACK_MS;
}

export function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function ping() {
  pingedAt = performance.now();
  send({ ping: performance.now() });
}

function hear(message) {
  setLine("on");
  isWelcome = true;
  if (message.mark) send({ echo: message.mark });
  if (message.note) keepNote(message.note);
  if (message.did !== undefined) return answerAsked(message.did, message);
  if (message.pong !== undefined) {
    learnClock(message);
    hearers.ponged(message);
  } else if (message.regions) {
    hearers.pushed(message);
    send({ ack: message.seq });
  }
}

function setLine(state) {
  const { dataset } = document.documentElement;
  if (dataset.line === state) return;
  if (dataset.line === "on") lostAt = performance.now();
  dataset.line = state;
  // A tap that waited longer for its answer than the line was silent is kept already, and shown only now.
  if (state === "off" && "unsent" in dataset) say(byId("unsent").textContent);
}

const isOn = () => document.documentElement.dataset.line === "on";

const isResting = () => document.documentElement.dataset.line === "rests";

// The phone may be in another network than the house, or the house at another address: nobody but the
// people can find that out.
function hearSilence(looks) {
  silentLooks = looks;
  const { dataset } = document.documentElement;
  const isAway = looks > LOOKS_IN_SILENCE;
  if (isAway === ("away" in dataset)) return;
  if (!isAway) return delete dataset.away;
  dataset.away = "";
  if (byId("away")) say(byId("away").textContent);
}

function wakeUp() {
  if (document.visibilityState === "hidden") return;
  tries = 0;
  hearSilence(0);
  if (!socket || socket.readyState > WebSocket.OPEN) return connect();
  const wokenAt = performance.now();
  ping();
  // After a sleep a socket may look open and be dead.
  setTimeout(() => heardAt < wokenAt && restart(), AWAKE_WITHIN_MS);
}

function restart() {
  const old = socket;
  socket = null;
  old?.close();
  setLine("off");
  loseAsked();
  showOwed();
  connect();
}

// --- where no socket works ---------------------------------------------------------------------------

// Some proxies let no socket through, or nothing through a socket; a phone may have come to such a
// network only now. On a slow line the first push may be still on its way.
const isWithoutLine = () => !isOn() && !isResting() && !isHeard && performance.now() - lostAt > DEAD_MS;

// What a tap has done is shown as soon as it is clear that no push will show it.
export function showWithoutLine() {
  if (!page || isOn()) return;
  owedAt = performance.now();
  if (isWithoutLine()) bringNews();
}

// Once a socket has failed: one that was asked for before the network was back tells nothing of it.
function showOwed() {
  if (owedAt && !isHeard && (isMade || askedAt > owedAt)) bringNews();
}

// Asks for what a socket would have pushed, and shows it in the same way. Nothing of that is new to
// who may look; where the table has not moved the answer is empty.
async function bringNews() {
  if (asksNews) return;
  asksNews = true;
  const begunAt = performance.now();
  const { code, kind, seat } = whose();
  const had = shownSeq();
  const query = new URLSearchParams({ seq: had, epoch: page?.dataset.epoch ?? "" });
  const headers = { Beat: hearers.beatByRequest() };
  const answer = await fetched(`/t/${code}/news/${kind}/${seat}/?${query}`, LONGEST_NEWS_MS, headers);
  const isHouse = Boolean(answer?.headers.has("Taproom")); // and no portal
  const news = isHouse && answer.status === 200 ? await answer.json().catch(() => null) : null;
  asksNews = false;
  if (isHouse && answer.ok && owedAt <= begunAt) owedAt = 0;
  if (isHouse) hearers.takeTokenByRequest(answer.headers.get("Beat") ?? "");
  // A silence is nobody's work: the house may be there again at any moment.
  restFromNews(news !== null, isHouse ? performance.now() - begunAt : 0);
  if (isHouse) hearSilence(Math.min(0, (performance.now() - newsAt) / LOOK_MS)); // before that it is not asked
  if (isOn()) return; // what came over the socket is newer
  if (isHouse && answer.status === 403) return seatIsGone();
  if (!news || shownSeq() !== had) return;
  if (!page) seqBeside = news.seq;
  hearers.pushed(news);
}

function restFromNews(hasCome, took) {
  newsRest = hasCome || owedAt ? SOONEST_NEWS_MS : Math.min(LATEST_NEWS_MS, newsRest * 1.5);
  const rest = Math.max(newsRest, RESTS_FOR_WORK * took) * (0.7 + Math.random() * 0.6);
  newsAt = owedAt ? 0 : performance.now() + rest;
}

// --- what is asked over it, and answered ------------------------------------------------------------

const asked = new Map();
let askedLast = 0;

// Offline, a socket looks open for seconds.
export const carries = () => socket?.readyState === WebSocket.OPEN && isHeard;

export function ask(body) {
  return new Promise((resolve, reject) => {
    const n = ++askedLast;
    const late = setTimeout(() => answerAsked(n, null), htmx.config.timeout);
    asked.set(n, { resolve, reject, late });
    socket.send(JSON.stringify({ do: body, n }));
  });
}

const loseAsked = () => [...asked.keys()].forEach((n) => answerAsked(n, null));

// No answer is no refusal: the tap may have been done, and is sent again under the same id.
function answerAsked(n, answer) {
  const waits = asked.get(n);
  if (!waits) return;
  asked.delete(n);
  clearTimeout(waits.late);
  if (answer) waits.resolve(answer);
  else waits.reject(new TypeError("no answer"));
}

// --- a form that is no tap --------------------------------------------------------------------------

// Such a form leads to another page; without a line that is one of the browser's own, from which an
// installed app has no way back to what was typed. So the house is asked first whether it is there.
let goes = null;
addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || form === goes || form.matches("[data-tap]") || form.getAttribute("method") !== "post") return;
  event.preventDefault();
  if (form.ariaBusy === "true") return; // of a double tap only the first counts: the second would open a second table
  form.ariaBusy = "true";
  const isThere = await isHouseThere();
  if (isThere) {
    goes = form;
    form.requestSubmit(submitter);
    goes = null;
  } else notice(byId("no-line").innerHTML);
  setTimeout(() => (form.ariaBusy = "false"), isThere ? DEAD_MS : 0);
});

// Somebody who comes back to the page may send it again.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) for (const form of document.forms) form.ariaBusy = "false";
});

function fetched(address, patience, headers = {}) {
  const silence = new AbortController();
  setTimeout(() => silence.abort(), patience);
  return fetch(address, { headers, cache: "no-store", signal: silence.signal }).catch(() => null);
}

async function isHouseThere() {
  const answer = await fetched("/healthz", DEAD_MS);
  // A guest network's portal answers 200 as well, with a page of its own.
  const told = answer?.ok && (await answer.json().catch(() => null));
  return Boolean(told?.alive);
}

let looks = 0;
async function loadOnceThere() {
  clearTimeout(looks);
  if (await isHouseThere()) location.reload();
  else looks = setTimeout(loadOnceThere, 2 * LONGEST_REST_MS);
}

// The page that stands where there was no way to another one gives way once the house is there.
const standsIn = document.querySelector("main[data-stands-in]");
if (standsIn && standsIn.dataset.standsIn !== location.pathname) looks = setTimeout(loadOnceThere, 2 * LONGEST_REST_MS);

// A page that the browser brings back as it was may be of another release, and older than the table. In
// its place, where nothing is kept of the site (plain http), a browser would show one of its own while
// the house is away: till then it stays, for whoever sits here. Who has got up sees that it waits.
function comesBack() {
  document.documentElement.toggleAttribute("data-gone", hearers.getsUp() || seatsGone() !== goneBefore);
  loadOnceThere();
}

// How many seats have gone from this phone: pages that lie behind were not told of the one.
const GONE = "taproom-gone";
const seatsGone = () => Number(phoneStore.getItem(GONE));
const goneBefore = seatsGone();
export const countGone = () => phoneStore.setItem(GONE, seatsGone() + 1);
