/** The heading of a hunt: its topic, its state, what it has spent, and the buttons that control it. */
import { $, clear, count, h, out, size } from "../lib/dom.js";
import { post, sentences, tell } from "../lib/api.js";
import { icon } from "../lib/icons.js";

const MORE = 100;
/** Failed seeds that are listed one by one. */
const SEEDS = 10;
const RUNS = ["running", "starting", "waiting"];
const WORDS = {
  running: "hunting",
  starting: "starting",
  waiting: "waits for its turn",
  paused: "paused",
  stopped: "stopped",
  finished: "finished",
  interrupted: "interrupted",
  failed: "failed",
  elsewhere: "run by another process",
};

export const runs = (state) => RUNS.includes(state);

export function heading(name, onsteered) {
  const buttons = {
    pause: button("pause", "Pause", () => steer("pause")),
    resume: button("resume", "Resume", () => steer("resume")),
    stop: button("stop", "Stop", () => steer("stop")),
    extend: button("more", `${MORE} pages`, () => steer("extend", { pages: MORE })),
  };
  buttons.extend.setAttribute("aria-label", `${MORE} pages more`);
  clear($("#controls"), Object.values(buttons));
  const pace = [];
  let shown = "";
  let busy = false;
  let now = null;
  let noticed = "";

  function button(picture, words, onclick) {
    return h("button", { type: "button", onclick, hidden: true }, icon(picture), words);
  }

  async function steer(verb, body) {
    if (busy) return;
    busy = true;
    for (const one of Object.values(buttons)) one.disabled = true;
    const focused = Object.values(buttons).indexOf(document.activeElement);
    try {
      onsteered(await post(`/api/hunts/${name}/${verb}`, body), verb);
    } catch (problem) {
      tell(problem);
    } finally {
      busy = false;
      for (const one of Object.values(buttons)) one.disabled = false;
      const left = Object.values(buttons)[focused];
      if (left) (left.hidden ? Object.values(buttons).find((one) => !one.hidden) : left)?.focus();
    }
  }

  function show(status) {
    now = status;
    const { state } = status;
    if (shown !== state) {
      shown = state;
      $("#hunt").dataset.state = state;
      $("#state").className = `badge ${state}`;
      $("#state span").textContent = WORDS[state] ?? state;
      const running = runs(state);
      buttons.pause.hidden = !running;
      buttons.stop.hidden = !(running || state === "paused" || state === "interrupted");
      buttons.resume.hidden = !["paused", "stopped", "interrupted", "failed"].includes(state);
      buttons.extend.hidden = state === "elsewhere";
      buttons.resume.classList.toggle("primary", ["paused", "interrupted", "failed"].includes(state));
      pace.length = 0;
    }
    buttons.extend.classList.toggle("primary", state === "finished" && status.counts.pages >= (status.budget.pages ?? 0));
    progress(status);
    notice(status);
  }

  function progress({ state, counts, budget, rendering }) {
    const bar = $("#progress");
    const goal = budget.pages;
    const part = goal ? counts.pages / goal : 0;
    bar.max = 1;
    if (goal) bar.value = Math.min(1, part);
    else if (state === "running") bar.removeAttribute("value");
    else bar.value = 1;
    $("#spent").textContent = goal ? `${count(counts.pages)} of ${count(goal)} pages` : `${count(counts.pages)} pages`;
    const rate = state === "running" ? speed(counts.pages) : 0;
    const left = rate && goal > counts.pages ? `, about ${duration((goal - counts.pages) / rate)} left` : "";
    const quick = rate ? `${rate < 10 ? rate.toFixed(1) : count(rate)} pages a second${left}` : "";
    $("#pace").textContent = [quick, counts.bytes ? size(counts.bytes) : "", inBrowser(rendering)].filter(Boolean).join(" · ");
    const title = `${goal && runs(state) ? `${Math.floor(100 * Math.min(1, part))} % · ` : ""}${now.keywords || name} · Lycosa`;
    if (document.title !== title) document.title = title;
  }

  /** Pages per second over the last ten seconds or so. */
  function speed(pages) {
    const time = performance.now();
    if (pace.at(-1)?.[1] !== pages) pace.push([time, pages]);
    while (pace.length > 2 && time - pace[0][0] > 10_000) pace.shift();
    const [from, before] = pace[0];
    return time - from > 700 ? (1000 * (pages - before)) / (time - from) : 0;
  }

  function notice({ state, problem, fix, early, failures, ahead }) {
    const place = $("#notice");
    const text =
      state === "failed"
        ? sentences(problem || "it failed", fix)
        : state === "waiting"
          ? ahead
            ? `${ahead === 1 ? "One hunt is" : `${ahead} hunts are`} before this one; it begins by itself.`
            : "Other hunts are running; it begins by itself."
          : state === "elsewhere"
            ? "A command line or another server runs this hunt; here it can be watched and judged."
            : state === "interrupted"
              ? "It ended without being told to; nothing is lost, and it can go on."
              : state === "finished"
                ? early
                : "";
    const seeds = state === "failed" ? failures.slice(0, SEEDS) : [];
    const more = state === "failed" ? failures.length - seeds.length : 0;
    const said = JSON.stringify([state, text, failures]);
    if (said === noticed) return;
    noticed = said;
    place.hidden = !text;
    place.className = `notice ${state}`;
    clear(place, [
      h("p", {}, text),
      seeds.length > 0 && h("ul", { class: "failures" }, seeds.map(seed), more > 0 && h("li", {}, `and ${count(more)} more`)),
    ]);
  }

  function seed({ url, at, problem, fix }) {
    return h("li", {}, out(url, url), at && [" redirects to ", out(at, at)], h("p", {}, sentences(problem, fix)));
  }

  return { show };
}

/** How many pages came from a browser, and what that cost. */
function inBrowser({ pages, shells, slower }) {
  const cost = slower >= 2 ? `, ${Math.round(slower)} times as slow` : "";
  const read = pages ? `${count(pages)} read from a browser${cost}` : "";
  return [read, shells ? `${count(shells)} empty without JavaScript` : ""].filter(Boolean).join(" · ");
}

function duration(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(seconds < 36_000 ? 1 : 0)} h`;
}
