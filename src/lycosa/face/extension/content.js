/**
 * Watches whether this page is being read, and only while the companion is switched on: until then it asks the browser
 * once whether it is on, and waits to be told that it was switched on. Nothing on the page is changed or listened to.
 */
(() => {
  const api = globalThis.browser ?? globalThis.chrome;
  const TEXT = 150000;
  const LINKS = 300;
  const WORDS = 200;
  const AGAIN = 15;
  const ASIDE = "nav, header, footer, aside, form, [contenteditable], [role=navigation], [role=banner], [role=contentinfo]";

  let dwell = 6;
  let timer = 0;
  let url = "";
  let seconds = 0;
  let sent = false;
  let told = 0;

  api.storage.local.get(["on", "dwell"]).then(begin);
  api.storage.onChanged.addListener((changes, area) => {
    if (area === "local" && (changes.on || changes.dwell)) api.storage.local.get(["on", "dwell"]).then(begin);
  });

  function begin(kept) {
    dwell = kept.dwell ?? dwell;
    stop();
    document.removeEventListener("visibilitychange", look);
    removeEventListener("pagehide", leave);
    if (!kept.on || api.extension?.inIncognitoContext || document.contentType !== "text/html") return;
    document.addEventListener("visibilitychange", look);
    addEventListener("pagehide", leave);
    look();
  }

  /** Time counts only while the page is in front. */
  function look() {
    if (document.visibilityState === "visible") {
      timer ||= setInterval(tick, 1000);
      if (sent) say({ kind: "here", url });
    } else {
      leave();
      stop();
    }
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
  }

  function tick() {
    const now = location.href.split("#")[0];
    if (now !== url) {
      leave();
      [url, seconds, sent, told] = [now, 0, false, 0];
    }
    seconds += 1;
    if (!sent && seconds >= dwell) {
      sent = true;
      told = seconds;
      if (!document.querySelector("input[type=password]")) say({ kind: "read", page: page() });
    }
  }

  function leave() {
    if (!sent || seconds < told + AGAIN) return;
    told = seconds;
    say({ kind: "lingered", url, seconds });
  }

  /** An extension that was updated or removed leaves this script behind: then it rests. */
  function say(message) {
    try {
      Promise.resolve(api.runtime.sendMessage(message)).catch(() => null);
    } catch {
      stop();
    }
  }

  function page() {
    const mains = document.querySelectorAll("main, [role=main]");
    const articles = document.querySelectorAll("article");
    const root = mains.length === 1 ? mains[0] : articles.length === 1 ? articles[0] : document.body;
    return { url, title: document.title.slice(0, 500), text: read(root).slice(0, TEXT), links: links(root), seconds };
  }

  /** What can be seen, without what stands around it; what somebody types is never part of it. */
  function read(root) {
    let text = root?.innerText ?? "";
    for (const aside of root?.querySelectorAll(ASIDE) ?? []) {
      const said = aside.innerText;
      if (said && !aside.parentElement.closest(ASIDE)) text = text.replace(said, () => " ");
    }
    return text;
  }

  /** Plain addresses only: a query may be a key to something, and what asks not to be followed is not. */
  function links(root) {
    const found = new Map();
    const all = [...document.links];
    const inside = all.filter((link) => root?.contains(link) && !link.closest(ASIDE));
    for (const link of [...inside, ...all]) {
      const href = link.href;
      if (typeof href !== "string" || !/^https?:/.test(href) || link.search || link.username || link.hasAttribute("download")) continue;
      if (/\b(nofollow|ugc|sponsored)\b/i.test(link.rel)) continue;
      const address = href.split("#")[0];
      if (address === url || address.length > 500) continue;
      const text = (link.innerText || link.getAttribute("aria-label") || link.querySelector("img")?.alt || link.title || "").trim();
      if (!found.has(address)) found.set(address, text.slice(0, WORDS));
      if (found.size >= LINKS) break;
    }
    return [...found].map(([address, text]) => ({ url: address, text }));
  }
})();
