/** Completions of the question below its box: a combobox with a list, for the keyboard, the mouse and fingers. */
import { $, $$, h, clear, marked } from "../lib/dom.js";
import { get } from "../lib/api.js";

const SOON = 80;
const SHOWN = 8;
const KINDS = { title: "page", words: "called so by others", question: "asked before", word: "word" };

/** `where` says which collections are asked; `chosen` is called when a completion was chosen and stands in the box. */
export function completeWhileTyping(box, list, where, chosen) {
  let timer = 0;
  let asking = null;
  let typed = "";
  let at = -1;

  const options = () => $$('[role="option"]', list);

  function close() {
    clearTimeout(timer);
    asking?.abort();
    list.hidden = true;
    at = -1;
    clear(list);
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  }

  function mark(next) {
    const all = options();
    all[at]?.setAttribute("aria-selected", "false");
    at = next < -1 ? all.length - 1 : next >= all.length ? -1 : next;
    const option = all[at];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) box.setAttribute("aria-activedescendant", option.id);
    else box.removeAttribute("aria-activedescendant");
    box.value = option ? option.dataset.text : typed;
  }

  function choose(text) {
    box.value = text;
    close();
    chosen();
  }

  function draw(completions) {
    if (!completions.length || document.activeElement !== box) return close();
    at = -1;
    box.removeAttribute("aria-activedescendant");
    const items = completions.map((one, number) =>
      h(
        "li",
        { role: "option", id: `completion-${number}`, "aria-selected": "false", "data-text": one.text, onmousedown: (event) => event.preventDefault(), onclick: () => choose(one.text) },
        h("span", { class: "completion-text" }, marked(one.text, one.marks)),
        h("span", { class: "muted small" }, KINDS[one.kind] ?? ""),
      ),
    );
    clear(list, items);
    list.hidden = false;
    box.setAttribute("aria-expanded", "true");
  }

  async function ask() {
    asking?.abort();
    const mine = (asking = new AbortController());
    try {
      const found = await get("/api/complete", { query: typed, collection: where(), limit: SHOWN }, mine.signal);
      if (!mine.signal.aborted) draw(found.completions);
    } catch {
      if (!mine.signal.aborted) close(); // a question can be asked without completions
    }
  }

  box.addEventListener("input", (event) => {
    typed = box.value;
    clearTimeout(timer);
    if (event.isComposing || !typed.trim() || typed.length > 200) return close();
    timer = setTimeout(ask, SOON);
  });
  box.addEventListener("blur", close);
  box.form.addEventListener("submit", close, { capture: true });
  box.addEventListener("keydown", (event) => {
    if (list.hidden || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowDown") mark(at + 1);
    else if (event.key === "ArrowUp") mark(at - 1);
    else if (event.key === "Escape") {
      box.value = typed;
      close();
    } else return;
    event.preventDefault();
    event.stopPropagation(); // the page's own keys go from result to result
  });
}

