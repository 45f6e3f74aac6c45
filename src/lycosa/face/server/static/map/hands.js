/** Pointer, wheel and touch: move the view, and report the page under the pointer and the page picked. */

const CLICK = 5; // pixels a pointer may move in a click
const REACH = { touch: 14 }; // pixels beyond a page's edge that still count as a hit
const NEAR = 7;

export function handle(view) {
  const { canvas } = view;
  const held = new Map();
  let began = null;

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const far = event.deltaY * (event.deltaMode === 1 ? 30 : 1);
      view.zoom(Math.exp(Math.max(-1, Math.min(1, -far / 400))), place(event));
      view.hover(-1);
    },
    { passive: false },
  );

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, place(event));
    began = { ...place(event), still: held.size === 1 };
    canvas.classList.add("holding");
  });

  canvas.addEventListener("pointermove", (event) => {
    const point = place(event);
    const before = held.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== "touch") view.hover(view.at(point, NEAR), point);
      return;
    }
    if (began.still && Math.hypot(point.x - began.x, point.y - began.y) < CLICK) return;
    began.still = false;
    held.set(event.pointerId, point);
    view.hover(-1);
    if (held.size === 1) view.pan(point.x - before.x, point.y - before.y);
    else pinch(event.pointerId, before, point);
  });

  /** Two fingers: the points of the map under them stay under them. */
  function pinch(finger, before, point) {
    const [, other] = [...held].find(([id]) => id !== finger);
    const was = Math.hypot(before.x - other.x, before.y - other.y) || 1;
    const is = Math.hypot(point.x - other.x, point.y - other.y) || 1;
    view.pan((point.x - before.x) / 2, (point.y - before.y) / 2);
    view.zoom(is / was, { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 });
  }

  function release(event) {
    if (!held.delete(event.pointerId)) return;
    canvas.classList.toggle("holding", held.size > 0);
    if (event.type === "pointerup" && began.still) view.onpick(view.at(place(event), REACH[event.pointerType] ?? NEAR));
    began.still = false;
  }

  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => view.hover(-1));
  canvas.addEventListener("dblclick", (event) => view.zoom(1.8, place(event)));
}
