/** Forms with bookmarks: addresses in a text field, and a bookmarks file; problems are shown beside their field. */
import { $, $$ } from "./dom.js";
import { Problem, sentences } from "./api.js";

/** The icons in a browser's export are most of it, and nobody reads them. */
const ICONS = /\s(?:ICON|ICON_URI)\s*=\s*"[^"]*"/gi;

/** The bookmarks of a form, as the REST interface takes them. */
export async function bookmarksOf(form) {
  const [file] = $("[name=text]", form).files;
  const typed = $("[name=urls]", form).value.trim();
  const read = file ? (await file.text()).replace(ICONS, "") : "";
  // Typed lines may have a scheme or not, and titles: they are read like a file of their own.
  return file && typed ? { urls: typed.split(/\s+/), text: read } : { text: read || typed };
}

/** Submit a form: `send` gets its bookmarks; a problem is shown beside its field, or in the element `other`. */
export function submits(form, other, send) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = $("button:not([type=button])", form);
    for (const each of $$(".field-problem", form)) each.textContent = "";
    other.hidden = true;
    button.disabled = true;
    try {
      await send(await bookmarksOf(form));
    } catch (error) {
      show(form, other, error);
    } finally {
      button.disabled = false;
    }
  });
}

function show(form, other, error) {
  const line = error instanceof Problem ? sentences(error.message, error.fix) : String(error.message);
  const name = error.field === "bookmarks" ? "urls" : error.field;
  const field = name && $(`[data-field="${name}"]`, form);
  if (field) {
    $(".field-problem", field).textContent = line;
    $("input, textarea", field).focus();
  } else {
    other.textContent = line;
    other.hidden = false;
  }
}
