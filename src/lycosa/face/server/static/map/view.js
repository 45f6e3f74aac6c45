/** The view of a map: position, zoom and selection; it paints at most once per frame. */
import { perFrame } from "../lib/dom.js";
import { handle } from "./hands.js";
import { isTurned } from "./labels.js";
import { colours, paint } from "./paint.js";

const QUICK = 14; // milliseconds that a painting may take to be repeated in every frame
const STILL = 110; // milliseconds without movement after which a map counts as still
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class MapView {
  constructor(canvas, { onover = () => {}, onpick = () => {} }) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.map = null;
    this.camera = { x: 0, y: 0, scale: 1, width: 1, height: 1 };
    this.chosen = -1;
    this.over = -1;
    this.near = null;
    this.took = 0;
    /** Pixels on the right that something else covers. */
    this.covered = 0;
    this.onover = onover;
    this.onpick = onpick;
    this.held = document.createElement("canvas");
    this.heldCamera = null;
    this.movedAt = 0;
    this.redraw = perFrame(() => this.draw());
    this.palette = colours(canvas.parentElement);
    this.blank();
    new ResizeObserver(() => this.fitCanvas()).observe(canvas);
    const repaint = () => {
      this.palette = colours(canvas.parentElement);
      this.heldCamera = null;
      this.redraw();
    };
    new MutationObserver(repaint).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
    handle(this);
  }

  /** Show a map; a map of the same kind replaces the last one without a jump. */
  show(map, { keep = false } = {}) {
    const before = keep ? this.map : null;
    this.map = map;
    this.over = -1;
    this.heldCamera = null;
    if (before) this.grow(before);
    else {
      this.choose(-1);
      this.start();
    }
  }

  /** Existing pages glide to their new positions; new ones come out of the page that leads to them. */
  grow(before) {
    const { map } = this;
    const chosen = this.chosen >= 0 ? map.find(before.url(this.chosen)) : -1;
    const whole = this.sawAll;
    this.choose(chosen);
    if (calm.matches) {
      if (whole) this.fit();
      this.redraw();
      return;
    }
    const to = { x: map.x.slice(), y: map.y.slice() };
    const from = { x: to.x.slice(), y: to.y.slice() };
    for (let page = 0; page < map.size; page += 1) {
      let old = before.find(map.url(page));
      for (const up of old < 0 ? map.leading(page) : []) if (old < 0) old = before.find(map.url(up));
      if (old >= 0) [from.x[page], from.y[page]] = [before.x[old], before.y[old]];
    }
    const goal = whole ? this.fitting() : null;
    const camera = { ...this.camera };
    this.animate(500, (share) => {
      for (let page = 0; page < map.size; page += 1) {
        map.x[page] = from.x[page] + (to.x[page] - from.x[page]) * share;
        map.y[page] = from.y[page] + (to.y[page] - from.y[page]) * share;
      }
      if (goal) for (const part of ["x", "y", "scale"]) this.camera[part] = camera[part] + (goal[part] - camera[part]) * share;
      this.heldCamera = null;
    });
  }

  // -- position and zoom -----------------------------------------------------------------------------------------

  fitCanvas() {
    const ratio = Math.min(3, devicePixelRatio || 1);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    const fresh = this.camera.width <= 1;
    Object.assign(this.camera, { width, height });
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.ratio = ratio;
    this.heldCamera = null;
    if (this.map && fresh) this.start();
    else if (this.map && this.sawAll) this.fit();
    // Paint at once: setting the size of a canvas clears it.
    this.draw();
  }

  fitting() {
    const { bounds, layout } = this.map;
    const { left, top, right, bottom } = bounds;
    const { width, height } = this.camera;
    const within = (beside, above) => Math.max(0.01, Math.min((width - beside) / (right - left || 1), (height - above) / (bottom - top || 1), 1.6));
    // Names are written to the right of a tree's leaves, and outside of rings that are not too dense for them.
    let scale = within(layout === "tree" ? 250 : 100, 90);
    const smaller = [330, 290, 250].map((above) => within(330, above)).find((each) => isTurned(this.map, each));
    if (smaller && Math.min(width, height) > 500) scale = smaller;
    return { x: (left + right) / 2 + (layout === "tree" ? 90 / scale : 0), y: (top + bottom) / 2, scale };
  }

  /** The first view shows the whole map; of a tree much too tall for that, the part with its most relevant page. */
  start() {
    this.fit();
    if (this.map.layout !== "tree" || this.map.unit * this.camera.scale > 5) return;
    const [best] = this.map.best;
    const { width } = this.camera;
    Object.assign(this.camera, { scale: 0.75, x: this.map.x[best] - (width * 0.15) / 0.75, y: this.map.y[best] });
    this.sawAll = false;
  }

  fit() {
    if (!this.map) return;
    Object.assign(this.camera, this.fitting());
    this.sawAll = true;
    this.heldCamera = null;
    this.redraw();
  }

  zoom(factor, at = { x: this.camera.width / 2, y: this.camera.height / 2 }) {
    const { camera } = this;
    const world = this.world(at);
    camera.scale = Math.min(12, Math.max(0.005, camera.scale * factor));
    camera.x = world.x - (at.x - camera.width / 2) / camera.scale;
    camera.y = world.y - (at.y - camera.height / 2) / camera.scale;
    this.moved();
  }

  pan(dx, dy) {
    this.camera.x -= dx / this.camera.scale;
    this.camera.y -= dy / this.camera.scale;
    this.moved();
  }

  /** Move a page to the middle, with enough zoom to read it. */
  goTo(page) {
    const { map, camera } = this;
    const from = { ...camera };
    const scale = Math.max(camera.scale, Math.min(1.2, 26 / map.unit));
    this.sawAll = false;
    this.animate(calm.matches ? 0 : 260, (share) => {
      camera.x = from.x + (map.x[page] + this.covered / 2 / scale - from.x) * share;
      camera.y = from.y + (map.y[page] - from.y) * share;
      camera.scale = from.scale * (scale / from.scale) ** share;
      this.movedAt = performance.now();
    });
  }

  moved() {
    this.sawAll = false;
    this.movedAt = performance.now();
    this.redraw();
  }

  animate(milliseconds, step) {
    cancelAnimationFrame(this.animating);
    const began = performance.now();
    const next = () => {
      const share = milliseconds ? Math.min(1, (performance.now() - began) / milliseconds) : 1;
      step(share * share * (3 - 2 * share));
      this.draw();
      if (share < 1) this.animating = requestAnimationFrame(next);
      else this.settled();
    };
    next();
  }

  /** After positions have changed, find again what is under the pointer. */
  settled() {
    this.map.regrid();
    this.heldCamera = null;
    this.redraw();
  }

  world(point) {
    const { camera } = this;
    return { x: camera.x + (point.x - camera.width / 2) / camera.scale, y: camera.y + (point.y - camera.height / 2) / camera.scale };
  }

  screen(page) {
    const { camera, map } = this;
    return { x: (map.x[page] - camera.x) * camera.scale + camera.width / 2, y: (map.y[page] - camera.y) * camera.scale + camera.height / 2 };
  }

  // -- painting --------------------------------------------------------------------------------------------------

  /** Paint; a map that is slow to paint is only shifted and scaled while it moves, and repainted when it is still. */
  draw() {
    const { context, camera, ratio = 1 } = this;
    if (!this.map) return this.blank();
    const moving = performance.now() - this.movedAt < STILL;
    if (moving && this.took > QUICK && this.heldCamera) {
      this.drawHeld();
      clearTimeout(this.resting);
      this.resting = setTimeout(this.redraw, STILL + 10);
      return;
    }
    const began = performance.now();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(context, this.map, camera, this.palette, this);
    this.took = performance.now() - began;
    if (this.took > QUICK) this.hold();
  }

  /** Paint the background if there is no map yet: an unpainted canvas is black. */
  blank() {
    const { context, canvas } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.palette.paper;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }

  hold() {
    this.held.width = this.canvas.width;
    this.held.height = this.canvas.height;
    this.held.getContext("2d", { alpha: false }).drawImage(this.canvas, 0, 0);
    this.heldCamera = { ...this.camera };
  }

  drawHeld() {
    const { context, camera, heldCamera: old, ratio = 1 } = this;
    const factor = camera.scale / old.scale;
    this.blank();
    const x = (((old.x - camera.x) * camera.scale + camera.width / 2) - (old.width / 2) * factor) * ratio;
    const y = (((old.y - camera.y) * camera.scale + camera.height / 2) - (old.height / 2) * factor) * ratio;
    context.drawImage(this.held, x, y, this.canvas.width * factor, this.canvas.height * factor);
  }

  // -- choosing --------------------------------------------------------------------------------------------------

  choose(page) {
    this.chosen = page;
    this.near = page >= 0 ? this.map.around(page).add(page) : null;
    this.heldCamera = null;
    this.redraw();
  }

  at(point, reach = 7) {
    if (!this.map) return -1;
    const world = this.world(point);
    return this.map.grid.at(world.x, world.y, reach / this.camera.scale + 2);
  }

  hover(page, point) {
    if (page !== this.over) {
      this.over = page;
      this.canvas.classList.toggle("over", page >= 0);
      this.redraw();
    }
    this.onover(page, point);
  }
}
