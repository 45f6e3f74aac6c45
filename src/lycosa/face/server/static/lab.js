/** The laboratory: running experiments with their progress, and the reports. */
import { ago, h, $, here, count, redraw } from "./lib/dom.js";
import { get, tell } from "./lib/api.js";

const EVERY = 2000;

async function show() {
  try {
    const found = await get("/api/lab");
    $("#none").hidden = found.length > 0;
    redraw($("#experiments"), found.map(experiment));
    if (found.some((one) => one.running)) setTimeout(show, EVERY);
  } catch (error) {
    tell(error);
    setTimeout(show, 3 * EVERY);
  }
}

function experiment(one) {
  const title = one.title || one.name;
  return h(
    "article",
    { class: "card stack tight" },
    h("div", { class: "row" },
      h("h2", {}, one.report ? here(`/lab/${one.name}`, {}, title) : title),
      one.running ? h("span", { class: "badge running" }, "running") : null,
      h("span", { class: "muted small push" }, ago(one.at)),
    ),
    h("p", { class: "muted small" }, [one.name, `${count(one.crawls)} crawls`, one.report ? "" : "no report yet"].filter(Boolean).join(" · ")),
    one.running ? running(one.running) : null,
  );
}

export function running(progress) {
  const known = progress.total > 0;
  const says = known ? `${progress.stage}: ${count(progress.done)} of ${count(progress.total)}` : progress.stage;
  return h(
    "div",
    { class: "stack tight" },
    h("p", { class: "small number" }, says),
    h("progress", { "aria-label": says, ...(known ? { max: progress.total, value: progress.done } : {}) }),
    progress.command ? h("p", { class: "mono tiny muted" }, progress.command) : null,
  );
}

if (document.body.dataset.page === "lab") show();
