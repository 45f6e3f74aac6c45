/** One page that was found: what it is, how relevant it is, and two buttons to judge it. */
import { h, out, here, onTopic, percent } from "../lib/dom.js";
import { icon } from "../lib/icons.js";

const HINTS = { yes: "Relevant (y)", no: "Not relevant (n)" };

/** A row of the list; `judged` sets which button is pressed and by whom, `scaled` what counts as relevant; a click calls `onpress`. */
export function row(page, name, onpress) {
  const title = page.title?.trim() || "Untitled page";
  const number = h("span", { class: "number" });
  const bar = h("i");
  const how = h("span", { class: "found-known tiny muted" });
  const mark = h("div", { class: "found-mark" }, h("span", { class: "hide-visually" }, "on topic: "), number, h("span", { class: "meter", "aria-hidden": "true" }, bar), how);
  let word = null;
  const yes = say("yes", "Relevant", true);
  const no = say("no", "Not relevant", false);
  const judge = h("span", { class: "found-judge", hidden: true });
  const { host, rest } = place(page.url);
  const element = h(
    "li",
    { class: "found" },
    mark,
    h(
      "div",
      { class: "found-what" },
      out(page.url, title, { class: "found-title" }),
      h("p", { class: "found-place" }, h("b", {}, host), h("span", {}, rest)),
      h(
        "p",
        { class: "found-links" },
        here(`/why/${name}`, { url: page.url }, "why", { "aria-label": `Why ${title} was fetched` }),
        here(`/cached/${name}`, { url: page.url }, "cached", { "aria-label": `Cached copy of ${title}` }),
        page.withheld && h("span", { class: "badge warn", title: "In no search result and no export" }, `withheld: ${page.withheld}`),
        judge,
      ),
    ),
    h("div", { class: "found-say", role: "group", "aria-label": `Is it relevant? ${title}` }, yes, no),
  );

  function say(kind, word, relevant) {
    const label = `${relevant ? "Relevant" : "Not relevant"}: ${title}`;
    return h("button", { type: "button", class: `say ${kind}`, "aria-pressed": "false", "aria-label": label, title: HINTS[kind], onclick: () => onpress(relevant) }, icon(kind, 16), h("span", {}, word));
  }

  /** What is shown: a person's word is certain, whatever the crawl has said before. */
  function said() {
    if (word !== null) return { relevance: Number(word), known: "judged" };
    return page.known === "judged" ? { relevance: null, known: "" } : page;
  }

  function tell() {
    const { relevance, known } = said();
    const sure = relevance !== null;
    number.textContent = sure ? percent(relevance) : "?";
    number.classList.toggle("muted", !sure);
    how.textContent = sure ? known : "not known yet";
    bar.style.width = `${(100 * (relevance ?? 0)).toFixed(0)}%`;
    mark.title = `${onTopic(relevance, known)}. The judge's score was ${short(page.judge_score)}.`;
  }

  tell();
  return {
    element,
    page,
    judged(now, by) {
      word = now;
      tell();
      const machine = by && by !== "person" && (word === true || word === false) ? by : "";
      for (const [button, kind, pressed] of [[yes, "yes", word === true], [no, "no", word === false]]) {
        button.setAttribute("aria-pressed", String(pressed));
        button.title = HINTS[kind] + (pressed ? `${machine ? `, says ${machine}` : ""}: press again to take it back` : "");
      }
      judge.textContent = machine ? `judged by ${machine}` : "";
      judge.hidden = !machine;
      element.classList.toggle("is-judged", word === true || word === false);
      element.classList.toggle("is-refused", word === false);
    },
    scaled(threshold) {
      const { relevance } = said();
      element.classList.toggle("is-good", relevance !== null && relevance >= threshold);
    },
    focus() {
      (element.querySelector("a") ?? yes).focus();
    },
  };
}

/** Three significant digits, as everywhere on the pages: 0.214, 1.00, −2.31 */
export function short(value) {
  const size = Math.abs(value);
  const digits = size >= 99.95 ? size.toFixed(0) : size >= 0.9995 ? size.toFixed(2) : size.toFixed(3);
  return value < -0.0005 ? `\u2212${digits}` : digits;
}

function place(url) {
  const parts = /^[a-z]+:\/\/([^/?#]*)(.*)$/i.exec(url);
  return parts ? { host: parts[1], rest: parts[2] === "/" ? "" : parts[2] } : { host: "", rest: url };
}
