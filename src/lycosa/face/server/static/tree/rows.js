/**
 * A tree as rows of equal height; only the visible rows are in the document, so thousands cost no more than thirty.
 *
 * The usual keys of a tree: up and down; right opens or goes in, left closes or goes out; Home, End, page up and down;
 * a letter goes to the next row that begins with it; * opens all siblings. The chosen row stays chosen, and the first
 * visible row stays where it is, whatever is added or removed around it.
 */
import { h, perFrame } from "../lib/dom.js";

const AROUND = 6;
let trees = 0;

/**
 * rows(container, {label, height, fill(element, row), over(first, last), onpick(row), onenter(row), ontoggle(row, open)})
 *
 * A row is {id, level, set, place, open: true | false | null, name, says, stamp}: `stamp` changes when it looks different.
 * Returns {show(rows), pick(id), redraw(), box, picked}.
 */
export function rows(container, { label, height, fill, over = () => {}, onpick, onenter = () => {}, ontoggle }) {
  const prefix = `tree-${++trees}`;
  const space = h("div", { class: "rows-space", role: "presentation" });
  const box = h("div", { class: "rows", role: "tree", tabindex: 0, "aria-label": label }, space);
  container.append(box);

  let list = [];
  let at = new Map();
  let picked = null;
  let typed = "";
  let typing = 0;
  const there = new Map();
  const redraw = perFrame(draw);

  function show(next) {
    const top = Math.floor(box.scrollTop / height);
    const offset = box.scrollTop - top * height;
    const before = box.scrollTop > 0 ? list.slice(top, top + 500) : [];
    list = next;
    at = new Map(list.map((row, place) => [row.id, place]));
    space.style.height = `${list.length * height}px`;
    if (picked !== null && !at.has(picked)) picked = null;
    // The first visible row that still exists keeps its position on the screen.
    const still = before.findIndex((row) => at.has(row.id));
    if (still >= 0) box.scrollTop = Math.max(0, (at.get(before[still].id) - still) * height + offset);
    draw();
  }

  function draw() {
    const first = Math.max(0, Math.floor(box.scrollTop / height) - AROUND);
    const last = Math.min(list.length, Math.ceil((box.scrollTop + box.clientHeight) / height) + AROUND);
    const wanted = new Set(list.slice(first, last).map((row) => row.id));
    // Screen readers must find the chosen row in the document.
    if (picked !== null) wanted.add(picked);
    for (const [id, element] of there) {
      if (wanted.has(id)) continue;
      element.remove();
      there.delete(id);
    }
    let next = null;
    for (const nth of [...wanted].map((id) => at.get(id)).sort((a, b) => b - a)) {
      const element = place(list[nth], nth);
      // The same order in the document as on the screen, for screen readers.
      if (element.nextElementSibling !== next || element.parentNode !== space) space.insertBefore(element, next);
      next = element;
    }
    if (picked === null) box.removeAttribute("aria-activedescendant");
    else box.setAttribute("aria-activedescendant", `${prefix}-${picked}`);
    over(first, last);
  }

  function place(row, nth) {
    let element = there.get(row.id);
    if (!element) {
      element = h("div", { class: "rows-row", role: "treeitem", id: `${prefix}-${row.id}` });
      element.row = row.id;
      there.set(row.id, element);
    }
    if (element.stamp !== row.stamp) {
      element.stamp = row.stamp;
      element.setAttribute("aria-label", row.says);
      element.replaceChildren(twisty(row));
      fill(element, row);
    }
    element.style.transform = `translateY(${nth * height}px)`;
    element.style.setProperty("--level", Math.min(row.level, 12));
    set(element, "aria-level", row.level);
    set(element, "aria-setsize", row.set);
    set(element, "aria-posinset", row.place);
    set(element, "aria-expanded", row.open);
    set(element, "aria-selected", row.id === picked);
    return element;
  }

  function pick(id, { tell = true, seen = true } = {}) {
    if (!at.has(id)) return;
    picked = id;
    if (seen) into(at.get(id));
    draw();
    if (tell) onpick(list[at.get(id)]);
  }

  function into(nth) {
    const top = nth * height;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
  }

  const parent = (nth) => {
    for (let one = nth - 1; one >= 0; one--) if (list[one].level < list[nth].level) return one;
    return nth;
  };

  function key(event) {
    if (event.target !== box || !list.length || event.ctrlKey || event.metaKey || event.altKey) return;
    const nth = picked === null ? -1 : at.get(picked);
    const row = list[nth];
    const page = Math.max(1, Math.floor(box.clientHeight / height) - 1);
    const to = {
      ArrowDown: nth + 1,
      ArrowUp: nth - 1,
      Home: 0,
      End: list.length - 1,
      PageDown: nth + page,
      PageUp: nth - page,
    }[event.key];
    if (to !== undefined) pick(list[Math.max(0, Math.min(list.length - 1, to))].id);
    else if (event.key === "ArrowRight" && row) row.open === false ? ontoggle(row, true) : row.open && pick(list[nth + 1].id);
    else if (event.key === "ArrowLeft" && row) row.open ? ontoggle(row, false) : pick(list[parent(nth)].id);
    else if ((event.key === "Enter" || event.key === " ") && row) onenter(row);
    else if (event.key === "*" && row) open(nth);
    else if (event.key.length === 1 && event.key !== " ") seek(event.key, nth);
    else return;
    event.preventDefault();
  }

  function open(nth) {
    const above = parent(nth);
    const beside = list.filter((row, one) => row.open === false && row.level === list[nth].level && parent(one) === above);
    for (const row of beside) ontoggle(row, true);
  }

  function seek(letter, nth) {
    clearTimeout(typing);
    typing = setTimeout(() => (typed = ""), 700);
    const begins = (text, from) => [...list.slice(from), ...list.slice(0, from)].find((row) => row.name.toLowerCase().startsWith(text));
    const longer = typed && begins(typed + letter.toLowerCase(), Math.max(0, nth));
    typed = longer ? typed + letter.toLowerCase() : letter.toLowerCase();
    const found = longer || begins(typed, nth + 1);
    if (found) pick(found.id);
  }

  box.addEventListener("scroll", redraw, { passive: true });
  box.addEventListener("keydown", key);
  box.addEventListener("focus", () => {
    if (picked === null && list.length) pick(list[Math.min(list.length - 1, Math.ceil(box.scrollTop / height))].id);
    else if (picked !== null) into(at.get(picked));
  });
  space.addEventListener("click", (event) => {
    const element = event.target.closest(".rows-row");
    const row = element && list[at.get(element.row)];
    if (!row || event.target.closest("a")) return;
    if (event.target.closest(".twisty") || (row.group && row.open !== null)) ontoggle(row, !row.open);
    pick(row.id, { seen: false });
  });
  const sized = new ResizeObserver(redraw);
  sized.observe(box);
  return { show, pick, redraw, box, space, get picked() { return picked; }, close: () => sized.disconnect() };
}

const twisty = (row) => h("span", { class: row.open === null ? "twisty none" : "twisty", "aria-hidden": "true" });

function set(element, name, value) {
  const text = value === null ? null : String(value);
  if (element.getAttribute(name) === text) return;
  if (text === null) element.removeAttribute(name);
  else element.setAttribute(name, text);
}
