/** Shows results; everything in them was written by strangers, so it is shown as text only. */
import { ago, h, out, here, marked, meter, onTopic, clear, count, spoken } from "../lib/dom.js";
import { Problem } from "../lib/api.js";
import { ranking, referrers } from "./reasons.js";

let number = 0;

export function showSummary(line, found, state) {
  const size = found.results.length;
  if (found.alike) line.textContent = size ? `${count(size)} pages say much the same` : "Nothing in this collection is like it";
  else if (!size) line.textContent = found.total && state.page > 1 ? `No more: ${count(found.total)} in all` : `Nothing found in ${time(found.took_ms)}`;
  else {
    const first = (state.page - 1) * 10 + 1;
    const folded = found.results.some((one) => one.copies.length) ? ", near-duplicates folded" : "";
    const total = `${found.exact ? "" : "at most "}${count(found.total)}`;
    line.textContent = `${count(first)} to ${count(first + size - 1)} of ${total} in ${time(found.took_ms)}${folded}`;
  }
}

const time = (ms) => (ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** Messages about the search: a better spelling, what was left out, advice if nothing was found. */
export function showNotes(box, found, state, go) {
  clear(box);
  if (found.corrected) {
    const literally = () => go({ verbatim: true, page: 1 });
    const shown = h("p", { class: "suggestion" }, "Showing results for ", h("b", {}, found.corrected), ". Search instead for ", h("button", { type: "button", class: "link", onclick: literally }, state.q), ".");
    box.append(shown);
  }
  if (found.suggestion) {
    const better = () => go({ q: found.suggestion, page: 1 });
    box.append(h("p", { class: "suggestion" }, "Did you mean ", h("button", { type: "button", class: "link", onclick: better }, found.suggestion), "?"));
  }
  if (found.remark) box.append(h("p", { class: "remark" }, found.remark));
  if (found.remembered?.length) box.append(h("p", { class: "muted small" }, `Remembered for the next refresh of ${found.remembered.join(", ")}.`));
  if (found.results.length || found.alike) return;
  if (!Object.values(found.asked ?? {}).some((pages) => pages > 0)) {
    box.append(h("p", { class: "empty" }, "Nothing can be found yet: there are no pages in what was asked."));
    return;
  }
  const tries = ["fewer or other words"];
  if (state.filter.length) tries.push("no filters");
  if (state.by !== "hybrid") tries.push("both kinds of words");
  if (state.in.length) tries.push("all collections");
  box.append(h("div", { class: "empty" }, h("p", {}, `Try ${tries.join(", or ")}.`), h("p", { class: "empty-do" }, here("/", { keywords: state.q }, "Hunt for it", { class: "button" }))));
}

export function showResults(list, found, state, { many }) {
  list.setAttribute("start", (state.page - 1) * 10 + 1);
  const best = Math.max(...found.results.map((one) => one.score ?? 0), 1e-9);
  clear(list, found.results.map((one) => result(one, state, best, many)));
}

function result(hit, state, best, many) {
  const panel = h("div", { class: "hit-panel", id: `panel-${++number}`, hidden: true });
  const title = hit.title.trim() || hit.url;
  return h(
    "li",
    { class: hit.fetched ? "hit" : "hit unfetched" },
    h("h3", { class: "hit-title" }, out(hit.url, h("span", {}, hit.title.trim() ? marked(title, hit.title_marks) : title))),
    h("p", { class: "hit-url mono" }, shortened(hit.url)),
    facts(hit, many),
    hit.snippet && h("p", { class: "hit-snippet" }, marked(hit.snippet, hit.marks), hit.pages.length > 0 && pages(hit)),
    hit.copies.length > 0 && copies(hit, state),
    h("div", { class: "hit-more" }, actions(hit, state, panel, best)),
    panel,
  );
}

function facts(hit, many) {
  const some = [];
  if (!hit.fetched) some.push(h("span", { class: "badge warn" }, "never fetched, known from others' words"));
  else {
    some.push(h("span", { class: "hit-relevance" }, meter(hit.relevance), h("span", { class: "number", "aria-hidden": "true" }, hit.relevance == null ? "on topic: not known yet" : onTopic(hit.relevance, hit.known))));
    if (hit.at) some.push(h("span", {}, "fetched ", ago(hit.at)));
    if (hit.language) some.push(h("span", {}, spoken(hit.language)));
    if (hit.category) some.push(h("span", {}, hit.category));
  }
  if (many) some.push(h("span", { class: "homes", title: hit.collections.join(", ") }, "in ", listed(hit.collections)));
  return h("p", { class: "hit-facts" }, some);
}

/** The pages of a PDF or the slides with the hit; readers of PDF open the page that the fragment names. */
function pages(hit) {
  const numbers = hit.pages.map((page, at) => [at ? ", " : " p. ", out(`${hit.url.split("#")[0]}#page=${page}`, h("span", {}, String(page)))]);
  return h("span", { class: "hit-pages muted" }, numbers.flat());
}

const listed = (names) => (names.length > 4 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", "));

function copies(hit, state) {
  const many = hit.copies.length;
  const items = hit.copies.map((one) => h("li", {}, out(one.url), " ", here(`/cached/${one.collection}`, { url: one.url, q: state.q }, "archived copy", { class: "muted" })));
  return h("details", { class: "copies" }, h("summary", {}, many === 1 ? "1 near-duplicate" : `${count(many)} near-duplicates`), h("ul", {}, items));
}

function actions(hit, state, panel, best) {
  const buttons = [];
  if (Object.keys(hit.parts).length && !state.like) buttons.push(opener("Why it ranks here", panel, () => ranking(hit, best), buttons));
  buttons.push(opener("Who refers to it", panel, () => referrers(hit), buttons));
  if (!hit.fetched) return buttons;
  return [
    ...buttons,
    here(`/cached/${hit.collection}`, { url: hit.url, q: state.q }, "Archived copy"),
    here("/search", { like: hit.url, in: hit.collection }, "Similar"),
    here(`/why/${hit.collection}`, { url: hit.url }, "Why it was fetched"),
  ];
}

/** A button that opens the panel below a result and fills it with what `fill` returns, or closes it again. */
function opener(text, panel, fill, others) {
  const button = h("button", { type: "button", class: "link", "aria-expanded": "false", "aria-controls": panel.id }, text);
  button.addEventListener("click", async () => {
    const open = button.getAttribute("aria-expanded") === "true";
    for (const other of others) other.setAttribute?.("aria-expanded", "false");
    panel.hidden = open;
    if (open) return;
    button.setAttribute("aria-expanded", "true");
    clear(panel, h("p", { class: "muted" }, "…"));
    let what;
    try {
      what = await fill();
    } catch (problem) {
      what = h("p", { class: "problem" }, problem instanceof Problem ? problem.line : String(problem.message));
    }
    // Another button may have been pressed meanwhile, and the panel now belongs to that one.
    if (button.getAttribute("aria-expanded") === "true") clear(panel, what);
  });
  return button;
}

export function showPages(nav, found, state, turn) {
  nav.hidden = found.alike || (state.page === 1 && !found.more);
  if (nav.hidden) return;
  const button = (text, page, possible) => h("button", { type: "button", disabled: !possible, onclick: () => turn(page) }, text);
  clear(nav, button("← Previous", state.page - 1, state.page > 1), h("span", { class: "muted" }, `Page ${count(state.page)}`), button("Next →", state.page + 1, found.more));
}

/** A URL without its scheme, shortened in the middle if it is long. */
function shortened(url) {
  const bare = url.replace(/^https?:\/\//i, "");
  return bare.length > 110 ? `${bare.slice(0, 76)} … ${bare.slice(-30)}` : bare;
}
