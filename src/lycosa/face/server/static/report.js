/** A report of the laboratory in a frame of its own, with links to the files beside it. */
import { h, $, clear } from "./lib/dom.js";
import { get, tell } from "./lib/api.js";
import { running } from "./lab.js";

const name = document.body.dataset.name;

async function show() {
  try {
    const one = await get(`/api/lab/${name}`);
    if (one.title) $("#title").textContent = one.title;
    clear($("#running"), one.running ? running(one.running) : null);
    $(".report").hidden = !one.report;
    $("#beside").hidden = one.files.length === 0;
    clear($("#beside ul"), one.files.map((file) => h("li", {}, h("a", { href: `/api/lab/${name}/${file.split("/").map(encodeURIComponent).join("/")}` }, file))));
    if (one.running) setTimeout(show, 2000);
  } catch (error) {
    tell(error);
  }
}

show();
