/** Saved searches: kept in this browser, with how many new pages each has since it was last opened. */
import { $, clear, count, h } from "../lib/dom.js";
import { get } from "../lib/api.js";
import { address, feedOf } from "./state.js";

const PLACE = "lycosa-searches";
const MOST = 50;

/** What is kept: [{ state, seen }], `seen` in seconds since 1970. */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one?.state?.q === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

function write(kept) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(kept.slice(0, MOST)));
  } catch {
    // A browser without a memory keeps nothing.
  }
}

const bare = ({ q, in: names, by, sort, filter }) => ({ q, in: names, by, sort, filter, page: 1, like: "", verbatim: false });
const now = () => Date.now() / 1000;

export function savedSearches(current, go) {
  $("#save").addEventListener("click", () => {
    const one = bare(current());
    const others = read().filter((each) => address(each.state) !== address(one));
    const had = others.length < read().length;
    write(had ? others : [{ state: one, seen: now() }, ...others]);
    showSaved(current());
  });
  $("#saved-list").addEventListener("click", (event) => {
    const name = event.target.closest("button")?.dataset.forget;
    if (!name) return;
    write(read().filter((each) => address(each.state) !== name));
    showSaved(current());
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-saved]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    const found = read().find((each) => address(each.state) === link.dataset.saved);
    if (found) go(found.state);
  });
}

/** Show the button and the feed of the present search, or the list of saved ones if there is none. */
export function showSaved(state) {
  const kept = read();
  const asked = state.q && !state.like;
  $("#keep").hidden = !asked;
  $("#saved").hidden = Boolean(state.q || state.like) || !kept.length;
  if (asked) {
    const here = address(bare(state));
    const mine = kept.find((each) => address(each.state) === here);
    if (mine) write(kept.map((each) => (each === mine ? { ...each, seen: now() } : each)));
    $("#save").textContent = mine ? "Forget this search" : "Save this search";
    $("#feed").href = feedOf(state);
    return;
  }
  const rows = kept.map((each) => {
    const name = address(each.state);
    const fresh = h("span", { class: "badge", hidden: true });
    get("/api/search", { query: each.state.q, collection: each.state.in, filter: [...each.state.filter, `after=${day(each.seen)}`], sort: "time", limit: 100, private: 1 })
      .then(({ results }) => {
        const news = results.filter((one) => one.at > each.seen).length;
        fresh.textContent = news ? `${count(news)}${news === 100 ? " or more" : ""} new` : "";
        fresh.hidden = !news;
      })
      .catch(() => {});
    return h("li", { class: "row" }, h("a", { href: name, "data-saved": name }, each.state.q), each.state.in.length ? h("span", { class: "small muted" }, each.state.in.join(", ")) : null, fresh, h("button", { type: "button", class: "small", "data-forget": name, "aria-label": `Forget ${each.state.q}` }, "Forget"));
  });
  clear($("#saved-list"), rows);
}

/** The day before a time, so that the time zone does not matter. */
const day = (seconds) => new Date((seconds - 86_400) * 1000).toISOString().slice(0, 10);
