/** The REST interface as a list, read from its own OpenAPI document. */
import { h, $, clear } from "./lib/dom.js";
import { get, tell } from "./lib/api.js";

const FIRST = ["hunts", "insight", "search", "map"];

$("#example").textContent = [
  `curl -s ${location.origin}/api/hunts -H 'Content-Type: application/json' \\`,
  `  -d '{"keywords": "wolf spiders", "seeds": ["https://en.wikipedia.org/wiki/Wolf_spider"], "pages": 200}'`,
  `curl -sN ${location.origin}/api/hunts/wolf-spiders/events`,
  `curl -s '${location.origin}/api/search?query=egg+sac&collection=wolf-spiders'`,
].join("\n");

try {
  const document_ = await get("/api/openapi.json");
  const subjects = new Map();
  for (const [path, methods] of Object.entries(document_.paths)) {
    for (const [method, about] of Object.entries(methods)) {
      const subject = about.tags?.[0] ?? "other";
      if (!subjects.has(subject)) subjects.set(subject, []);
      subjects.get(subject).push({ path, method, about });
    }
  }
  const rank = ([subject]) => (FIRST.includes(subject) ? FIRST.indexOf(subject) : FIRST.length);
  const ordered = [...subjects].sort((one, other) => rank(one) - rank(other));
  clear($("#routes"), ordered.map(([subject, routes]) => section(subject, routes)));
} catch (error) {
  tell(error);
}

function section(subject, routes) {
  return h(
    "section",
    { class: "card stack" },
    h("h2", {}, `${subject.charAt(0).toUpperCase()}${subject.slice(1)}`),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": subject },
      h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Call"), h("th", { scope: "col" }, "What it does"), h("th", { scope: "col", class: "wide-only" }, "Takes"))),
        h("tbody", {}, routes.map(row)),
      ),
    ),
  );
}

function row({ path, method, about }) {
  const takes = (about.parameters ?? []).filter((one) => one.in === "query").map((one) => one.name);
  if (about.requestBody) takes.push("a JSON body");
  return h(
    "tr",
    {},
    h("td", { class: "mono" }, `${method.toUpperCase()} ${path}`),
    h("td", {}, (about.description || about.summary || "").split("`").map((part, place) => (place % 2 ? h("code", { class: "mono" }, part) : part))),
    h("td", { class: "muted small wide-only" }, takes.join(", ")),
  );
}
