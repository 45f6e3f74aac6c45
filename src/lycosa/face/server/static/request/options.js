/** Options as form fields: numbers, check boxes or text, each with its default and meaning. */
import { $$, clear, h } from "../lib/dom.js";

/** Fill an element with the fields of these options; a value set before under the same name is kept. */
export function offer(place, options, before = {}, of = "option", words = options.length === 1 ? "option" : "options") {
  if (!options.length) return clear(place);
  const fields = options.map((option) => field(option, before[option.name], of));
  const changed = options.some((option) => before[option.name] !== undefined);
  return clear(place, h("details", { class: "option-list", open: changed }, h("summary", {}, `${options.length} ${words}`), h("div", { class: "option-grid" }, fields)));
}

function field(option, value, of) {
  const id = `${of}-${option.name}`;
  const help = option.help ? h("p", { class: "hint", id: `${id}-help` }, option.help) : null;
  const problem = h("p", { class: "field-problem", id: `${id}-problem`, role: "alert" });
  const common = { id, "data-option": option.name, "data-type": option.type, "data-default": String(option.default), "aria-describedby": `${help ? `${id}-help ` : ""}${id}-problem` };
  if (option.type === "bool") {
    const checked = value === undefined ? option.default === true : [true, "true", "yes", "1"].includes(value);
    return h("div", { class: "field option", "data-field": id }, h("label", { class: "radio" }, h("input", { ...common, type: "checkbox", checked }), " ", h("span", { class: "mono" }, option.name)), help, problem);
  }
  const number = option.type === "int" || option.type === "float";
  const shown = option.unset || (option.default === "" || option.default === null ? "none" : String(option.default));
  const input = h("input", { ...common, type: number ? "number" : "text", step: option.type === "int" ? 1 : "any", placeholder: shown, value: value ?? "", autocomplete: "off" });
  return h("div", { class: "field option", "data-field": id }, h("label", { class: "mono", for: id }, option.name), input, help, problem);
}

/** The values that differ from the defaults: {alpha: 0.3}. */
export function chosen(place) {
  const settings = {};
  for (const input of $$("[data-option]", place)) {
    const { option, type } = input.dataset;
    const usual = input.dataset.default;
    if (type === "bool") {
      if (String(input.checked) !== usual.toLowerCase()) settings[option] = input.checked;
    } else if (input.value.trim() !== "" && input.value.trim() !== usual) {
      const value = input.value.trim();
      const number = Number(value);
      if (type === "list") settings[option] = value.split(/[\s,]+/);
      else settings[option] = (type === "int" || type === "float") && Number.isFinite(number) ? number : value;
    }
  }
  return settings;
}
