/** The tree of paths: every page below the page whose link led to it; branches without a relevant page are folded. */
import { clear, count, h, here, meter, onTopic, out, percent, probability, when } from "../lib/dom.js";
import { rows } from "./rows.js";

const HEIGHT = 32;
const FEW = 3;
/** Up to this many branches without a relevant page are shown; more become one row. */
const LIKELY = 0.5;
/** The relevance from which a page counts as relevant, until the hunt says otherwise: more likely than not. */

export function paths(container, { name }) {
  const summary = h("p", { class: "muted small tree-summary" });
  const left = h("div", { class: "tree-left" });
  const side = h("section", { class: "tree-side", "aria-label": "The chosen page" });
  container.append(summary, h("div", { class: "tree-grid paths" }, left, side));
  const opened = new Map();
  let data = null;
  let nodes = new Map();
  let told = null;
  let asked = false;
  const view = rows(left, { label: "Pages, each below the page that led to it", height: HEIGHT, fill, onpick: chosen, onenter: enter, ontoggle });

  function show(next) {
    data = next;
    nodes = grown(data);
    summary.textContent = summed(data);
    view.show(flat());
    if (!asked || !nodes.has(told)) {
      const best = data.nodes.reduce((one, other) => ((other.relevance ?? -0.5) > (one ? (one.relevance ?? -0.5) : -1) ? other : one), null);
      if (best) describe(nodes.get(best.seq));
    } else describe(nodes.get(told));
    return data.nodes.length > 0;
  }

  /** The rows of the open branches. */
  function flat() {
    const list = [];
    const visit = (children, level, above) => {
      const some = sorted(children, above);
      some.forEach((one, nth) => {
        const below = one.group ? one.below : one.children;
        const open = below.length ? (opened.get(one.id) ?? one.opens) : null;
        list.push(row(one, level, some.length, nth + 1, open));
        if (open) visit(below, level + 1, one);
      });
    };
    visit([...nodes.values()].filter((node) => node.above === null), 1, null);
    return list;
  }

  function row(one, level, set, place, open) {
    if (one.group) {
      const text = `${count(one.size)} other ${one.size === 1 ? "page" : "pages"}`;
      return { id: one.id, one, group: true, level, set, place, open, name: text, says: text, stamp: text };
    }
    const title = one.title || one.url;
    const says = `${title}, ${one.host}, ${onTopic(one.relevance)}${one.hidden ? `, ${one.hidden} less relevant pages below it are not shown` : ""}`;
    return { id: one.id, one, level, set, place, open, name: title, says, stamp: `${says} ${one.size} ${one.relevant}` };
  }

  function fill(element, { one, group, name: text }) {
    element.classList.toggle("group", Boolean(group));
    element.classList.toggle("relevant", Boolean(one.relevant));
    if (group) {
      element.append(h("span", { class: "tree-name muted" }, text));
      return;
    }
    const below = one.size ? h("span", { class: "tree-count", title: "pages below it" }, count(one.size)) : null;
    const link = out(one.url, text, { class: "tree-name", tabindex: -1, title: one.url });
    element.append(meter(one.relevance), link, h("span", { class: "tree-host" }, one.host), below ?? "");
  }

  function ontoggle(row, open) {
    opened.set(row.id, open);
    view.show(flat());
  }

  function chosen(row) {
    if (row.group) return;
    asked = true;
    describe(row.one);
  }

  function enter(row) {
    if (row.group) ontoggle(row, !row.open);
    else view.space.querySelector('[aria-selected="true"] a')?.click();
  }

  /** The page itself, and the path to it. */
  function describe(one) {
    const stamp = `${one.seq} ${one.size} ${asked}`;
    if (side.stamp === stamp) return;
    side.stamp = stamp;
    told = one.seq;
    const way = [];
    for (let node = one; node; node = node.above === null ? null : nodes.get(node.above)) way.unshift(node);
    const shown = way.length > 14 ? [...way.slice(0, 3), null, ...way.slice(-10)] : way;
    clear(
      side,
      asked ? "" : h("p", { class: "tiny muted" }, "The page most likely on topic so far"),
      h("h3", {}, one.title || one.url),
      h("p", { class: "small" }, out(one.url, one.url, { class: "tree-url" })),
      h("dl", { class: "facts" }, fact("On topic", probability(one.relevance)), fact("Steps", count(way.length - 1)), fact("Below", count(one.size))),
      h("p", { class: "muted small" }, `Fetched ${when(one.at)}. `, here(`/why/${name}`, { url: one.url }, "Why was it fetched?")),
      h("h4", {}, "The way to it"),
      h("ol", { class: "tree-way" }, shown.map((node) => (node ? step(node, node === one) : h("li", { class: "muted small gap" }, `${count(way.length - 13)} more`)))),
    );
  }

  function step(node, last) {
    const name = node.title || node.url;
    return h("li", {}, meter(node.relevance), h("div", {}, last ? h("b", {}, name) : out(node.url, name), h("span", { class: "tree-host" }, node.host)));
  }

  return { show, close: view.close };
}

const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

/** The nodes with their children, and totals of what is below each. */
function grown(data) {
  const threshold = data.threshold ?? LIKELY;
  const nodes = new Map();
  for (const one of data.nodes) {
    const relevant = one.relevance !== null && one.relevance >= threshold;
    const above = one.parent !== null && nodes.has(one.parent) ? one.parent : null;
    nodes.set(one.seq, { ...one, id: String(one.seq), above, children: [], relevant, promising: relevant, opens: false, size: one.hidden });
    if (above !== null) nodes.get(above).children.push(nodes.get(one.seq));
  }
  // Parents come before children, so going backwards, everything below a node is known when its turn comes.
  for (const node of [...nodes.values()].reverse()) {
    if (node.above === null) continue;
    const above = nodes.get(node.above);
    above.size += 1 + node.size;
    above.promising ||= node.promising;
    above.opens ||= node.promising;
  }
  return nodes;
}

/** The branches with relevant pages, then the others, folded into one row if there are many. */
function sorted(children, above) {
  if (above?.group) return children;
  const good = children.filter((one) => one.promising);
  const rest = children.filter((one) => !one.promising);
  if (rest.length <= FEW) return children;
  const size = rest.reduce((sum, one) => sum + 1 + one.size, 0);
  return [...good, { group: true, id: `rest-${above?.id ?? "seeds"}`, below: rest, size, opens: false, children: [] }];
}

function summed(data) {
  const relevant = data.threshold === null ? "" : ` Relevant are those on topic with ${percent(data.threshold)} or more.`;
  const shown = data.left_out ? `The ${count(data.nodes.length)} most relevant of ${count(data.pages)} pages, with the way to each.` : `${count(data.pages)} pages, each below the page whose link led to it.`;
  return shown + relevant;
}
