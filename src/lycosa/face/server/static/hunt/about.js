/** The settings of a hunt, and what else can be done with its pages. */
import { $, clear, count, h, here, out, size, when } from "../lib/dom.js";
import { get } from "../lib/api.js";
import { care } from "./care.js";

const FORMATS = [
  ["jsonl", "JSON lines", "one page a line, with its text"],
  ["csv", "CSV", "addresses, titles and how likely each is on topic"],
  ["warc.gz", "WARC", "the pages as they were fetched"],
];

export async function about(name, status) {
  const kinds = await get("/api/strategies").catch(() => []);
  const kind = kinds.find((one) => one.name === status.strategy);
  clear($("#about"), h("div", { class: "about" }, plan(status, kind), doing(name)));
}

function plan(status, kind) {
  const { budget } = status;
  const limits = [
    budget.pages && `${count(budget.pages)} pages`,
    budget.bytes && size(budget.bytes),
    budget.seconds && `${count(budget.seconds)} seconds`,
    budget.until && `${Math.round(100 * budget.until)} % of what there may be`,
  ].filter(Boolean);
  const seeds = status.seeds ?? [];
  const examples = status.examples ?? [];
  return h(
    "section",
    { class: "stack" },
    h("h2", {}, "What was asked for"),
    h(
      "dl",
      { class: "plan" },
      pair("Keywords", status.keywords),
      pair("Strategy", h("b", {}, status.strategy), kind && [": ", kind.summary], kind && options(kind, status.settings)),
      status.judge && pair("Judge", status.judge),
      pair("Budget", limits.join(", ") || "no limit"),
      status.delay !== undefined && pair("Politeness", `${status.delay} s between two requests to a host`, status.within?.length > 0 && `, and only ${status.within.join(", ")}`, status.without?.length > 0 && `, never ${status.without.join(", ")}`),
      kept(status).length > 0 && pair("Scope", kept(status).join("; ")),
      counts(status.withheld) && pair("Withheld from searches and exports", counts(status.withheld)),
      counts(ignored(status.left_out)) && pair("Links not followed", counts(ignored(status.left_out))),
      status.began && pair("Begun", when(status.began)),
      pages("Examples", examples),
      pages("Begins at", seeds.filter((url) => !examples.includes(url))),
    ),
  );
}

/** The rules of the scope, and what they have kept out. */
function kept(status) {
  const rules = Object.entries(status.scope ?? {}).map(([name, value]) => `${name.replaceAll("_", " ")}: ${[value].flat().join(", ")}`);
  const outside = [["link", status.links_outside], ["page", status.pages_outside]].flatMap(([what, counts]) => {
    const most = Object.entries(counts ?? {}).sort((one, other) => other[1] - one[1]);
    const sum = most.reduce((total, [, number]) => total + number, 0);
    return sum ? [`${count(sum)} ${sum === 1 ? what : `${what}s`} outside: ${most.slice(0, 6).map(([rule, number]) => `${count(number)} by ${rule}`).join(", ")}`] : [];
  });
  return [...rules, ...outside];
}

/** Links that were not followed for other reasons than the scope, which counts its own. */
const ignored = (reasons) => Object.fromEntries(Object.entries(reasons ?? {}).filter(([reason]) => !reason.startsWith("scope ")));
const counts = (reasons) => Object.entries(reasons ?? {}).map(([reason, number]) => `${reason} ×${count(number)}`).join(", ");
const pages = (name, urls) => urls.length > 0 && pair(name, h("ul", { class: "seeds" }, urls.slice(0, 30).map((url) => h("li", {}, out(url))), urls.length > 30 && h("li", { class: "muted" }, `and ${count(urls.length - 30)} more`)));

function options(kind, settings = {}) {
  if (!kind.options?.length) return null;
  const rows = kind.options.map((option) => {
    const value = settings[option.name] ?? option.default;
    const changed = option.name in settings && String(settings[option.name]) !== String(option.default);
    return h("li", { class: changed ? "changed" : "" }, h("span", { class: "mono" }, `${option.name} = ${value}`), option.help && h("span", { class: "muted small" }, option.help));
  });
  return h("details", {}, h("summary", { class: "small" }, `${rows.length} ${rows.length === 1 ? "option" : "options"}`), h("ul", { class: "options" }, rows));
}

function doing(name) {
  return h(
    "section",
    { class: "stack" },
    h("h2", {}, "What can be done with it"),
    h(
      "ul",
      { class: "doing" },
      action(here("/search", { in: name }, "Search these pages"), "with highlights, and why each ranks where it does"),
      action(here(`/map/${name}`, {}, "See them on a map"), "sites as trees, hubs and authorities"),
      action(here("/", { like: name }, "Hunt again like this"), "the same form, ready to be changed"),
      FORMATS.map(([format, title, text]) => action(h("a", { href: `/api/collections/${name}/export?format=${format}`, download: `${name}.${format}` }, `Save as ${title}`), text)),
    ),
    care(name),
  );
}

const pair = (name, ...what) => h("div", {}, h("dt", {}, name), h("dd", {}, ...what));
const action = (link, text) => h("li", {}, link, h("span", { class: "muted small" }, text));
