/** The communities of this server. */
import { ago, h, $, here, clear, count } from "./lib/dom.js";
import { get, post, tell } from "./lib/api.js";
import { submits } from "./lib/bookmarks.js";

try {
  const found = await get("/api/communities");
  $("#none").hidden = found.length > 0;
  clear($("#communities"), found.map(card));
} catch (error) {
  tell(error);
}

const form = $("#new");
submits(form, $("#new-problem"), async (bookmarks) => {
  const { keywords, max_in_index, name } = form.elements;
  // `form.name` is the form's own; its elements are asked by name.
  const begun = await post("/api/communities", { ...bookmarks, keywords: keywords.value, max_in_index: Number(max_in_index.value), name: name.value });
  location.assign(`/communities/${begun.name}`);
});

function card(one) {
  const current = one.generations.find((each) => each.current);
  return h(
    "article",
    { class: "card stack tight" },
    h("div", { class: "row" }, h("h2", {}, here(`/communities/${one.name}`, {}, one.name)), one.busy ? h("span", { class: "badge running" }, one.begun ? "refreshing" : "first crawl") : null),
    h("p", { class: "small" }, current ? [`${count(current.pages)} pages, renewed `, ago(current.at)] : "nothing crawled yet"),
    h("p", { class: "small muted" }, `${count(one.asked)} ${one.asked === 1 ? "question" : "questions"} asked; ${one.remembering ? "new ones are remembered" : "new ones are not remembered"}`),
    one.begun ? h("p", {}, here("/search", { in: one.name }, "Search it", { class: "button small" })) : null,
  );
}
