// Sends taps to the house: each press has an id of its own, and counts once however quick or slow
// everything is. Their answers are handled here; what does not get through is kept by the outbox.

import { showWithoutLine } from "./line.js";
import { answerOf, goesBySocket, isAway, isBehind, sayReceipt, sendInTurn, sendOrKeep, tapOf, watch } from "./outbox.js";
import { dropNotice, notice, pressed, refuse } from "./notices.js";
import { byId, page, randomHex, safety } from "./page.js";
import { foldSheet, forgetDice, loadAnew } from "./written.js";

const DOUBLE_TAP_MS = 900;
const SAME_PRESS_MS = 350;

document.addEventListener("htmx:configRequest", (event) => {
  const { parameters, elt, triggeringEvent } = event.detail;
  // htmx knows which button was pressed only where it stands within its form.
  const button = triggeringEvent?.submitter;
  if (button?.name && !parameters.has(button.name)) parameters.set(button.name, button.value);
  if (elt.matches("[data-tap]")) parameters.set("tap", randomHex());
  if (page && parameters.has("saw")) parameters.set("front", page.dataset.game);
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

// What is given to several people, made anew (foes, a camp, a scene) or rolled (a save) stays there to be
// done again, so a double click must count once, as must a key, and on a slow line whatever is pressed before
// it was answered. Not for buttons in general, since knocks are quick. But of a mouse's double click the
// second is meant for no button that has come under it since: "Roll initiative" gave way to "The party is
// done", and the party's turn was over.
let last = { button: "", at: -SAME_PRESS_MS };
const asked = new Set();
addEventListener(
  "click",
  (event) => {
    const button = event.target.closest("button");
    if (!button?.form) return;
    const isAgain = event.timeStamp - last.at < SAME_PRESS_MS;
    const isSame = button.id === last.button;
    const isUnanswered = button.form.matches(".htmx-request") && asked.has(button.id);
    const isMade = button.form.matches(".picks, .makes") && ((isAgain && isSame) || isUnanswered);
    const isDouble = isAgain && event.detail > 1 && event.pointerType !== "touch";
    if (isMade || (isDouble && last.button && !isSame)) event.preventDefault();
  },
  true,
);
// What was typed since makes it another press.
addEventListener(
  "input",
  () => {
    last.button = "";
    asked.clear();
  },
  true,
);
// A press that was held back by a wrong field did not count: once that is mended, the next one
// does.
addEventListener(
  "submit",
  ({ submitter, timeStamp: at }) => {
    last = { button: submitter?.id, at };
    asked.add(submitter?.id);
  },
  true,
);

// A picture or a file goes by itself, and fits no outbox. It takes as long as its line does: of a
// full room's, ten bytes a millisecond.
const BYTES_A_MS = 10;
const filesIn = (parameters) => [...(parameters.values?.() ?? [])].filter((value) => value instanceof File);
const hasFile = (parameters) => filesIn(parameters).length > 0;
document.addEventListener("htmx:configRequest", ({ detail }) => {
  for (const { size } of filesIn(detail.parameters)) detail.timeout += size / BYTES_A_MS;
});
// A phone's photo is minutes on such a line, and many times what a portrait needs. What the browser
// cannot read goes as it is: the house says what is wrong with it.
const LONGEST_SIDE = 1024;
document.addEventListener("change", async ({ target }) => {
  const [photo] = target.matches("[type=file][accept^=image]") ? target.files : [];
  const small = photo && (await shrunk(photo).catch(() => null));
  if (!small || small.size >= photo.size || target.files[0] !== photo) return;
  const files = new DataTransfer();
  files.items.add(new File([small], photo.name, { type: small.type }));
  target.files = files.files;
});
async function shrunk(photo) {
  const picture = await createImageBitmap(photo);
  const by = LONGEST_SIDE / Math.max(picture.width, picture.height);
  if (by >= 1) return null;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height].map((side) => Math.round(side * by));
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, photo.type, 0.9));
}

const requested = (elt, { parameters, triggeringEvent }) => tapOf(elt, triggeringEvent?.submitter, parameters);

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  if (!elt.matches("[data-tap]")) return;
  if (hasFile(requestConfig.parameters)) return;
  const tap = requested(elt, requestConfig);
  if (isBehind(tap)) {
    event.preventDefault();
    delete elt.dataset.sent;
    return sendInTurn(tap);
  }
  if (!goesBySocket(tap)) return;
  event.preventDefault();
  const hear = hearing(elt, requestConfig);
  elt.classList.add("htmx-request");
  const mine = sendOrKeep(tap, elt.sending)
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
  if (hasFile(requestConfig.parameters)) tellWhenLost(xhr);
  else watch(xhr, requested(elt, requestConfig));
  xhr.addEventListener("load", () => comesAgain(elt, requestConfig, xhr) || hear(answerOf(xhr)));
  xhr.addEventListener("loadend", () => delete elt.dataset.sent);
});

// What has a file stays chosen in its form.
function tellWhenLost(xhr) {
  const tell = () => notice(byId("no-line").innerHTML);
  for (const lost of ["error", "timeout"]) xhr.addEventListener(lost, tell);
  xhr.addEventListener("load", () => isAway(answerOf(xhr)) && tell());
}

// Pictures are made small one at a time. Whose turn it is not waits here, where it holds no thread of the
// house; after some tries it is told what stands in the way.
const MOST_TRIES = 4;
const NEXT_TRY_MS = 1200;
const tries = new WeakMap(); // how often each form has been sent again
function comesAgain(form, { parameters, triggeringEvent }, xhr) {
  const tried = tries.get(form) ?? 0;
  tries.delete(form);
  if (!hasFile(parameters) || xhr.status !== 503 || isAway(answerOf(xhr)) || tried === MOST_TRIES) return false;
  tries.set(form, tried + 1);
  setTimeout(() => form.classList.add("htmx-request")); // htmx has just taken it away
  setTimeout(
    () => {
      form.classList.remove("htmx-request");
      if (form.isConnected) form.requestSubmit(triggeringEvent?.submitter);
    },
    NEXT_TRY_MS * (1 + Math.random()),
  );
  return true;
}

// An answer that is not the house's never stands in the place of the house's words.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (isAway(answerOf(detail.xhr))) detail.shouldSwap = false;
});

// A page beside the table loads anew when something was done: until then nothing is done twice. What
// was not done leaves the page as it was, and whoever pressed by keys where they were.
function holdPage(xhr) {
  const had = document.activeElement;
  document.body.inert = true;
  xhr.addEventListener("loadend", () => {
    document.body.inert = xhr.status < 400 && !isAway(answerOf(xhr));
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
  return (answer) => {
    if (isAway(answer)) return;
    const { status, text, isReceipt } = answer;
    if (status >= 400) {
      elt.querySelector(".is-pressed")?.classList.remove("is-pressed");
      // The second of two quick taps asks for what the first has just done: no news to anybody.
      if (word !== done.word || performance.now() - done.at > DOUBLE_TAP_MS) refuse(text, elt);
      return;
    }
    done = { word, at: performance.now() };
    forgetDice(elt);
    if (isReceipt || status === 204) showWithoutLine();
    // An earlier refusal is old news once something else was done.
    if (isReceipt) {
      // What was done is said; what was typed for it would be sent a second time by a second tap.
      // Not by htmx: from a form that the push has just redrawn it finds nothing else of the page.
      dropNotice();
      sayReceipt(text);
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

// Taps that come quicker than answers, such as one hit point more and another: they are sent one
// after the other, and none is lost in the redraw that the one before has caused.
const COUNTS = "form.hp, form.quick";
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target.closest(COUNTS);
    if (!form) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const parameters = new FormData(form);
    // By hand: Safari before 16.4 and Chromium before 112 leave out the button that was pressed.
    if (event.submitter?.name) parameters.append(event.submitter.name, event.submitter.value);
    parameters.set("tap", randomHex());
    // Without its button, which counts on meanwhile.
    sendInTurn({ ...tapOf(form, event.submitter, parameters), button: "" });
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
  if (answer?.status >= 400 && !isAway(answer)) notice(answer.text);
});

htmx.config.timeout = 8000;
