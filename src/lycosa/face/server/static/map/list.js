/** The map as a table, most relevant pages first, with a limited number of rows. */
import { $, clear, count, h, meter, out, probability } from "../lib/dom.js";

const STEP = 100;
const WORDS = { hub: "hub", authority: "authority", both: "hub and authority", page: "", unfetched: "not fetched" };

export function table(root, { pick }) {
  let shown = STEP;
  let map = null;

  function draw() {
    const links = map.kind === "links";
    const heads = ["Page", "Site", map.asked ? "Answer" : "On topic", ...(links ? ["Hub", "Authority", "Role"] : ["Lines", "Fetched"])];
    clear($("thead", root), h("tr", {}, heads.map((head, at) => h("th", { scope: "col", class: at > 1 && at < 5 ? "number" : "" }, head))));
    const rows = Array.from(map.best.subarray(0, shown), (page) => row(page, links));
    clear($("tbody", root), rows);
    $("#listed", root).textContent = `${count(rows.length)} of ${count(map.size)}`;
    $("#more", root).hidden = rows.length >= map.size;
  }

  function row(page, links) {
    const role = map.roleOf(page);
    const fetched = role !== "unfetched";
    const beside = map.following(page).length + map.leading(page).length;
    const rest = links
      ? [number(map.hub[page].toFixed(2)), number(map.authority[page].toFixed(2)), h("td", {}, WORDS[role])]
      : [number(count(beside)), h("td", {}, fetched ? "yes" : "no")];
    return h(
      "tr",
      {},
      h("td", {}, h("button", { type: "button", onclick: () => pick(page) }, map.name[page]), h("div", { class: "tiny" }, out(map.url(page), map.url(page), { class: "muted" }))),
      h("td", { class: "small" }, map.host(page)),
      fetched ? h("td", { class: "number" }, meter(map.asked ? map.shade[page] / 100 : map.relevance[page], map.asked ? "beside the best answer" : "on topic"), " ", probability(map.relevance[page])) : number(""),
      rest,
    );
  }

  $("#more", root).addEventListener("click", () => {
    shown += STEP;
    draw();
  });

  return {
    show(fresh) {
      map = fresh;
      if (!root.hidden) draw();
    },
    open(open) {
      root.hidden = !open;
      shown = STEP;
      if (open && map) draw();
    },
  };
}

function number(text) {
  return h("td", { class: "number" }, text);
}
