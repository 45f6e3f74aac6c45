/** The box that finds a page on the map by its title or URL. */
import { clear, h } from "../lib/dom.js";

const MOST = 10;

export function finder(input, list, { search, pick }) {
  let found = [];
  let at = -1;

  function show() {
    clear(
      list,
      found.map(({ page, name, host }, place) =>
        h(
          "li",
          { role: "option", id: `found-${place}`, "aria-selected": place === at ? "true" : "false", onpointerdown: (event) => event.preventDefault(), onclick: () => take(page) },
          h("span", {}, name),
          h("span", { class: "tiny muted" }, host),
        ),
      ),
    );
    list.hidden = !found.length;
    input.setAttribute("aria-expanded", String(found.length > 0));
    if (at >= 0) input.setAttribute("aria-activedescendant", `found-${at}`);
    else input.removeAttribute("aria-activedescendant");
  }

  function close() {
    [found, at] = [[], -1];
    show();
  }

  function take(page) {
    close();
    pick(page);
  }

  input.addEventListener("input", () => {
    found = search(input.value, MOST);
    at = found.length ? 0 : -1;
    show();
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length) at = (at + step + found.length) % found.length;
    else if (event.key === "Escape" && found.length) close();
    else if (event.key !== "Enter") return;
    event.preventDefault();
    if (event.key === "Enter" && at >= 0) take(found[at].page);
    else if (step) show();
  });
}
