"""The days for people: the paper's figures, tables, and a few sentences."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lycosa.lab.comparison import Floats
from lycosa.lab.phrasing import capital, chance, counted, number, percent, spelled
from lycosa.lab.report.figures import Figure, line_numbers, mean_panel
from lycosa.lab.report.panels import Panel
from lycosa.lab.report.study_report import ReportTable, StudyReport
from lycosa.lab.statistics.compare import t_test
from lycosa.lab.statistics.summary import summarise
from lycosa.lab.symbiosis.days import Simulated
from lycosa.lab.symbiosis.measures import Measures

Found = Mapping[str, Measures]


def account(world: str, simulated: Simulated, found: Found) -> StudyReport:
    """The content of the report."""
    simulation = simulated.simulation
    where = "a made web" if world.startswith("made:") else world
    return StudyReport(
        title=f"{spelled(simulation.days).capitalize()} days of a community in {where}",
        facts=[
            ("Bed", world),
            ("MAX_IN_INDEX", f"{simulation.max_in_index:,}"),
            ("MAX_PAGES", f"{simulation.max_pages:,}"),
            ("MAX_ITER", f"{simulation.max_iter}"),
            ("N_HITS", f"{simulation.n_hits}"),
            ("Topics", f"{len(simulated.topics):,}"),
            ("Questions", f"{len(simulated.weeks[0].asked[0]):,} a day of {simulated.pool:,}"),
            ("Bookmarks", f"{simulated.weeks[0].bookmarks:,}"),
            ("Weeks", f"{len(simulated.weeks)}"),
        ],
        findings=_findings(simulated, found),
        lines=_lines(simulated),
        figures=_figures(simulated, found),
        tables=[_days(found), _changes(simulated, found), _again(found)],
        measured=[
            "The community begins with a breadth-first crawl from the bookmarks. Each night, every system refreshes "
            "its own copy with all questions of the day; the next day’s questions are answered by what that made. "
            "It is the code of `lycosa community init` and `refresh`, in virtual time, and it is told questions only.",
            "MAX_IN_INDEX is the most pages that a collection holds, MAX_PAGES the most that the crawl for a question "
            "fetches, MAX_ITER the rounds of a night, and N_HITS the results of a question that are start pages.",
            "P is the share of relevant pages among the first ten results; a page is relevant if it is labelled with "
            "the topic from whose description the question was cut. Cost is the size of the collection as a share of "
            "MAX_IN_INDEX. S is the mean TF-IDF cosine between the pages of a collection and all questions of the "
            "day put together, with document frequencies over the whole world.",
            "«Left alone» («alone» in the figures) is day one’s collection, asked the same questions on the same day "
            "by the same search engine.",
        ],
    )


def _alone(by: str) -> str:
    return f"alone, {by}"


def _lines(simulated: Simulated) -> list[str]:
    systems = simulated.simulation.systems
    return [*(system.label for system in systems), *dict.fromkeys(_alone(system.by) for system in systems)]


def over(table: Floats) -> tuple[Floats, Floats]:
    """Mean and standard error of a table with weeks, days and perhaps queries, by day."""
    found = summarise(_by_day(table))
    return found.mean, found.error


def _by_day(table: Floats) -> Floats:
    """The same with a column for each day."""
    return table.swapaxes(0, 1).reshape(table.shape[1], -1).T


def _panel(
    title: str, simulated: Simulated, tables: Mapping[str, Floats], *, zero: bool = True, x: tuple[int, ...] = ()
) -> Panel:
    """A line for each system, and one for the collection that is never refreshed; by default over days."""
    days = list(x) or list(range(1, simulated.simulation.days + 1))
    by_day = {label: _by_day(table) for label, table in tables.items()}
    x_title = "time asked: first, last" if x else "day"
    return mean_panel(title, days, by_day, line_numbers(_lines(simulated)), x_title=x_title, zero=zero)


def _both(simulated: Simulated, found: Found, own: str, alone: str) -> dict[str, Floats]:
    """A measure of every system, and the same of the collection that is never refreshed."""
    tables = {label: getattr(each, own) for label, each in found.items()}
    for system in simulated.simulation.systems:
        tables.setdefault(_alone(system.by), getattr(found[system.label], alone))
    return tables


def _figures(simulated: Simulated, found: Found) -> list[Figure]:
    first = {label: each.similarity[:, :1] for label, each in found.items()}
    ratios = {label: each.similarity / first[label] for label, each in found.items()}
    # Day one's collection is the same for all systems.
    system = simulated.simulation.systems[0]
    ratios[_alone(system.by)] = found[system.label].similarity_alone / first[system.label]
    again = {label: _first_last(each) for label, each in found.items() if each.repeated}
    return [
        Figure(
            "precision",
            "Precision and what it costs",
            "On the left P, as in the paper’s figure 3 a; on the right P against the cost of the collection, as in "
            "3 b. Means over questions with ±1 standard error.",
            [
                _panel("P", simulated, _both(simulated, found, "precision", "alone"), zero=False),
                _panel("P / cost", simulated, _both(simulated, found, "per_cost", "per_cost_alone")),
            ],
        ),
        Figure(
            "collections",
            "The collections",
            "On the left S against that of day one, as in the paper’s figure 4 a; on the right the pages of the "
            "collections. Means over weeks with ±1 standard error.",
            [
                _panel("S(C, q) / S of day one", simulated, ratios),
                _panel("Pages of the collection", simulated, {label: each.size for label, each in found.items()}),
            ],
        ),
        *(
            [
                Figure(
                    "again",
                    "Questions that came again",
                    "P of the questions that were asked on more than one day, the first and the last time; the paper’s "
                    "figure 4 b shows each of its ten.",
                    [_panel("P of repeated questions", simulated, again, zero=False, x=(1, 2))],
                )
            ]
            if again
            else []
        ),
    ]


def _first_last(mine: Measures) -> Floats:
    """Repeated queries, as one week each: the first and the last time."""
    return np.array([[each.precision[0], each.precision[-1]] for each in mine.repeated])


def _days(found: Found) -> ReportTable:
    rows = []
    for label, mine in found.items():
        told = [over(each) for each in (mine.precision, mine.alone, mine.per_cost, mine.similarity)]
        ratio = (mine.similarity / mine.similarity[:, :1]).mean(axis=0)
        alone = (mine.similarity_alone / mine.similarity[:, :1]).mean(axis=0)
        for day in range(mine.size.shape[1]):
            precision, left, per_cost, similarity = ((mean[day], error[day]) for mean, error in told)
            rows.append(
                [
                    label,
                    str(day + 1),
                    f"{mine.size[:, day].mean():,.0f}",
                    f"{number(precision[0], 'share')} ±{number(precision[1], 'share')}",
                    number(left[0], "share"),
                    number(per_cost[0], "share"),
                    f"{similarity[0]:.4f}",
                    number(ratio[day], "share"),
                    number(alone[day], "share"),
                    f"{mine.fetched[:, day].mean():,.0f}" if day else "",
                ]
            )
    head = ("System", "Day", "Pages", "P", "left alone", "P / cost", "S", "S / S₁", "left alone", "fetched")
    note = "«Left alone»: the same questions, asked of day one’s collection. Fetched: pages in the night before."
    return ReportTable("Day by day", head, rows, note)


def brief(found: Found) -> ReportTable:
    """The days in a table that fits into a terminal."""
    rows = []
    for label, mine in found.items():
        shares = [over(each)[0] for each in (mine.precision, mine.alone, mine.per_cost)]
        shares += [(each / mine.similarity[:, :1]).mean(axis=0) for each in (mine.similarity, mine.similarity_alone)]
        for day in range(mine.size.shape[1]):
            told = (number(each[day], "share") for each in shares)
            rows.append(["" if day else label, str(day + 1), f"{mine.size[:, day].mean():,.0f}", *told])
    head = ("System", "Day", "Pages", "P", "left alone", "P / cost", "S / S₁", "left alone")
    return ReportTable("Day by day", head, rows)


def _changes(simulated: Simulated, found: Found) -> ReportTable:
    rows = []
    for label, mine in found.items():
        gain = (mine.precision[:, -1] - mine.alone[:, -1]).ravel()
        costs = (mine.per_cost[:, -1] - mine.per_cost_alone[:, -1]).ravel()
        rows.append(
            [
                label,
                f"{gain.mean():+.3f}".replace("-", "−"),
                chance(t_test(gain)).removeprefix("= "),
                chance(t_test(-gain)).removeprefix("= "),
                f"{costs.mean():+.3f}".replace("-", "−"),
                chance(t_test(costs)).removeprefix("= "),
                percent(float((mine.size[:, -1] / mine.size[:, 0]).mean())),
                number(float((mine.similarity[:, -1] / mine.similarity_alone[:, -1]).mean()), "share"),
            ]
        )
    head = ("System", "P", "p (higher)", "p (lower)", "P / cost", "p (higher)", "size", "S against left alone")
    title = f"Day {spelled(simulated.simulation.days)} against day one’s collection, left alone"
    return ReportTable(title, head, rows, "Differences over the questions of that day, with one-tailed paired t-tests.")


def _again(found: Found) -> ReportTable:
    rows = []
    for label, mine in found.items():
        if not mine.repeated:
            continue
        first, last = _first_last(mine).T
        none = first == 0
        rows.append(
            [
                label,
                f"{len(first):,}",
                number(float(first.mean()), "share"),
                number(float(last.mean()), "share"),
                f"{10 * float((last - first).mean()):+.2f}".replace("-", "−"),
                chance(t_test(last - first)).removeprefix("= "),
                f"{int((last > first).sum())} – {int((last == first).sum())} – {int((last < first).sum())}",
                f"{int(none.sum())}, later {number(float(last[none].mean()), 'share')}" if none.any() else "0",
            ]
        )
    head = (
        "System",
        "questions",
        "P first",
        "P last",
        "more results",
        "p",
        "better – same – worse",
        "nothing at first",
    )
    return ReportTable(
        "Questions that came again", head, rows, "Relevant results among ten the last time beyond the first time."
    )


def _findings(simulated: Simulated, found: Found) -> list[str]:
    days = spelled(simulated.simulation.days)
    told = []
    for label, mine in found.items():
        precision, alone = float(mine.precision[:, -1].mean()), float(mine.alone[:, -1].mean())
        gain = (mine.precision[:, -1] - mine.alone[:, -1]).ravel()
        sure = t_test(gain) < 0.05, t_test(-gain) < 0.05
        how = "significantly more than" if sure[0] else "significantly less than" if sure[1] else "against"
        told.append(
            f"On day {days}, «{label}» finds {number(10 * precision)} relevant results among ten, {how} the "
            f"{number(10 * alone)} that day one’s collection finds for the same questions, with "
            f"{percent(float((mine.size[:, -1] / mine.size[:, 0]).mean()))} of its pages, which are "
            f"{number(float((mine.similarity[:, -1] / mine.similarity_alone[:, -1]).mean()))} times as similar to the "
            "questions."
        )
    weeks, questions = len(simulated.weeks), len(simulated.weeks[0].asked[0])
    opening = (
        f"{capital(spelled(len(found)))} systems lived through {counted(weeks, 'week')} of {days} days with "
        f"{counted(questions, 'question')} a day."
    )
    return [opening, *told]
