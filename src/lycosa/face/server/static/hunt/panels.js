/** The inside of a hunt in tables: waiting links, hosts, misses. Each table is loaded when its tab is opened. */
import { $, clear, count, h, here, meter, out, probability } from "../lib/dom.js";
import { get, sentences } from "../lib/api.js";
import { short } from "./row.js";

const AGAIN = 1500;
/** Milliseconds until data that was not ready is requested again. */

export function panels(name, { onhost }) {
  const makers = { frontier, hosts, errors };
  const last = {};

  async function refresh(id) {
    const make = makers[id];
    if (!make) return;
    try {
      const path = id === "errors" ? "misses" : id;
      const data = await get(`/api/hunts/${name}/${path}`, { limit: 100 });
      // A hunt that does not run is not polled, so the tables of a large one would never be shown without this retry.
      if (data.ready === false) setTimeout(() => $(`#${id}`).hidden || refresh(id), AGAIN);
      const same = JSON.stringify(data);
      if (same === last[id]) return;
      last[id] = same;
      keepFocus($(`#${id}`), () => clear($(`#${id}`), make(data)));
    } catch (problem) {
      if (!last[id]) clear($(`#${id}`), h("p", { class: "empty" }, problem.line ?? String(problem)));
    }
  }

  function frontier({ ready, queued, links }) {
    if (!ready) return nothing("The frontier is being read.", "A large hunt takes a moment.");
    if (!links.length) return nothing("No link waits.", "Either everything that was found has been fetched, or nothing has been found yet.");
    const scores = links.map((link) => link.score);
    const [least, best] = [Math.min(0, ...scores), Math.max(...scores)];
    return [
      intro(`${count(queued)} ${queued === 1 ? "link waits" : "links wait"}. These are the most promising; the next page is one of the first.`),
      table(
        ["score", "link", "found on"],
        links.map((link) => [
          h("td", { class: "narrow-cell" }, scored(link.score - least, best - least, short(link.score))),
          h("td", {}, h("div", { class: "cell" }, out(link.url, link.anchor || address(link.url)), link.anchor && h("span", { class: "muted tiny" }, address(link.url)))),
          h("td", { class: "small" }, h("div", { class: "cell" }, link.via ? here(`/why/${name}`, { url: link.via }, address(link.via)) : h("span", { class: "muted" }, "a seed"))),
        ]),
      ),
    ];
  }

  function hosts({ total, hosts: some }) {
    if (!some.length) return nothing("No host has answered yet.", "");
    return [
      intro(`${count(total)} ${total === 1 ? "host" : "hosts"}. A name shows the results from there.`),
      table(
        ["host", "#pages", "on topic", "#best page", "#misses"],
        some.map((host) => [
          h("td", {}, h("button", { type: "button", class: "link", "data-key": host.host, onclick: () => onhost(host.host) }, host.host)),
          h("td", { class: "number" }, count(host.pages)),
          h("td", {}, host.pages ? h("span", { class: "scored" }, h("span", {}, probability(host.relevance)), meter(host.relevance)) : ""),
          h("td", { class: "number" }, host.pages ? probability(host.best) : ""),
          h("td", { class: "number" }, host.misses ? count(host.misses) : ""),
        ]),
      ),
    ];
  }

  function errors({ total, reasons }) {
    if (!reasons.length) return nothing("Nothing went wrong.", "What cannot be fetched is listed here with its reason.");
    const most = Math.max(1, ...reasons.map((one) => one.count));
    return [
      intro(`${count(total)} ${total === 1 ? "link" : "links"} brought no page.`),
      h("ul", { class: "reasons" }, reasons.map((one) => reason(one, most))),
    ];
  }

  function reason({ reason: words, problem, count: number, again, examples, meaning, fix }, most) {
    return h(
      "li",
      {},
      h("div", { class: "reason-head" }, h("h3", { title: words }, meaning ? words : problem), meter(number / most, "as often as the commonest"), h("b", { class: "number" }, count(number))),
      meaning && h("p", { class: "small" }, sentences(meaning, fix)),
      again > 0 && h("p", { class: "small muted" }, `asked again ${again === 1 ? "once" : `${count(again)} times`}`),
      h("ul", {}, examples.map((url) => h("li", { class: "small" }, out(url, address(url))))),
    );
  }

  return { refresh, has: (id) => id in makers };
}

const intro = (text) => h("p", { class: "muted panel-intro" }, text);
const nothing = (title, text) => h("div", { class: "empty" }, h("h2", {}, title), text && h("p", {}, text));
const address = (url) => url.replace(/^https?:\/\//i, "").replace(/\/$/, "");
const scored = (value, best, words = short(value)) => h("span", { class: "scored" }, h("span", {}, words), meter(best > 0 ? value / best : 0, "beside the best"));

/** Columns whose names begin with # hold numbers. */
function table(columns, rows) {
  const head = columns.map((name) => h("th", { scope: "col", class: name.startsWith("#") ? "number" : "" }, name.replace("#", "")));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table" }, h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows.map((cells) => h("tr", {}, cells)))));
}

/** Keep the focus where it was when a panel is redrawn. */
function keepFocus(panel, change) {
  const key = panel.contains(document.activeElement) ? (document.activeElement.dataset.key ?? document.activeElement.getAttribute("href")) : null;
  const scrolled = $(".scroll", panel)?.scrollLeft ?? 0;
  change();
  const place = $(".scroll", panel);
  if (place) place.scrollLeft = scrolled;
  if (key) [...panel.querySelectorAll("[data-key], a")].find((one) => one.dataset.key === key || one.getAttribute("href") === key)?.focus();
}
