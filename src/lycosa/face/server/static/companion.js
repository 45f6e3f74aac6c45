/** The companion's page: its switch, its suggestions, its profile, the connection to the browser, its settings. */
import { $, clear, count, h, out, when } from "./lib/dom.js";
import { get, post, put, tell } from "./lib/api.js";

const FEW = 10;
let all = false;
let drawn = "";

let key = "";
let state = { on: false };

async function look() {
  if (document.visibilityState === "visible") await offer().catch(() => null);
  setTimeout(look, 3000);
}

function turned(on) {
  state.on = on;
  $("#switch").disabled = false;
  $("#switch").setAttribute("aria-checked", String(on));
  $("#switch-state").textContent = on ? "is on." : "is off: nothing is kept, and nothing is fetched.";
}

$("#switch").addEventListener("click", async () => {
  try {
    turned((await put("/api/companion/state", { on: !state.on })).on);
    await offer();
  } catch (problem) {
    tell(problem);
  }
});

/* Suggestions */

async function offer() {
  const found = await get("/api/companion/suggestions");
  if (found.on !== state.on) turned(found.on);
  const mark = JSON.stringify([found.name, found.scouting, found.looked_at, found.suggestions]);
  if (mark === drawn) return;
  const news = drawn !== "";
  drawn = mark;
  $("#near").hidden = !found.on || !found.url;
  const many = found.suggestions.length;
  const stands = found.problem || (found.scouting ? "still looking" : many ? "" : "none of them fits what you read");
  clear($("#near-page"), out(found.url, found.title || found.url), `: ${count(found.looked_at)} pages looked at${stands ? `, ${stands}` : ""}.`);
  clear($("#near-list"), found.suggestions.map(suggestion));
  if (news) await knows();
}

function suggestion(one) {
  return h("li", {}, out(one.url, one.title), h("span", { class: "small muted" }, one.host), h("span", { class: "small" }, one.reason.charAt(0).toUpperCase() + one.reason.slice(1), "."));
}

/* The profile */

async function knows() {
  const { words, pages } = await get("/api/companion/profile");
  clear($("#words"), words.slice(0, 40).map((one) => [h("span", { style: { "--weight": one.weight } }, one.word), " "]));
  clear($("#pages"), pages.slice(0, all ? pages.length : FEW).map(row));
  $("#pages-region").hidden = !pages.length;
  $("#pages-empty").hidden = pages.length > 0;
  $("#pages-more").hidden = all || pages.length <= FEW;
  $("#more").textContent = `Show all ${count(pages.length)} pages`;
  $("#erase").disabled = !pages.length;
}

function row(page) {
  const name = page.title || page.url;
  const forget = h("button", { class: "small", type: "button", "aria-label": `Forget ${name}`, onclick: () => drop(page.url) }, "Forget");
  return h(
    "tr",
    {},
    h("td", {}, out(page.url, name), h("span", { class: "small muted" }, page.words.join(", "))),
    h("td", { class: "small muted nowrap" }, when(page.at)),
    h("td", { class: "number small muted nowrap" }, stay(page.seconds)),
    h("td", {}, forget),
  );
}

const stay = (seconds) => (seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`);

async function drop(url) {
  try {
    await post("/api/companion/forget", { url });
    await Promise.all([knows(), offer()]);
    $("#knows-title").setAttribute("tabindex", "-1");
    $("#knows-title").focus();
    tell("Forgotten.");
  } catch (problem) {
    tell(problem);
  }
}

$("#more").addEventListener("click", () => {
  all = true;
  knows().catch(tell);
});

$("#erase").addEventListener("click", () => {
  $("#sure").returnValue = "";
  $("#sure").showModal();
});
$("#sure").addEventListener("close", async () => {
  if ($("#sure").returnValue !== "yes") return;
  try {
    await post("/api/companion/erase");
    await Promise.all([knows(), offer()]);
    tell("Everything is erased.");
  } catch (problem) {
    tell(problem);
  }
});

/* The browser */

async function connect() {
  $("#address").value = location.origin;
  key = (await get("/api/companion/key")).key;
  reveal(false);
}

function reveal(shown) {
  $("#key").value = shown ? key : "•".repeat(24);
  $("#show").textContent = shown ? "Hide" : "Show";
  $("#show").setAttribute("aria-pressed", String(shown));
}

$("#show").addEventListener("click", () => reveal($("#show").getAttribute("aria-pressed") !== "true"));

$("#copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(key);
    tell("The key is copied.");
  } catch {
    tell("The browser does not let it be copied; show it and copy it by hand.");
  }
});

$("#renew").addEventListener("click", async () => {
  try {
    key = (await post("/api/companion/key")).key;
    reveal(true);
    tell("This is the key now; the extension needs it.");
  } catch (problem) {
    tell(problem);
  }
});

/* Scouting settings */

async function fillForm() {
  const kinds = await get("/api/strategies").catch(() => []);
  const names = kinds.filter((kind) => !kind.needs?.length).map((kind) => kind.name);
  if (!names.includes(state.strategy)) names.unshift(state.strategy);
  clear($("#strategy"), names.map((name) => h("option", { value: name }, name)));
  show();
}

function show() {
  $("#strategy").value = state.strategy;
  $("#pages-wanted").value = state.pages;
  $("#excluded").value = state.excluded.join("\n");
}

$("#form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const wish = { strategy: $("#strategy").value, pages: Number($("#pages-wanted").value), excluded: $("#excluded").value.split(/\s+/).filter(Boolean) };
  try {
    Object.assign(state, await put("/api/companion/state", wish));
    show();
    await knows();
    tell("Kept.");
  } catch (problem) {
    tell(problem);
  }
});

/* Start */

try {
  state = await get("/api/companion/state");
  turned(state.on);
  await Promise.all([fillForm(), knows(), connect()]);
} catch (problem) {
  tell(problem);
}
look();
