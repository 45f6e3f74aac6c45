/** One community: the queries people sent, what the last refresh changed, and starting the next one. */
import { ago, h, $, here, clear, count, out, redraw } from "./lib/dom.js";
import { get, post, put, tell } from "./lib/api.js";
import { submits } from "./lib/bookmarks.js";
import { running } from "./lab.js";

const name = document.body.dataset.name;
const path = `/api/communities/${name}`;
const BUSY = 1000;
const HOW = { init: "the first crawl", refresh: "a refresh", revisit: "pages looked at again" };
let timer = 0;
/** Until when a refresh that was requested here may still be starting. */
let awaited = 0;
let newest = null;
const STATES = { gone: "gone from the Web", waiting: "not fetched yet" };

function show(one) {
  const current = one.generations.find((each) => each.current);
  const latest = one.generations[0]?.number ?? 0;
  if (newest !== latest && one.begun) bookmarks(get(`${path}/bookmarks`));
  if (one.busy || one.problem || (newest !== null && latest !== newest)) awaited = 0;
  newest = latest;
  const busy = one.busy || performance.now() < awaited;
  $("#busy").hidden = !busy;
  $("#busy").textContent = one.begun ? "refreshing" : "first crawl";
  clear($("#says"), current ? [`${count(current.pages)} pages, generation ${current.number}, renewed `, ago(current.at)] : busy ? "crawling from its bookmarks: it can be searched when that is done" : "nothing crawled yet");
  $("#search").hidden = !one.begun;
  $("#refresh").disabled = busy;
  $("#refresh").textContent = one.begun ? "Refresh now" : "Go on with the first crawl";
  $("#preview").disabled = !one.begun;
  $("#add-them").disabled = busy || !one.begun;
  $("#accept").hidden = !one.generations.some((each) => each.held && !each.forgotten && each.number > (current?.number ?? 0));
  $("#accept").disabled = busy;
  $("#undo").disabled = busy || one.generations.filter((each) => !each.forgotten && !each.undone && !each.held).length < 2;
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
  const state = each.current ? "answers now" : each.held ? "held back" : each.undone ? "undone" : each.forgotten ? "deleted" : "";
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

async function bookmarks(asked) {
  try {
    const all = await asked;
    const waiting = all.filter((each) => each.state === "waiting").length;
    $("#bookmarks-say").textContent = `${count(all.length)}${waiting ? `, ${count(waiting)} not fetched yet` : ""}`;
    redraw($("#bookmarks"), all.map(bookmark));
  } catch (error) {
    tell(error);
  }
}

function bookmark(each) {
  const forget = () => bookmarks(post(`${path}/bookmarks/remove`, { urls: [each.url] }));
  return h(
    "li",
    {},
    h("span", { class: "words" }, out(each.url, each.title || each.url), each.title ? h("span", { class: "muted small" }, ` ${each.url}`) : null),
    each.state in STATES ? h("span", { class: "badge", title: each.why }, STATES[each.state]) : null,
    h("button", { class: "small quiet", type: "button", "aria-label": `Remove the bookmark ${each.title || each.url}`, onclick: forget }, "Remove"),
  );
}

async function preview() {
  clear($("#leaving"), h("p", { class: "muted small" }, "asking the collection…"));
  try {
    const found = await get(`${path}/preview`);
    const queries = `${count(found.queries.length)} ${found.queries.length === 1 ? "question" : "questions"}`;
    clear(
      $("#leaving"),
      h("p", {}, `A refresh for ${queries} would remove at most ${count(found.may_leave)} of ${count(found.before)} pages, and those that the Web has no more.`),
      found.leaving.length ? h("p", { class: "small muted" }, "The best of them:") : null,
      h("ul", { class: "small" }, found.leaving.map((one) => h("li", { class: "words" }, out(one.url, one.title || one.url)))),
    );
  } catch (error) {
    clear($("#leaving"));
    tell(error);
  }
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
$("#accept").addEventListener("click", () => act(post(`${path}/accept`)));
$("#preview").addEventListener("click", preview);
submits($("#add"), $("#add-problem"), async (given) => {
  const all = await post(`${path}/bookmarks`, given);
  await bookmarks(Promise.resolve(all));
  $("#add").reset();
  tell("added: the next refresh fetches them");
});
$("#remembering").addEventListener("change", (event) => act(put(`${path}/remembering`, { on: event.target.checked })));
look();
