// The live page: one socket brings regions of HTML, forms carry taps out. Nothing here decides
// what is legal or rolls a die. HTML alone can't keep a socket, measure a clock, or send the
// instant of a press; that is why each module is a script.
// This module applies a push to the page. base.jinja asks for every module at once: one that is
// only found in another module's import costs one more round trip on a slow line.

import { bring, whenLetGo } from "./regions.js";
import { announce, byId, openTab, page, say, seated, toTop } from "./page.js";
import { notice, pressed } from "./notices.js";
import { keepLine } from "./line.js";
import { getsUp, lineIsBack, markWaiting, speaks } from "./outbox.js";
import { beatByRequest, coverPage, isPaused, takeToken, takeTokenByRequest, wantStop } from "./stop.js";

let epoch = page?.dataset.epoch || "";
let isFirst = true;

function opened() {
  isFirst = true;
  takeToken("");
}

// A page from before a backup was put back, or of another release: its log tells of what never
// happened, or its forms are not the house's.
const isOfAnother = (now) => epoch && now && now !== epoch;

function ponged(pong) {
  takeToken(pong.beat);
  if (isOfAnother(pong.epoch)) location.reload();
}

function pushed(push) {
  if (isOfAnother(push.epoch)) return location.reload();
  epoch = push.epoch;
  // A stop waits for nothing.
  bring(Object.entries(push.common));
  if (isPaused()) wantStop(false);
  coverPage();
  if (page) whenLetGo(() => show(push));
  else tellBeside(push.regions);
}

// A page beside the table (a sheet, the shop, the rules) shows nothing of it, but on its way back: that
// something there waits for whoever reads here.
const wayBack = page ? null : document.querySelector("main .eyebrow a");
const turns = {};
function tellBeside(regions) {
  if (!wayBack) return;
  for (const [name, html] of Object.entries(regions)) turns[name] = html.includes("data-turn=") ? turnIn(html) : "";
  const turn = Object.values(turns).find(Boolean) ?? "";
  if (turn === (wayBack.dataset.turn ?? "")) return;
  if (turn) say((wayBack.dataset.turn = turn));
  else delete wayBack.dataset.turn;
  document.dispatchEvent(new CustomEvent("taproom:drawn"));
}

function turnIn(html) {
  const drawn = Object.assign(document.createElement("template"), { innerHTML: html });
  return drawn.content.querySelector("[data-turn]").dataset.turn;
}

function show({ seq, game, mode, language, regions: changed, told }) {
  // The table has turned to another game, or this seat to another language, on another page of its
  // own: that is another page. Where this one has chosen it, the answer to that loads it anew.
  const isOther = language !== page.dataset.language; // a browser that translates pages changes `lang`
  if (isOther && speaks()) return;
  if (isOther || game !== page.dataset.game) {
    history.scrollRestoration = "manual";
    return location.reload();
  }
  if (page.dataset.mode === "knocking" && mode !== "knocking") return location.reload();
  const isFresh = !isFirst;
  isFirst = false;
  if (page.dataset.mode !== mode) page.dataset.mode = mode;
  const missed = seq - page.dataset.seq;
  page.dataset.seq = seq;
  const was = atHand();
  const wasSaid = saidHere();
  bring(Object.entries(changed));
  if (document.documentElement.hasAttribute("data-unsent")) markWaiting();
  document.dispatchEvent(new CustomEvent("taproom:drawn"));
  writeLog(told, missed);
  // A push that tells nothing leaves what is still being read aloud.
  // What a chapter was made of has stood on every screen since the deal: a minute of words.
  const news = told.filter(({ kind }) => kind !== "premise_told");
  const aloud = news.slice(-8).map(({ text }) => text).join(" ");
  const mine = saidHere().filter((words) => !wasSaid.includes(words));
  if (aloud || mine.length) say([aloud, ...mine].join(" ").trim());
  // Also to a phone that slept: to whom the table was left, their game's own tab says hardly more.
  const isHanded = told.some(({ kind }) => kind === "host_handed");
  if (isHanded && page.querySelector("#top[data-host]")) notice(byId("host-now").innerHTML);
  if (!isFresh) return; // what was missed is read, not played
  announce(told);
  if (aloud) document.dispatchEvent(new CustomEvent("taproom:aloud", { detail: aloud }));
  turnTo(told, was);
}

// What the log tells to nobody, since it stands on this seat's page alone: which finger, higher than what,
// how many hit points. Whoever hears the page would have to look for it after each roll.
const saidHere = () => [...page.querySelectorAll("[data-said]")].map((one) => one.dataset.said || one.textContent.trim());

// What is asked of this seat beside a game: the setup's step, the knave to be looked over.
const atHand = () => ({
  step: byId("setup")?.dataset.step,
  draft: byId("make")?.dataset.draft,
  story: byId("gm-story")?.dataset.step,
  card: pressed()?.closest(":is(article, section)[id]")?.id,
  isOfFight: Boolean(pressed()?.closest("#fight")),
});

// What the host had chosen to make may be nothing of this step. Of radio buttons whose chosen one is
// not shown no key would reach the others.
function chooseOfShown() {
  const kinds = [...document.querySelectorAll(".new-kinds input")];
  const shown = kinds.filter((one) => one.getClientRects().length);
  if (shown.length && !shown.some((one) => one.checked)) shown[0].checked = true;
}

// A form that is of no step any more stays for as long as somebody is in it (wicked-gm.css).
if (byId("gm-story")) addEventListener("focusout", () => requestAnimationFrame(chooseOfShown));

// Shows what has just happened; whoever is typing stays where they are.
function turnTo(told, was) {
  const now = atHand();
  const has = (...kinds) => told.some(({ kind }) => kinds.includes(kind));
  const isTyping = document.activeElement?.matches("input, textarea, select");
  if (now.story !== was.story) {
    chooseOfShown();
    // The host's button went with its whole card: what lies there now is something else.
    if (was.card && !byId(was.card)) byId("gm-story").scrollIntoView();
  }
  // A new step begins at its top.
  if (now.step !== was.step && !isTyping) toTop();
  // Dice were taken up, or it was settled, far down in what is gone: how it stands is said at the top.
  if (was.isOfFight && !pressed() && !isTyping) toTop();
  if (!isTyping) followDice(told);
  // Whoever went down to type a real die, or to deal fingers out, sees what came of it.
  if (has("Rolled", "Revealed", "Dealt")) byId("panel-game")?.scrollTo(0, 0);
  if (byId("tab-game") && has("fight_begun")) {
    openTab("game");
    // Whoever stood at the loot below would go on looking at it.
    byId("panel-game").scrollTo(0, 0);
  }
  // A new knave that was asked for elsewhere waits on the sheet to be looked over and taken.
  if (!was.draft && now.draft) {
    openTab("sheet");
    toTop();
  }
  // Taken, it is a sheet that nobody has seen yet: not read from where the last button was.
  if (was.draft && !now.draft && !isTyping) toTop();
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

const NEAR_END = 48; // a line's height
const MOST_LINES = 80;
const MOST_TOLD = 60; // of more events than these a page is told the newest (NEWEST_EVENTS)
function writeLog(told, missed) {
  const list = byId("log-list");
  if (!list || page.dataset.page === "gm") return; // the host's log is a region, with Undo
  const panel = list.closest(".panel");
  // What is not looked at needs no layout to be asked where it stands.
  const isAtEnd = panel && !panel.hidden && panel.scrollHeight - panel.scrollTop - panel.clientHeight < NEAR_END;
  for (const line of told.filter((t) => !byId(`log-${t.seq}`))) {
    const [item, text, time] = ["li", "span", "time"].map((name) => document.createElement(name));
    item.id = `log-${line.seq}`;
    item.className = "log-line";
    [text.className, text.textContent, time.textContent] = ["log-text", line.text, line.at];
    item.append(text, " ", time);
    list.append(item);
  }
  for (const seq of told.flatMap((t) => t.undoes ?? [])) byId(`log-${seq}`)?.classList.add("is-undone");
  list.querySelector(".log-empty")?.remove();
  // Between what it was told before and what it is told now others may be missing.
  const most = told.length && missed > MOST_TOLD ? told.length : MOST_LINES;
  if (list.children.length > most) dropLines(list, most);
  // Who reads the last line goes on reading the last line; who looked further up stays there.
  if (isAtEnd) panel.scrollTop = panel.scrollHeight;
}

// What is dropped stands where the link to what came before leads.
function dropLines(list, most) {
  while (list.children.length > most) list.firstElementChild.remove();
  const link = byId("to-log");
  link.search = `?before=${list.firstElementChild.id.slice("log-".length)}`;
  link.parentElement.hidden = false;
}

if (seated) keepLine({ opened, lineIsBack, ponged, pushed, getsUp, beatByRequest, takeTokenByRequest });
