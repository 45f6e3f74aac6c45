/**
 * The list of pages found, sorted and bounded. New pages glide in, but never while a person reads the list (pointer or
 * focus in it, or scrolled into): then new pages are counted and wait behind a button.
 */
import { $, clear, count, h, percent } from "../lib/dom.js";
import { get, post, tell } from "../lib/api.js";
import { row } from "./row.js";

const KEPT = 600;
const STEP = 40;
const MOST = 300;
const CALM = 700;
/** Milliseconds between two updates of the list; fewer while the list is not full. */
const FILLING = 300;
const QUICK = 120;
/** The relevance from which a page counts as relevant, until the hunt says otherwise: more likely than not. */
const LIKELY = 0.5;
/** Milliseconds between two requests for what the crawl says of its pages by now. */
const AGAIN = 2000;

export function results(name, { onlisted = () => {} } = {}) {
  const list = $("#list");
  const pill = $("#pill");
  const sieve = $("#sieve");
  const rows = new Map();
  const known = new Map();
  /** Judgements as they are shown, and as the server has them. */
  const said = new Map();
  const kept = new Map();
  /** Who made the judgements that are shown. */
  const origins = new Map();
  const state = { shown: STEP, total: 0, threshold: LIKELY, again: 0, fresh: 0, loading: 0, last: -Infinity, timer: 0, over: "" };
  let wanted = asked();
  let sent = Promise.resolve();

  function asked() {
    const form = new FormData(sieve);
    return { text: form.get("text").trim(), host: form.get("host").trim(), least: Number(form.get("least")) / 100, judged: form.get("judged"), order: form.get("order") };
  }

  const sieved = () => wanted.text || wanted.host || wanted.least || wanted.judged;
  const better = (a, b) => (wanted.order === "time" ? b.seq - a.seq : (b.relevance ?? -1) - (a.relevance ?? -1) || b.judge_score - a.judge_score || b.seq - a.seq);
  const word = (page) => (said.has(page.url) ? said.get(page.url) : page.judged ?? null);
  const by = (page) => origins.get(page.url) ?? page.judged_by;

  function matches(page) {
    const { text, host, judged } = wanted;
    if (wanted.least && (page.relevance ?? -1) < wanted.least) return false;
    if (host && page.host !== host && !page.host.endsWith(`.${host}`)) return false;
    if (judged && (word(page) !== null) !== (judged === "yes")) return false;
    const whole = `${page.title} ${page.url}`.toLowerCase();
    return !text || text.toLowerCase().split(/\s+/).every((one) => whole.includes(one));
  }

  /** Ask the server for the pages that pass the filter; `again` if only their relevance may have changed. */
  async function load(again = false) {
    const turn = ++state.loading;
    const query = { order: wanted.order, text: wanted.text, host: wanted.host, min_relevance: wanted.least || "", judged: wanted.judged, limit: 300 };
    try {
      const answer = await get(`/api/hunts/${name}/pages`, query);
      if (turn !== state.loading) return;
      // What the stream has brought since the answer was made is newer.
      const newest = Math.max(0, ...answer.pages.map((page) => page.seq));
      const later = again ? [...known.values()].filter((page) => page.seq > newest) : [];
      known.clear();
      for (const page of later) known.set(page.url, page);
      for (const page of answer.pages) known.set(page.url, page);
      state.total = answer.total;
      if (again) return soon();
      state.shown = STEP;
      apply(false);
    } catch (problem) {
      if (!again) tell(problem);
    }
  }

  /** The crawl has said again how relevant its pages are: ask for them, but not too often. */
  function rejudged() {
    state.again ||= setTimeout(() => {
      state.again = 0;
      load(true);
    }, AGAIN);
  }

  /** Take in new pages of the hunt. */
  function add(pages) {
    for (const page of pages) {
      if (!matches(page)) continue;
      if (!known.has(page.url)) {
        state.fresh += 1;
        state.total += 1;
      }
      known.set(page.url, page);
    }
    if (known.size > KEPT) for (const page of ordered().slice(KEPT / 2)) known.delete(page.url);
    soon();
  }

  /** Take in judgements made or withdrawn, here or elsewhere. */
  function judged(some) {
    for (const { url, relevant, origin } of some) {
      kept.set(url, relevant);
      show(url, relevant, origin);
    }
  }

  function show(url, relevant, origin = "person") {
    said.set(url, relevant);
    origins.set(url, origin);
    rows.get(url)?.judged(relevant, origin);
  }

  const ordered = () => [...known.values()].sort(better);
  const reading = () => list.querySelector(":focus-visible") || state.over !== "" || list.getBoundingClientRect().top < 0;

  function soon() {
    if (state.timer) return;
    const due = rows.size < 8 ? QUICK : rows.size < STEP ? FILLING : CALM;
    state.timer = setTimeout(flush, Math.max(0, state.last + due - performance.now()));
  }

  function flush() {
    state.timer = 0;
    if (reading() && rows.size) {
      offer();
      return;
    }
    requestAnimationFrame(() => apply(true));
  }

  function offer() {
    const number = state.fresh;
    pill.hidden = number === 0;
    pill.textContent = number === 1 ? "1 new result" : `${count(number)} new results`;
  }

  /** Update the list to the current data. */
  function apply(glide) {
    state.last = performance.now();
    state.fresh = 0;
    pill.hidden = true;
    const first = ordered().slice(0, state.shown);
    const moves = glide && rows.size && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const before = moves ? places() : null;
    const stay = new Set(first.map((page) => page.url));
    for (const [url, one] of rows) {
      if (stay.has(url)) continue;
      one.element.remove();
      rows.delete(url);
    }
    first.forEach((page, place) => {
      let one = rows.get(page.url);
      if (one && one.page !== page && (one.page.title !== page.title || one.page.relevance !== page.relevance || one.page.known !== page.known || one.page.withheld !== page.withheld)) {
        one.element.remove();
        one = null;
      }
      if (!one) {
        one = row(page, name, (relevant) => press(page.url, relevant));
        one.judged(word(page), by(page));
        rows.set(page.url, one);
      }
      one.scaled(state.threshold);
      if (list.children[place] !== one.element) list.insertBefore(one.element, list.children[place] ?? null);
    });
    if (before) travel(before);
    says();
  }

  function places() {
    const seen = new Map();
    for (const [url, one] of rows) {
      const top = one.element.getBoundingClientRect().top;
      if (top > -200 && top < innerHeight) seen.set(url, top);
    }
    return seen;
  }

  function travel(before) {
    const after = [...rows].map(([url, one]) => [url, one, one.element.getBoundingClientRect().top]);
    for (const [url, one, top] of after) {
      if (top > innerHeight || top < -200) continue;
      const from = before.get(url);
      const timing = { duration: 320, easing: "cubic-bezier(.2,.7,.3,1)" };
      if (from === undefined) one.element.animate([{ opacity: 0, transform: "translateY(-6px)" }, { opacity: 1, transform: "none" }], timing);
      else if (Math.abs(from - top) > 1) one.element.animate([{ transform: `translateY(${from - top}px)` }, { transform: "none" }], timing);
    }
  }

  function says() {
    const number = rows.size;
    $("#list-empty").hidden = number > 0;
    sieve.hidden = number === 0 && !sieved();
    $("#list-keys").hidden = $("#teach").hidden = number === 0;
    $("#list-more").hidden = number < state.shown || state.shown >= MOST || known.size <= number;
    const which = wanted.order === "time" ? "newest" : "best";
    const words = number ? `the ${which} ${count(Math.min(number, state.total))} of ${count(state.total)} pages${sieved() ? " that match" : ""}` : "";
    if ($("#list-says").textContent !== words) $("#list-says").textContent = words;
    const save = new URLSearchParams({ format: "csv", text: wanted.text, host: wanted.host, judged: wanted.judged, min_relevance: wanted.least || "" });
    for (const [field, value] of [...save]) if (!value) save.delete(field);
    Object.assign($("#list-save"), { href: `/api/collections/${name}/export?${save}`, download: `${name}.csv`, hidden: !number });
    onlisted({ number, total: state.total, sieved: Boolean(sieved()) });
  }

  const last = (url) => {
    const page = known.get(url) ?? rows.get(url)?.page;
    return page ? word(page) : (said.get(url) ?? null);
  };

  /** Judge a page as relevant or not, or withdraw that with null; the same judgement again changes nothing. */
  function say(url, relevant) {
    if (last(url) === relevant) return;
    if (!kept.has(url)) kept.set(url, last(url));
    show(url, relevant);
    // One request after the other, so that the last judgement of a page arrives last.
    sent = sent
      .then(() => post(`/api/hunts/${name}/judgements`, { judgements: [{ url, relevant }] }))
      .then(() => kept.set(url, relevant))
      .catch((problem) => {
        show(url, kept.get(url));
        tell(problem);
      });
  }

  /** Pressing a button again withdraws the judgement. */
  const press = (url, relevant) => say(url, last(url) === relevant ? null : relevant);

  function move(from, step) {
    const next = step > 0 ? from.nextElementSibling : from.previousElementSibling;
    const one = next && [...rows.values()].find((found) => found.element === next);
    one?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }

  list.addEventListener("keydown", (event) => {
    const element = event.target.closest(".found");
    if (!element || event.ctrlKey || event.metaKey || event.altKey) return;
    const url = [...rows].find(([, one]) => one.element === element)?.[0];
    const key = event.key.toLowerCase();
    if (key === "y" || key === "n") {
      if (!event.repeat) press(url, key === "y");
    } else if (key === "arrowdown" || key === "j") move(element, 1);
    else if (key === "arrowup" || key === "k") move(element, -1);
    else return;
    event.preventDefault();
  });
  list.addEventListener("focusout", soon);
  // The button counts as part of the list: it must not vanish while the pointer moves towards it.
  for (const place of [list, pill.parentElement]) {
    place.addEventListener("pointerenter", (event) => (state.over = event.pointerType === "mouse" ? "mouse" : ""));
    place.addEventListener("pointerleave", () => {
      state.over = "";
      soon();
    });
  }
  addEventListener("scroll", () => state.fresh && soon(), { passive: true });
  pill.addEventListener("click", () => {
    const deep = list.getBoundingClientRect().top < 0;
    apply(true);
    if (deep) $("#results").scrollIntoView({ block: "start" });
    if (document.activeElement === document.body || document.activeElement === pill) rows.get(ordered()[0]?.url)?.focus();
  });
  $("#list-more").addEventListener("click", () => {
    const last = list.lastElementChild;
    state.shown = Math.min(MOST, state.shown + STEP);
    apply(false);
    if (last) move(last, 1);
  });

  let typing = 0;
  sieve.addEventListener("input", (event) => {
    $("#least").textContent = percent(Number(sieve.elements.least.value) / 100);
    clearTimeout(typing);
    typing = setTimeout(() => {
      wanted = asked();
      load();
    }, event.target.type === "range" || event.target.type === "search" ? 180 : 0);
  });
  $("#sieve-more").addEventListener("click", (event) => {
    const open = event.currentTarget.getAttribute("aria-expanded") !== "true";
    event.currentTarget.setAttribute("aria-expanded", String(open));
    sieve.classList.toggle("is-open", open);
  });
  sieve.addEventListener("submit", (event) => event.preventDefault());

  return {
    load,
    begin: () => apply(false),
    add,
    rejudged,
    say,
    judged,
    /** How many pages there are in total. */
    counted(pages) {
      if (!sieved()) state.total = pages;
      if (rows.size) says();
    },
    threshold(value) {
      state.threshold = value ?? LIKELY;
    },
    only(host) {
      sieve.elements.host.value = host;
      sieve.dispatchEvent(new Event("input", { bubbles: true }));
    },
    empty: (...what) => clear($("#list-empty"), what.length ? what : h("p", {}, "Nothing matches.")),
    get size() {
      return rows.size;
    },
  };
}
