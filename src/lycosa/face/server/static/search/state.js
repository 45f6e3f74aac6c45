/** The state of the search, as stored in the address of the page. */

const BY = ["hybrid", "content", "reference"];

export function readState(search = location.search) {
  const said = new URLSearchParams(search);
  const by = said.get("by") ?? "";
  const page = Number.parseInt(said.get("page") ?? "1", 10);
  return {
    q: (said.get("q") ?? "").trim().slice(0, 2000),
    in: said.getAll("in").slice(0, 64),
    by: BY.includes(by) ? by : "hybrid",
    sort: said.get("sort") === "time" ? "time" : "relevance",
    page: page >= 1 && page <= 1000 ? page : 1,
    filter: said.getAll("filter").slice(0, 20),
    like: said.get("like") ?? "",
    verbatim: said.get("verbatim") === "1",
  };
}

/** The address of a state; defaults are left out. */
export function address(state) {
  const said = new URLSearchParams();
  if (state.like) said.append("like", state.like);
  else if (state.q) said.append("q", state.q);
  for (const name of state.in) said.append("in", name);
  if (state.by !== "hybrid") said.append("by", state.by);
  if (state.sort !== "relevance") said.append("sort", state.sort);
  for (const one of state.filter) said.append("filter", one);
  if (state.verbatim) said.append("verbatim", "1");
  if (state.page > 1) said.append("page", state.page);
  return said.size ? `/search?${said}` : "/search";
}

/** The feed of a search: its newest results. */
export function feedOf(state) {
  const said = new URLSearchParams({ query: state.q });
  for (const name of state.in) said.append("collection", name);
  for (const one of state.filter) said.append("filter", one);
  return `/api/search/feed?${said}`;
}

/** The collections that are searched. */
export const everything = (state, collections) => (state.in.length ? collections.filter((one) => state.in.includes(one.name)) : collections);
