/** An archived copy in a sandboxed frame where nothing runs, and above it what is known about the page. */
import { $, h, clear, out, here, meter, onTopic, size, spoken, ago } from "./lib/dom.js";
import { get, Problem } from "./lib/api.js";

const name = document.body.dataset.name;
const said = new URLSearchParams(location.search);
const url = said.get("url") ?? "";
const q = said.get("q") ?? "";

show();

async function show() {
  let page;
  try {
    page = await get(`/api/collections/${name}/page`, { url });
  } catch (problem) {
    fail(problem);
    return;
  }
  $("#title").textContent = page.title.trim() || page.url;
  document.title = `${page.title.trim() || page.url} · archived · Lycosa`;
  clear($("#address"), out(page.url));
  clear(
    $("#facts"),
    h("span", {}, "fetched ", ago(page.at)),
    h("span", {}, meter(page.relevance), ` ${onTopic(page.relevance, page.known)}`),
    page.judge && h("span", { title: "What the judge said when the page was fetched, whatever the hunt has learned since" }, `score by ${page.judge} ${page.judge_score.toFixed(3)}`),
    h("span", {}, size(page.size)),
    page.language && h("span", {}, spoken(page.language)),
    here(`/why/${name}`, { url: page.url }, "why it was fetched"),
    here("/search", { like: page.url, in: name }, "similar pages"),
  );
  if (!page.readable) {
    clear($("#copy"), h("p", { class: "empty" }, page.mime.startsWith("text/") ? "No copy of this page was kept." : `This is no text (${page.mime}); it cannot be shown here.`));
    return;
  }
  const frame = h("iframe", {
    sandbox: "allow-popups allow-popups-to-escape-sandbox",
    referrerpolicy: "no-referrer",
    title: "The archived copy",
    src: `/api/collections/${name}/cached?${new URLSearchParams({ url: page.url, q, theme: document.documentElement.dataset.theme ?? "" })}`,
  });
  clear($("#copy"), frame);
}

function fail(problem) {
  $("#title").textContent = "No such copy";
  clear($("#address"), url);
  clear($("#copy"), h("p", { class: "problem", role: "alert" }, problem instanceof Problem ? problem.line : String(problem.message)));
}
