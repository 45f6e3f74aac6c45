/** One page that was found: what it is, how relevant it is, and two buttons to judge it. */
import { h, out, here } from "../lib/dom.js";
import { icon } from "../lib/icons.js";

const HINTS = { yes: "Relevant (y)", no: "Not relevant (n)" };

/** A row of the list; `judged` sets which button is pressed, `scaled` the length of the bar; a click calls `onpress`. */
export function row(page, name, onpress) {
  const title = page.title?.trim() || "Untitled page";
  const number = h("span", { class: "number" }, short(page.relevance));
  const bar = h("i");
  const yes = say("yes", "Relevant", true);
  const no = say("no", "Not relevant", false);
  const { host, rest } = place(page.url);
  const element = h(
    "li",
    { class: "found" },
    h("div", { class: "found-mark", title: `relevance ${page.relevance.toFixed(3)}` }, h("span", { class: "hide-visually" }, "relevance "), number, h("span", { class: "meter", "aria-hidden": "true" }, bar)),
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
      ),
    ),
    h("div", { class: "found-say", role: "group", "aria-label": `Is it relevant? ${title}` }, yes, no),
  );

  function say(kind, word, relevant) {
    const label = `${relevant ? "Relevant" : "Not relevant"}: ${title}`;
    return h("button", { type: "button", class: `say ${kind}`, "aria-pressed": "false", "aria-label": label, title: HINTS[kind], onclick: () => onpress(relevant) }, icon(kind, 16), h("span", {}, word));
  }

  return {
    element,
    page,
    judged(word) {
      for (const [button, kind, pressed] of [[yes, "yes", word === true], [no, "no", word === false]]) {
        button.setAttribute("aria-pressed", String(pressed));
        button.title = HINTS[kind] + (pressed ? ": press again to take it back" : "");
      }
      element.classList.toggle("is-judged", word === true || word === false);
      element.classList.toggle("is-refused", word === false);
    },
    scaled(best, threshold) {
      bar.style.width = `${Math.min(100, (100 * page.relevance) / (best || 1)).toFixed(0)}%`;
      element.classList.toggle("is-good", threshold !== null && page.relevance >= threshold);
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
