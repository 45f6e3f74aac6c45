/** The list of hunts and other entries: running hunts first, then the latest; it is updated while it is visible. */
import { $, ago, clear, count, h, here, percent } from "../lib/dom.js";
import { get } from "../lib/api.js";

const SOON = 1500;
const LATER = 12_000;
const LIVE = ["running", "starting", "waiting"];
const MANY = 8;
/** Entries that are shown at first; the rest is shown on request. */
const FIRST = 12;
const PATHS = { collection: "/hunts/", community: "/communities/", lab: "/lab/" };
const WORDS = { running: "hunting", waiting: "waits", elsewhere: "run elsewhere" };
const shown = new Map();
let entries = [];
let all = false;

/** Show the list from now on; `oncount` gets the number of collections that can be searched. */
export async function follow(oncount) {
  $("#entries-sieve input").addEventListener("input", show);
  $("#entries-all").addEventListener("click", () => {
    all = true;
    show();
    $("#entries").children[FIRST]?.querySelector("a")?.focus();
  });
  await refresh(oncount).finally(() => tick(oncount));
}

async function refresh(oncount) {
  entries = await get("/api/hunts");
  show();
  oncount(entries.filter((entry) => entry.kind !== "lab" && entry.pages > 0).length);
}

function tick(oncount) {
  const due = entries.some((entry) => LIVE.includes(entry.state)) ? SOON : LATER;
  setTimeout(async () => {
    if (!document.hidden) await refresh(oncount).catch(() => {});
    tick(oncount);
  }, due);
}

/** Running hunts come first and keep their order; the rest is sorted, latest first. */
function before(a, b) {
  const [one, other] = [a, b].map((entry) => (LIVE.includes(entry.state) ? LIVE.indexOf(entry.state) : LIVE.length));
  return one - other || (one < LIVE.length ? a.name.localeCompare(b.name) : b.at - a.at);
}

function show() {
  const words = $("#entries-sieve input").value.trim().toLowerCase();
  const found = entries
    .filter((entry) => `${entry.title} ${entry.name} ${(entry.tags ?? []).join(" ")}`.toLowerCase().includes(words))
    .sort(before);
  const some = all || words ? found : found.slice(0, FIRST);
  $("#entries-sieve").hidden = entries.length <= MANY;
  $("#entries-all").hidden = some.length === found.length;
  $("#entries-all").textContent = `Show all ${count(found.length)}`;
  $("#entries-empty").hidden = entries.length > 0;
  $("#have").hidden = entries.length === 0;
  $("#example").hidden = entries.length > 0;
  $("#go-says").hidden = entries.length === 0;
  const titles = entries.map((entry) => entry.title);
  const alike = new Set(titles.filter((title, place) => titles.indexOf(title) !== place));
  const stay = new Set(some.map((entry) => entry.name));
  for (const [name, one] of shown) {
    if (stay.has(name)) continue;
    one.element.remove();
    shown.delete(name);
  }
  some.forEach((entry, place) => {
    const one = shown.get(entry.name) ?? card(entry);
    shown.set(entry.name, one);
    one.show(entry, alike.has(entry.title));
    const list = $("#entries");
    if (list.children[place] !== one.element) list.insertBefore(one.element, list.children[place] ?? null);
  });
}

function card(entry) {
  const title = h("a", { class: "entry-title", href: `${PATHS[entry.kind] ?? "/hunts/"}${entry.name}` });
  const badge = h("span", { class: "badge" });
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Pages of the budget" });
  const facts = h("span", { class: "number" });
  const twin = h("span", { class: "mono small muted entry-name" });
  const tags = h("span", { class: "entry-tags small" });
  const links = h("span", { class: "entry-links" }, entry.kind !== "lab" && here("/search", { in: entry.name }, "Search", { "aria-label": `Search ${entry.title || entry.name}` }), entry.kind === "collection" && here(`/map/${entry.name}`, {}, "Map", { "aria-label": `Map of ${entry.title || entry.name}` }));
  const element = h("li", { class: "entry" }, h("div", { class: "entry-head" }, title, twin, tags, badge), bar, h("div", { class: "entry-facts small muted" }, facts, links));
  return {
    element,
    show(now, alike) {
      title.textContent = now.title || now.name;
      badge.className = `badge ${now.state || now.kind}`;
      badge.textContent = now.state ? (WORDS[now.state] ?? now.state) : now.kind;
      const goal = typeof now.budget === "object" ? now.budget?.pages : now.budget;
      const live = LIVE.includes(now.state);
      bar.hidden = !live || !goal;
      if (goal) bar.value = Math.min(1, now.pages / goal);
      const fetched = now.kind === "lab" ? "" : live && goal ? `${count(now.pages)} of ${count(goal)} pages` : `${count(now.pages)} ${now.pages === 1 ? "page" : "pages"}`;
      const harvest = typeof now.harvest === "number" ? `about ${percent(now.harvest)} of the pages on topic` : null;
      const said = [fetched && h("span", { title: harvest }, fetched), live ? null : ago(now.at)].filter(Boolean);
      clear(facts, said.map((part, place) => [place ? " · " : "", part]));
      twin.textContent = alike ? now.name : "";
      clear(tags, (now.tags ?? []).map((tag) => h("span", { class: "badge" }, tag)));
      links.hidden = !now.pages;
      element.classList.toggle("is-live", live);
    },
  };
}
