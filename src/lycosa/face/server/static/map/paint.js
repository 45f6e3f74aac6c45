/** Paints a map on a canvas: only what is visible, in as few strokes as possible. */
import { labels, shortened } from "./labels.js";
import { onX, onY, sizeOf } from "./look.js";

const BATCH = 400;

/** The colours of the current theme, light or dark. */
export function colours(element) {
  const probe = document.createElement("i");
  // With forced colours, the system would give the same colour for all of them.
  probe.style.setProperty("forced-color-adjust", "none");
  element.append(probe);
  const read = (name) => {
    probe.style.setProperty("color", `var(${name})`);
    return getComputedStyle(probe).color;
  };
  const ramp = (letter) => Array.from({ length: 6 }, (_, shade) => read(`--map-${letter}${shade}`));
  const found = { r: ramp("r"), h: ramp("h"), o: ramp("o"), line: read("--map-line"), paper: read("--paper"), ink: read("--ink"), soft: read("--soft"), accent: read("--accent") };
  probe.remove();
  return found;
}

/** The colour ramp of a page; the map of a site shows only relevance. */
export function rampOf(map, role) {
  if (map.kind === "site") return "r";
  return { hub: "h", page: "o" }[role] ?? "r";
}

export function paint(context, map, camera, palette, { chosen = -1, over = -1, near = null } = {}) {
  const view = { ...camera, dim: near !== null };
  context.fillStyle = palette.paper;
  context.fillRect(0, 0, camera.width, camera.height);
  discs(context, map, view, palette);
  lines(context, map, view, palette);
  marks(context, map, view, palette, near);
  if (near) emphasis(context, map, view, palette, chosen);
  const taken = places(context, map, view, palette);
  labels(context, map, view, palette, { chosen, near, taken });
  for (const page of [chosen, over]) if (page >= 0) ring(context, map, view, page === chosen ? palette.accent : palette.ink, page);
}

/** The groups of a link map, and the links between them as one line for all. */
function discs(context, map, view, palette) {
  context.strokeStyle = palette.line;
  context.globalAlpha = view.dim ? 0.06 : 0.14;
  for (const [one, other, links] of map.bundles) {
    const [a, b] = [map.groups[one], map.groups[other]];
    context.lineWidth = Math.max(0.5, 2 * Math.sqrt(links) * view.scale);
    context.beginPath();
    straight(context, view, onX(view, a.x), onY(view, a.y), onX(view, b.x), onY(view, b.y));
    context.stroke();
  }
  context.lineWidth = 1;
  for (const group of map.groups) {
    context.beginPath();
    context.arc(onX(view, group.x), onY(view, group.y), group.radius * view.scale, 0, 2 * Math.PI);
    context.globalAlpha = 1;
    context.fillStyle = palette.paper;
    context.fill();
    context.fillStyle = palette.ink;
    context.globalAlpha = 0.045;
    context.fill();
    context.globalAlpha = 0.5;
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** The names of groups, above them, the largest first; returns the boxes that they cover. */
function places(context, map, view, palette) {
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.lineJoin = "round";
  context.strokeStyle = palette.paper;
  context.fillStyle = palette.ink;
  const taken = [];
  for (const group of map.groups) {
    const radius = group.radius * view.scale;
    const size = Math.min(16, Math.max(11, radius / 2));
    const x = onX(view, group.x);
    const y = Math.max(size + 4, onY(view, group.y) - radius - 5);
    if (radius < 16 || x < 0 || x > view.width || y > view.height || onY(view, group.y) + radius < 0) continue;
    context.font = `600 ${size.toFixed(1)}px system-ui, sans-serif`;
    const text = fitting(context, group.name, Math.max(160, 2.4 * radius));
    const wide = context.measureText(text).width;
    const box = [x - wide / 2, y - size, wide, size * 1.3];
    if (taken.some((other) => overlap(box, other))) continue;
    taken.push(box);
    context.lineWidth = 4;
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }
  context.textAlign = "left";
  return taken;
}

/** A name with as many of its words as there is room for. */
function fitting(context, name, room) {
  const words = name.split(", ");
  while (words.length > 1 && context.measureText(words.join(", ")).width > room) words.pop();
  const text = words.join(", ");
  return shortened(text, Math.floor(text.length * Math.min(1, room / context.measureText(text).width)));
}

function overlap([left, top, wide, high], [x, y, width, height]) {
  return left < x + width && x < left + wide && top < y + height && y < top + high;
}

function lines(context, map, view, palette) {
  const { tails, heads, x, y } = map;
  const graph = map.layout === "graph";
  context.lineWidth = graph ? 0.8 : 1;
  context.strokeStyle = palette.line;
  const faint = graph ? Math.min(0.5, Math.max(0.1, 450 / (tails.length + 1))) : 0.7;
  context.globalAlpha = view.dim ? faint * 0.35 : faint;
  const draw = map.layout === "radial" ? ray : map.layout === "tree" ? branch : straight;
  const dotted = [];
  let batched = 0;
  context.beginPath();
  for (let line = 0; line < tails.length; line += 1) {
    const tail = tails[line];
    const head = heads[line];
    if (map.groups.length && map.group[tail] !== map.group[head]) continue;
    const x0 = onX(view, x[tail]);
    const y0 = onY(view, y[tail]);
    const x1 = onX(view, x[head]);
    const y1 = onY(view, y[head]);
    if ((x0 < 0 && x1 < 0) || (y0 < 0 && y1 < 0) || (x0 > view.width && x1 > view.width) || (y0 > view.height && y1 > view.height)) continue;
    if (!graph && map.dotted.has(head)) {
      dotted.push(line);
      continue;
    }
    draw(context, view, x0, y0, x1, y1);
    batched += 1;
    // One path for everything would be slow to stroke, and so would one stroke per line.
    if (batched % BATCH === 0) {
      context.stroke();
      context.beginPath();
    }
  }
  context.stroke();
  if (dotted.length) {
    context.setLineDash([2, 4]);
    context.beginPath();
    for (const line of dotted) draw(context, view, onX(view, x[tails[line]]), onY(view, y[tails[line]]), onX(view, x[heads[line]]), onY(view, y[heads[line]]));
    context.stroke();
    context.setLineDash([]);
  }
  context.globalAlpha = 1;
}

function straight(context, view, x0, y0, x1, y1) {
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
}

function branch(context, view, x0, y0, x1, y1) {
  const turn = x0 + 0.72 * (x1 - x0);
  const middle = (turn + x1) / 2;
  context.moveTo(x0, y0);
  context.lineTo(turn, y0);
  context.bezierCurveTo(middle, y0, middle, y1, x1, y1);
}

/** A line that leaves its ring and enters the next one at right angles. */
function ray(context, view, x0, y0, x1, y1) {
  const cx = onX(view, 0);
  const cy = onY(view, 0);
  const near = Math.hypot(x0 - cx, y0 - cy);
  const far = Math.hypot(x1 - cx, y1 - cy) || 1;
  const middle = (near + far) / 2;
  context.moveTo(x0, y0);
  const [ux, uy] = near < 1 ? [(x1 - cx) / far, (y1 - cy) / far] : [(x0 - cx) / near, (y0 - cy) / near];
  context.bezierCurveTo(cx + ux * middle, cy + uy * middle, cx + ((x1 - cx) / far) * middle, cy + ((y1 - cy) / far) * middle, x1, y1);
}

/** Pages that look the same are drawn as one path. */
function marks(context, map, view, palette, near) {
  const looks = new Map();
  for (let page = 0; page < map.size; page += 1) {
    const x = onX(view, map.x[page]);
    const y = onY(view, map.y[page]);
    const radius = sizeOf(map, view, page);
    if (x < -radius || y < -radius || x > view.width + radius || y > view.height + radius) continue;
    const role = map.roleOf(page);
    const dim = near && !near.has(page) ? 1 : 0;
    const key = `${map.kind === "site" && role !== "unfetched" ? "page" : role} ${map.shadeOf(page)} ${dim} ${radius > 4 ? 1 : 0}`;
    const there = looks.get(key);
    if (there) there.push(page);
    else looks.set(key, [page]);
  }
  for (const [key, pages] of [...looks].sort()) {
    const [role, shade, dim, large] = key.split(" ");
    context.globalAlpha = dim === "1" ? 0.25 : 1;
    context.beginPath();
    for (const page of pages) shape(context, role, onX(view, map.x[page]), onY(view, map.y[page]), sizeOf(map, view, page));
    if (role === "unfetched") {
      context.fillStyle = palette.paper;
      context.fill();
      context.strokeStyle = palette.line;
      context.lineWidth = 1;
      context.stroke();
      continue;
    }
    context.fillStyle = palette[rampOf(map, role)][shade];
    context.fill();
    if (large === "1") {
      context.strokeStyle = role === "both" ? palette.h[5] : palette.soft;
      context.lineWidth = role === "both" ? 2 : 0.6;
      context.stroke();
    }
  }
  context.globalAlpha = 1;
}

function shape(context, role, x, y, radius) {
  if (radius < 1.6) context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
  else if (role === "hub" || role === "both") corners(context, x, y, radius * (role === "hub" ? 1.25 : 1.1), role === "hub" ? 4 : 6);
  else {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
}

function corners(context, x, y, reach, count) {
  for (let corner = 0; corner < count; corner += 1) {
    const angle = (2 * Math.PI * corner) / count;
    const [px, py] = [x + reach * Math.sin(angle), y - reach * Math.cos(angle)];
    if (corner) context.lineTo(px, py);
    else context.moveTo(px, py);
  }
  context.closePath();
}

/** The lines of the chosen page; in a tree, the whole path up to the root. */
function emphasis(context, map, view, palette, chosen) {
  const draw = map.layout === "radial" ? ray : map.layout === "tree" ? branch : straight;
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.6;
  context.globalAlpha = 0.8;
  context.beginPath();
  const one = (tail, head) => draw(context, view, onX(view, map.x[tail]), onY(view, map.y[tail]), onX(view, map.x[head]), onY(view, map.y[head]));
  for (const head of map.following(chosen)) one(chosen, head);
  for (const tail of map.leading(chosen)) one(tail, chosen);
  if (map.layout !== "graph") {
    for (let [down, [up]] = [chosen, map.leading(chosen)]; up !== undefined; [down, [up]] = [up, map.leading(up)]) one(up, down);
  }
  context.stroke();
  context.globalAlpha = 1;
}

function ring(context, map, view, colour, page) {
  context.beginPath();
  context.arc(onX(view, map.x[page]), onY(view, map.y[page]), sizeOf(map, view, page) + 4, 0, 2 * Math.PI);
  context.strokeStyle = colour;
  context.lineWidth = 2.5;
  context.stroke();
}
