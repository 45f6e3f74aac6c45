/** The communities of this server. */
import { ago, h, $, here, clear, count } from "./lib/dom.js";
import { get, tell } from "./lib/api.js";

try {
  const found = await get("/api/communities");
  $("#none").hidden = found.length > 0;
  clear($("#communities"), found.map(card));
} catch (error) {
  tell(error);
}

function card(one) {
  const current = one.generations.find((each) => each.current);
  return h(
    "article",
    { class: "card stack tight" },
    h("div", { class: "row" }, h("h2", {}, here(`/communities/${one.name}`, {}, one.name)), one.busy ? h("span", { class: "badge running" }, "refreshing") : null),
    h("p", { class: "small" }, current ? [`${count(current.pages)} pages, renewed `, ago(current.at)] : "nothing crawled yet"),
    h("p", { class: "small muted" }, `${count(one.asked)} ${one.asked === 1 ? "question" : "questions"} asked; ${one.remembering ? "new ones are remembered" : "new ones are not remembered"}`),
    h("p", {}, here("/search", { in: one.name }, "Search it", { class: "button small" })),
  );
}
