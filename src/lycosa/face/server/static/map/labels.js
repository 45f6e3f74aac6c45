/** Names on the map where there is room for them, largest pages first: few when zoomed out, more when zoomed in. */
import { onX, onY, sizeOf } from "./look.js";

const FONT = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';
const LABELS = 70;
const AROUND = 200;
const TRIED = 900;
const SQUARE = 8;

/** Whether the names of a ring are written outside of it, along its rays. */
export function isTurned(map, scale) {
  return map.layout === "radial" && map.unit * scale > 8.5;
}

export function labels(context, map, view, palette, { chosen, near, taken }) {
  const writer = new Writer(context, map, view, palette, chosen, near);
  for (const box of taken) writer.take(...box);
  const isLeaf = (page) => !map.following(page).length;
  const turned = isTurned(map, view.scale);
  if (turned) for (const page of map.large) if (writer.written < AROUND && page !== chosen && isLeaf(page)) writer.along(page);
  for (const page of (!turned && near) || map.large.subarray(0, TRIED)) writer.cover(page);
  if (chosen >= 0) writer.beside(chosen, true);
  else if (map.layout !== "graph") writer.beside(0, true);
  const named = (page) => page === chosen || (chosen < 0 && page === 0 && map.layout !== "graph") || (turned && isLeaf(page));
  writer.written = 0;
  for (const page of near ? [...near].sort((one, other) => map.radius[other] - map.radius[one]) : []) {
    if (writer.written < LABELS / 2 && !named(page)) writer.beside(page);
  }
  if (near && map.layout === "graph") return;
  const room = map.unit * view.scale;
  const most = room < 6 ? LABELS / 3 : LABELS;
  for (const page of map.large) {
    if (writer.written >= most || writer.tried >= TRIED) break;
    // On a graph, small pages are named only when zoomed in.
    if (map.layout === "graph" && room < 36 && sizeOf(map, view, page) < 3.6) break;
    if (!named(page) && !near?.has(page)) writer.beside(page);
  }
}

/** Writes names, and remembers which squares of the screen are written on. */
class Writer {
  constructor(context, map, view, palette, chosen, near) {
    Object.assign(this, { context, map, view, palette, chosen, near });
    this.columns = Math.ceil(view.width / SQUARE) + 2;
    this.rows = Math.ceil(view.height / SQUARE) + 2;
    this.taken = new Uint8Array(this.columns * this.rows);
    this.written = 0;
    this.tried = 0;
    const size = isTurned(map, view.scale) ? Math.min(12, Math.max(9, map.unit * view.scale * 0.85)) : 12;
    this.letter = size * 0.53;
    context.font = `${size.toFixed(1)}px ${FONT}`;
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeStyle = palette.paper;
  }

  /** Where a page is on the screen, and its name; nothing if it is not visible. */
  place(page, letters) {
    const { map, view } = this;
    const x = onX(view, map.x[page]);
    const y = onY(view, map.y[page]);
    if (x < -20 || y < -10 || x > view.width + 20 || y > view.height + 10) return null;
    this.tried += 1;
    const text = shortened(map.name[page], letters);
    return { x, y, text, wide: text.length * this.letter, away: sizeOf(map, view, page) + (page === this.chosen ? 10 : 5) };
  }

  ink(page, must) {
    const { context, map, near, palette } = this;
    context.fillStyle = map.shade[page] < 15 && !must ? palette.soft : palette.ink;
    context.globalAlpha = near && !near.has(page) ? 0.3 : 1;
  }

  /** Beside the page, on the right or on the left; in a tree above the line that leads on. */
  beside(page, must = false) {
    const { context, map } = this;
    const found = this.place(page, must ? 60 : 30);
    if (!found) return;
    const { x, y, text, wide, away } = found;
    const tree = map.layout === "tree";
    const line = y + (tree && map.following(page).length ? -9 : 0);
    for (const left of tree ? [x + away] : [x + away, x - away - wide]) {
      if (!must && !this.isFree(left, line - 5, wide, 10)) continue;
      this.take(left, line - 5, wide, 10);
      this.ink(page, must);
      context.strokeText(text, left, line);
      context.fillText(text, left, line);
      context.globalAlpha = 1;
      this.written += 1;
      return;
    }
  }

  /** Outwards from the middle of the map. */
  along(page) {
    const { context, view } = this;
    const found = this.place(page, 24);
    if (!found) return;
    const { x, y, text, wide, away } = found;
    const angle = Math.atan2(y - onY(view, 0), x - onX(view, 0));
    const flipped = Math.abs(angle) > Math.PI / 2;
    this.ink(page, false);
    context.save();
    context.translate(x, y);
    context.rotate(flipped ? angle + Math.PI : angle);
    context.textAlign = flipped ? "right" : "left";
    context.fillText(text, flipped ? -away : away, 0);
    context.restore();
    context.globalAlpha = 1;
    for (let far = away; far < away + wide; far += 10) this.take(x + far * Math.cos(angle) - 5, y + far * Math.sin(angle) - 5, 10, 10);
    this.written += 1;
  }

  /** Reserve the space of clearly visible pages, so that no name is written over them. */
  cover(page) {
    const { map, view } = this;
    const radius = sizeOf(map, view, page);
    if (radius > 3) this.take(onX(view, map.x[page]) - radius * 0.6, onY(view, map.y[page]) - radius * 0.6, radius * 1.2, radius * 1.2);
  }

  /** The first and last column and row of squares that a box covers. */
  squares(left, top, wide, high) {
    const within = (value, most) => Math.max(0, Math.min(most, Math.floor(value / SQUARE)));
    return [within(left, this.columns - 1), within(left + wide, this.columns - 1), within(top, this.rows - 1), within(top + high, this.rows - 1)];
  }

  isFree(...box) {
    const [first, last, top, bottom] = this.squares(...box);
    for (let row = top; row <= bottom; row += 1) {
      for (let column = first; column <= last; column += 1) if (this.taken[row * this.columns + column]) return false;
    }
    return true;
  }

  take(...box) {
    const [first, last, top, bottom] = this.squares(...box);
    for (let row = top; row <= bottom; row += 1) this.taken.fill(1, row * this.columns + first, row * this.columns + last + 1);
  }
}

/** A text cut to so many letters. */
export function shortened(text, most) {
  const letters = Array.from(text);
  return letters.length > most ? `${letters.slice(0, most - 1).join("").trimEnd()}…` : text;
}
