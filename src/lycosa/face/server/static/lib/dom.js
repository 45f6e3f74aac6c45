/** Builds elements. Content comes from strangers, so text is never parsed as HTML and links only lead to the Web. */

/** An element: h("p", {class: "muted", onclick: f, "aria-label": "x"}, "text", child, [more]). */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG elements. */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A link to a page of the Web, opened in a new tab; anything but http and https stays text. */
export function out(url, text = url, props = {}) {
  const safe = /^https?:\/\//i.test(url);
  if (!safe) return h("span", props, text);
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer", ...props }, text || url);
}

/** A link within Lycosa: here("/why/spiders", {url}, "why"). */
export function here(path, query, text, props = {}) {
  const search = new URLSearchParams(Object.entries(query ?? {}).filter(([, value]) => value !== "" && value != null));
  return h("a", { href: search.size ? `${path}?${search}` : path, ...props }, text);
}

/** Text with some parts marked: spans are [start, end] pairs in code points, as Python counts. */
export function marked(text, spans) {
  if (!spans?.length) return [text];
  const letters = Array.from(text);
  const parts = [];
  let at = 0;
  for (const [start, end] of spans) {
    if (start < at || end > letters.length) continue;
    parts.push(letters.slice(at, start).join(""), h("mark", {}, letters.slice(start, end).join("")));
    at = end;
  }
  parts.push(letters.slice(at).join(""));
  return parts;
}

/** A small bar for a share from 0 to 1, with its percentage for screen readers; a probability that is not known is an empty bar. */
export function meter(value, label = "on topic") {
  const share = Math.max(0, Math.min(1, value || 0));
  const bar = h("i", { style: { width: `${(100 * share).toFixed(1)}%` } });
  const says = `${label}: ${probability(value)}`;
  return h("span", { class: value == null ? "meter is-unknown" : "meter", role: "img", "aria-label": says, title: says }, bar);
}

/** A share or a probability as a person writes it: «87 %»; 0 % and 100 % only if it is exactly that. */
export function percent(value) {
  if (value > 0 && value < 0.005) return "< 1 %";
  if (value < 1 && value >= 0.995) return "> 99 %";
  return `${Math.round(100 * value)} %`;
}

/** The same for a relevance that may not be known yet. */
export const probability = (value) => (value == null ? "not known yet" : percent(value));

/** How likely a page is on topic, in words that stand alone; `known` says how it is certain: example or judged. */
export function onTopic(value, known = "") {
  if (value == null) return "not known yet whether it is on topic";
  return `${percent(value)} on topic${known ? ` (${known})` : ""}`;
}

export function clear(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The same for content that is redrawn often: the focused element, or the one in its place, keeps the focus. */
export function redraw(element, ...children) {
  const all = () => [...element.querySelectorAll("a, button")];
  const words = (one) => one.getAttribute("aria-label") ?? one.textContent;
  const before = all().indexOf(document.activeElement);
  const said = before < 0 ? "" : words(document.activeElement);
  clear(element, ...children);
  if (before < 0) return element;
  const now = all();
  (now.find((one) => words(one) === said) ?? now[Math.min(before, now.length - 1)])?.focus({ preventScroll: true });
  return element;
}

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Draw at most once per frame: call the result as often as you like. */
export function perFrame(draw) {
  let asked = 0;
  return () => {
    asked ||= requestAnimationFrame(() => {
      asked = 0;
      draw();
    });
  };
}

export const count = (number) => new Intl.NumberFormat("en").format(Math.round(number ?? 0));

export function size(bytes) {
  let value = bytes ?? 0;
  for (const unit of ["B", "kB", "MB", "GB"]) {
    if (value < 1000 || unit === "GB") return `${unit === "B" ? value.toFixed(0) : value.toFixed(1)} ${unit}`;
    value /= 1000;
  }
  return "";
}

export function when(seconds) {
  if (!seconds) return "";
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }).format(new Date(seconds * 1000));
}

/** How long ago something was, with the exact time as a tooltip; as a date if more than a week ago. */
export function ago(seconds) {
  if (!seconds) return null;
  const then = new Date(seconds * 1000);
  return h("time", { datetime: then.toISOString(), title: when(seconds) }, past(Date.now() / 1000 - seconds, then));
}

function past(seconds, then) {
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  if (seconds < 7 * 86_400) return seconds < 2 * 86_400 ? "yesterday" : `${Math.floor(seconds / 86_400)} days ago`;
  return then.toLocaleDateString("en-GB", { dateStyle: "medium" });
}

const languages = new Intl.DisplayNames(["en"], { type: "language", fallback: "code" });

/** The name of a language: «en» is English. */
export function spoken(code) {
  try {
    return languages.of(code) ?? code;
  } catch {
    return code;
  }
}
