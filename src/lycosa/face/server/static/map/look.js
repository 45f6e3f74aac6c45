/** Transforms from map to screen coordinates. */

export const onX = (view, x) => (x - view.x) * view.scale + view.width / 2;
export const onY = (view, y) => (y - view.y) * view.scale + view.height / 2;

/** Pages grow more slowly than the map when it is zoomed, and never vanish. */
export function sizeOf(map, view, page) {
  return Math.max(1.1, map.radius[page] * Math.min(2.2, view.scale ** 0.8));
}
