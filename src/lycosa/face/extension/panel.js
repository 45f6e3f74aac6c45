/** The side panel: the switch, how things stand, and the suggestions for the page that is read. It never interrupts. */
import { api, ask, askToRead, current, local, mayRead, remember, settings } from "./lycosa.js";

const OFTEN = 1500;
const SELDOM = 6000;

const at = (id) => document.getElementById(id);
let shown = "";
let waiting = 0;

at("switch").addEventListener("click", flip);
at("options").addEventListener("click", () => api.runtime.openOptionsPage());
api.storage.onChanged.addListener(() => look());
document.addEventListener("visibilitychange", () => look());
look();

/** Look how things stand, now and again later; while nobody sees the panel it rests. */
async function look() {
  clearTimeout(waiting);
  if (document.visibilityState !== "visible") return;
  let next = SELDOM;
  try {
    next = (await refresh()) ? OFTEN : SELDOM;
  } catch (trouble) {
    troubled(trouble);
  }
  clearTimeout(waiting);
  waiting = setTimeout(look, next);
}

/** Draw what there is; whether more may come soon. */
async function refresh() {
  const kept = await settings();
  at("knows").href = `${local(kept.address)}/companion`;
  const { on } = await ask("GET", "state");
  if (on !== kept.on) await remember({ on });
  at("knows").hidden = false;
  turn(on);
  if (!on) {
    quiet("Switched off. Nothing is learned, and nothing is sent anywhere.");
    return false;
  }
  const page = await current();
  if (!page) {
    if (await mayRead()) quiet("Read on: suggestions appear here once you have stayed on a page for a while.");
    else locked();
    return false;
  }
  if (!page.name) {
    quiet(`Nothing to offer for «${page.title || page.url}»: ${page.why}.`);
    return false;
  }
  let offer;
  try {
    offer = await ask("GET", `suggestions?of=${encodeURIComponent(page.name)}`);
  } catch (trouble) {
    if (trouble.kind !== "refused") throw trouble;
    quiet("What was found from this page is no longer kept. It is scouted again when you read it again.");
    return false;
  }
  draw(page, offer);
  return offer.scouting;
}

async function flip() {
  const on = at("switch").getAttribute("aria-checked") !== "true";
  try {
    await ask("PUT", "state", { on });
    if (!on) await api.storage.session.clear();
    await remember({ on });
    turn(on);
  } catch (trouble) {
    troubled(trouble);
  }
  look();
}

function turn(on) {
  at("switch").disabled = false;
  at("switch").setAttribute("aria-checked", String(on));
}

function troubled(trouble) {
  at("switch").disabled = true;
  at("switch").setAttribute("aria-checked", "false");
  at("knows").hidden = trouble.kind === "unreachable";
  const told = {
    unreachable: ["Lycosa is not running. Start it on this machine:", "lycosa serve", "If it runs at another address, set that in the options."],
    unpaired: ["Not connected yet. Open Lycosa's page on the companion, copy the key, and paste it in the options.", "", ""],
  }[trouble.kind] ?? [trouble.message, "", trouble.fix ?? ""];
  const [first, command, rest] = told;
  say(first, command && element("code", "", command), rest && element("span", "small muted", rest));
  at("offer").hidden = true;
  shown = "";
}

/** Firefox keeps the pages closed: here is the way to open them. */
function locked() {
  const allow = element("button", "primary", "Allow it");
  allow.type = "button";
  allow.addEventListener("click", () => askToRead().then(look, troubled));
  const rest = "Pages that are open already are read once they are loaded again.";
  quiet("Firefox does not let the companion read all pages.", allow, element("span", "small muted", rest));
}

function quiet(...parts) {
  say(...parts);
  at("offer").hidden = true;
  shown = "";
}

function say(...parts) {
  const wanted = parts.filter(Boolean);
  const text = wanted.map((part) => part.textContent ?? part).join(" ");
  // Said once: a screen reader need not hear the same again.
  if (at("says").dataset.said === text) return;
  at("says").dataset.said = text;
  at("says").replaceChildren(...wanted);
}

function draw(page, offer) {
  const mark = JSON.stringify([offer.url, offer.suggestions.map((one) => [one.url, one.reason])]);
  const many = offer.suggestions.length;
  if (offer.problem) say(`Could not scout ahead: ${offer.problem}.`);
  else if (offer.scouting && !many) say("Scouting ahead …");
  else if (!many) say(`Looked at ${offer.looked_at} pages nearby; none of them fits what you read.`);
  else say("");
  at("offer").hidden = !many;
  at("about").textContent = `Near «${page.title || page.url}»`;
  at("how").textContent = `${many} of ${offer.looked_at} pages looked at${offer.scouting ? ", still looking …" : ""}`;
  if (mark === shown) return;
  shown = mark;
  at("list").replaceChildren(...offer.suggestions.map(item));
}

function item(suggestion) {
  const line = element("li");
  const safe = /^https?:\/\//i.test(suggestion.url);
  const link = element(safe ? "a" : "span", "title", suggestion.title || suggestion.url);
  if (safe) Object.assign(link, { href: suggestion.url, target: "_blank", rel: "noopener noreferrer" });
  line.append(link, element("span", "host", suggestion.host), element("span", "reason", sentence(suggestion.reason)));
  return line;
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function element(tag, kind = "", text = "") {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.textContent = text;
  return made;
}
