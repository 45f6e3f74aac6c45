/** The window through which a map is seen: zoom, pan, pointer, fingers and keys; it paints at most once per frame. */
import { perFrame } from "../lib/dom.js";
import { colours, paint } from "./paint.js";

const QUICK = 14; // milliseconds a painting may take to be done anew in every frame
const STILL = 110; // milliseconds after which a moving map is taken to rest
const CLICK = 5; // pixels a pointer may move in a click
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
    this.onover = onover;
    this.onpick = onpick;
    this.pointers = new Map();
    this.held = document.createElement("canvas");
    this.heldCamera = null;
    this.movedAt = 0;
    this.redraw = perFrame(() => this.draw());
    this.palette = colours(canvas.parentElement);
    new ResizeObserver(() => this.fitCanvas()).observe(canvas);
    const repaint = () => {
      this.palette = colours(canvas.parentElement);
      this.heldCamera = null;
      this.redraw();
    };
    new MutationObserver(repaint).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
    this.listen();
  }

  /** Show a map; one of the same kind takes the place of the last one without a jump. */
  show(map, { keep = false } = {}) {
    const before = keep ? this.map : null;
    this.map = map;
    this.over = -1;
    this.heldCamera = null;
    if (before) this.grow(before);
    else {
      this.choose(-1);
      this.fit();
    }
  }

  /** Pages that were there glide to where they are now, new ones come out of the page that leads to them. */
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

  // -- where one looks -------------------------------------------------------------------------------------------

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
    if (this.map && (fresh || this.sawAll)) this.fit();
    // At once: a canvas that was given a size is empty.
    this.draw();
  }

  fitting() {
    const { left, top, right, bottom } = this.map.bounds;
    const { width, height } = this.camera;
    // Names stand to the right of a tree's leaves, and outside of rings.
    const beside = this.map.layout === "tree" ? 190 : this.map.layout === "radial" ? 60 : 40;
    const scale = Math.min((width - 60 - beside) / (right - left || 1), (height - 90) / (bottom - top || 1), 1.6);
    const kept = Math.max(scale, 0.01);
    const shift = this.map.layout === "tree" ? beside / 2 / kept : 0;
    return { x: (left + right) / 2 + shift, y: (top + bottom) / 2, scale: kept };
  }

  /** All of it; a tree that is much too tall begins at its top where names can be read. */
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

  /** Bring a page into the middle, near enough to read. */
  goTo(page) {
    const { map, camera } = this;
    const from = { ...camera };
    const scale = Math.max(camera.scale, Math.min(1.2, 26 / map.unit));
    this.sawAll = false;
    this.animate(calm.matches ? 0 : 260, (share) => {
      camera.x = from.x + (map.x[page] - from.x) * share;
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

  /** Places have changed: what is under the pointer is elsewhere now. */
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

  /** Paint; a map that takes long is only shifted and scaled while it moves, and painted anew when it rests. */
  draw() {
    const { context, camera, ratio = 1 } = this;
    if (!this.map) return;
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

  hold() {
    this.held.width = this.canvas.width;
    this.held.height = this.canvas.height;
    this.held.getContext("2d", { alpha: false }).drawImage(this.canvas, 0, 0);
    this.heldCamera = { ...this.camera };
  }

  drawHeld() {
    const { context, camera, heldCamera: old, ratio = 1 } = this;
    const factor = camera.scale / old.scale;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.palette.paper;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
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

  listen() {
    const { canvas } = this;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const lines = event.deltaMode === 1 ? 30 : 1;
        this.zoom(Math.exp(Math.max(-1, Math.min(1, (-event.deltaY * lines) / 400))), place(event));
        this.hover(-1);
      },
      { passive: false },
    );
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      canvas.setPointerCapture(event.pointerId);
      const point = place(event);
      this.pointers.set(event.pointerId, point);
      this.began = { ...point, single: this.pointers.size === 1 };
      canvas.classList.add("holding");
    });
    canvas.addEventListener("pointermove", (event) => {
      const point = place(event);
      const before = this.pointers.get(event.pointerId);
      if (!before) {
        if (event.pointerType !== "touch") this.hover(this.at(point), point);
        return;
      }
      this.pointers.set(event.pointerId, point);
      if (this.pointers.size === 1) {
        if (this.began.single && Math.hypot(point.x - this.began.x, point.y - this.began.y) < CLICK) return;
        this.began.single = false;
        this.pan(point.x - before.x, point.y - before.y);
        this.hover(-1);
      } else this.pinch(event.pointerId, before, point);
    });
    const letGo = (event) => {
      if (!this.pointers.delete(event.pointerId)) return;
      canvas.classList.toggle("holding", this.pointers.size > 0);
      if (event.type === "pointerup" && this.began.single && !this.pointers.size) this.onpick(this.at(place(event), event.pointerType === "touch" ? 14 : 7));
      this.began.single = false;
    };
    canvas.addEventListener("pointerup", letGo);
    canvas.addEventListener("pointercancel", letGo);
    canvas.addEventListener("pointerleave", () => this.hover(-1));
    canvas.addEventListener("dblclick", (event) => this.zoom(1.8, place(event)));
  }

  /** Two fingers: the points under them stay under them. */
  pinch(finger, before, point) {
    const [other] = [...this.pointers].filter(([id]) => id !== finger).map(([, place]) => place);
    const was = Math.hypot(before.x - other.x, before.y - other.y) || 1;
    const is = Math.hypot(point.x - other.x, point.y - other.y) || 1;
    this.pan((point.x - before.x) / 2, (point.y - before.y) / 2);
    this.zoom(is / was, { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 });
  }
}
