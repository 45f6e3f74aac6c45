/** The form that starts a hunt: errors are shown beside their field, and the last settings are kept. */
import { $, $$, clear, h, out } from "../lib/dom.js";
import { get, post, sentences, tell } from "../lib/api.js";
import { chosen, offer } from "./options.js";

const KEPT = "lycosa.hunting";
const AGAIN = 3000;
const STEPS = [10, 20, 50, 100, 200, 300, 500, 700, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];
const FIELDS = { bytes: "megabytes", seconds: "minutes", on_topic: "seeds", seeds_from: "seeds", begin_at: "seeds", find: "seeds", find_queries: "seeds", found_on_topic: "seeds", settings: "strategy", inlinks: "strategy", taxonomy: "strategy", background: "judge", url: "seeds" };
const form = $("#request");
/** How many collections and other sources can be searched for places to begin. */
const searchable = { collections: 0, finders: 0 };
const kinds = { strategies: [], judges: [], options: [] };
let filled;
const choicesAreThere = new Promise((done) => (filled = done));

/** Prepare the form: load the choices, restore the last settings, apply what the address asks for. */
export async function prepare() {
  slide();
  wire();
  await choose();
}

/** Offer to find places to begin if there is something to search. */
export function canFind(what, number) {
  searchable[what] = number;
  $("#finding").hidden = !searchable.collections && !searchable.finders;
}

/** Load the choices; if the server is down, try again: it may be back in a moment. */
async function choose() {
  try {
    const [strategies, judges, { hunt }] = await Promise.all(["strategies", "judges", "options"].map((each) => get(`/api/${each}`)));
    Object.assign(kinds, { strategies, judges, options: hunt });
    canFind("finders", (await get("/api/finders")).finders.length);
  } catch (problem) {
    tell(problem);
    setTimeout(choose, AGAIN);
    return;
  }
  const kept = remembered();
  choices($("#strategy"), kinds.strategies, kept.strategy ?? usual("strategy"));
  choices($("#judge"), kinds.judges, kept.judge ?? usual("judge"));
  offer($("#more-options"), kinds.options.filter(hasNoField), {}, "request", "further options");
  describe(kept.settings, kept.judging);
  await asked();
  filled();
}

/** The default of an option of a hunt. */
const usual = (name) => kinds.options.find((option) => option.name === name)?.default;

/** Whether the form has no field of its own for an option. */
const hasNoField = ({ name }) => !$(`[name="${name}"]`, form) && !(name in FIELDS);

function choices(select, some, wanted) {
  const option = (kind) => h("option", { value: kind.name, disabled: !kind.usable }, kind.name);
  const [usable, others] = [some.filter((kind) => kind.usable), some.filter((kind) => !kind.usable)];
  clear(select, usable.map(option), others.length > 0 && h("optgroup", { label: "on the command line only" }, others.map(option)));
  if (usable.some((kind) => kind.name === wanted)) select.value = wanted;
}

/** Describe the chosen strategy, and offer its options. */
function describe(settings = {}, judging = {}) {
  const strategy = kinds.strategies.find((kind) => kind.name === $("#strategy").value);
  const judge = kinds.judges.find((kind) => kind.name === $("#judge").value);
  clear($("#strategy-says"), strategy.summary, paper(strategy), needs(strategy));
  clear($("#judge-says"), judge.summary, paper(judge), needs(judge));
  offer($("#strategy-options"), strategy.options, settings);
  offer($("#judge-options"), judge.options, judging, "judging");
  const asUsual = strategy.name === usual("strategy") && judge.name === usual("judge") && !Object.keys({ ...settings, ...judging }).length;
  $("#more-says").textContent = asUsual ? "the usual way, learning as it goes" : `${strategy.name}, judged by ${judge.name}`;
}

const paper = (kind) => h("span", { class: "paper" }, kind.about.split(/\n\s*\n/)[0].replace(/\s+/g, " "));
const needs = (kind) => kind.needs.length > 0 && h("span", { class: "needs" }, `It needs ${kind.needs.join(" and ")}.`);

/** The slider moves in round steps; the number beside it takes any value. */
function slide() {
  const range = $("#pages-range");
  const number = $("#pages");
  range.max = STEPS.length - 1;
  const follow = () => {
    const value = Number(number.value) || 0;
    range.value = STEPS.findIndex((step) => step >= value) < 0 ? STEPS.length - 1 : STEPS.findIndex((step) => step >= value);
  };
  range.addEventListener("input", () => (number.value = STEPS[range.value]));
  number.addEventListener("input", follow);
  follow();
}

function wire() {
  $("#strategy").addEventListener("change", () => describe({}, chosen($("#judge-options"))));
  $("#judge").addEventListener("change", () => describe(chosen($("#strategy-options"))));
  $("#find").addEventListener("click", find);
  $("#example").addEventListener("click", example);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  form.addEventListener("input", (event) => blame(event.target.closest("[data-field]")?.dataset.field, ""));
  // A page from the browser's back-forward cache still has the form as it was left; only the button is reset.
  addEventListener("pageshow", (event) => event.persisted && ready());
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
}

const lines = (text) => text.split(/[\n,]+/).map((line) => line.trim()).filter(Boolean);
const number = (text) => (String(text).trim() === "" ? null : Number(text));

function request() {
  const data = new FormData(form);
  const ticked = $$("#candidates li input:checked").map((box) => box.value);
  const typed = lines(data.get("seeds")).flatMap((line) => line.split(/\s+/));
  const [examples, places] = [[], []];
  (data.get("on_topic") === "yes" ? examples : places).push(...typed);
  (data.has("found_on_topic") ? examples : places).push(...ticked);
  const minutes = number(data.get("minutes"));
  const megabytes = number(data.get("megabytes"));
  return {
    ...chosen($("#more-options")),
    keywords: data.get("keywords").trim(),
    seeds: [...new Set(examples)],
    begin_at: [...new Set(places)],
    strategy: data.get("strategy"),
    settings: chosen($("#strategy-options")),
    judge: data.get("judge") + setting(chosen($("#judge-options"))),
    pages: number(data.get("pages")) ?? usual("pages"),
    bytes: megabytes && Math.round(megabytes * 1e6),
    seconds: minutes && minutes * 60,
    delay: number(data.get("delay")),
    within: lines(data.get("within")),
    without: lines(data.get("without")),
    name: data.get("name").trim(),
  };
}

/** Options as the command line takes them: «:alpha=0.3,words=5». */
function setting(some) {
  const each = Object.entries(some).map(([name, value]) => `${name}=${value}`);
  return each.length ? `:${each.join(",")}` : "";
}

/** Reset the form to the state in which nothing is being started. */
function ready() {
  $("#go").disabled = false;
  $("#go").textContent = "Start the hunt";
}

async function submit() {
  const wanted = request();
  for (const field of $$("[data-field]", form)) blame(field.dataset.field, "");
  $("#request-problem").hidden = true;
  if (!wanted.keywords) return blame("keywords", "Say in a few words what to hunt for.", true);
  if (!wanted.seeds.length && !wanted.begin_at.length) {
    // With words alone, what is found is shown before anything begins.
    const looked = !$("#candidates").hidden || $("#finding").hidden;
    if (looked || !(await find())) blame("seeds", "Give at least one address to begin with.", true);
    return;
  }
  const go = $("#go");
  go.disabled = true;
  go.textContent = "Starting…";
  try {
    // A person may submit the form before the list of strategies has loaded.
    await choicesAreThere;
    const begun = await post("/api/hunts", request());
    remember();
    location.assign(`/hunts/${begun.name}`);
  } catch (problem) {
    ready();
    refused(problem);
  }
}

/** Show a problem next to its field, which the server names. */
function refused(problem) {
  const [first, option] = (problem.field ?? "").split(".");
  const further = $(`#request-${CSS.escape(first)}`);
  const input = option && $$(first === "judge" ? "#judge-options [data-option]" : "#strategy-options [data-option]").find((one) => one.dataset.option === option);
  const name = input?.id ?? further?.id ?? FIELDS[first] ?? first;
  const words = sentences(problem.message.replace(`${problem.field}: `, ""), problem.fix?.startsWith("see /api") ? "" : problem.fix);
  if (name && $(`[data-field="${CSS.escape(name)}"]`, form)) return blame(name, words, true);
  $("#request-problem").textContent = words;
  $("#request-problem").hidden = false;
}

/** Show beside a field what is wrong with it; an empty text clears that. */
function blame(name, text, focus = false) {
  const field = name && $(`[data-field="${CSS.escape(name)}"]`, form);
  if (!field) return;
  $(":scope .field-problem", field).textContent = text;
  const input = $("input:not([type=range]), textarea, select", field);
  if (text) input?.setAttribute("aria-invalid", "true");
  else input?.removeAttribute("aria-invalid");
  if (!focus) return;
  for (let part = field.closest("details"); part; part = part.parentElement?.closest("details")) part.open = true;
  input?.focus();
}

/** Fill in an example, for people who only want to see it work. */
function example() {
  $("#keywords").value = "wolf spiders";
  $("#seeds").value = "https://en.wikipedia.org/wiki/Wolf_spider";
  for (const field of ["keywords", "seeds"]) blame(field, "");
  $("#go").focus();
}

/** Ask all sources for places to begin, and show them; whether there are any. */
async function find() {
  const keywords = $("#keywords").value.trim();
  if (!keywords) return blame("keywords", "Say first what to hunt for.", true);
  const says = $("#find-says");
  says.textContent = "Looking…";
  try {
    const { seeds, asked, remarks } = await post("/api/seeds", { keywords });
    const found = seeds.length ? `Found by ${asked.join(", ")}.` : "No source knows a page about these words: give an address.";
    says.textContent = [found, ...remarks.map((remark) => `${remark}.`)].join(" ");
    suggest(seeds);
    $("#candidates input")?.focus();
    return seeds.length > 0;
  } catch (problem) {
    says.textContent = problem.line ?? problem.message;
    return false;
  }
}

/** Show places to begin, all of them ticked. */
function suggest(seeds) {
  $("#candidates").hidden = seeds.length === 0;
  clear($("#candidates ul"), seeds.map((seed) => candidate(seed)));
}

function candidate(seed) {
  const id = `seed-${crypto.randomUUID?.() ?? Math.random()}`;
  return h("li", {}, h("input", { type: "checkbox", id, value: seed.url, checked: true }), h("label", { for: id }, h("b", {}, seed.title || seed.url), h("span", { class: "small muted" }, `${host(seed.url)}, ${seed.reason}`)), out(seed.url, "open", { class: "small", "aria-label": `Open ${seed.title || seed.url}` }));
}

const host = (url) => /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? "";

/** Keep the last settings for the next time. */
function remember() {
  const way = { strategy: $("#strategy").value, settings: chosen($("#strategy-options")), judge: $("#judge").value, judging: chosen($("#judge-options")) };
  try {
    localStorage.setItem(KEPT, JSON.stringify(way));
  } catch {
    // It does not matter if the browser cannot store anything.
  }
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

/** What the address asks for: /?keywords=spiders&seed=URL, or /?like=NAME for another hunt of the same kind. */
async function asked() {
  const query = new URLSearchParams(location.search);
  const like = query.get("like");
  const before = like ? await get(`/api/hunts/${encodeURIComponent(like)}`).catch(() => null) : null;
  const keywords = query.get("keywords") ?? before?.keywords;
  const mixed = before?.examples?.length > 0 && before.examples.length < before.seeds.length;
  const seeds = query.has("seed") ? query.getAll("seed") : ((mixed ? before.examples : before?.seeds) ?? []);
  if (mixed) suggest(before.seeds.filter((url) => !before.examples.includes(url)).map((url) => ({ url, title: "", reason: "a place where that hunt began" })));
  if (keywords) $("#keywords").value = keywords;
  if (seeds.length) $("#seeds").value = seeds.join("\n");
  if (before?.budget?.pages) $("#pages").value = before.budget.pages;
  $("#pages").dispatchEvent(new Event("input", { bubbles: true }));
  choices($("#strategy"), kinds.strategies, query.get("strategy") ?? before?.strategy ?? $("#strategy").value);
  choices($("#judge"), kinds.judges, before?.judge ?? $("#judge").value);
  if (before || query.has("strategy")) describe(before?.settings, before?.judge_settings);
  if (before?.on_topic === false) $('[name="on_topic"][value="no"]').checked = true;
  if (before?.within?.length) $("#within").value = before.within.join("\n");
  if (before?.without?.length) $("#without").value = before.without.join("\n");
}

