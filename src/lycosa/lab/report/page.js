// Reading a figure's values: a line follows the pointer or the arrow keys, and a small table says what stands there.
"use strict";
const ways = JSON.parse(document.querySelector("main").dataset.ways);
const NS = "http://www.w3.org/2000/svg";
const say = value => Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(3);

for (const panel of document.querySelectorAll("[data-plot]")) {
  const plot = JSON.parse(panel.dataset.plot), svg = panel.querySelector("svg");
  const [left, top, width, height] = plot.box;
  const rule = document.createElementNS(NS, "line");
  rule.setAttribute("class", "crosshair");
  rule.setAttribute("y1", top);
  rule.setAttribute("y2", top + height);
  rule.setAttribute("visibility", "hidden");
  svg.append(rule);
  const readout = document.createElement("div");
  readout.className = "readout";
  readout.hidden = true;
  readout.setAttribute("role", "status");
  panel.append(readout);
  let shown = -1;

  function show(index) {
    shown = Math.max(0, Math.min(plot.x.length - 1, index));
    const x = left + plot.at[shown], scale = svg.clientWidth / svg.viewBox.baseVal.width;
    rule.setAttribute("x1", x);
    rule.setAttribute("x2", x);
    rule.setAttribute("visibility", "visible");
    const head = document.createElement("b");
    head.textContent = `${plot.x[shown].toLocaleString("en")} ${plot.of}`;
    const rows = plot.lines
      .map(line => ({ way: line.way, name: line.name || "oracle", value: line.y[shown], error: line.e && line.e[shown] }))
      .filter(row => row.value !== null)
      .sort((one, other) => other.value - one.value)
      .map(row => {
        const item = document.createElement("span"), name = document.createElement("i"), value = document.createElement("span");
        name.textContent = row.way < 0 ? row.name : ways[row.way];
        name.style.setProperty("--dot", row.way < 0 ? "var(--grey)" : `var(--w${row.way})`);
        value.textContent = say(row.value) + (row.error === null || row.error === undefined ? "" : ` ± ${say(row.error)}`);
        item.append(name, value);
        return item;
      });
    readout.replaceChildren(head, ...rows);
    readout.hidden = false;
    const beside = x * scale + 12, room = document.documentElement.clientWidth - panel.getBoundingClientRect().left - 8;
    readout.style.left = `${beside + readout.offsetWidth <= room ? beside : Math.max(0, x * scale - 12 - readout.offsetWidth)}px`;
    readout.style.top = `${svg.getBoundingClientRect().top - panel.getBoundingClientRect().top + top * scale}px`;
  }
  function hide() {
    shown = -1;
    rule.setAttribute("visibility", "hidden");
    readout.hidden = true;
  }
  svg.addEventListener("pointermove", event => {
    const x = (event.clientX - svg.getBoundingClientRect().left) * svg.viewBox.baseVal.width / svg.clientWidth - left;
    if (x < -8 || x > width + 8) return hide();
    show(plot.at.reduce((best, at, index) => Math.abs(at - x) < Math.abs(plot.at[best] - x) ? index : best, 0));
  });
  svg.addEventListener("pointerleave", hide);
  if (panel.dataset.keys === undefined) continue;
  svg.tabIndex = 0;
  svg.addEventListener("blur", hide);
  svg.addEventListener("keydown", event => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -plot.x.length, End: plot.x.length }[event.key];
    if (event.key === "Escape") hide();
    if (step === undefined) return;
    event.preventDefault();
    show(shown < 0 ? (step > 0 ? 0 : plot.x.length - 1) : shown + step);
  });
}
