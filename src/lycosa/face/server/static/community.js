/** One community: the queries people sent, what the last refresh changed, and starting the next one. */
import { ago, h, $, here, clear, count, redraw } from "./lib/dom.js";
import { get, post, put, tell } from "./lib/api.js";
import { running } from "./lab.js";

const name = document.body.dataset.name;
const path = `/api/communities/${name}`;
const BUSY = 1000;
const HOW = { init: "the first crawl", refresh: "a refresh", revisit: "pages looked at again" };
let timer = 0;
/** Until when a refresh that was requested here may still be starting. */
let awaited = 0;
let newest = null;

function show(one) {
  const current = one.generations.find((each) => each.current);
  const latest = one.generations[0]?.number ?? 0;
  if (one.busy || one.problem || (newest !== null && latest !== newest)) awaited = 0;
  newest = latest;
  const busy = one.busy || performance.now() < awaited;
  $("#busy").hidden = !busy;
  clear($("#says"), current ? [`${count(current.pages)} pages, generation ${current.number}, renewed `, ago(current.at)] : "nothing crawled yet");
  $("#refresh").disabled = busy;
  $("#undo").disabled = busy || one.generations.filter((each) => !each.forgotten && !each.undone).length < 2;
  $("#remembering").checked = one.remembering;
  clear($("#progress"), one.progress ? running(one.progress) : null);
  $("#problem").hidden = !one.problem;
  $("#problem").textContent = one.problem;
  redraw($("#generations"), one.generations.map(generation));
  $("#asked-says").textContent = one.asked ? `${count(one.asked)} in all, ${count(one.different)} different` : "";
  $("#unasked").hidden = one.questions.length > 0;
  redraw($("#questions"), one.questions.map(question));
  clearTimeout(timer);
  timer = setTimeout(look, busy || one.progress ? BUSY : 10 * BUSY);
}

function generation(each) {
  const state = each.current ? "answers now" : each.undone ? "undone" : each.forgotten ? "deleted" : "";
  return h(
    "li",
    {},
    h("p", { class: "row" },
      h("strong", {}, `Generation ${each.number}: ${HOW[each.how] ?? each.how}`),
      h("span", { class: "muted small" }, ago(each.at), `, ${count(each.pages)} pages`),
      state ? h("span", { class: `badge ${each.current ? "good" : ""}` }, state) : null,
    ),
    each.sentences.map((sentence) => h("p", { class: "small" }, sentence)),
  );
}

function question(asked) {
  return h(
    "tr",
    {},
    h("td", { class: "words" }, here("/search", { in: name, q: asked.text }, asked.text)),
    h("td", { class: "number" }, count(asked.times)),
    h("td", { class: "number" }, count(asked.results)),
    h("td", { class: "small muted wide-only" }, ago(asked.last)),
    h("td", { class: "number" }, h("button", { class: "small quiet", type: "button", "aria-label": `Forget ${asked.text}`, onclick: () => act(post(`${path}/forget`, { questions: [asked.text] }).then(() => get(path))) }, "Forget")),
  );
}

async function act(asked) {
  try {
    show(await asked);
  } catch (error) {
    awaited = 0;
    tell(error);
    look();
  }
}

function look() {
  clearTimeout(timer);
  get(path).then(show, (error) => {
    tell(error);
    timer = setTimeout(look, 10 * BUSY);
  });
}

$("#refresh").addEventListener("click", () => {
  awaited = performance.now() + 10 * BUSY;
  act(post(`${path}/refresh`));
});
$("#undo").addEventListener("click", () => act(post(`${path}/undo`)));
$("#remembering").addEventListener("change", (event) => act(put(`${path}/remembering`, { on: event.target.checked })));
look();
