/** Texts about a page of the map, at the pointer and in the panel, and the legend. */
import { clear, count, h, here, meter, onTopic, out, percent, probability, svg } from "../lib/dom.js";

const ROLES = {
  hub: "Hub: it links to many good pages",
  authority: "Authority: many good pages link to it",
  both: "Hub and authority",
  page: "",
  unfetched: "Linked, but not fetched",
};
const NEAR = 12;

/** The relevance of a page that was fetched, in words. */
const relevance = (map, page) => (map.asked ? `answers the keywords ${percent(map.relevance[page])} as well as the best page` : onTopic(map.relevance[page]));

/** A few lines about a page, shown beside the pointer. */
export function tip(map, page) {
  const role = map.roleOf(page);
  const facts = role === "unfetched" ? "linked, not fetched" : relevance(map, page);
  const scores = map.kind === "links" ? `hub ${map.hub[page].toFixed(2)} · authority ${map.authority[page].toFixed(2)}` : "";
  return [h("strong", {}, map.name[page]), h("span", {}, map.host(page)), h("span", {}, facts), scores && h("span", {}, scores)];
}

/** The same as one sentence, for screen readers. */
export function sentence(map, page) {
  const role = map.roleOf(page);
  const parts = [map.name[page], map.host(page), role === "unfetched" ? "" : relevance(map, page)];
  if (map.kind === "links" || role === "unfetched") parts.push(ROLES[role]);
  return parts.filter(Boolean).join(", ");
}

/** Everything known about the chosen page, and where to go from it. */
export function portrait(panel, name, map, page, { pick, close }) {
  const url = map.url(page);
  const role = map.roleOf(page);
  const fetched = role !== "unfetched";
  const tree = map.layout !== "graph";
  const links = [
    out(url, "Open", { class: "button small primary" }),
    fetched && here(`/why/${name}`, { url }, "Why", { class: "button small" }),
    fetched && here(`/cached/${name}`, { url }, "Archived copy", { class: "button small" }),
  ];
  clear(
    panel,
    h("div", { class: "top" }, h("h2", { tabindex: "-1" }, map.name[page]), h("button", { class: "quiet close", type: "button", "aria-label": "Close", onclick: close }, "×")),
    h("p", { class: "small muted" }, url),
    (map.kind === "links" || !fetched) && ROLES[role] && h("p", { class: "small" }, ROLES[role]),
    fetched &&
      h(
        "dl",
        { class: "facts" },
        map.asked ? fact("Answer", percent(map.relevance[page]), meter(map.shade[page] / 100, "beside the best answer")) : fact("On topic", probability(map.relevance[page]), meter(map.relevance[page])),
        map.kind === "links" && fact("Hub", map.hub[page].toFixed(2)),
        map.kind === "links" && fact("Authority", map.authority[page].toFixed(2)),
      ),
    h("div", { class: "row" }, links),
    nearby(map, tree ? "Reached from" : "Linked from", map.leading(page), pick),
    nearby(map, tree ? "Leads to" : "Links to", map.following(page), pick),
  );
}

function fact(name, value, more = null) {
  return h("div", {}, h("dt", {}, name), h("dd", {}, value, more && [" ", more]));
}

function nearby(map, title, pages, pick) {
  if (!pages.length) return null;
  const best = [...pages].sort((one, other) => map.relevance[other] - map.relevance[one]).slice(0, NEAR);
  const rows = best.map((page) => h("li", {}, h("button", { type: "button", title: map.url(page), onclick: () => pick(page) }, map.name[page])));
  const rest = pages.length > NEAR ? h("li", { class: "small muted" }, `and ${count(pages.length - NEAR)} more`) : null;
  return h("section", { class: "stack tight" }, h("h3", {}, `${title} ${pages.length === 1 ? "" : count(pages.length)}`), h("ul", { class: "map-near" }, rows, rest));
}

/** The legend of this map. */
export function legend(list, map) {
  const signs =
    map.kind === "links"
      ? [
          [mark("circle", "r", 4), "authority"],
          [mark("hub", "h", 4), "hub"],
          [mark("both", "r", 4), "both"],
          [mark("circle", "o", 3, 4), "other page"],
        ]
      : [[mark("circle", "r", 4), "page"], map.counts.linked_shown > 0 && [mark("unfetched", "r", 0, 3.5), "linked, not fetched"]].filter(Boolean);
  const [least, most] = map.asked ? ["no answer", "best answer"] : ["on topic 0 %", "100 %"];
  const ramp = svg(
    "svg",
    { width: 92, height: 14, viewBox: "0 0 92 14", "aria-hidden": "true" },
    Array.from({ length: 6 }, (_, shade) => svg("circle", { cx: 6 + shade * 15.5, cy: 7, r: 3 + shade * 0.7, class: `map-r${shade}` })),
  );
  const dotted = map.guessed.length ? [h("li", {}, svg("svg", { width: 22, height: 8, "aria-hidden": "true" }, svg("path", { d: "M0 4h22", class: "map-dotted" })), "placed by its address")] : [];
  clear(list, signs.map(([sign, word]) => h("li", {}, sign, word)), dotted, h("li", {}, least, ramp, most));
}

function mark(kind, ramp, shade, radius = 6) {
  const points = { hub: 4, both: 6 }[kind];
  const look = kind === "unfetched" ? "map-bare" : `map-${ramp}${shade}${kind === "both" ? " map-both" : ""}`;
  const inner = points
    ? svg("polygon", { class: look, points: Array.from({ length: points }, (_, at) => `${(8 + 7 * Math.sin((2 * Math.PI * at) / points)).toFixed(1)},${(8 - 7 * Math.cos((2 * Math.PI * at) / points)).toFixed(1)}`).join(" ") })
    : svg("circle", { class: look, cx: 8, cy: 8, r: radius });
  return svg("svg", { width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" }, inner);
}
