/** A map from the server, prepared for drawing and lookups: typed arrays, neighbours, and a spatial grid. */

const NOWHERE = Int32Array.of();

export class MapData {
  constructor(sent) {
    Object.assign(this, sent);
    this.size = sent.x.length;
    this.x = Float32Array.from(sent.x);
    this.y = Float32Array.from(sent.y);
    this.radius = Float32Array.from(sent.radius);
    this.tails = Int32Array.from(sent.tails);
    this.heads = Int32Array.from(sent.heads);
    this.dotted = new Set(sent.guessed);
    this.roleOf = (page) => this.roles[this.role[page]];
    this.shadeOf = (page) => Math.min(this.shades - 1, Math.floor((this.shade[page] * this.shades) / 100));
    /** Pages by importance, for labels. */
    this.large = order(this.size, (one, other) => this.radius[other] - this.radius[one] || one - other);
    /** Pages by relevance, for the list and the keys. */
    this.best = order(this.size, (one, other) => this.relevance[other] - this.relevance[one] || one - other);
    this.following = beside(this.tails, this.heads, this.size);
    this.leading = beside(this.heads, this.tails, this.size);
    this.bundles = bundles(this);
    this.regrid();
    this.bounds = bounds(this);
  }

  /** Rebuild the grid after positions have changed. */
  regrid() {
    this.grid = new Grid(this);
  }

  url(page) {
    return this.origins[this.origin[page]] + this.path[page];
  }

  host(page) {
    return this.origins[this.origin[page]].replace(/^https?:\/\//, "");
  }

  /** The number of the page with a URL; -1 if it is not on the map. */
  find(url) {
    this.byUrl ??= new Map(Array.from({ length: this.size }, (_, page) => [this.url(page), page]));
    return this.byUrl.get(url) ?? -1;
  }

  /** The pages whose title or URL contains some text, most relevant first. */
  search(text, most) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    const found = [];
    for (const page of this.best) {
      this.lower ??= Array.from({ length: this.size }, (_, each) => `${this.name[each]} ${this.url(each)}`.toLowerCase());
      if (words.every((word) => this.lower[page].includes(word)) && found.push(page) >= most) break;
    }
    return found;
  }

  /** All pages that are one line away, and in a tree all pages on the way up to the root. */
  around(page) {
    const near = new Set([...this.following(page), ...this.leading(page)]);
    if (this.layout !== "graph") for (let [up] = this.leading(page); up !== undefined; [up] = this.leading(up)) near.add(up);
    return near;
  }
}

/** How many links there are between each two groups. */
function bundles(map) {
  const counts = new Map();
  for (let line = 0; map.groups.length && line < map.tails.length; line += 1) {
    const ends = [map.group[map.tails[line]], map.group[map.heads[line]]].sort((one, other) => one - other);
    if (ends[0] !== ends[1]) counts.set(ends.join(" "), (counts.get(ends.join(" ")) ?? 0) + 1);
  }
  return [...counts].map(([ends, links]) => [...ends.split(" ").map(Number), links]);
}

function order(size, compare) {
  return Int32Array.from({ length: size }, (_, page) => page).sort(compare);
}

/** For each page the other ends of its lines, packed into one array. */
function beside(from, to, size) {
  const starts = new Int32Array(size + 1);
  for (const page of from) starts[page + 1] += 1;
  for (let page = 0; page < size; page += 1) starts[page + 1] += starts[page];
  const filled = starts.slice();
  const ends = new Int32Array(from.length);
  for (let line = 0; line < from.length; line += 1) ends[filled[from[line]]++] = to[line];
  return (page) => (page < size ? ends.subarray(starts[page], starts[page + 1]) : NOWHERE);
}

function bounds({ x, y, radius, size, groups }) {
  const found = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let page = 0; page < size; page += 1) {
    found.left = Math.min(found.left, x[page] - radius[page]);
    found.right = Math.max(found.right, x[page] + radius[page]);
    found.top = Math.min(found.top, y[page] - radius[page]);
    found.bottom = Math.max(found.bottom, y[page] + radius[page]);
  }
  for (const group of groups) {
    found.left = Math.min(found.left, group.x - group.radius);
    found.right = Math.max(found.right, group.x + group.radius);
    found.top = Math.min(found.top, group.y - group.radius);
    found.bottom = Math.max(found.bottom, group.y + group.radius);
  }
  return size ? found : { left: 0, top: 0, right: 1, bottom: 1 };
}

/** A grid of squares with the pages in them, so that finding the page under the pointer does not test all pages. */
class Grid {
  constructor(map) {
    this.map = map;
    this.side = Math.max(30, map.unit);
    this.squares = new Map();
    for (let page = 0; page < map.size; page += 1) {
      const key = this.key(map.x[page], map.y[page]);
      const there = this.squares.get(key);
      if (there) there.push(page);
      else this.squares.set(key, [page]);
    }
  }

  key(x, y) {
    return Math.floor(x / this.side) * 1e6 + Math.floor(y / this.side);
  }

  /** The page nearest to a point and not further from it than `reach` beyond its edge; -1 if there is none. */
  at(x, y, reach) {
    const { map, side } = this;
    let best = -1;
    let nearest = reach;
    const far = Math.min(40, Math.ceil((reach + 16) / side));
    for (let column = -far; column <= far; column += 1) {
      for (let row = -far; row <= far; row += 1) {
        for (const page of this.squares.get(this.key(x + column * side, y + row * side)) ?? []) {
          const away = Math.hypot(map.x[page] - x, map.y[page] - y) - map.radius[page];
          if (away < nearest) [best, nearest] = [page, away];
        }
      }
    }
    return best;
  }
}
