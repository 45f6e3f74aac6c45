/** Filters: by host, language, category, type and year from the facets, by date and probability of being on topic from a few fixed choices. */
import { h, clear, count, percent, spoken } from "../lib/dom.js";

const SHOWN = 7;
const NAMES = { host: "Host", lang: "Language", category: "Category", type: "Type", year: "Year", after: "Fetched", before: "Fetched before", relevance: "On topic" };
const DAYS = [["the last day", 1], ["the last week", 7], ["the last month", 30], ["the last year", 365]];
/** Probabilities of being on topic: more likely than not, likely, almost certain. */
const LEAST = ["0.5", "0.8", "0.95"];

export function showFilters(box, found, state, asked, go) {
  clear(box);
  if (found.alike) return;
  const facets = found.facets ?? {};
  const parts = ["host", "lang", "category", "type"].map((name) => counted(name, facets[name] ?? {}, state, go));
  parts.push(years(facets.year ?? {}, state, go));
  if (found.total || state.filter.length) parts.push(choices("after", dates(), state, go), choices("relevance", LEAST.map((least) => [said("relevance", least), least]), state, go));
  const shown = parts.filter(Boolean);
  if (shown.length) {
    const open = matchMedia("(min-width: 60rem)").matches || state.filter.length > 0;
    box.append(h("details", { class: "filter-box", open }, h("summary", {}, "Filters"), shown, asked.length === 1 && exports(asked[0].name)));
  }
}

/** The active filters, each with a button to remove it. */
export function showChosen(list, state, go) {
  list.hidden = !state.filter.length;
  clear(
    list,
    state.filter.map((one) => {
      const [name, value] = parted(one);
      const text = `${NAMES[name] ?? name}: ${said(name, value)}`;
      const drop = () => go({ filter: state.filter.filter((other) => other !== one), page: 1 });
      return h("li", {}, h("button", { type: "button", class: "small dropped", "data-key": one, "aria-label": `Remove the filter ${text}`, onclick: drop }, text, h("span", { "aria-hidden": "true" }, " ×")));
    }),
  );
}

function counted(name, counts, state, go) {
  const rows = Object.entries(counts).filter(([value]) => value);
  const chosen = new Set(state.filter.map(parted).filter(([one]) => one === name).map(([, value]) => value));
  if (rows.length < 2 && !chosen.size) return null;
  const items = rows.map(([value, number], place) => {
    const item = h("li", { hidden: place >= SHOWN && !chosen.has(value) }, toggle(name, value, said(name, value), count(number), state, go));
    return item;
  });
  const hidden = items.filter((item) => item.hidden);
  const more = h("button", { type: "button", class: "quiet small", onclick: () => {
    for (const item of hidden) item.hidden = false;
    more.remove();
    hidden[0].querySelector("button").focus();
  } }, `${hidden.length} more`);
  return group(name, items, hidden.length ? more : null);
}

/** The years in which pages were fetched; a year is a filter from its first day to that of the next. */
function years(counts, state, go) {
  const rows = Object.entries(counts).sort(([one], [other]) => other - one);
  if (rows.length < 2) return null;
  const items = rows.map(([year, number]) => {
    const both = [`after=${year}-01-01`, `before=${Number(year) + 1}-01-01`];
    const on = both.every((one) => state.filter.includes(one));
    const rest = state.filter.filter((one) => !/^(after|before)=/.test(one));
    const click = () => go({ filter: on ? rest : [...rest, ...both], page: 1 });
    return h("li", {}, h("button", { type: "button", class: "facet", "data-key": `year=${year}`, "aria-pressed": String(on), onclick: click }, h("span", { class: "facet-text" }, year), h("span", { class: "muted number" }, count(number))));
  });
  return group("year", items, null);
}

function choices(name, pairs, state, go) {
  return group(name, pairs.map(([text, value]) => h("li", {}, toggle(name, value, text, "", state, go, true))), null);
}

function group(name, items, more) {
  const id = `filter-${name}`;
  return h("section", { class: "filter" }, h("h3", { id }, NAMES[name]), h("ul", { "aria-labelledby": id }, items), more);
}

/** Switch a filter on or off; only one date and one relevance can be on. */
function toggle(name, value, text, number, state, go, alone = false) {
  const one = `${name}=${value}`;
  const on = state.filter.includes(one);
  const click = () => {
    const rest = state.filter.filter((other) => other !== one && !(alone && parted(other)[0] === name));
    go({ filter: on ? rest : [...rest, one], page: 1 });
  };
  return h("button", { type: "button", class: "facet", "data-key": one, "aria-pressed": String(on), onclick: click }, h("span", { class: "facet-text" }, text), number && h("span", { class: "muted number" }, number));
}

function dates() {
  const today = new Date();
  return DAYS.map(([text, days]) => [text, new Date(today - days * 86_400_000).toISOString().slice(0, 10)]);
}

function parted(filter) {
  const at = filter.indexOf("=");
  return [filter.slice(0, at), filter.slice(at + 1)];
}

function said(name, value) {
  if (name === "after") return `since ${value}`;
  if (name === "relevance") return `${percent(Number(value))} or more`;
  return name === "lang" ? spoken(value) : value;
}

function exports(name) {
  const link = (format, text) => h("a", { href: `/api/collections/${encodeURIComponent(name)}/export?format=${format}`, download: "" }, text);
  return h("p", { class: "export muted small" }, `Take ${name} with you: `, link("jsonl", "JSONL"), ", ", link("csv", "CSV"), ", ", link("warc.gz", "WARC"), ", ", link("wacz", "WACZ"));
}
