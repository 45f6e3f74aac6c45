/** The page of maps: chooses the collection and the map, and keeps the map up to date while a hunt runs. */
import { get, sentences, tell } from "./lib/api.js";
import { $, $$, clear, count, h, here } from "./lib/dom.js";
import { MapData } from "./map/data.js";
import { finder } from "./map/find.js";
import { table } from "./map/list.js";
import { MapView } from "./map/view.js";
import { prepareSite } from "./map/site.js";
import { legend, portrait, sentence, tip } from "./map/words.js";

const name = document.body.dataset.name;
const path = `/api/collections/${encodeURIComponent(name)}`;
const AGAIN = 3000;
const WAITING = 900;
const TRIES = 3;

prepareSite($("#request"));
if (name) open();
else choices();

/** Without a collection in the address: offer a choice. */
async function choices() {
  $("#choices").hidden = false;
  try {
    const { collections } = await get("/api/collections");
    const cards = collections
      .filter((each) => each.pages > 0)
      .map((each) => h("li", { class: "card" }, here(`/map/${each.name}`, {}, [h("strong", {}, each.title || each.name), h("span", { class: "small muted" }, `${each.name} · ${count(each.pages)} ${each.pages === 1 ? "page" : "pages"}`)])));
    clear($("#choice-list"), cards);
    $("#choices-empty").hidden = cards.length > 0;
  } catch (problem) {
    tell(problem);
  }
}

function open() {
  const wanted = new URLSearchParams(location.search);
  const state = { view: wanted.get("view") ?? "", site: wanted.get("site") ?? "", limit: wanted.get("limit") ?? "2000", keywords: wanted.get("keywords") ?? "" };
  const canvas = $("#canvas");
  const panel = $("#panel");
  const view = new MapView(canvas, { onover, onpick: pick });
  const list = table($("#list"), { pick: showOnMap });
  let asking = null;
  let timer = 0;
  let place = -1;
  let tries = 0;
  $("#room").hidden = false;
  if ([...$("#limit").options].some((each) => each.value === state.limit)) $("#limit").value = state.limit;

  // -- loading the map -------------------------------------------------------------------------------------------

  function query() {
    const kind = { links: "links", tree: "site", radial: "site", graph: "site" }[state.view];
    return { kind, layout: state.view === "links" ? "graph" : state.view, host: kind === "links" ? "" : state.site, limit: state.limit, keywords: state.keywords };
  }

  async function load({ keep = false } = {}) {
    asking?.abort();
    clearTimeout(timer);
    asking = new AbortController();
    const began = performance.now();
    try {
      const sent = await get(`${path}/map`, query(), asking.signal);
      if (!(keep && view.map && sent.seq === view.map.seq)) show(new MapData(sent), keep && view.map?.kind === sent.kind && view.map?.layout === sent.layout && view.map?.site === sent.site);
      running(sent.running);
      // A map that takes long to make is requested less often.
      if (sent.running) timer = setTimeout(renew, Math.max(AGAIN, 4 * (performance.now() - began)));
    } catch (problem) {
      if (problem.name === "AbortError") return;
      await waitOr(problem);
    }
  }

  const renew = () => (document.hidden ? (timer = setTimeout(renew, AGAIN)) : load({ keep: true }));

  /** A hunt that has just begun has nothing to show yet; anything else is a problem. */
  async function waitOr(problem) {
    const hunt = problem.status === 400 && !view.map ? await get(`/api/hunts/${encodeURIComponent(name)}`).catch(() => null) : null;
    // The first pages may arrive between the two requests, and a short hunt may be over by then.
    const working = hunt && ["running", "starting", "waiting"].includes(hunt.state);
    if (working || (hunt?.pages > 0 && tries++ < TRIES)) {
      wait("The hunt has begun; the first pages are on their way …");
      running(true);
      timer = setTimeout(() => load(), WAITING);
      return;
    }
    if (view.map) tell(problem);
    else wait(hunt?.problem ? sentences(hunt.problem, hunt.fix) : problem.line || problem.message);
    if (problem.status === 0) timer = setTimeout(renew, AGAIN);
  }

  function wait(text) {
    $("#wait").textContent = text;
    $("#wait").hidden = false;
  }

  function running(on) {
    if (!on && !$("#state").hidden) sites();
    $("#state").hidden = !on;
    $("#state").className = "badge running";
    $("#state").textContent = on ? "growing" : "";
  }

  function show(map, keep) {
    $("#wait").hidden = true;
    if (!keep) close();
    place = -1;
    view.show(map, { keep });
    list.show(map);
    legend($("#legend"), map);
    if (view.chosen >= 0) portraitOf(view.chosen);
    else panel.hidden = true;
    $("#stage").dataset.pages = map.size;
    $("#words").textContent = map.told;
    canvas.setAttribute("aria-label", `${map.headline}. ${map.told}`);
    state.view = map.kind === "links" ? "links" : map.layout;
    for (const radio of $$("input[name=view]")) radio.checked = radio.value === state.view;
    $("#site-field").hidden = map.kind === "links";
    if (map.kind === "site") chooseSite(map.site);
    const search = new URLSearchParams(Object.entries(query()).filter(([, value]) => value));
    $("#picture").href = `${path}/map.svg?${new URLSearchParams([...search, ["limit", String(Math.min(2000, Number(state.limit)))]].reverse())}`;
    const kept = new URLSearchParams(Object.entries(state).filter(([key, value]) => value && !(key === "limit" && value === "2000") && !(key === "site" && state.view === "links")));
    history.replaceState(null, "", kept.size ? `?${kept}` : location.pathname);
  }

  // -- choosing a page -------------------------------------------------------------------------------------------

  function onover(page, point) {
    const box = $("#tip");
    box.hidden = page < 0;
    if (page < 0) return;
    clear(box, tip(view.map, page));
    const { width, height } = view.camera;
    const left = point.x + 18 + box.offsetWidth > width ? point.x - 14 - box.offsetWidth : point.x + 18;
    const top = Math.min(point.y + 14, height - box.offsetHeight - 6);
    box.style.setProperty("transform", `translate(${Math.max(4, left).toFixed(0)}px, ${Math.max(4, top).toFixed(0)}px)`);
  }

  function pick(page) {
    if (page < 0) return close();
    view.choose(page);
    place = view.map.best.indexOf(page);
    return portraitOf(page);
  }

  function portraitOf(page) {
    panel.hidden = false;
    // On a narrow screen the panel is below the map.
    view.covered = getComputedStyle(panel).position === "absolute" ? panel.offsetWidth : 0;
    portrait(panel, name, view.map, page, { pick: goTo, close: () => (close(), canvas.focus()) });
  }

  function goTo(page) {
    pick(page);
    view.goTo(page);
    $("#spoken").textContent = sentence(view.map, page);
  }

  function showOnMap(page) {
    asList(false);
    goTo(page);
    canvas.focus();
  }

  function close() {
    if (view.map && view.chosen >= 0) view.choose(-1);
    panel.hidden = true;
    view.covered = 0;
  }

  // -- controls --------------------------------------------------------------------------------------------------

  function asList(on) {
    $("#as-list").setAttribute("aria-pressed", String(on));
    $(".map-floor").hidden = on;
    list.open(on);
  }

  function chooseSite(host) {
    const select = $("#site");
    if (![...select.options].some((each) => each.value === host)) select.append(h("option", { value: host }, host));
    select.value = host;
    state.site = host;
  }

  const KEYS = {
    ArrowLeft: (far) => view.pan(far, 0),
    ArrowRight: (far) => view.pan(-far, 0),
    ArrowUp: (far) => view.pan(0, far),
    ArrowDown: (far) => view.pan(0, -far),
    "+": () => view.zoom(1.3),
    "=": () => view.zoom(1.3),
    "-": () => view.zoom(1 / 1.3),
    0: () => view.fit(),
    n: () => step(1),
    p: () => step(-1),
    Enter: () => (view.chosen >= 0 ? $("h2", panel)?.focus() : step(1)),
    Escape: () => close(),
  };

  function step(by) {
    const { best } = view.map;
    place = (place + by + best.length) % best.length;
    goTo(best[place]);
  }

  canvas.addEventListener("keydown", (event) => {
    const act = KEYS[event.key];
    if (!act || !view.map || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(event.shiftKey ? 240 : 60);
  });
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    close();
    canvas.focus();
  });
  $("#nearer").addEventListener("click", () => view.zoom(1.4));
  $("#further").addEventListener("click", () => view.zoom(1 / 1.4));
  $("#all").addEventListener("click", () => view.fit());
  $("#renew").addEventListener("click", () => load({ keep: true }).then(sites));
  $("#as-list").addEventListener("click", () => asList($("#as-list").getAttribute("aria-pressed") !== "true"));
  $("#tools").addEventListener("submit", (event) => event.preventDefault());
  for (const radio of $$("input[name=view]")) {
    radio.addEventListener("change", () => {
      state.view = radio.value;
      load();
    });
  }
  $("#site").addEventListener("change", () => {
    state.site = $("#site").value;
    load();
  });
  $("#limit").addEventListener("change", () => {
    state.limit = $("#limit").value;
    load();
  });
  finder($("#find"), $("#found"), {
    search: (text, most) => (view.map?.search(text, most) ?? []).map((page) => ({ page, name: view.map.name[page], host: view.map.host(page) })),
    pick: (page) => (asList(false), goTo(page)),
  });
  $("#collection").addEventListener("change", () => location.assign(`/map/${encodeURIComponent($("#collection").value)}`));

  async function sites() {
    const { sites: found } = await get(`${path}/sites`, { limit: 200 }).catch(() => ({ sites: [] }));
    clear($("#site"), found.map((each) => h("option", { value: each.host }, `${each.host} (${count(each.pages)})`)));
    if (state.site) chooseSite(state.site);
  }

  async function collections() {
    const { collections: found } = await get("/api/collections").catch(() => ({ collections: [] }));
    const options = found.map((each) => h("option", { value: each.name }, each.title ? `${each.name}: ${each.title}` : each.name));
    clear($("#collection"), options);
    $("#collection").value = name;
    $("#of").hidden = !options.length;
  }

  load().then(sites);
  collections();
  // For measurements: how long the last painting took, and the current view.
  window.lycosaMap = view;
}
