// What fields do for each other and for whoever fills them in, before anything is sent.

import { refuseAt, wordsBelow } from "./notices.js";
import { byId } from "./page.js";
import { focusNear } from "./regions.js";

// When a tick hides the focused element, the focus moves on from there.
document.addEventListener("change", ({ target }) => target.getClientRects().length || focusNear(target.parentElement));

document.addEventListener("click", async ({ target }) => {
  const suggest = target.closest("[data-suggest]");
  if (suggest) {
    const field = byId(suggest.dataset.suggest);
    const answer = await fetch("/suggest/").catch(() => null);
    if (answer?.headers.has("Taproom")) field.value = await answer.text();
    field.dataset.proposed = "";
    field.select();
  }
  const checks = target.closest("[data-check]");
  if (checks) byId(checks.dataset.check).checked = true;
  const filler = target.closest("[data-fill]");
  if (filler) byId(filler.dataset.fill).value = filler.value;
});

// A name that we propose gives way to the first letter typed, and need not be deleted one by one: a
// browser chooses all of a field that is come to by keys, but puts a finger's caret into the name.
// By the next tap it goes there, or to the end, where a browser does not take that for a choice.
let tapped = null;
document.addEventListener("click", ({ target }) => {
  if (!target.matches("[data-proposed]")) return;
  const { selectionStart, selectionEnd, value } = target;
  if (target !== tapped) target.select();
  else if (selectionEnd - selectionStart === value.length) target.setSelectionRange(value.length, value.length);
  tapped = target;
});
document.addEventListener("focusout", () => (tapped = null));
document.addEventListener("input", ({ target }) => target.removeAttribute("data-proposed"));

// A name that was typed counts, though its button was not pressed: whoever goes on to the next thing
// takes it for done, and the bout would begin without it.
let pressedOn = null;
document.addEventListener("pointerdown", ({ target }) => (pressedOn = target), true);
document.addEventListener("input", () => (pressedOn = null), true);
document.addEventListener("focusout", ({ target, relatedTarget }) => {
  const field = target.form?.querySelector("[data-keeps]");
  if (!field || field.form.contains(relatedTarget) || field.form.contains(pressedOn)) return;
  if (field.value === (field.dataset.keeps || field.defaultValue) || !field.validity.valid) return;
  field.form.requestSubmit(field.form.querySelector("button:not([type])"));
});
document.addEventListener("submit", ({ target }) => {
  const field = target.querySelector("[data-keeps]");
  if (field) field.dataset.keeps = field.value;
});

// Six dice on six forms: what takes a die that is taken trades with who has it. The arrow keys come
// past other dice on their way: each trade of one line is of what lay there before the first.
let lay = null; // the line, and which die each had
document.addEventListener("change", ({ target }) => {
  const grid = target.closest("[data-dice]");
  const line = target.closest("[data-die]");
  if (!grid || !line) return;
  const lines = [...grid.querySelectorAll("[data-die]")];
  if (lay?.line !== line) lay = { line, dice: lines.map((one) => one.dataset.die) };
  const dice = [...lay.dice];
  const [at, now] = [lines.indexOf(line), target.value];
  const allowed = grid.dataset.dice.split(" ").filter((sides) => sides === now).length;
  const having = lines.flatMap((one, i) => (i !== at && dice[i] === now ? i : []));
  if (having.length >= allowed) dice[having[0]] = dice[at];
  dice[at] = now;
  lines.forEach((one, i) => {
    one.dataset.die = dice[i];
    const box = one.querySelector(`input[value="${dice[i]}"]`);
    if (box) box.checked = true;
  });
});
document.addEventListener("focusout", ({ relatedTarget }) => !lay?.line.contains(relatedTarget) && (lay = null));

// Fields that belong to a choice which is not chosen are neither sent nor checked: a field that
// nobody sees would silently keep its form from being sent.
export function asksOf(list) {
  const what = list.selectedOptions[0]?.dataset.for;
  for (const part of list.form.querySelectorAll("[data-when]")) {
    part.hidden = part.dataset.when !== what;
    for (const field of part.querySelectorAll("input, select, textarea")) field.disabled = part.hidden;
  }
}
document.querySelectorAll("[data-asks]").forEach(asksOf); // who has no script is asked all of it
document.addEventListener("change", ({ target }) => target.matches("[data-asks]") && asksOf(target));
document.addEventListener("reset", ({ target }) => {
  const list = target.querySelector("[data-asks]");
  if (list) requestAnimationFrame(() => asksOf(list)); // a form is told before it is reset
});

// Of those who can be ticked, whoever is chosen beside them is left out: nobody's interest is about
// themselves, and nobody stops what they do.
function leaveOut() {
  for (const list of document.querySelectorAll("[data-but]")) {
    const boxes = [...list.querySelectorAll("[type=checkbox]")];
    const fields = [...(boxes[0]?.form?.elements ?? [])];
    const chosen = fields.find(({ name, checked }) => checked && name === list.dataset.but)?.value;
    for (const box of boxes) {
      box.closest("label").hidden = box.value === chosen;
      box.checked &&= box.value !== chosen;
    }
  }
}
leaveOut(); // a browser keeps what was chosen in a page that it loads anew
document.addEventListener("change", ({ target }) => target.type === "radio" && leaveOut());
document.addEventListener("reset", () => setTimeout(leaveOut));
document.addEventListener("taproom:drawn", leaveOut);

// That a turn is an attack and a stunt together (KN-18) is one decision, wherever it is ticked:
// kept in one form only, it would be lost with the first of the two.
document.addEventListener("change", ({ target }) => {
  if (target.name !== "both") return;
  for (const tick of target.closest(".fighter")?.querySelectorAll("[type=checkbox][name=both]") ?? []) tick.checked = target.checked;
});

// A field that is folded away would silently hold its form back, too: its folds open. The browser would
// say what is missing in its own language, which need not be the seat's, and for every field at once.
let isHeldBack = false;
document.addEventListener(
  "invalid",
  (event) => {
    const field = event.target;
    const folds = "details:not([open])";
    for (let fold = field.closest(folds); fold; fold = fold.parentElement.closest(folds)) fold.open = true;
    if (!field.id || !field.getClientRects().length) return;
    event.preventDefault();
    if (isHeldBack) return;
    isHeldBack = true;
    setTimeout(() => (isHeldBack = false));
    // Where its range stands beside it already, that is marked, and told only once.
    refuseAt(field, byId(`${field.id}-range`) ?? wordsBelow(field, whatIsMissing(field)));
  },
  true,
);

function whatIsMissing({ type, min, max, title, validity, validationMessage }) {
  const { missing, choose, whole, range } = byId("say").dataset;
  // First: to a browser a field of letters instead of figures is an empty one as well.
  if (validity.badInput || validity.stepMismatch) return whole;
  if (validity.valueMissing) return /^(radio|file|select)/.test(type) ? choose : missing;
  if ((validity.rangeUnderflow || validity.rangeOverflow) && min && max) return range.replace("{min}", min).replace("{max}", max);
  return title || validationMessage;
}
