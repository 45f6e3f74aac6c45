/**
 * A line chart in SVG: series of [x, y], an optional band of [x, low, high], redrawn as often as needed.
 *
 * The values under the pointer are shown beside it; arrow keys move along the lines too. Elements are created once and
 * then only changed, and no more points are drawn than there are pixels.
 */
import { svg, h, clear, count } from "./dom.js";

const WIDE = { left: 40, right: 12, bottom: 22, top: 10 };
const SMALL = { left: 5, right: 5, bottom: 5, top: 5 };
/** A chart narrower than this has no room for numbers, so only the lines are drawn. */
const NARROW = 240;
const LOW = 76;

/**
 * chart(container, {label, top, format, height, unit}) returns a function that draws
 * {series: [{name, kind, points}], band: [[x, low, high]], right, describe}.
 */
export function chart(container, { label, top = null, format = (y) => y.toFixed(2), height = 170, unit = "pages" }) {
  const grid = [0, 0.5, 1].map(() => [svg("line", { class: "axis" }), svg("text", { "text-anchor": "end" })]);
  const ends = [svg("text"), svg("text", { "text-anchor": "end" })];
  const band = svg("polygon", { class: "band" });
  const rule = svg("line", { class: "rule" });
  const lines = svg("g", {});
  const dots = svg("g", {});
  const picture = svg("svg", { class: "chart", role: "img", "aria-label": label, height }, grid, ends, band, lines, rule, dots);
  const readout = h("div", { class: "readout", hidden: true });
  const said = h("p", { class: "hide-visually", "aria-live": "polite" });
  const plot = h("div", { class: "plot", tabindex: 0, role: "group", "aria-label": `${label}; arrow keys read its values` }, picture, readout, said);
  container.append(plot);

  let width = 0;
  let tall = height;
  let edge = WIDE;
  let drawn = { series: [], band: [], right: 0 };
  let x = (value) => value;
  let y = (value) => value;
  let at = null;

  function draw(next = drawn) {
    drawn = { series: [], band: [], right: 0, describe: "", ...next };
    if (!width) return;
    const highest = top ?? nice(greatest(drawn));
    const furthest = Math.max(1, drawn.right, ...drawn.series.map((one) => one.points.at(-1)?.[0] ?? 0));
    x = (value) => edge.left + ((width - edge.left - edge.right) * value) / furthest;
    y = (value) => tall - edge.bottom - ((tall - edge.bottom - edge.top) * Math.min(value, highest)) / highest;
    const empty = drawn.series.every((one) => !one.points.length);
    const numbers = edge === WIDE && !empty;
    grid.forEach(([line, text], place) => {
      const value = (place / 2) * highest;
      set(line, { x1: edge.left, x2: width - edge.right, y1: y(value), y2: y(value) });
      set(text, { x: edge.left - 7, y: y(value) + 4 }).textContent = numbers ? format(value) : "";
    });
    set(ends[0], { x: edge.left, y: tall - 4 }).textContent = numbers ? "0" : "";
    set(ends[1], { x: width - edge.right, y: tall - 4 }).textContent = numbers ? `${count(furthest)} ${unit}` : "";
    set(band, { points: drawn.band.length > 1 ? outline(thinned(drawn.band, width)) : "" });
    keep(lines, drawn.series.length, "polyline");
    keep(dots, drawn.series.length, "circle");
    drawn.series.forEach((one, place) => {
      const some = thinned(one.points, width).map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
      set(lines.children[place], { class: `line ${one.kind ?? ""}`, points: some.join(" ") });
    });
    picture.setAttribute("aria-label", drawn.describe ? `${label}: ${drawn.describe}` : label);
    point();
  }

  function outline(some) {
    const low = some.map(([at, from]) => `${x(at).toFixed(1)},${y(from).toFixed(1)}`);
    const high = some.map(([at, , to]) => `${x(at).toFixed(1)},${y(to).toFixed(1)}`).reverse();
    return [...low, ...high].join(" ");
  }

  /** The position whose values are shown, or the end of the lines. */
  function point() {
    drawn.series.forEach((one, place) => {
      const found = at === null ? one.points.at(-1) : nearest(one.points, at);
      set(dots.children[place], found ? { class: `dot ${one.kind ?? ""}`, cx: x(found[0]), cy: y(found[1]), r: 3.5 } : { r: 0 });
    });
    const first = drawn.series.find((one) => one.points.length);
    readout.hidden = at === null || !first;
    set(rule, { visibility: readout.hidden ? "hidden" : "visible" });
    if (readout.hidden) return;
    const [place] = nearest(first.points, at);
    set(rule, { x1: x(place), x2: x(place), y1: edge.top, y2: tall - edge.bottom });
    clear(readout, h("b", {}, `${count(place)} ${unit}`), drawn.series.map((one) => value(one, place)));
    const beside = x(place) + 10;
    readout.style.left = `${Math.max(0, beside + readout.offsetWidth > width ? x(place) - 10 - readout.offsetWidth : beside)}px`;
  }

  function value(one, place) {
    const found = nearest(one.points, place);
    const around = one.banded ? nearest(drawn.band, place) : null;
    const wide = around ? ` (${format(around[1])} to ${format(around[2])})` : "";
    return found && h("span", { class: one.kind ?? "" }, one.name ? `${one.name} ` : "", h("b", {}, format(found[1])), wide);
  }

  function pointed(event) {
    const box = picture.getBoundingClientRect();
    const furthest = Math.max(1, drawn.right, ...drawn.series.map((one) => one.points.at(-1)?.[0] ?? 0));
    at = Math.max(0, ((event.clientX - box.left - edge.left) / (width - edge.left - edge.right)) * furthest);
    point();
  }

  plot.addEventListener("pointermove", pointed);
  plot.addEventListener("pointerdown", pointed);
  plot.addEventListener("pointerleave", () => {
    at = null;
    point();
  });
  plot.addEventListener("keydown", (event) => {
    const points = drawn.series.find((one) => one.points.length)?.points;
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }[event.key];
    if (!points || step === undefined) return;
    event.preventDefault();
    const now = at === null ? points.length - 1 : points.indexOf(nearest(points, at));
    at = points[Math.max(0, Math.min(points.length - 1, now + step))][0];
    point();
    said.textContent = readout.textContent;
  });
  plot.addEventListener("blur", () => {
    at = null;
    point();
  });
  new ResizeObserver(() => {
    const wide = Math.round(plot.clientWidth);
    if (!wide || wide === width) return;
    width = wide;
    [tall, edge] = width < NARROW ? [LOW, SMALL] : [height, WIDE];
    set(picture, { viewBox: `0 0 ${width} ${tall}`, height: tall });
    draw();
  }).observe(plot);
  return draw;
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function keep(group, number, tag) {
  while (group.children.length < number) group.append(svg(tag));
  while (group.children.length > number) group.lastChild.remove();
}

function greatest({ series, band }) {
  let most = 0;
  for (const one of series) for (const [, value] of one.points) most = Math.max(most, value);
  for (const [, , high] of band) most = Math.max(most, high);
  return most;
}

/** The next round number, so that the scale stays fixed while the line moves. */
function nice(value) {
  if (!(value > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15].find((times) => times * unit >= value * 1.02) * unit;
}

function thinned(points, most) {
  const step = Math.ceil(points.length / Math.max(1, most));
  return step > 1 ? points.filter((_, place) => place % step === 0 || place === points.length - 1) : points;
}

/** The point whose x is nearest, found by binary search. */
function nearest(points, place) {
  let low = 0;
  let high = points.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle][0] < place) low = middle + 1;
    else high = middle;
  }
  const before = points[low - 1];
  return before && place - before[0] < points[low][0] - place ? before : points[low];
}
