/** Between the pages and Lycosa: hands on what is read, remembers which page is current. It starts nothing by itself. */
import { api, ask, current, remember, settings } from "./lycosa.js";

const PAGES = 20;

api.runtime.onMessage.addListener((message, sender) => {
  if (sender.id !== api.runtime.id || !sender.tab || sender.tab.incognito || sender.frameId !== 0) return;
  if (message.kind === "read") read(message.page);
  else if (message.kind === "here") here(message.url);
  else if (message.kind === "lingered") lingered(message.url, message.seconds);
});

if (api.sidePanel) api.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });
else if (api.sidebarAction) api.action.onClicked.addListener(() => api.sidebarAction.toggle());

async function read(page) {
  if (!(await settings()).on) return;
  const about = { url: page.url, title: page.title };
  try {
    const told = await ask("POST", "read", page);
    await note({ ...about, name: told.name, why: told.why });
  } catch (trouble) {
    // Switched off on Lycosa's own page: then it is off here, too.
    if (trouble.kind === "off") await remember({ on: false });
    else await note({ ...about, name: "", why: trouble.message });
  }
}

/** A tab with a page that was read before has come to the front. */
async function here(url) {
  const known = (await pages()).find((page) => page.url === url);
  if (known && (await current())?.url !== url) await api.storage.session.set({ current: known });
}

async function lingered(url, seconds) {
  if (!(await settings()).on) return;
  await ask("POST", "lingered", { url, seconds }).catch(() => null);
}

async function note(page) {
  const others = (await pages()).filter((one) => one.url !== page.url);
  await api.storage.session.set({ current: page, pages: [page, ...others].slice(0, PAGES) });
}

async function pages() {
  return (await api.storage.session.get("pages")).pages ?? [];
}
