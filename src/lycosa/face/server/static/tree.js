/**
 * The inside of a hunt as a tree: for InfoSpiders the family of spiders, for others (and on request) the tree of paths.
 *
 * It grows while the hunt runs. What a person has chosen, opened, folded or scrolled to stays as it is.
 */
import { clear, h } from "./lib/dom.js";
import { get } from "./lib/api.js";
import { family } from "./tree/family.js";
import { paths } from "./tree/paths.js";

const KINDS = { spiders: family, paths };
const PAGES = 1500;
/** Most pages of the tree of paths to request; the server chooses the most relevant. */
const SHORTEST = 1200;
/** Milliseconds between two updates; more if an update takes long. */

/** panel(container, "my-hunt", "infospiders") shows the tree of a hunt; call refresh() as often as you like. */
export function panel(container, name, strategy = "") {
  const place = h("div", {});
  let shown = null;
  let closed = false;

  function show(kind) {
    shown?.close();
    shown = tree(clear(place), { name, kind });
    shown.refresh();
  }

  function begin(by) {
    if (closed) return;
    clear(container);
    if (by === "infospiders") container.append(choice(show));
    container.append(place);
    show(by === "infospiders" ? "spiders" : "paths");
  }

  if (strategy) begin(strategy);
  else get(`/api/hunts/${name}`).then((status) => begin(status.strategy), () => begin(""));
  return {
    refresh: () => shown?.refresh(),
    close() {
      closed = true;
      shown?.close();
    },
  };
}

/** Two buttons: the spiders, or all of their pages as a tree of links. */
function choice(show) {
  const buttons = [["spiders", "The family"], ["paths", "All paths"]].map(([kind, text]) =>
    h("button", { type: "button", class: "small", "aria-pressed": String(kind === "spiders"), onclick: (event) => chosen(event.currentTarget, kind) }, text),
  );
  function chosen(button, kind) {
    if (button.getAttribute("aria-pressed") === "true") return;
    for (const one of buttons) one.setAttribute("aria-pressed", String(one === button));
    show(kind);
  }
  return h("div", { class: "row tree-choice", role: "group", "aria-label": "What to show" }, buttons);
}

/**
 * tree(container, {name, kind: "spiders" | "paths"}) draws one; `load` and `detail` may replace the requests to
 * the server. Returns {refresh, close}.
 */
export function tree(container, { name, kind = "paths", load, detail }) {
  const dressed = dress();
  load ??= () => get(`/api/hunts/${name}/${kind}`, kind === "paths" ? { limit: PAGES } : {});
  detail ??= (number, signal) => get(`/api/hunts/${name}/spiders/${number}`, {}, signal);
  const said = h("p", { class: "empty", role: "status" }, "Reading…");
  const place = h("div", { hidden: true });
  container.append(said, place);
  const drawn = KINDS[kind](place, { name, detail });
  let timer = 0;
  let busy = false;
  let asked = false;
  let closed = false;
  let wait = 0;
  let seq = -1;

  async function look() {
    timer = 0;
    if (closed || busy) return;
    if (document.hidden || !container.offsetParent) {
      asked = true;
      return;
    }
    busy = true;
    asked = false;
    const began = performance.now();
    let again = false;
    try {
      // Without its style sheet the box is as high as all of its rows, and all of them would be drawn.
      const [data] = await Promise.all([load(), dressed]);
      if (closed) return;
      again = data.ready === false;
      if (!again && data.seq !== seq) {
        seq = data.seq;
        const some = drawn.show(data);
        place.hidden = !some;
        said.hidden = some;
        if (!some) said.textContent = "Nothing yet: the first page is on its way.";
      } else if (again) said.textContent = "Reading the hunt from its log…";
    } catch (problem) {
      if (place.hidden) said.textContent = problem.line ?? problem.message;
    } finally {
      busy = false;
      wait = Math.max(SHORTEST, 6 * (performance.now() - began));
      if ((asked || again) && !closed) timer = setTimeout(look, wait);
      setTimeout(() => (wait = 0), wait);
    }
  }

  function refresh() {
    asked = true;
    if (!busy && !timer) timer = setTimeout(look, wait);
  }

  // An update requested while the tree was hidden is done when it becomes visible.
  const watch = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && asked && refresh());
  watch.observe(container);
  return {
    refresh,
    close() {
      closed = true;
      clearTimeout(timer);
      watch.disconnect();
      drawn.close();
    },
  };
}

let clothes = null;

/** The tree loads its own style sheet, wherever it is placed. */
function dress() {
  clothes ??= new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href: "/static/tree.css", onload: done, onerror: done })));
  return clothes;
}
