/**
 * An event stream that survives restarts of the server: it reconnects by itself and continues after the last event.
 *
 * A browser has six connections to a server, whatever the number of its tabs. So a tab that has been hidden for a while
 * closes its stream, and continues it from the same event when it is visible again.
 */
const SHORTEST = 400;
const LONGEST = 4000;
const UNSEEN = 20_000;

/** live("/api/hunts/spiders/events", {after, onbatch(batch), onstate("connecting" | "open" | "lost" | "resting")}). */
export function live(path, { onbatch, onstate = () => {}, after = 0 }) {
  let source = null;
  let last = after;
  let wait = SHORTEST;
  let timer = 0;
  let resting = 0;
  let closed = false;

  function open() {
    clearTimeout(timer);
    source?.close();
    onstate("connecting");
    source = new EventSource(`${path}${path.includes("?") ? "&" : "?"}after=${last}`);
    source.addEventListener("open", () => {
      wait = SHORTEST;
      onstate("open");
    });
    source.addEventListener("batch", (event) => {
      if (event.lastEventId) last = event.lastEventId;
      onbatch(JSON.parse(event.data));
    });
    source.addEventListener("error", () => {
      // After some answers a browser never reconnects, so we do it ourselves.
      source.close();
      if (closed) return;
      onstate("lost");
      timer = setTimeout(open, wait * (0.8 + 0.4 * Math.random()));
      wait = Math.min(wait * 1.5, LONGEST);
    });
  }

  function seen() {
    clearTimeout(resting);
    if (document.hidden) {
      resting = setTimeout(rest, UNSEEN);
    } else if (source?.readyState === EventSource.CLOSED) {
      wait = SHORTEST;
      open();
    }
  }

  function rest() {
    clearTimeout(timer);
    source?.close();
    onstate("resting");
  }

  document.addEventListener("visibilitychange", seen);
  addEventListener("online", seen);
  open();
  return {
    close() {
      closed = true;
      document.removeEventListener("visibilitychange", seen);
      removeEventListener("online", seen);
      clearTimeout(resting);
      clearTimeout(timer);
      source?.close();
    },
  };
}
