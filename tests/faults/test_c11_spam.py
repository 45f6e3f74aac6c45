"""C11: how many points of harvest rate pages made for the topic's words take from a crawl."""

import random

import pytest
from sites import Sites

from lycosa.app.hunts import hunt

SYLLABLES = ["wal", "ber", "sil", "tan", "mor", "kel", "fen", "dru", "low", "ned", "ith", "ora", "gan", "pel", "tis"]
HIDDEN = '<div style="display:none">{}</div>'
KINDS = ("stuffed", "hidden", "title", "cloaked")


def words(seed, count):
    dice = random.Random(seed)
    return " ".join("".join(dice.choices(SYLLABLES, k=3)) for _ in range(count))


def page(name, agent, count, spam):
    """A page by its name: good ones about wolf spiders, spam that only has the words."""
    kind, _, number = name.partition("-")
    number = int(number or 0)
    others = [f"/good-{(number * 7 + n) % count}" for n in range(1, 4)]
    lures = [f"/{each}-{(number * 3 + n) % spam}" for each in KINDS for n in range(1, 3)] if spam else []
    title, text = "A shop", words(name, 150)
    match kind:
        case "good" | "":
            title = f"Wolf spiders {words(name, 2)}"
            text = " ".join(f"{words(f'{name} {n}', 12)} wolf spider" for n in range(12))
        case "stuffed":
            title, text = "Wolf spider wolf spider", "wolf spider " * 300
        case "hidden":
            text += HIDDEN.format("wolf spider " * 100)
        case "title":
            title = "Wolf spider wolf spider wolf spider"
        case "cloaked" if "lycosa" in agent.lower():
            title, text = "Wolf spiders", " ".join(f"{words(f'{name} {n}', 12)} wolf spider" for n in range(12))
    links = "".join(f'<p><a href="{to}">wolf spider {to[1:]}</a></p>' for to in [*others, *lures])
    return f"<html><title>{title}</title><body><p>{text}</p>{links}</body></html>"


@pytest.mark.row("C11")
def test_what_spam_takes_from_the_harvest_is_known(figure, size, tmp_path):
    count = size(60, 500)
    rates, taken = [], {}
    for spam in (0, count):

        def answer(request, spam=spam):
            return (
                None
                if request.path == "/robots.txt"
                else page(request.path[1:], request.headers["user-agent"], count, spam)
            )

        with Sites(answer) as sites:
            options = {"pages": count // 2, "delay": 0.0, "proxy": sites.proxy}
            with hunt("wolf spider", ["http://spam.test/good-0"], out=tmp_path / f"{spam}", **options) as crawl:
                visits = [(visit.url.rpartition("/")[2].partition("-")[0], visit.relevance) for visit in crawl]
        names = [name for name, _ in visits]
        fooled = [name for name, relevance in visits if name == "stuffed" and relevance > 0]
        rates.append(names.count("good") / len(names))
        taken = {kind: names.count(kind) for kind in KINDS}
    by_kind = ", ".join(f"{number} {kind}" for kind, number in taken.items())
    figure(
        f"harvest rate {rates[0]:.0%} without spam, {rates[1]:.0%} with: "
        f"{100 * (rates[0] - rates[1]):.0f} points lost ({by_kind})"
    )
    assert rates[0] == 1
    assert not fooled
    # Of the links of every page a quarter are good: whoever cannot tell gets that share.
    assert rates[1] > 0.4
