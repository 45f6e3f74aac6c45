/** What can be changed of a collection as a whole: its name, its tags, whether it exists. */
import { clear, h } from "../lib/dom.js";
import { get, post, remove, tell } from "../lib/api.js";

export function care(name) {
  const said = h("p", { class: "small muted", role: "status" });
  const tags = h("input", { name: "tags", autocomplete: "off", maxlength: 400, "aria-describedby": "tags-help" });
  const title = h("input", { name: "name", value: name, required: true, maxlength: 80, pattern: "[a-z0-9][a-z0-9._\\-]*", title: "Small letters, digits and -" });
  const sure = h("input", { name: "sure", autocomplete: "off", placeholder: name, "aria-label": `Type ${name} to delete it` });
  let had = [];
  get("/api/collections")
    .then((answer) => {
      had = answer.collections.find((one) => one.name === name)?.tags ?? [];
      tags.value = had.join(", ");
    })
    .catch(() => {});

  const doing = (form, act) =>
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        clear(said, (await act()) ?? "");
      } catch (problem) {
        tell(problem);
      }
    });

  const tagging = h("form", { class: "care" }, h("label", {}, h("span", {}, "Tags"), tags), h("button", { class: "small" }, "Save tags"));
  const naming = h("form", { class: "care" }, h("label", {}, h("span", {}, "Name"), title), h("button", { class: "small" }, "Rename"));
  const deleting = h("form", { class: "care" }, h("label", {}, h("span", {}, "Delete it: type its name"), sure), h("button", { class: "small danger" }, "Delete for good"));
  doing(tagging, async () => {
    const wanted = tags.value.split(",").map((tag) => tag.trim()).filter(Boolean);
    const answer = await post(`/api/collections/${name}/tags`, { add: wanted, remove: had.filter((tag) => !wanted.includes(tag)) });
    had = answer.tags;
    tags.value = had.join(", ");
    return had.length ? `Tags: ${had.join(", ")}.` : "It has no tags.";
  });
  doing(naming, async () => {
    if (title.value === name) return "That is its name.";
    const answer = await post(`/api/collections/${name}/name`, { name: title.value });
    location.assign(`/hunts/${answer.name}`);
  });
  doing(deleting, async () => {
    if (sure.value !== name) return `Type ${name} to delete it.`;
    await remove(`/api/collections/${name}`);
    location.assign("/");
  });
  return h("details", { class: "stack" }, h("summary", {}, "Name, tags, deletion"), tagging, h("p", { class: "small muted", id: "tags-help" }, "Words that help to find it in the list, with commas between them."), naming, deleting, said);
}
