/** Tabs: one panel at a time, arrow keys between them, and the address remembers which. */
import { $$ } from "./dom.js";

export function tabs(list, { onshow = () => {} } = {}) {
  const all = $$('[role="tab"]', list);
  const panel = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
  const open = () => all.filter((tab) => !tab.hidden);

  function show(tab, remember = true) {
    for (const one of all) {
      const chosen = one === tab;
      one.setAttribute("aria-selected", String(chosen));
      one.tabIndex = chosen ? 0 : -1;
      panel(one).hidden = !chosen;
    }
    // Scroll only the tabs, not the page.
    const over = tab.offsetLeft + tab.offsetWidth - list.clientWidth - list.offsetLeft;
    if (over > list.scrollLeft) list.scrollLeft = over;
    else list.scrollLeft = Math.min(list.scrollLeft, tab.offsetLeft - list.offsetLeft);
    if (remember) {
      history.replaceState(null, "", `${location.pathname}${location.search}#part-${panel(tab).id}`);
    }
    onshow(panel(tab).id);
  }

  list.addEventListener("click", (event) => {
    const tab = event.target.closest('[role="tab"]');
    if (tab) show(tab);
  });
  list.addEventListener("keydown", (event) => {
    const some = open();
    const at = some.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: some.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    const tab = some[(to + some.length) % some.length];
    tab.focus();
    show(tab);
  });

  const named = () => all.find((tab) => `#part-${panel(tab).id}` === location.hash && !tab.hidden);
  addEventListener("hashchange", () => named() && show(named(), false));
  show(named() ?? all[0], false);
  return {
    show: (id) => show(all.find((tab) => panel(tab).id === id)),
    current: () => panel(all.find((tab) => tab.getAttribute("aria-selected") === "true")).id,
  };
}
