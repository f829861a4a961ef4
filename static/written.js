// What outlives its page in this tab: words that were typed and not sent, the view that was looked
// at, and what is to become of such words.

import { asksOf } from "./fields.js";
import { byId, openTab, page, safety, say, seated } from "./page.js";
import { focusNear } from "./regions.js";
import { tabStore } from "./store.js";

const HALF_WRITTEN = "taproom-half-written";
const TYPED = "taproom-typed";
const VIEWS = "taproom-views";
const LEFT = "taproom-left";

// Kept apart for a page beside the table and for the table itself; each is put back at the next
// look at the same page.
const isWritten = (field) =>
  field.matches(":not([type=radio], [type=checkbox], [type=file])") && field.value !== (field.dataset.keeps || field.defaultValue);
const written = (where = "main") =>
  [...document.querySelectorAll(`${where} :is(input, textarea)[id]:not([type=hidden])`)].filter(isWritten);
const unfolded = () => [...document.querySelectorAll("main details[id][open]")];
let isLeft = false;

// What is ticked or chosen in the form of such words goes with them, and so does what shows that form.
// Some words stand outside the forms that are sent with them.
const formsOf = (field) => [field.form, ...document.querySelectorAll(`[hx-include="#${field.id}"] form`)];
const isTicked = (box) => box.checked !== box.defaultChecked;
const isOffered = (list, value) => [...list.options].some((one) => one.value === value);
const isChosen = (list) => list.value !== ([...list.options].find((one) => one.defaultSelected) ?? list.options[0])?.value;
const choices = (forms) => [...document.querySelectorAll("main select[id]")].filter((list) => forms.has(list.form) && isChosen(list));
const ticks = (forms) =>
  [...document.querySelectorAll("main :is([type=radio], [type=checkbox])[id]")].filter((box) => isTicked(box) && (!box.form || forms.has(box.form)));

function wordsOf(fields, folds, more) {
  const typed = fields.map(({ id, value }) => [id, value]);
  const open = folds.map(({ id }) => id);
  const forms = new Set(fields.flatMap(formsOf));
  const ticked = ticks(forms).map(({ id, checked }) => [id, checked]);
  const chosen = choices(forms).map(({ id, value }) => [id, value]);
  return { path: location.pathname, typed, open, ticked, chosen, ...more };
}
const keepHalf = (...words) => tabStore.setItem(HALF_WRITTEN, JSON.stringify(wordsOf(...words)));
function takeHalf() {
  const kept = JSON.parse(tabStore.getItem(HALF_WRITTEN) || "{}");
  if (kept.path !== location.pathname) return undefined;
  tabStore.removeItem(HALF_WRITTEN);
  return kept;
}
function putBack(kept) {
  if (!kept) return;
  if (kept.tab && byId(`tab-${kept.tab}`)) openTab(kept.tab);
  for (const id of kept.open) byId(id)?.setAttribute("open", "");
  for (const [id, checked] of kept.ticked ?? []) if (byId(id)) byId(id).checked = checked;
  for (const [id, value] of kept.chosen ?? []) {
    const list = byId(id);
    if (!list || !isOffered(list, value)) continue; // whom it was about may be gone
    list.value = value;
    if (list.matches("[data-asks]")) asksOf(list);
  }
  for (const [id, value] of kept.typed) {
    const field = byId(id);
    if (field) field.value = value;
    if (field?.matches("[data-keeps]")) field.focus({ preventScroll: true }); // it counts when it is left
  }
  if (kept.done) sayDone(byId(kept.done));
}

// A page beside the table is loaded anew after each tap: its other forms keep their words, and what
// was unfolded for writing stays open.
export function loadAnew(sent, done = "") {
  isLeft = true;
  keepHalf(written().filter((field) => field.form !== sent), unfolded(), { done });
  location.reload();
}
// Such a page looks as before: that something was done is said where it was pressed, till somebody
// goes on, and whoever pressed it with a key is still there.
export function sayDone(button, takesFocus = true) {
  const { done } = byId("say").dataset;
  setTimeout(() => say(done), 100); // a region that has just come is not read out
  if (!button) return;
  const words = document.createElement("span");
  words.className = "done-here";
  words.textContent = done;
  words.setAttribute("aria-hidden", "true"); // it is said: beside a button with the focus it was read once more
  button.after(words);
  document.addEventListener("input", () => words.remove(), { once: true });
  if (!takesFocus) return;
  const goesBack = () => button.focus({ preventScroll: true });
  goesBack();
  // At the end of a load Safari turns to the address's fragment once more, and lets go of the focus.
  addEventListener("load", () => setTimeout(() => document.activeElement === document.body && goesBack()), { once: true });
}
// Who looks at the table in the middle of a sentence finds it there on coming back. Other forms than
// those of taps leave the page when they are sent: what is in them is not half written then.
addEventListener("pagehide", () => {
  if (safety && !page && !isLeft && written("main form[data-tap]").length) keepHalf(written(), unfolded());
});

// A phone that needs room drops a page that lies behind another one, and loads it anew when somebody
// looks again; and a thumb pulls it down. What was typed at the table waits in the storage while the
// tab is at other pages of that table, a second seat's of this phone as well; any other page takes it
// out, and so nobody who sits down here later finds it. When the table has turned to another of its
// games, what was typed in the one before waits until it turns back.
const table = seated?.dataset.code;
const whose = seated ? `${table} ${seated.dataset.seat}` : "";
function takeTyped() {
  const kept = [JSON.parse(tabStore.getItem(TYPED) || "[]")].flat(); // once it was one page's
  const mine = kept.filter((one) => (one.whose ?? whose).split(" ")[0] === table);
  const game = page?.dataset.game;
  const isHere = (one) => one.path === location.pathname && (one.whose ?? whose) === whose && (one.game ?? game) === game;
  const [here, others] = [true, false].map((is) => mine.filter((one) => isHere(one) === is));
  if (others.length) tabStore.setItem(TYPED, JSON.stringify(others));
  else tabStore.removeItem(TYPED);
  return { here, others };
}
function keepTyped() {
  if (!page) return;
  const { others } = takeTyped();
  const fields = written();
  const folds = unfolded().filter((one) => fields.some((field) => one.contains(field)));
  const ofGame = wordsOf(fields, folds, { whose, game: page.dataset.game, tab: page.dataset.tab });
  const ofTable = wordsOf(written("#stop-sheet"), [], { whose }); // what is to stay out is of no game
  const words = [ofGame, ofTable].filter(({ typed }) => typed.length);
  if (words.length) tabStore.setItem(TYPED, JSON.stringify([...others, ...words]));
}

export function foldSheet(sheet) {
  // What is folded away holds no focus: what unfolds it again does, in sight. But where the page has
  // turned to what came of it, to the fight that it began, that is not left.
  const hadFocus = sheet.contains(document.activeElement);
  const { top, bottom } = sheet.getBoundingClientRect();
  const isInSight = top < innerHeight && bottom > 0;
  if (hadFocus) sheet.querySelector("summary").focus({ preventScroll: true });
  sheet.open = false;
  if (hadFocus && isInSight) sheet.scrollIntoView({ block: "nearest" });
  sheet.querySelectorAll("form").forEach((form) => form.reset());
}

// Faces typed for one roll are not kept for the next.
export const forgetDice = (form) => form.querySelectorAll("[name^=dice-]:checked").forEach((one) => (one.checked = false));

// The chapter may go on while somebody types: a sheet, or a card of the host's, with words in it
// stays in sight though it is asked for no more, until they are sent or taken out.
function keepInSight() {
  for (const sheet of document.querySelectorAll(".typed-sheet, .gm-typed, .gm-new > div")) {
    const isHeld = [...sheet.querySelectorAll(":is(input, textarea)[id]:not([type=hidden])")].some((field) => isWritten(field) && field.value.trim());
    sheet.classList.toggle("is-written", isHeld);
  }
}
document.addEventListener("input", keepInSight);
// With a sheet that is asked for no more goes what unfolds it: the next key goes on in its view.
document.addEventListener("focusout", ({ target, relatedTarget }) => {
  const sheet = !relatedTarget && target.closest(".typed-sheet");
  if (sheet && !sheet.getClientRects().length) setTimeout(() => document.activeElement === document.body && focusNear(sheet.parentElement));
});
document.addEventListener("reset", () => setTimeout(keepInSight)); // the fields are emptied after it

// What is kept holds good till the page is there again: where a browser brings it back as it was, Safari
// empties fields that no browser is to fill in, as soon as it has told the page so.
addEventListener("pagehide", ({ persisted }) => {
  if (!isLeft) keepTyped();
  isLeft ||= persisted;
});
function putAllBack() {
  isLeft = false;
  putBack(takeHalf());
  takeTyped().here.forEach(putBack);
  keepInSight();
}
addEventListener("pageshow", ({ persisted }) => persisted && setTimeout(putAllBack));
document.addEventListener("visibilitychange", () => isLeft || (document.hidden ? keepTyped() : takeTyped()));
putAllBack();

// Whoever comes back from another page, or loads this one anew, finds the view that they left: unless
// the game has gone on to where the house opens at another one, or has come round to them meanwhile.
const shownTab = () => document.querySelector("#bar [aria-selected=true]")?.dataset.tab;
const opensAt = shownTab();
const kindOfMoment = () => [page.dataset.game, page.dataset.mode, opensAt].join(" ");
const isAsked = () => Boolean(document.querySelector("#act[data-turn]"));

// Of other tables none is kept, and so nobody who sits down here later finds one.
const leftViews = () => Object.entries(JSON.parse(tabStore.getItem(VIEWS) || "{}")).filter(([one]) => one.split(" ")[0] === table);
function keepViews(views) {
  if (views.length) tabStore.setItem(VIEWS, JSON.stringify(Object.fromEntries(views)));
  else tabStore.removeItem(VIEWS);
}
function keepView() {
  if (opensAt) keepViews([...leftViews(), [whose, { tab: shownTab(), at: kindOfMoment(), isAsked: isAsked() }]]);
}
function openLeftView() {
  const left = Object.fromEntries(leftViews())[whose];
  if (left?.at === kindOfMoment() && (left.isAsked || !isAsked()) && left.tab !== opensAt) openTab(left.tab);
}
keepViews(leftViews());
addEventListener("pagehide", keepView);
document.addEventListener("visibilitychange", () => document.hidden && keepView());
if (opensAt) openLeftView();

// What was half written there can be copied from the page that says so, and from no other.
export function keepLeft() {
  const words = written().map((field) => [field.labels?.[0]?.textContent.trim() ?? "", field.value]);
  if (words.length) tabStore.setItem(LEFT, JSON.stringify(words));
}
function showLeft() {
  const left = JSON.parse(tabStore.getItem(LEFT) || "null") ?? history.state?.left ?? [];
  tabStore.removeItem(LEFT);
  const place = byId("left-words");
  if (!place || !left.length) return;
  history.replaceState({ left }, ""); // a thumb may pull the page down
  for (const [name, text] of left) {
    const [label, field] = [document.createElement("label"), document.createElement("textarea")];
    [label.textContent, field.value, field.readOnly, field.dir] = [name, text, true, "auto"];
    field.rows = Math.min(12, 1 + text.length / 30);
    label.append(field);
    place.append(label);
  }
  place.hidden = false;
}
showLeft();
