/** Talking to the Lycosa on this machine, and the few things the extension itself remembers. */

export const api = globalThis.browser ?? globalThis.chrome;

const USUAL = { address: "http://127.0.0.1:8080", on: false, dwell: 6 };

/** What the person has set: address, whether it is on, and after how many seconds a page counts as read. */
export async function settings() {
  return { ...USUAL, ...(await api.storage.local.get(Object.keys(USUAL))) };
}

export const remember = (what) => api.storage.local.set(what);

/** The key lies apart from the settings, where the script that is put into pages cannot look. */
const drawer = () =>
  new Promise((done, failed) => {
    const opening = indexedDB.open("lycosa", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => failed(opening.error);
  });

async function keyed(how, work) {
  const database = await drawer();
  try {
    return await new Promise((done, failed) => {
      const request = work(database.transaction("kept", how).objectStore("kept"));
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
  } finally {
    database.close();
  }
}

export const theKey = async () => (await keyed("readonly", (kept) => kept.get("key"))) ?? "";
export const keepKey = (key) => keyed("readwrite", (kept) => kept.put(key, "key"));

const PAGES = { origins: ["http://*/*", "https://*/*"] };

/** Whether it may read pages at all: Chromium settles that with the extension, in Firefox a person may take it back. */
export const mayRead = async () => !api.sidebarAction || (await api.permissions.contains(PAGES));

/** Has Firefox ask the person, which it does only while a click is answered: nothing may be awaited before. */
export const askToRead = () => api.permissions.request(PAGES);

/** The page that is read now and what became of it; forgotten when the browser ends. */
export async function current() {
  return (await api.storage.session.get("current")).current ?? null;
}

/** What went wrong: «unreachable», «unpaired» (no key, or a wrong one), «off», or «refused» with Lycosa's own words. */
export class Trouble extends Error {
  constructor(kind, message, fix = "") {
    super(message);
    this.kind = kind;
    this.fix = fix;
  }
}

/** An address of this machine in one form; anything else is refused, for nothing may be sent anywhere else. */
export function local(address) {
  let url;
  try {
    url = new URL(address.includes("://") ? address : `http://${address}`);
  } catch {
    throw new Trouble("refused", "That is no address", "write it like http://127.0.0.1:8080");
  }
  if (url.protocol !== "http:" || !["127.0.0.1", "localhost"].includes(url.hostname)) {
    throw new Trouble("refused", "The companion only talks to this machine", "give http://127.0.0.1 or http://localhost with a port");
  }
  return url.origin;
}

/** ask("GET", "state"), ask("POST", "read", {...}): the answer, or Trouble. */
export async function ask(method, what, body, { address, key } = {}) {
  const kept = await settings();
  const where = local(address ?? kept.address);
  const shown = key ?? (await theKey());
  if (!shown) throw new Trouble("unpaired", "Not connected yet", "copy the key from Lycosa's page");
  const headers = { Authorization: `Bearer ${shown}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(`${where}/api/companion/${what}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
  } catch {
    throw new Trouble("unreachable", `Lycosa does not answer at ${where}`, "start it with: lycosa serve");
  }
  const data = await answer.json().catch(() => null);
  if (answer.ok) return data;
  const kind = answer.status === 401 ? "unpaired" : answer.status === 409 ? "off" : "refused";
  throw new Trouble(kind, data?.problem ?? `Lycosa answered ${answer.status}`, data?.fix ?? "");
}
