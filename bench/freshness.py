"""How fresh each rule of revisiting keeps a collection: a simulation in which pages change as a Poisson process.

    python bench/freshness.py [--worlds log-normal ...] [--shares 0 5 20 50] [--seeds 5] [--json FILE]

The rule that is measured is the code of `lycosa community revisit`, which knows nothing but its own checks. Besides it:

    oldest         the page that was not checked for longest: every page equally often
    uniform        pages at random
    proportional   the pages with the most expected changes since their last check, with known rates
    former         Lycosa's rule before: value x P(changed), rates estimated from its own checks
    known rates    the rule's index with known rates: the best schedule, in whole days
    optimum        the best that any schedule can reach (Cho and Garcia-Molina 2003), computed

Freshness is the share of time for which the copies are as the pages are, weighted by the pages' value, after a warm-up.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from email.utils import formatdate
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from lycosa.community.page_history import DAY, seen
from lycosa.community.revisit_value import due_pages
from lycosa.core.nouns import Ticket, Visit
from lycosa.store.rows import PageRow

Numbers = NDArray[np.float64]
OURS, OPTIMUM, KNOWN = "lycosa", "optimum", "known rates"
RIVALS = ("oldest", "uniform", "proportional", "former")
WARM_UP, DAYS = 60, 160
BEGIN = 1.7e9


class Pages(NamedTuple):
    """The pages of a simulation: what nobody but the simulator knows, and their rows in the collection."""

    rates: Numbers
    """Changes per day."""
    worth: Numbers
    rows: list[PageRow]
    dated: NDArray[np.bool_]
    """Whether the server says when a page changed."""


class World(NamedTuple):
    """How the rates of pages are distributed over sites, and within them."""

    slow: Callable[[np.random.Generator, int], Numbers]
    """The rates of the pages that are not fast, in changes per day."""
    site_spread: float
    """The standard deviation, over sites, of the logarithm of their pages' rates."""
    clustered: bool
    """Whether fast pages are mostly at sites with others."""
    dated: float = 0.0
    """The share of pages whose server says when they changed."""

    def pages(self, seed: int, count: int, share: float) -> Pages:
        """Pages of which this share changes between twice and fifty times a day."""
        random = np.random.default_rng(seed)
        sites = count // 20
        site = random.integers(0, sites, count)
        rates = self.slow(random, count) * np.exp(self.site_spread * random.normal(size=sites))[site]
        odds = random.beta(share, 1 - share, sites) if self.clustered and share else np.full(sites, share)
        fast = random.random(count) < odds[site]
        rates[fast] = np.exp(random.uniform(np.log(2), np.log(50), fast.sum()))
        worth = 0.01 + 0.99 * random.beta(1, 2, count)
        rows = [row(f"http://site{site[i]}.test/page{i}", worth[i]) for i in range(count)]
        return Pages(rates, worth, rows, random.random(count) < self.dated)


def row(url: str, worth: float) -> PageRow:
    """A page in a collection: it is small and sent only if it has changed."""
    host = url.split("/")[2]
    return PageRow(1, url, host, worth, "", 200, "text/html", "", "0", 1, 0.0, None, None, None, '"0"', "", worth)


WORLDS = {
    "log-normal": World(lambda random, n: np.exp(random.normal(np.log(1 / 60), 1.7, n)), 0.0, False),
    "log-normal, by site": World(lambda random, n: np.exp(random.normal(np.log(1 / 60), 1.3, n)), 1.1, True),
    "gamma": World(lambda random, n: np.maximum(random.gamma(0.5, 1 / 15, n), 1e-4), 0.0, False),
    "two rates": World(lambda random, n: np.where(random.random(n) < 0.5, 1 / 10, 1 / 200), 0.0, False),
    "log-normal, dated": World(lambda random, n: np.exp(random.normal(np.log(1 / 60), 1.7, n)), 0.0, False, 0.5),
}
"""The first is that of the choice of the rule's constants, with other seeds; the others had no say."""


class Simulation:
    """One rule, day by day: it says which pages are checked."""

    def __init__(self, pages: Pages, rule: str, budget: int, seed: int) -> None:
        self.pages = pages
        self.budget = budget
        self.choose = getattr(self, f"_{rule.replace(' ', '_')}")
        self.random = np.random.default_rng([seed, 1])
        count = len(pages.rates)
        self.checked = np.zeros(count)
        self.stale = self.random.exponential(1 / pages.rates)
        """When each page changes, or changed, for the first time after the last check."""
        self.versions = [0] * count
        self.modified = -self.random.exponential(1 / pages.rates)
        """When each page had last changed when it was last checked."""
        self.histories = [seen(None, BEGIN, self._visit(i)) for i in range(count)]

    def run(self, warm_up: int, days: int) -> float:
        """The freshness after the warm-up."""
        fresh = np.zeros(len(self.checked))
        for day in range(days):
            if day >= warm_up:
                fresh += np.clip(self.stale - day, 0.0, 1.0)
            self._check(self.choose(day + 1.0), day + 1.0)
        worth = self.pages.worth
        return float((worth * fresh).sum() / worth.sum() / (days - warm_up))

    def _check(self, chosen: NDArray[np.intp], now: float) -> None:
        for i in chosen:
            if (changed := self.stale[i]) <= now:
                self.versions[i] += 1
                rest = 1 / self.pages.rates[i]
                self.modified[i] = max(changed, now - self.random.exponential(rest))
                self.stale[i] = now + self.random.exponential(rest)
            self.histories[i] = seen(self.histories[i], BEGIN + now * DAY, self._visit(i))
        self.checked[chosen] = now

    def _visit(self, i: int) -> Visit:
        version, dated = self.versions[i], self.pages.dated[i]
        modified = formatdate(BEGIN + self.modified[i] * DAY, usegmt=True) if dated else ""
        return Visit(Ticket(self.pages.rows[i].url), 1.0, digest=str(version), modified=modified, size=1)

    def _best(self, value: Numbers) -> NDArray[np.intp]:
        return np.argsort(-value, kind="stable")[: self.budget]

    def _oldest(self, now: float) -> NDArray[np.intp]:
        return self._best(now - self.checked)

    def _uniform(self, now: float) -> NDArray[np.intp]:
        return self.random.choice(len(self.checked), self.budget, replace=False)

    def _proportional(self, now: float) -> NDArray[np.intp]:
        return self._best(self.pages.rates * (now - self.checked))

    def _known_rates(self, now: float) -> NDArray[np.intp]:
        rates = self.pages.rates
        due = rates * (now - self.checked)
        return self._best(self.pages.worth * (1 - (1 + due) * np.exp(-due)) / rates)

    def _former(self, now: float) -> NDArray[np.intp]:
        half, prior = 0.25, 30.0
        changes = np.array([each.changes for each in self.histories])
        stirred = np.array([each.stirred for each in self.histories]) / DAY + half * prior
        quiet = np.array([each.quiet for each in self.histories]) / DAY + half * prior
        rates = np.log1p(stirred / quiet) * (changes + half) / stirred
        return self._best(self.pages.worth * -np.expm1(-rates * (now - self.checked)))

    def _lycosa(self, now: float) -> NDArray[np.intp]:
        rows = [
            row._replace(at=history.seen, digest=history.digest)
            for row, history in zip(self.pages.rows, self.histories, strict=True)
        ]
        known = {history.url: history for history in self.histories}
        place = {row.url: i for i, row in enumerate(rows)}
        return np.array([place[each.url] for each in due_pages(rows, known, {}, self.budget, BEGIN + now * DAY)])


def optimum(pages: Pages, budget: float) -> float:
    """The freshness under the best schedule: where it checks a page, one more check per day brings as much anywhere."""

    def due_at(price: float) -> Numbers:
        """Expected changes between two checks of each page; infinite where a check is not worth its price."""
        wanted = np.minimum(price * pages.rates / pages.worth, 1.0)
        low, high = np.zeros_like(wanted), np.full_like(wanted, 60.0)
        for _ in range(60):
            middle = (low + high) / 2
            short = 1 - (1 + middle) * np.exp(-middle) < wanted
            low, high = np.where(short, middle, low), np.where(short, high, middle)
        return np.where(wanted >= 1, np.inf, high)

    low, high = 1e-9, 1e6
    for _ in range(100):
        price = float(np.sqrt(low * high))
        spent = (pages.rates / due_at(price)).sum()
        low, high = (price, high) if spent > budget else (low, price)
    due = due_at(high)
    fresh = np.where(np.isinf(due), 0.0, -np.expm1(-due) / due)
    return float((pages.worth * fresh).sum() / pages.worth.sum())


def interval(values: Numbers) -> str:
    """The mean with its 95 % interval over the seeds."""
    half = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{values.mean():.3f} ± {half:.3f}"


def measure(world: World, share: float, seeds: range, count: int, rules: tuple[str, ...]) -> dict[str, Numbers]:
    """The freshness of each rule with each seed; a tenth of the pages is checked each day."""
    found: dict[str, list[float]] = {rule: [] for rule in (*rules, OPTIMUM)}
    for seed in seeds:
        pages = world.pages(seed, count, share)
        for rule in rules:
            found[rule].append(Simulation(pages, rule, count // 10, seed).run(WARM_UP, DAYS))
        found[OPTIMUM].append(optimum(pages, count / 10))
    return {rule: np.array(values) for rule, values in found.items()}


def main() -> None:
    """Simulate, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", nargs="+", choices=WORLDS, default=list(WORLDS))
    parser.add_argument("--shares", nargs="+", type=float, default=[0, 5, 20, 50], help="of fast pages, in percent")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=100)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rules = (*RIVALS, OURS, KNOWN)
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    print(f"| world | fast | {' | '.join([*rules, OPTIMUM])} | over the best rival | below the optimum |")
    print("|---|---|" + "---|" * (len(rules) + 3))
    plain = {}
    for name in options.worlds:
        for percent in options.shares:
            found = measure(WORLDS[name], percent / 100, seeds, options.pages, rules)
            plain[f"{name}, {percent:g} %"] = {rule: values.tolist() for rule, values in found.items()}
            best = max(RIVALS, key=lambda rule: found[rule].mean())
            over, below = found[OURS] - found[best], found[OPTIMUM] - found[OURS]
            means = " | ".join(f"{found[rule].mean():.3f}" for rule in (*rules, OPTIMUM))
            print(f"| {name} | {percent:g} % | {means} | {interval(over)} | {interval(below)} |", flush=True)
    if options.json:
        options.json.write_text(json.dumps(plain, indent=1))


if __name__ == "__main__":
    main()
