/** Pages whose judgement would teach the hunt most, one at a time. */
import { $, clear, h, here, out } from "../lib/dom.js";
import { get } from "../lib/api.js";
import { icon } from "../lib/icons.js";

const AT_ONCE = 6;

export function doubts(name, say) {
  const place = $("#doubts");
  const button = $("#teach");
  const passed = new Set();
  const answered = [];
  let waiting = [];
  let learns = true;

  async function next() {
    if (!waiting.length) {
      clear(place, h("p", { class: "muted" }, "Looking for a page that is worth asking about…"));
      const answer = await get(`/api/hunts/${name}/doubts`, { limit: AT_ONCE + passed.size > 20 ? 20 : AT_ONCE + passed.size });
      learns = answer.learns;
      waiting = answer.doubts.filter((one) => !passed.has(one.url));
    }
    const question = waiting.shift();
    if (question) ask(question);
    else end(answered.length ? "That is all it wants to know for now. Thank you." : "There is nothing to ask yet; it needs some pages first.");
  }

  function ask(question) {
    passed.add(question.url);
    const title = question.title?.trim() || question.url;
    const answer = (relevant) => {
      answered.push(question);
      say(question.url, relevant);
      step();
    };
    const undo = answered.length > 0 && (() => {
      // The page that is shown now comes again afterwards.
      waiting.unshift(question);
      back();
    });
    const yes = h("button", { type: "button", class: "say yes", onclick: () => answer(true) }, icon("yes", 16), "Relevant");
    const no = h("button", { type: "button", class: "say no", onclick: () => answer(false) }, icon("no", 16), "Not relevant");
    const skip = h("button", { type: "button", class: "quiet small", onclick: step }, "Skip");
    clear(
      place,
      h("div", { class: "doubt-head" }, h("h2", {}, "Is this what you are hunting?"), h("button", { type: "button", class: "quiet small", onclick: close }, "Close")),
      h("p", {}, out(question.url, title, { class: "found-title" })),
      h("p", { class: "small muted" }, question.url),
      question.excerpt.map((sentence) => h("blockquote", {}, sentence)),
      question.anchor && h("p", { class: "small muted" }, `Found by a link that says «${question.anchor}»`),
      h("div", { class: "row" }, h("div", { class: "found-say", role: "group", "aria-label": "Your word" }, yes, no), skip, undo && again(undo), here(`/cached/${name}`, { url: question.url }, "cached", { class: "small push" })),
      h("p", { class: "tiny muted" }, learns ? "The hunt learns from every answer at once." : "This strategy does not learn from answers, but the estimate of recall does.", ` Keys: y, n, s to skip${undo ? ", u to undo" : ""}.`),
    );
    yes.focus();
    place.onkeydown = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const act = { y: () => answer(true), n: () => answer(false), s: step, u: undo, Escape: close }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
  }

  const again = (undo) => h("button", { type: "button", class: "quiet small", title: "Take back what you said of the page before (u)", onclick: undo }, "Undo");

  /** Withdraw the last judgement, and show that page again. */
  function back() {
    const question = answered.pop();
    say(question.url, null);
    ask(question);
  }

  function step() {
    place.onkeydown = null;
    next().catch((problem) => end(problem.line ?? String(problem)));
  }

  function end(words) {
    const shut = h("button", { type: "button", class: "quiet small", onclick: close }, "Close");
    clear(place, h("div", { class: "doubt-head" }, h("p", { tabindex: -1 }, words), h("span", { class: "row" }, answered.length > 0 && again(back), shut)));
    shut.focus();
  }

  function close() {
    place.hidden = true;
    button.setAttribute("aria-expanded", "false");
    button.focus();
  }

  button.addEventListener("click", () => {
    if (!place.hidden) return close();
    place.hidden = false;
    button.setAttribute("aria-expanded", "true");
    step();
  });
}
