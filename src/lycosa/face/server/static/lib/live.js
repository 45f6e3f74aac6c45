/** A stream of events that survives restarts of the server: it reconnects by itself and goes on after the last event. */

export function live(path, { onbatch, onstate = () => {}, after = 0 }) {
  let source = null;
  let last = after;
  let wait = 500;
  let timer = 0;
  let closed = false;

  function open() {
    onstate("connecting");
    source = new EventSource(`${path}${path.includes("?") ? "&" : "?"}after=${last}`);
    source.addEventListener("open", () => {
      wait = 500;
      onstate("open");
    });
    source.addEventListener("batch", (event) => {
      if (event.lastEventId) last = Number(event.lastEventId);
      onbatch(JSON.parse(event.data));
    });
    source.addEventListener("error", () => {
      // A browser gives up for good on some answers, so we do the waiting ourselves.
      source.close();
      if (closed) return;
      onstate("lost");
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 1.6, 5000);
    });
  }

  open();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      source?.close();
    },
  };
}
