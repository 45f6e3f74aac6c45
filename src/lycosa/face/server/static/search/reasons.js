/** Why a result has its rank: the parts of its score, and which pages link to it in which words. */
import { h, out, marked, clear, count } from "../lib/dom.js";
import { get, tell } from "../lib/api.js";

const MEANING = {
  content: "what the page says",
  title: "how well its title matches",
  votes: "how many others say so",
  reference: "what others say of it",
  anchors: "the links that lead to it",
  popularity: "how well known it is",
  front: "the front page of a site",
  relevance: "how relevant it is to the topic of the crawl",
};

/** The parts of a score as bars, relative to the best score. */
export function ranking(hit, best) {
  const parts = Object.entries(hit.parts).sort((one, other) => other[1] - one[1]);
  const whole = Math.max(best, hit.score ?? 0);
  const width = (value) => ({ width: `${Math.max(0.5, (100 * value) / whole).toFixed(2)}%` });
  const bar = h("div", { class: "parts-bar", "aria-hidden": "true" }, parts.map(([name, value]) => h("i", { class: `part-${name}`, style: width(value) })));
  const rows = parts.map(([name, value]) =>
    h("div", {}, h("dt", {}, h("i", { class: `key part-${name}`, "aria-hidden": "true" }), name), h("dd", {}, h("b", { class: "number" }, value.toFixed(3)), h("span", { class: "muted" }, ` ${MEANING[name] ?? ""}`))),
  );
  const total = h("div", {}, h("dt", {}, "score"), h("dd", {}, h("b", { class: "number" }, (hit.score ?? 0).toFixed(3)), h("span", { class: "muted" }, " the sum")));
  return [bar, h("dl", { class: "parts" }, rows, total)];
}

/** The words that other pages use for a page, and which pages those are. */
export async function referrers(hit) {
  const terms = Object.entries(hit.votes).sort((one, other) => other[1] - one[1]);
  const box = h("div", { class: "stack tight" });
  const found = await ask(hit, "");
  if (!found.votes.length) return h("p", { class: "muted" }, "Nobody in this collection refers to it in words.");
  const list = h("ul", { class: "voters" });
  let chosen = "";
  const rows = [...terms.map(([term, votes]) => ({ term, votes })), ...found.votes.filter((one) => !alike(one.term, terms))].slice(0, 10);
  const buttons = rows.map(({ term, votes }) => {
    const button = h("button", { type: "button", class: "small term", "aria-pressed": "false", title: `who says «${term}»` }, `«${term}»`, h("span", { class: "muted number" }, count(votes)));
    button.addEventListener("click", async () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      for (const other of buttons) other.setAttribute("aria-pressed", "false");
      button.setAttribute("aria-pressed", String(on));
      const wanted = (chosen = on ? term : "");
      try {
        const answer = await ask(hit, wanted);
        if (chosen === wanted) draw(list, answer);
      } catch (problem) {
        tell(problem);
      }
    });
    return button;
  });
  draw(list, found);
  clear(box, h("p", { class: "muted small" }, "Words that others use for it, and how many use each:"), h("div", { class: "row terms" }, buttons), list);
  return box;
}

/** Whether a term is only another form of a term that is already listed. */
const root = (text) => text.toLowerCase().split(/\s+/).map((word) => word.slice(0, 4)).join(" ");
const alike = (term, terms) => terms.some(([other]) => root(other) === root(term));

const ask = (hit, term) => get(`/api/collections/${hit.collection}/votes`, { url: hit.url, term, limit: 6 });

function draw(list, found) {
  const items = found.voters.map((voter) => h("li", {}, out(voter.url, voter.title.trim() || voter.url, { title: voter.url }), h("q", {}, marked(voter.context, voter.marks))));
  clear(list, items.length ? items : h("li", { class: "muted" }, "nobody says so"));
}
