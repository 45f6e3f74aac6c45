/** One spider: its energy, its keywords with their weights, and the pages it has visited. */
import { clear, count, h, meter, out, probability } from "../lib/dom.js";
import { tell } from "../lib/api.js";

const SOON = 120;
/** Milliseconds before a spider's path is requested, so that moving quickly through the rows causes one request. */
const SHOWN = 200;
/** Most pages of a path in the list. */

/** portrait(side, {detail(number, signal), onpick(number), onpath()}) returns {show(spider, data), focus(), path()}. */
export function portrait(side, { detail, onpick, onpath }) {
  const title = h("h3", { tabindex: -1 });
  const state = h("span", { class: "badge" });
  const facts = Object.fromEntries(["Energy", "Pages", "On topic"].map((name) => [name, h("dd", {})]));
  const energy = h("progress", { max: 1, "aria-label": "Energy towards offspring" });
  const offspring = h("p", { class: "tiny muted" });
  const life = h("p", { class: "muted small" });
  const kin = h("p", { class: "row small kin" });
  const words = h("ul", { class: "words", "aria-label": "Keywords" });
  const walked = h("h4", {}, "Its path");
  const left = h("p", { class: "muted small" });
  const list = h("ol", { class: "tree-path" });
  const scroll = h("div", { class: "tree-scroll", tabindex: 0, role: "group", "aria-label": "Pages on its path" }, left, list);
  clear(
    side,
    h("div", { class: "row" }, title, state),
    h("dl", { class: "facts" }, Object.entries(facts).map(([name, value]) => h("div", {}, h("dt", {}, name), value))),
    h("div", {}, energy, offspring),
    life,
    kin,
    h("h4", {}, "Looks for"),
    words,
    walked,
    scroll,
  );
  let shown = null;
  let path = [];
  let known = "";
  let timer = 0;
  let asking = null;

  function show(one, data) {
    const other = shown !== one.number;
    shown = one.number;
    title.textContent = `Spider ${one.number}`;
    state.textContent = one.alive ? "alive" : `dead: ${one.why}`;
    state.className = one.alive ? "badge good" : "badge";
    facts.Energy.textContent = one.energy.toFixed(2);
    facts.Pages.textContent = count(one.pages);
    facts["On topic"].textContent = probability(one.relevance);
    energy.value = Math.max(0, Math.min(1, one.energy / (data.theta || 1)));
    offspring.textContent = `It has offspring at ${data.theta.toFixed(2)}, if there is room.`;
    energy.parentNode.hidden = !one.alive;
    keep(life, `${one.born.page} ${one.died?.page}`, () => lived(one));
    keep(kin, `${one.parent} ${one.children.map((child) => child.number + child.alive)}`, () => relatives(one));
    keep(words, JSON.stringify(one.keywords), () => weighed(one));
    if (other) {
      path = [];
      known = "";
      clear(list);
      left.textContent = "Reading…";
      left.hidden = false;
      scroll.scrollTop = 0;
    }
    if (known !== `${one.number} ${one.pages}`) ask(one, other ? SOON : 0);
  }

  function ask(one, wait) {
    clearTimeout(timer);
    asking?.abort();
    timer = setTimeout(async () => {
      asking = new AbortController();
      try {
        const found = await detail(one.number, asking.signal);
        if (shown === one.number) walk(one, found);
      } catch (problem) {
        if (problem.name !== "AbortError" && problem.status !== 409) tell(problem);
      }
    }, wait);
  }

  /** Add the new pages to the list: a path only ever grows. */
  function walk(one, found) {
    known = `${one.number} ${one.pages}`;
    path = found.path;
    const some = path.slice(-SHOWN);
    const hidden = found.left_out + path.length - some.length;
    left.textContent = hidden ? `${count(hidden)} earlier pages are not listed.` : "";
    left.hidden = !hidden;
    const there = new Set(some.map((step) => String(step.seq)));
    for (const item of [...list.children]) if (!there.has(item.dataset.seq)) item.remove();
    const last = Number(list.lastElementChild?.dataset.seq ?? 0);
    list.append(...some.filter((step) => step.seq > last).map(step));
    list.start = hidden + 1;
    walked.textContent = path.length ? "Its path" : "No page yet";
    onpath();
  }

  function step({ seq, url, title: name, host, relevance, page }) {
    return h("li", { "data-seq": seq }, meter(relevance), h("div", {}, out(url, name || url, { title: url }), h("span", { class: "tree-host" }, `${host} · page ${count(page)}`)));
  }

  function lived(one) {
    const born = one.parent === null ? "Started" : "Born";
    const at = one.born.url ? [` at page ${count(one.born.page)}, `, out(one.born.url, short(one.born.url))] : " before this was remembered";
    return [born, at, one.died ? `. Died after page ${count(one.died.page)}.` : "."];
  }

  function relatives(one) {
    const button = (number, dead) => h("button", { type: "button", class: dead ? "small dead" : "small", "data-number": number, onclick: () => onpick(number) }, String(number));
    const parent = one.parent === null ? [] : ["Child of", one.above === null ? `${one.parent}, long dead` : button(one.parent)];
    const some = [...one.children].reverse();
    const shown = some.slice(0, 12).map((child) => button(child.number, !child.alive));
    return [...parent, ...(some.length ? ["Children", ...shown, some.length > 12 ? `and ${some.length - 12} more` : ""] : [])];
  }

  function weighed(one) {
    const most = Math.max(1e-9, ...one.keywords.map((word) => Math.abs(word.weight)));
    const sorted = [...one.keywords].sort((a, b) => b.weight - a.weight);
    return sorted.map(({ word, weight }) => {
      const added = word === one.added;
      const says = `${word}: weight ${weight.toFixed(3)}${added ? ", its own" : ""}`;
      const chip = h("li", { class: `chip word${weight < 0 ? " against" : ""}${added ? " added" : ""}`, title: says }, h("span", {}, word), h("span", { class: "weight number" }, weight.toFixed(2)));
      chip.style.setProperty("--share", `${(100 * Math.abs(weight)) / most}%`);
      return chip;
    });
  }

  return { show, focus: () => title.focus(), path: () => path };
}

/** Refill an element only if its content has changed, and keep the focus where it was. */
function keep(place, stamp, build) {
  if (place.stamp === stamp) return;
  place.stamp = stamp;
  const number = place.contains(document.activeElement) ? document.activeElement.dataset.number : null;
  clear(place, build());
  if (number) place.querySelector(`[data-number="${Number(number)}"]`)?.focus();
}

function short(url) {
  const plain = url.replace(/^https?:\/\//, "");
  return plain.length > 48 ? `${plain.slice(0, 47)}…` : plain;
}
