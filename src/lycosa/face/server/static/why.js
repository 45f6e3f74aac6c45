/** Why a page was fetched: the path to it from a seed, as a small picture and, hop by hop, as a list. */
import { $, h, svg, clear, out, here, meter, onTopic, percent, probability, count, ago } from "./lib/dom.js";
import { get, Problem } from "./lib/api.js";

const name = document.body.dataset.name;
const url = new URLSearchParams(location.search).get("url") ?? "";
const HIGH = 132;
const SIDE = 34;
const FLOOR = 92;
const TOP = 24;
const NOTHING = 0.0005;
/** Explanations of the parts of an apprentice's score. */
const MEANING = {
  usual: "what a link brings here as a rule",
  page: "whether the page with the link is on topic",
  payoff: "what other links of that page led to",
  beside: "what the links next to it led to",
  anchor: "the words of the link",
  context: "the words around the link",
  url: "the words of the address",
  host: "what its host has brought so far",
  way: "pages off topic on the way to it",
};

show();

async function show() {
  let why;
  try {
    why = await get(`/api/collections/${name}/why`, { url });
  } catch (problem) {
    const line = problem instanceof Problem ? problem.line : String(problem.message);
    $("#lead").remove();
    $("#path").replaceWith(h("p", { class: "problem", role: "alert" }, line));
    return;
  }
  const { path } = why;
  document.title = `Why ${title(path.at(-1))} · Lycosa`;
  lead(path);
  if (path.length > 1) picture(path);
  const parts = path.flatMap((hop) => Object.entries(hop.parts));
  const scale = {
    most: Math.max(...parts.map(([, value]) => Math.abs(value ?? 0)), NOTHING),
    signed: parts.some(([, value]) => value < -NOTHING),
    wide: `${Math.min(12, Math.max(4.5, ...parts.map(([name]) => name.length * 0.48)))}rem`,
  };
  clear($("#path"), path.flatMap((hop, place) => [place > 0 || Object.keys(hop.parts).length ? link(hop, scale) : null, page(hop, place, path)]));
}

const title = (hop) => hop.title?.trim() || hop.url;
const host = (hop) => hop.url.replace(/^https?:\/\//i, "").replace(/\/.*$/s, "");

function lead(path) {
  const links = path.length - 1;
  const way = links === 0 ? "It was one of the seeds." : `${links === 1 ? "One link" : `${count(links)} links`} from the seed ${host(path[0])}.`;
  clear($("#lead"), h("b", {}, title(path.at(-1))), h("br"), h("span", { class: "muted" }, way));
}

/** The path as a line: each page a dot, higher and stronger the more likely it is on topic. */
function picture(path) {
  const holder = $("#picture");
  holder.hidden = false;

  function draw() {
    const width = Math.max(260, holder.clientWidth - 2 * parseFloat(getComputedStyle(holder).paddingLeft));
    const step = (width - 2 * SIDE) / (path.length - 1);
    const at = path.map((hop, place) => [SIDE + place * step, FLOOR - (FLOOR - TOP) * (hop.relevance ?? 0)]);
    const parts = [svg("line", { class: "floor", x1: SIDE, x2: width - SIDE, y1: FLOOR, y2: FLOOR })];
    parts.push(svg("polyline", { class: "way", points: at.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ") }));
    path.forEach((hop, place) => {
      const [x, y] = at[place];
      const known = hop.relevance !== null && hop.relevance !== undefined;
      const dot = svg("circle", { class: `dot shade-${shade(hop)} ${place === path.length - 1 ? "goal" : ""}`, cx: x, cy: y, r: place === path.length - 1 ? 10 : 8 }, svg("title", {}, title(hop)));
      dot.addEventListener("click", () => (location.hash = `hop-${place + 1}`));
      parts.push(dot);
      if (known && step > 34) parts.push(svg("text", { class: "value", x, y: y - 14, "text-anchor": "middle" }, percent(hop.relevance)));
      const name = step > 120 ? short(host(hop), Math.floor(step / 7)) : String(place + 1);
      parts.push(svg("text", { class: "where", x: step > 120 ? Math.max(x, SIDE) : x, y: FLOOR + 26, "text-anchor": anchor(place, path.length, step) }, name));
    });
    const said = path.map((hop) => probability(hop.relevance)).join(", ");
    const label = `How likely each page on the way is on topic: ${said}. The list below says the same.`;
    clear(holder, svg("svg", { role: "img", "aria-label": label, viewBox: `0 0 ${width} ${HIGH}`, width, height: HIGH }, parts), h("figcaption", { class: "muted tiny" }, "Each page on the way: the higher, the more likely on topic"));
  }

  draw();
  new ResizeObserver(draw).observe(holder.parentElement);
}

const anchor = (place, all, step) => (step <= 120 ? "middle" : place === 0 ? "start" : place === all - 1 ? "end" : "middle");
const short = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** How strongly a page is drawn, from 0 to 3. */
function shade(hop) {
  const value = hop.relevance ?? 0;
  return Math.min(3, Math.floor(4 * value));
}

function page(hop, place, path) {
  const last = place === path.length - 1;
  const kind = place === 0 && !hop.via ? "the seed" : last ? "the page" : "";
  const fetched = hop.outcome === "page";
  return h(
    "li",
    { class: `hop ${last ? "goal" : ""}`, id: `hop-${place + 1}` },
    h("i", { class: `spot shade-${shade(hop)}`, "aria-hidden": "true" }),
    h(
      "div",
      { class: "hop-page" },
      h("p", { class: "hop-title" }, out(hop.url, title(hop)), kind && h("span", { class: "badge" }, kind)),
      h("p", { class: "mono tiny muted" }, hop.url.replace(/^https?:\/\//i, "")),
      h(
        "p",
        { class: "hop-facts muted small" },
        fetched ? h("span", { class: "with-meter" }, meter(hop.relevance), h("span", { class: "number" }, onTopic(hop.relevance, hop.known))) : h("span", { class: "badge warn" }, hop.outcome || "not fetched yet"),
        fetched && hop.withheld && h("span", { class: "badge warn", title: "In no search result and no export" }, `withheld: ${hop.withheld}`),
        fetched && hop.judge && h("span", { title: "What the judge said when the page was fetched, whatever the hunt has learned since" }, `score by ${hop.judge} ${hop.judge_score.toFixed(3)}`),
        ago(hop.picked_at),
        fetched && here(`/cached/${name}`, { url: hop.url }, "archived copy"),
      ),
    ),
  );
}

/** The link that was followed: its anchor text, its score, and the parts of the score. */
function link(hop, scale) {
  const parts = Object.entries(hop.parts).filter(([, value]) => Math.abs(value ?? 0) >= NOTHING);
  const words = hop.anchor ? ["the link ", h("q", {}, hop.anchor)] : hop.via ? [hop.outcome ? "a link without words" : "a link"] : ["it was given"];
  return h(
    "li",
    { class: "step" },
    h("i", { class: "arrow", "aria-hidden": "true" }),
    h(
      "div",
      { class: "step-body" },
      h("p", { class: "step-words" }, words),
      h("p", { class: "muted small" }, "score ", h("b", { class: "number" }, hop.score === null ? "?" : hop.score.toFixed(3)), hop.queued > 0 ? `, ${ordinal(hop.rank)} of ${count(hop.queued)} waiting` : ""),
      hop.reasons.length > 0 && h("ul", { class: "reasons-said small", "aria-label": "Why the link was followed" }, hop.reasons.map((one) => h("li", {}, one))),
      parts.length > 0 && h("ul", { class: scale.signed ? "bars signed" : "bars", style: { "--name": scale.wide }, "aria-label": "What the score is made of" }, parts.map(([name, value]) => bar(name, value, scale))),
    ),
  );
}

/** One part of a score as a bar: to the right if it speaks for the link, to the left if it speaks against it. */
function bar(name, value, { most, signed }) {
  const share = Math.min(1, Math.abs(value) / most) * (signed ? 50 : 100);
  const place = value < 0 ? { right: "50%" } : { left: signed ? "50%" : "0" };
  const filled = h("i", { class: value < 0 ? "against" : "for", style: { ...place, width: `${share.toFixed(1)}%` } });
  return h("li", {}, h("span", { class: "bar-name", title: MEANING[name] ? `${name}: ${MEANING[name]}` : name }, name), h("span", { class: "weigh", "aria-hidden": "true" }, filled), h("span", { class: "number" }, value.toFixed(2).replace(/^-(0\.0+)$/, "$1")));
}

function ordinal(number) {
  const tens = number % 100;
  const ending = tens > 10 && tens < 14 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th");
  return `${count(number)}${ending}`;
}
