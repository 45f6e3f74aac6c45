/** A line chart in SVG: series of [x, y], an optional band of [x, low, high], drawn anew as often as needed. */
import { svg, clear, count } from "./dom.js";

const WIDTH = 560;
const HEIGHT = 190;
const LEFT = 44;
const BOTTOM = 24;
const TOP = 10;

export function chart(container, { label, top = null, format = (y) => y.toFixed(2) }) {
  const picture = svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  container.append(picture);

  return function draw({ series = [], band = [], right = 0, describe = "" }) {
    const points = series.flatMap((one) => one.points);
    const highest = top ?? (Math.max(0, ...points.map(([, y]) => y), ...band.map(([, , high]) => high)) * 1.08 || 1);
    const furthest = Math.max(1, right, ...points.map(([x]) => x));
    const x = (value) => LEFT + ((WIDTH - LEFT - 8) * value) / furthest;
    const y = (value) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * Math.min(value, highest)) / highest;
    const parts = [];
    for (const share of [0, 0.5, 1]) {
      parts.push(
        svg("line", { class: "axis", x1: LEFT, x2: WIDTH - 8, y1: y(share * highest), y2: y(share * highest) }),
        svg("text", { x: LEFT - 6, y: y(share * highest) + 4, "text-anchor": "end" }, format(share * highest)),
      );
    }
    parts.push(
      svg("text", { x: LEFT, y: HEIGHT - 6 }, "0"),
      svg("text", { x: WIDTH - 8, y: HEIGHT - 6, "text-anchor": "end" }, `${count(furthest)} pages`),
    );
    if (band.length > 1) {
      const low = band.map(([at, from]) => `${x(at)},${y(from)}`);
      const high = band.map(([at, , to]) => `${x(at)},${y(to)}`).reverse();
      parts.push(svg("polygon", { class: "band", points: [...low, ...high].join(" ") }));
    }
    for (const one of series) {
      const line = one.points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
      parts.push(svg("polyline", { class: `line ${one.kind ?? ""}`, points: line }));
    }
    picture.setAttribute("aria-label", describe ? `${label}: ${describe}` : label);
    clear(picture, parts);
  };
}
