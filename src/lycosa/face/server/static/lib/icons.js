/** Icons in the colour of the text beside them; their meaning is always given in words too. */
import { svg } from "./dom.js";

const PATHS = {
  yes: "M5 12.5l4.5 4.5L19 7.5",
  no: "M7 7l10 10M17 7L7 17",
  pause: "M9 6v12M15 6v12",
  resume: "M8 5.5v13l10-6.5z",
  stop: "M7 7h10v10H7z",
  more: "M12 5.5v13M5.5 12h13",
  up: "M12 18.5v-13M6.5 11L12 5.5l5.5 5.5",
  again: "M18.5 8A7.5 7.5 0 1 0 19.5 12M19 4v4.4h-4.4",
};

export function icon(name, size = 18) {
  const path = svg("path", { d: PATHS[name], fill: "none", stroke: "currentColor", "stroke-width": 2.2, "stroke-linecap": "round", "stroke-linejoin": "round" });
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", width: size, height: size, "aria-hidden": "true" }, path);
}
