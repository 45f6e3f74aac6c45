/** The curves of harvest and recall: their history when the page was opened, and every page since. */
import { $, count, percent } from "../lib/dom.js";
import { get } from "../lib/api.js";
import { chart } from "../lib/chart.js";

const WINDOW = 100;
/** Milliseconds between two requests for the curves after the crawl has said again how relevant its pages are. */
const AGAIN = 3000;
const FEWEST = 8;
/** Pages before the lines begin: a mean of two or three pages says nothing. */
const MOST = 900;
/** Most points kept; when there are more, every second one is dropped. */
const ROOM = [50, 100, 150, 200, 300, 400, 500, 600, 800];
/** Scales of the x axis in pages, and these times powers of ten: lines fill the chart, and scales change rarely. */

export function harvest(name) {
  const drawHarvest = chart($("#harvest"), { label: "Share of pages on topic by pages fetched", top: 1, format: percent });
  const drawRecall = chart($("#recall"), { label: "Estimated recall by pages fetched", top: 1, format: percent });
  const early = [];
  const mean = { recent: [], sum: 0, known: 0, number: 0 };
  let sliding = [];
  let overall = [];
  let estimates = [];
  let right = 0;
  let seq = null;
  let tooEarly = "";
  let again = 0;

  /** Load what happened before this page was opened. */
  async function load() {
    const [curve, latest] = await Promise.all([
      twice(() => get(`/api/hunts/${name}/curve`)),
      get(`/api/hunts/${name}/pages`, { order: "time", limit: WINDOW }).catch(() => ({ pages: [] })),
    ]);
    const last = curve?.harvest.at(-1);
    if (!curve && seq !== null) return;
    begin(curve?.seq);
    if (last) {
      sliding = curve.harvest.filter((one) => one.recent !== null).map((one) => [one.pages, one.recent]);
      overall = curve.harvest.filter((one) => one.mean !== null).map((one) => [one.pages, one.mean]);
      mean.recent = latest.pages.filter((page) => page.seq <= seq).map((page) => page.relevance).reverse();
      mean.known = curve.known;
      mean.sum = (last.mean ?? 0) * mean.known;
      mean.number = last.pages;
      estimates = curve.recall.map((one) => ({ ...one, at: one.pages }));
    }
    add(early.splice(0));
  }

  /** From this event on, the stream delivers the pages. */
  function begin(from = 0) {
    seq = from;
  }

  /** The crawl has said again how relevant its pages are: the curves are drawn again by what is known now. */
  function rejudged() {
    again ||= setTimeout(() => {
      again = 0;
      load().then(draw);
    }, AGAIN);
  }

  function add(pages) {
    if (seq === null) {
      early.push(...pages);
      return;
    }
    for (const page of pages) {
      if (page.seq <= seq) continue;
      seq = page.seq;
      mean.recent.push(page.relevance);
      if (mean.recent.length > WINDOW) mean.recent.shift();
      mean.sum += page.relevance ?? 0;
      mean.known += page.relevance === null ? 0 : 1;
      mean.number += 1;
      const lately = mean.recent.filter((one) => one !== null);
      if (lately.length) sliding.push([mean.number, lately.reduce((all, one) => all + one, 0) / lately.length]);
      if (mean.known) overall.push([mean.number, mean.sum / mean.known]);
    }
    if (sliding.length > MOST) {
      sliding = halved(sliding);
      overall = halved(overall);
    }
  }

  /** Why there is no estimate; empty if there is one. */
  function waits(words) {
    tooEarly = words;
  }

  function estimated(estimate, pages) {
    const last = estimates.at(-1);
    if (!estimate || (last && last.found === estimate.found && Math.round(last.total) === estimate.total && Math.round(last.high) === estimate.high)) return;
    estimates.push({ ...estimate, at: Math.max(pages, last?.at ?? 0) });
    if (estimates.length > MOST) estimates = halved(estimates);
  }

  function draw() {
    const now = overall.at(-1)?.[1];
    const lately = sliding.at(-1)?.[1];
    $("#harvest-now").textContent = now === undefined ? "–" : percent(now);
    $("#harvest-words").textContent = now === undefined ? "not known yet: known with the first pages" : mean.number <= WINDOW ? `of ${mean.number === 1 ? "one page" : `${mean.number} pages`} expected on topic` : `of all pages expected on topic; ${percent(lately)} of the last ${WINDOW}`;
    $("#harvest").closest(".curve").classList.toggle("is-empty", mean.number < FEWEST);
    drawHarvest({
      series: [
        { name: "all so far", kind: "second", points: overall.filter(told) },
        { name: "lately", points: sliding.filter(told) },
      ],
      right,
      describe: now === undefined ? "nothing yet" : `${percent(now)} on topic after ${count(mean.number)} pages, lately ${percent(lately)}`,
    });
    const known = estimates.filter((one) => one.total > 0);
    const last = tooEarly ? undefined : known.at(-1);
    const shares = known.map((one) => [one.at, share(one.found, one.total), share(one.found, one.high), share(one.found, one.low)]);
    const words = last ? `${count(last.found)} of about ${count(last.total)} relevant pages (90 % interval ${count(last.low)} to ${count(last.high)})` : `too early to tell${tooEarly || estimates.length ? `: ${tooEarly || "nothing is clearly on topic so far"}` : ""}`;
    $("#recall").closest(".curve").classList.toggle("is-empty", !last);
    $("#recall-now").textContent = last ? percent(share(last.found, last.total)) : "–";
    $("#recall-words").textContent = words;
    drawRecall({ series: [{ name: "found", points: shares, banded: true }], band: shares.map(([at, , low, high]) => [at, low, high]), right, describe: words });
  }

  function budget(pages, over) {
    right = over ? mean.number : Math.min(pages ?? Infinity, room(mean.number));
  }

  return { load, begin, add, rejudged, estimated, tooEarly: waits, draw, budget };
}

/** Try a second time after a failure; if that fails too, do without. */
async function twice(ask) {
  return ask().catch(async () => {
    await new Promise((done) => setTimeout(done, 600));
    return ask().catch(() => null);
  });
}

function room(pages) {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(pages, 1) / ROOM[0])));
  return (ROOM.find((one) => one * unit >= pages * 1.15) ?? 1000) * unit;
}

const told = ([at]) => at >= FEWEST;
const share = (found, all) => (all > 0 ? Math.min(1, found / all) : 0);
const halved = (points) => points.filter((_, place) => place % 2 === 0 || place === points.length - 1);
