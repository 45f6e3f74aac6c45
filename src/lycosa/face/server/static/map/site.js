/** The form that maps a site: it starts a shark-search that never leaves the site, and shows its map while it grows. */
import { $ } from "../lib/dom.js";
import { post } from "../lib/api.js";

/** The host with and without www: one of them usually redirects to the other. */
export function hostsOf(address) {
  const { host, hostname } = new URL(address);
  if (/^[\d.]+$|^\[|^[^.]+$/.test(hostname)) return [host];
  return [host, host.startsWith("www.") ? host.slice(4) : `www.${host}`];
}

export function prepareSite(form) {
  const button = $("#request-open");
  button?.addEventListener("click", () => {
    form.hidden = !form.hidden;
    button.setAttribute("aria-expanded", String(!form.hidden));
    if (!form.hidden) form.elements.url.focus();
  });
  const problem = $("#request-problem", form);
  const complain = (text, field) => {
    problem.textContent = text;
    problem.hidden = false;
    field?.focus();
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.hidden = true;
    const { url, keywords, pages } = form.elements;
    const typed = url.value.trim();
    const address = /^[a-z][\w+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
    if (/^$|\s/.test(typed) || !/^https?:/i.test(address) || !URL.canParse(address)) return complain("That is no address of a site. Write it like https://www.example.org/", url);
    if (!keywords.value.trim()) return complain("Say in a few words what to look for.", keywords);
    if (!pages.checkValidity()) return complain("Give a number of pages, 1 or more.", pages);
    const go = $("#request-go", form);
    go.disabled = true;
    try {
      const request = { keywords: keywords.value.trim(), seeds: [address], strategy: "shark-search", on_topic: false, pages: pages.valueAsNumber, within: hostsOf(address) };
      const hunt = await post("/api/hunts", request);
      location.assign(`/map/${encodeURIComponent(hunt.name)}?view=radial`);
    } catch (error) {
      complain(error.line ?? error.message, url);
      go.disabled = false;
    }
    return undefined;
  });
}
