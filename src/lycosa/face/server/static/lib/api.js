/** Calls the REST interface: JSON in, JSON out, and errors as a Problem with a fix. */
import { h, $, $$ } from "./dom.js";

export class Problem extends Error {
  constructor(status, problem, fix, code = "", field = "") {
    super(problem);
    this.status = status;
    this.fix = fix;
    this.code = code;
    this.field = field;
  }

  get line() {
    return sentences(this.message, this.fix);
  }
}

/** The problem and its fix as sentences. */
export function sentences(...parts) {
  const whole = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
  return parts.filter(Boolean).map(whole).join(" ");
}

async function ask(method, path, body, signal) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "the server cannot be reached", "is «lycosa serve» still running?");
  }
  const text = await answer.text();
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    data = null;
  }
  if (!answer.ok) throw new Problem(answer.status, data?.detail ?? `the server answered ${answer.status}`, data?.fix ?? "", data?.code, data?.field);
  return data;
}

/** get("/api/search", {q: "x", in: ["a", "b"]}); empty values are left out. */
export function get(path, query = {}, signal) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== "" && one !== null && one !== undefined && one !== false) search.append(name, one);
    }
  }
  return ask("GET", search.size ? `${path}?${search}` : path, undefined, signal);
}

export const post = (path, body = {}) => ask("POST", path, body);
export const remove = (path) => ask("DELETE", path);
export const put = (path, body = {}) => ask("PUT", path, body);

/** Show a message in the corner, once; a problem stays longer. */
export function tell(what, kind = "") {
  const line = h("p", { class: kind }, what instanceof Problem ? what.line : String(what?.message ?? what));
  if (what instanceof Error) line.className = "problem";
  if ($$("#told > *").some((one) => one.textContent === line.textContent)) return;
  $("#told").append(line);
  setTimeout(() => line.remove(), what instanceof Error ? 9000 : 4000);
}
