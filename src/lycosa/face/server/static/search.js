/** Search: one box over one or many collections. The address of the page holds the whole state, so «back» works. */
import { $, $$, h, clear } from "./lib/dom.js";
import { get, Problem } from "./lib/api.js";
import { readState, address, everything } from "./search/state.js";
import { showResults, showSummary, showNotes, showPages } from "./search/results.js";
import { showFilters, showChosen } from "./search/filters.js";
import { completeWhileTyping } from "./search/completion.js";
import { savedSearches, showSaved } from "./search/saved.js";

const SOON = 150;
let state = readState();
let collections = [];
let asking = null;
let asked = null;

start();

async function start() {
  $("#ask").addEventListener("submit", submitted);
  completeWhileTyping($("#q"), $("#completions"), () => state.in, () => $("#ask").requestSubmit());
  $("#by").addEventListener("change", (event) => go({ by: event.target.value, page: 1 }));
  $("#sort").addEventListener("change", (event) => go({ sort: event.target.value, page: 1 }));
  $("#where").addEventListener("change", chosen);
  savedSearches(() => state, go);
  addEventListener("popstate", () => show(readState()));
  document.addEventListener("keydown", keys);
  try {
    ({ collections } = await get("/api/collections"));
  } catch (problem) {
    fail(problem);
    return;
  }
  show(state);
}

/** A community may remember only queries that a person typed and sent, not those opened by a link or the history. */
function submitted(event) {
  event.preventDefault();
  const q = $("#q").value.trim();
  if (!q) return;
  const keep = $("#remembering input")?.checked !== true && q !== asked;
  asked = q;
  const same = q === state.q && !state.like;
  go({ q, like: "", page: 1, filter: same ? state.filter : [], verbatim: same && state.verbatim }, keep);
  if ($("#remembering input")) $("#remembering input").checked = false;
}

function chosen(event) {
  const names = $$('#where input[name="in"]:checked').map((box) => box.value);
  const all = event.target.value === "" || !names.length;
  go({ in: all ? [] : names, page: 1, filter: state.filter });
}

/** Go to another state, as a new entry in the history. */
function go(change, keep = false) {
  const next = { ...state, ...change };
  if (address(next) !== location.pathname + location.search) history.pushState(null, "", address(next));
  show(next, keep);
}

async function show(next, keep = false) {
  state = next;
  document.title = `${state.q || (state.like ? "Similar pages" : "Search")} · Lycosa`;
  $("#q").value = state.q;
  for (const radio of $$("#by input")) radio.checked = radio.value === state.by;
  for (const radio of $$("#sort input")) radio.checked = radio.value === state.sort;
  $("#by").hidden = $("#sort").hidden = Boolean(state.like);
  showSaved(state);
  showWhere();
  showRemembering();
  asking?.abort();
  $("#hints").hidden = Boolean(state.q || state.like);
  $("#found").hidden = !(state.q || state.like);
  if (!collections.length) {
    none();
    return;
  }
  if (!state.q && !state.like) return;
  const mine = (asking = new AbortController());
  const slow = setTimeout(() => $("#found").setAttribute("aria-busy", "true"), SOON);
  if (!$("#results").children.length) $("#summary").textContent = "Searching …";
  try {
    const found = state.like ? await alike(mine.signal) : await question(keep, mine.signal);
    if (mine.signal.aborted) return;
    keepFocus(() => draw(found));
  } catch (problem) {
    if (problem.name !== "AbortError") fail(problem);
  } finally {
    clearTimeout(slow);
    if (asking === mine) $("#found").removeAttribute("aria-busy");
  }
}

function question(keep, signal) {
  const { q, by, sort, page, filter, verbatim } = state;
  return get("/api/search", { query: q, collection: state.in, by, sort, page, filter, facets: 1, verbatim: verbatim ? 1 : "", private: keep ? "" : 1 }, signal);
}

async function alike(signal) {
  const name = state.in[0] ?? collections[0].name;
  const found = await get(`/api/collections/${encodeURIComponent(name)}/similar`, { url: state.like, limit: 20, filter: state.filter }, signal);
  return { ...found, total: found.results.length, alike: true };
}

/** The clicked element is rebuilt with the results; keyboard users keep their focus on it. */
function keepFocus(redraw) {
  const key = document.activeElement?.dataset?.key;
  redraw();
  if (!key || document.activeElement !== document.body) return;
  const again = $$("[data-key]").find((one) => one.dataset.key === key) ?? $("#summary");
  again.focus({ preventScroll: true });
}

function draw(found) {
  $("#like").hidden = !found.alike;
  if (found.alike) clear($("#like"), "Pages like ", h("span", { class: "mono" }, state.like));
  showSummary($("#summary"), found, state);
  showNotes($("#notes"), found, state, go);
  showChosen($("#chosen"), state, go);
  showResults($("#results"), found, { ...state, q: found.corrected || state.q }, { many: everything(state, collections).length > 1 });
  showPages($("#pages"), found, state, (page) => {
    go({ page });
    $("#summary").focus({ preventScroll: true });
    scrollTo({ top: 0 });
  });
  showFilters($("#filters"), found, state, everything(state, collections), go);
}

function fail(problem) {
  $("#found").hidden = false;
  $("#hints").hidden = true;
  clear($("#results"));
  clear($("#filters"));
  $("#pages").hidden = $("#chosen").hidden = $("#like").hidden = true;
  $("#summary").textContent = "";
  const line = problem instanceof Problem ? problem.line : String(problem.message ?? problem);
  const again = h("button", { type: "button", class: "small", onclick: () => (collections.length ? show(state) : location.reload()) }, "Try again");
  clear($("#notes"), h("div", { class: "problem row", role: "alert" }, h("span", {}, line), again));
}

function none() {
  $("#hints").hidden = $("#found").hidden = true;
  $("#main .empty")?.remove();
  $("#main").append(h("p", { class: "empty" }, "There is no collection to search yet. ", h("a", { href: "/" }, "Start a hunt"), " and come back."));
}

/** The collections as chips; none chosen means all. */
function showWhere() {
  const box = $("#where .chips");
  if (!box.children.length && collections.length) {
    const chip = (value, text, more = "") =>
      h("label", { class: "pick", title: more }, h("input", { type: "checkbox", name: value ? "in" : "all", value }), h("span", {}, text));
    const pages = collections.reduce((sum, one) => sum + one.pages, 0);
    const each = collections.filter((one) => one.pages || state.in.includes(one.name)).map((one) => chip(one.name, one.name, [one.title, `${one.pages.toLocaleString("en")} pages`, one.kind === "community" ? "a community" : ""].filter(Boolean).join(" · ")));
    clear(box, collections.length > 1 ? chip("", "All", `${pages.toLocaleString("en")} pages`) : null, each);
  }
  for (const input of $$("input", box)) input.checked = input.value ? state.in.includes(input.value) : !state.in.length;
  if (collections.length === 1) for (const input of $$("input", box)) input.checked = true;
}

function showRemembering() {
  const names = everything(state, collections).filter((one) => one.remembers).map((one) => one.name);
  const line = $("#remembering");
  line.hidden = !names.length;
  if (line.dataset.names === names.join(" ")) return;
  line.dataset.names = names.join(" ");
  const listed = names.map((name, at) => [at ? (at === names.length - 1 ? " and " : ", ") : "", h("b", {}, name)]);
  const whose = names.length > 1 ? "their nightly refreshes" : "its nightly refresh";
  clear(
    line,
    h("span", {}, "Questions to ", listed, ` are remembered for ${whose}.`),
    h("label", {}, h("input", { type: "checkbox", name: "private" }), " do not remember this one"),
  );
}

/** j and k, or the arrow keys once a result has the focus, go from result to result; Enter opens the focused one. */
function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const inBox = event.target === $("#q");
  const typing = /^(input|textarea|select)$/i.test(event.target.tagName) && !inBox;
  const links = $$("#results .hit-title a");
  if (typing || !links.length || $("#found").hidden) return;
  const at = links.findIndex((link) => link.closest(".hit").contains(document.activeElement));
  const arrows = at >= 0 || inBox;
  let to = null;
  if ((event.key === "j" && !inBox) || (event.key === "ArrowDown" && arrows)) to = at + 1;
  else if ((event.key === "k" && !inBox) || (event.key === "ArrowUp" && at >= 0)) to = at - 1;
  if (to === null || to >= links.length) return;
  event.preventDefault();
  if (to < 0) $("#q").focus();
  else links[to].focus();
}
