/** The live page of a hunt: it loads the status, then follows the event stream and draws once per frame. */
import { $, ago, clear, count, h, here, perFrame, probability } from "./lib/dom.js";
import { get, tell } from "./lib/api.js";
import { live } from "./lib/live.js";
import { tabs } from "./lib/tabs.js";
import { about } from "./hunt/about.js";
import { doubts } from "./hunt/doubts.js";
import { harvest } from "./hunt/harvest.js";
import { heading, runs } from "./hunt/heading.js";
import { panels } from "./hunt/panels.js";
import { results } from "./hunt/results.js";

const LOOK = 2000;
/** Milliseconds between two updates of a panel while the hunt runs. */
const SPEAK = 15_000;

const name = document.body.dataset.name;
const status = { state: "", keywords: "", strategy: "", problem: "", early: "", failures: [], budget: {}, counts: { pages: 0 }, rendering: {}, estimate: null };
const head = heading(name, steered);
const list = results(name, { onlisted: explain });
doubts(name, list.say);
const curves = harvest(name);
const inside = panels(name, { onhost: only });
let tree = null;
let spoken = 0;
/** The last event after which pages have another relevance; -1 before the first batch. */
let rejudged = -1;
let connected = "connecting";

const parts = tabs($("#parts"), { onshow: look });
const draw = perFrame(() => {
  head.show(status);
  $("#hunt").toggleAttribute("data-bare", Boolean(status.state) && !runs(status.state) && !status.counts.pages);
  curves.budget(status.budget.pages, status.state === "finished");
  curves.draw();
  const { counts } = status;
  $("#tally-results").textContent = tally(counts.pages);
  $("#tally-frontier").textContent = tally(counts.queued);
  $("#tally-hosts").textContent = tally(counts.hosts);
  $("#tally-errors").textContent = tally(counts.misses);
});

const tally = (number) => (number ? count(number) : "");

/** Show the state of the hunt, from the status or from a batch of the stream. */
function stands(told) {
  const before = status.state;
  for (const key of ["state", "problem", "fix", "early", "failures", "ahead", "keywords", "strategy", "budget", "rendering"]) {
    if (told[key] !== undefined && told[key] !== null) status[key] = told[key];
  }
  const from = told.counts ?? told;
  for (const key of ["pages", "hosts", "bytes", "queued", "harvest"]) {
    if (typeof from[key] === "number") status.counts[key] = from[key];
  }
  if (from.misses !== undefined) status.counts.misses = typeof from.misses === "object" ? sum(from.misses) : from.misses;
  if (told.estimate) {
    status.estimate = told.estimate;
    curves.estimated(told.estimate, status.counts.pages);
    list.threshold(told.estimate.threshold ?? null);
  }
  if (told.too_early !== undefined) curves.tooEarly(told.too_early);
  if (before && before !== status.state) {
    speak(true);
    if (!list.size) list.begin();
    if (!runs(status.state)) setTimeout(rested, 300);
  }
  draw();
}

/** When the hunt has stopped running: show why, and update the panel a last time. */
function rested() {
  get(`/api/hunts/${name}`).then(stands, () => {});
  look();
}

const sum = (numbers) => Object.values(numbers).reduce((all, one) => all + one, 0);

function batch(told) {
  stands(told);
  if (told.judged?.length) list.judged(told.judged);
  if (told.rejudged > rejudged) {
    if (rejudged >= 0) {
      list.rejudged();
      curves.rejudged();
    }
    rejudged = told.rejudged;
  }
  if (told.pages?.length) {
    curves.add(told.pages);
    list.add(told.pages);
  }
  list.counted(status.counts.pages);
  speak();
}

function steered(told, verb) {
  if (told?.state) stands(told);
  if (verb === "extend") tell("100 pages more.");
}

/** For screen readers: announce the state now and then. */
function speak(now = false) {
  if (!now && performance.now() - spoken < SPEAK) return;
  spoken = performance.now();
  const { counts, state } = status;
  $("#spoken").textContent = `${$("#state span").textContent || state}: ${count(counts.pages)} pages, on topic: ${probability(counts.harvest)}`;
}

function connection(state) {
  if (state === "open" && connected === "lost") {
    // After a restart of the server, the status may hold news that the stream does not: budgets, actions.
    get(`/api/hunts/${name}`).then(stands, () => {});
  }
  if (state !== "connecting") connected = state;
  $("#connection").hidden = connected !== "lost";
}

/** What to say if there is no result to show. */
function explain({ number, sieved }) {
  if (number) return;
  const { state } = status;
  if (sieved) list.empty(h("h2", {}, "Nothing matches."), h("p", {}, "Loosen the filter; new pages that match will appear by themselves."));
  else if (state === "waiting") list.empty(h("h2", {}, "It has not begun yet."), h("p", {}, "Results appear here as they are found."));
  else if (runs(state)) list.empty(h("div", { class: "weaving", "aria-hidden": "true" }, h("i"), h("i"), h("i")), h("h2", {}, "The first page is on its way."), h("p", {}, "Results appear here as they are found. You can open and judge them while the hunt goes on."));
  else if (state === "paused") list.empty(h("h2", {}, "It rests before its first page."));
  else list.empty(h("h2", {}, "Nothing was found."), h("p", {}, "None of the pages it was to begin with could be fetched. ", h("button", { type: "button", class: "link", onclick: () => parts.show("errors") }, "See why"), "."), h("p", { class: "empty-do" }, here("/", { like: name }, "Try other pages", { class: "button primary" })));
}

async function look(id = parts.current()) {
  // The stream does not tell what is withheld, outside the scope or not followed.
  if (id === "about" && status.state) await about(name, { ...status, ...(await get(`/api/hunts/${name}`).catch(() => ({}))) });
  if (id === "paths") await showTree();
  if (inside.has(id)) await inside.refresh(id);
}

async function showTree() {
  if (!tree) {
    const { panel } = await import("./tree.js");
    tree ??= panel($("#paths"), name, status.strategy);
  }
  tree.refresh();
}

function only(host) {
  parts.show("results");
  list.only(host);
}

async function begin() {
  let told;
  try {
    told = await get(`/api/hunts/${name}`);
  } catch (problem) {
    if (problem.status) tell(problem);
    $("#connection").hidden = problem.status !== 0;
    setTimeout(begin, 1500);
    return;
  }
  $("#connection").hidden = true;
  Object.assign(status, told, { counts: status.counts, state: "" });
  $("#topic").textContent = told.keywords || name;
  $("#topic").title = told.keywords?.length > 150 ? told.keywords : "";
  $("#by").textContent = `by ${told.strategy}`;
  clear($("#begun"), told.began ? ["begun ", ago(told.began)] : []);
  if (told.strategy === "infospiders") $("#tab-paths").textContent = "Spiders";
  stands(told);
  live(`/api/hunts/${name}/events`, { after: told.seq, onbatch: batch, onstate: connection });
  // Everything about a hunt that has not begun comes with the stream.
  await Promise.all(told.seq ? [list.load(), curves.load()] : [curves.begin(), list.begin()]);
  draw();
  look();
  setInterval(() => !document.hidden && runs(status.state) && parts.current() !== "about" && look(), LOOK);
}

begin();
