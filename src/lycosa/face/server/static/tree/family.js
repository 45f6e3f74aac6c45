/**
 * The family of spiders: one row each, with its life as a bar from the page of its birth to the page of its death.
 *
 * Children hang from their parent at the time of their birth, the youngest next to it, so that no line crosses a life.
 */
import { count, h, probability, svg } from "../lib/dom.js";
import { rows } from "./rows.js";
import { portrait } from "./portrait.js";

const HEIGHT = 28;
const BAR = 10;
const RIGHT = 14;
const LONELY = "lonely";
const FEW = 3;
/** Up to this many spiders that died without offspring are shown; more become one row. */

export function family(container, { detail }) {
  const summary = h("p", { class: "muted small tree-summary" });
  const axis = svg("svg", { class: "axis", height: 22, "aria-hidden": "true" });
  const left = h("div", { class: "tree-left" }, h("div", { class: "axis-place" }, axis));
  const side = h("section", { class: "tree-side", "aria-label": "The chosen spider" });
  container.append(summary, h("div", { class: "tree-grid family" }, h("div", {}, left, legend()), side));
  const picture = svg("svg", { class: "lives", "aria-hidden": "true" });
  const view = rows(left, { label: "Spiders, each below its parent", height: HEIGHT, fill, over: draw, onpick: (row) => !row.group && choose(row.one.number), onenter: enter, ontoggle });
  view.space.append(picture);
  const about = portrait(side, { detail, onpick: go, onpath: () => view.redraw() });
  const opened = new Map();
  let data = { spiders: [], pages: 0 };
  let spiders = new Map();
  let list = [];
  let told = null;

  function show(next) {
    data = next;
    spiders = related(data);
    summary.textContent = summed(data);
    relist();
    if (!spiders.has(told)) told = first();
    if (view.picked === null && told !== null) view.pick(String(told), { tell: false, seen: false });
    if (told !== null) about.show(spiders.get(told), data);
    return data.spiders.length > 0;
  }

  /** If none is chosen yet: the best spider that lives. */
  function first() {
    const some = [...spiders.values()].sort((a, b) => b.alive - a.alive || (b.pages > 2) - (a.pages > 2) || (b.relevance ?? 0) - (a.relevance ?? 0));
    return some[0]?.number ?? null;
  }

  function relist() {
    list = flat();
    view.show(list);
  }

  function flat() {
    const found = [];
    const visit = (some, level, above) => {
      some.forEach((one, nth) => {
        const below = one.group ? one.below : one.children;
        const open = below.length ? (opened.get(one.id) ?? one.opens) : null;
        const place = found.length;
        found.push({ ...row(one), one, level, set: some.length, place: nth + 1, open, above, until: place });
        if (open) visit(below, level + 1, one.group ? null : place);
        found[place].until = found.length;
      });
    };
    const roots = [...spiders.values()].filter((one) => one.above === null);
    const lonely = roots.filter((one) => one.lonely);
    const lines = roots.filter((one) => !one.lonely);
    const group = { group: true, id: LONELY, below: lonely, opens: !lines.length };
    visit(lonely.length > FEW ? [...lines, group] : roots, 1, null);
    return found;
  }

  function row(one) {
    if (one.group) {
      const text = `${count(one.below.length)} died without offspring`;
      return { id: one.id, group: true, name: text, says: text, stamp: text };
    }
    const state = one.alive ? `alive with energy ${one.energy.toFixed(2)}` : `dead: ${one.why}`;
    const words = one.added ? `, added the keyword ${one.added}` : "";
    const says = `Spider ${one.number}, ${state}, ${one.pages} pages, on topic: ${probability(one.relevance)}${words}`;
    return { id: one.id, name: String(one.number), says, stamp: `${says} ${one.born.url}` };
  }

  function fill(element, { one, group, name }) {
    element.classList.toggle("group", Boolean(group));
    element.classList.toggle("dead", !group && !one.alive);
    if (group) {
      element.append(h("span", { class: "tree-name muted" }, name));
      return;
    }
    const more = one.added ? `+ ${one.added}` : one.parent === null ? host(one.born.url) : "";
    element.append(h("span", { class: "spider-number" }, name), h("span", { class: one.added ? "spider-added" : "spider-from" }, more));
  }

  function ontoggle(row, open) {
    opened.set(row.id, open);
    relist();
  }

  function choose(number) {
    told = number;
    about.show(spiders.get(number), data);
  }

  function enter(row) {
    if (row.group) ontoggle(row, !row.open);
    else about.focus();
  }

  /** Go to a spider, even if its row is folded away. */
  function go(number) {
    if (!spiders.has(number)) return;
    let one = spiders.get(number);
    while (one.above !== null) {
      one = spiders.get(one.above);
      opened.set(one.id, true);
    }
    if (one.lonely) opened.set(LONELY, true);
    relist();
    view.pick(String(number));
  }

  /** Draw the lives of the visible rows, and the lines of descent that pass through them. */
  function draw(from, to) {
    const label = Math.round(Math.max(104, Math.min(230, 0.34 * view.box.clientWidth)));
    const width = view.box.clientWidth - label;
    if (width < 40) return;
    const end = rounded(data.pages);
    const x = (page) => 6 + ((width - 6 - RIGHT) * Math.max(0, page - 1)) / Math.max(1, end - 1);
    x.end = width;
    const y = (nth) => (nth - from + 0.5) * HEIGHT;
    view.box.style.setProperty("--label", `${label}px`);
    picture.style.left = `${label}px`;
    picture.style.top = `${from * HEIGHT}px`;
    size(picture, width, (to - from) * HEIGHT);
    const chosen = list.find((row) => row.id === String(told));
    const lineage = new Set();
    for (let row = chosen; row; row = list[row.above]) lineage.add(row.id);
    const lines = [];
    const kin = [];
    for (const [nth, row] of list.entries()) {
      if (row.above === null || row.above >= to || nth < from) continue;
      const at = x(row.one.born.page);
      const path = svg("path", { d: `M${at} ${y(row.above)}V${y(nth) - 6}q0 6 6 6`, class: lineage.has(row.id) ? "descent kin" : "descent" });
      (lineage.has(row.id) ? kin : lines).push(path);
    }
    const lives = list.slice(from, to).map((row, nth) => (row.group ? "" : life(row, x, y(from + nth))));
    const marks = ticks(end).map((page) => svg("line", { class: "tick", x1: x(page), x2: x(page), y1: 0, y2: (to - from) * HEIGHT }));
    picture.replaceChildren(...marks, ...lines, ...kin, ...lives);
    scale(label, width, end, x);
  }

  function life({ one, open }, x, y) {
    const start = x(one.born.page || 1);
    const stop = Math.max(start + 6, x(one.alive ? data.pages : one.died.page));
    const bar = svg("rect", { x: start, y: y - BAR / 2, width: stop - start, height: BAR, rx: BAR / 2, class: `life shade${shade(one)} ${one.alive ? "alive" : "dead"}` });
    const energy = one.alive ? svg("circle", { cx: stop, cy: y, r: 3 + 4 * Math.sqrt(Math.min(1, Math.max(0, one.energy / (data.theta || 1)))), class: "energy" }) : "";
    const path = one.number === told ? about.path().map((step) => svg("line", { class: "visit", x1: x(step.page), x2: x(step.page), y1: y - BAR / 2, y2: y - BAR / 2 - 1 - 7 * (step.relevance ?? 0) })) : [];
    const more = open === false && stop < x.end - 20 ? svg("text", { x: stop + 8, y: y + 4 }, `+${count(one.size)}`) : "";
    return svg("g", { class: one.number === told ? "chosen" : "" }, path, bar, energy, more);
  }

  const shade = (one) => Math.max(0, Math.min(3, Math.floor(4 * (one.relevance ?? 0))));

  function scale(label, width, end, x) {
    const stamp = `${label} ${width} ${end}`;
    if (axis.stamp === stamp) return;
    axis.stamp = stamp;
    axis.parentNode.style.setProperty("--label", `${label}px`);
    size(axis, width, 22);
    const some = ticks(end);
    axis.replaceChildren(
      ...some.map((page, nth) => svg("text", { x: x(page), y: 15, "text-anchor": nth ? (x(page) > width - 24 ? "end" : "middle") : "start" }, nth ? count(page) : "page 1")),
    );
  }

  return { show, close: view.close };
}

/** Spiders with their children, youngest first, and what became of their descendants. */
function related(data) {
  const spiders = new Map();
  for (const one of data.spiders) {
    const above = one.parent !== null && spiders.has(one.parent) ? one.parent : null;
    const inherited = new Set(above === null ? [] : spiders.get(above).keywords.map((word) => word.word));
    const added = above === null ? "" : (one.keywords.find((word) => !inherited.has(word.word))?.word ?? "");
    spiders.set(one.number, { ...one, id: String(one.number), above, added, children: [], lives: one.alive, opens: false, size: 0 });
    if (above !== null) spiders.get(above).children.unshift(spiders.get(one.number));
  }
  for (const one of [...spiders.values()].reverse()) {
    if (one.above === null) continue;
    const above = spiders.get(one.above);
    above.size += 1 + one.size;
    above.lives ||= one.lives;
    above.opens ||= one.lives;
  }
  for (const one of spiders.values()) one.lonely = one.above === null && !one.alive && !one.children.length;
  return spiders;
}

function summed({ spiders, born, pages }) {
  const alive = spiders.filter((one) => one.alive).length;
  return `${count(alive)} ${alive === 1 ? "spider lives" : "spiders live"} of ${count(born)} born so far, over ${count(pages)} pages.`;
}

/** The end of the time line: it grows in steps, so that the picture is still most of the time. */
function rounded(pages) {
  let end = 25;
  while (end < pages) end = Math.ceil((end * 1.25) / 25) * 25;
  return end;
}

function ticks(end) {
  const unit = 10 ** Math.floor(Math.log10(end / 3));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((one) => end / one <= 4) ?? end;
  const found = [1];
  for (let page = step; page <= end; page += step) found.push(page);
  return found;
}

function size(picture, width, height) {
  picture.setAttribute("width", width);
  picture.setAttribute("height", height);
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
}

function host(url) {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}

function legend() {
  const bar = (...kinds) => svg("svg", { width: 30, height: 12, "aria-hidden": "true" }, svg("rect", { x: 1, y: 1, width: 28, height: 10, rx: 5, class: `life ${kinds.join(" ")}` }));
  const dot = svg("svg", { width: 14, height: 14, "aria-hidden": "true" }, svg("circle", { cx: 7, cy: 7, r: 5, class: "energy" }));
  return h(
    "p",
    { class: "tree-legend tiny muted" },
    h("span", {}, bar("alive", "shade3"), "pages on topic"),
    h("span", {}, bar("alive", "shade0"), "others"),
    h("span", {}, bar("dead", "shade2"), "died"),
    h("span", {}, dot, "energy"),
    h("span", {}, "A line down: a child is born."),
  );
}
