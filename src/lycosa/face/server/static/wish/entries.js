/** The list of what is there: hunts that run first, then the latest; it follows what happens while somebody looks. */
import { $, clear, count, h, here } from "../lib/dom.js";
import { get } from "../lib/api.js";

const SOON = 1500;
const LATER = 12_000;
const LIVE = ["running", "starting", "waiting"];
const MANY = 8;
const PATHS = { collection: "/hunts/", community: "/communities/", lab: "/lab/" };
const WORDS = { running: "hunting", waiting: "waits", elsewhere: "run elsewhere" };
const shown = new Map();
let entries = [];

/** Show the list from now on; `oncount` hears how many collections can be asked. */
export async function follow(oncount) {
  $("#entries-sieve input").addEventListener("input", show);
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

/** What lives comes first and keeps its place; of the rest the latest. */
function before(a, b) {
  const [one, other] = [a, b].map((entry) => (LIVE.includes(entry.state) ? LIVE.indexOf(entry.state) : LIVE.length));
  return one - other || (one < LIVE.length ? a.name.localeCompare(b.name) : b.at - a.at);
}

function show() {
  const words = $("#entries-sieve input").value.trim().toLowerCase();
  const some = entries
    .filter((entry) => `${entry.title} ${entry.name}`.toLowerCase().includes(words))
    .sort(before);
  $("#entries-sieve").hidden = entries.length <= MANY;
  $("#entries-empty").hidden = entries.length > 0;
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
  const facts = h("p", { class: "small muted number entry-facts" });
  const links = h("p", { class: "entry-links small" }, entry.kind !== "lab" && here("/search", { in: entry.name }, "Search", { "aria-label": `Search ${entry.title || entry.name}` }), entry.kind === "collection" && here(`/map/${entry.name}`, {}, "Map", { "aria-label": `Map of ${entry.title || entry.name}` }));
  const element = h("li", { class: "entry" }, h("div", { class: "entry-head" }, title, badge), facts, bar, links);
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
      const harvest = now.harvest ? `mean relevance ${now.harvest.toFixed(2)}` : "";
      const said = [fetched, now.strategy, harvest, lately(now.at)].filter(Boolean).join(" · ");
      clear(facts, said, alike && h("span", { class: "entry-name" }, now.name));
      links.hidden = !now.pages;
      element.classList.toggle("is-live", live);
    },
  };
}

/** The hour for today, the day for what is longer ago. */
function lately(seconds) {
  if (!seconds) return "";
  const then = new Date(seconds * 1000);
  const today = then.toDateString() === new Date().toDateString();
  return today ? `today ${then.toLocaleTimeString("en-GB", { timeStyle: "short" })}` : then.toLocaleDateString("en-GB", { dateStyle: "medium" });
}
