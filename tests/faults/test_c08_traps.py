"""C8: good pages beside traps of every kind: few requests are lost to those, and hardly a good page is missed."""

import random
import subprocess
import sys
from urllib.parse import parse_qsl

import pytest
from sites import Sites

from lycosa.app.hunts import hunt

HOST = "traps.test"
SYLLABLES = ["wal", "ber", "sil", "tan", "mor", "kel", "fen", "dru", "low", "ned", "ith", "ora", "gan", "pel", "tis"]
WORDS = [a + b for a in SYLLABLES[:8] for b in SYLLABLES[8:12]]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


class TrapSite:
    """Good pages in sections, and beside them what a server can make up for ever."""

    def __init__(self, pages):
        self.pages = pages
        self.dice = random.Random(8)
        self.given = set()
        self.good = 0
        """Requests that brought a good page, or the way to it, for the first time."""
        self.lost = 0

    def __call__(self, request):
        path, _, query = request.path.partition("?")
        if path == "/robots.txt":
            self.lost += request.host != HOST
            return None
        what = self.page_at(request.host, path.partition(";")[0], dict(parse_qsl(query)))
        known = what if isinstance(what, str) else None
        self.good += known is not None and known not in self.given
        self.lost += known is None or known in self.given
        self.given.add(known)
        return self.html(what)

    def page_at(self, host, path, query):
        """A good page by its name, or the title, text and links of a trap."""
        parts = [part for part in path.split("/") if part]
        if host != HOST:
            links = [f"http://{self.random()}.{HOST}/" for _ in range(3)]
            return "Welcome", "Our site about spiders has moved in here for a while.", links
        match parts:
            case []:
                return "front"
            case ["section", number]:
                return f"section {number}"
            case [folder, number, *rest] if folder.lower() == "pages" and rest in ([], ["index.html"]):
                return f"page {int(number)}"
            case ["print", number]:
                return f"Page {number}", self.prose(int(number)), [f"/pages/{number}"]
            case ["calendar", year, month]:
                year, month = int(year), int(month)
                links = [f"/calendar/{year - (month == 1)}/{(month - 2) % 12 + 1}"]
                links += [f"/calendar/{year + (month == 12)}/{month % 12 + 1}"]
                return f"Events in {MONTHS[month - 1]} {year}", "There are no events in this month.", links
            case ["loop", *_]:
                return "Loop", "Here the path goes on and on.", ["b/" if parts[-1] == "a" else "a/"]
            case ["help", *_]:
                return "Help", "Ask us anything about the site and its pages.", [f"{word}/" for word in WORDS[:4]]
            case ["archive"]:
                page = int(query.get("page", 1))
                return f"Archive, page {page}", "No more entries.", [f"/archive?page={page + 1}"]
            case ["shop"]:
                links = [
                    "/shop?" + "&".join(sorted([*(f"{k}={v}" for k, v in query.items()), f"f{n}=1"])) for n in range(20)
                ]
                chosen = [item for n, item in enumerate(WORDS) if not query or f"f{n % 20}" in query]
                return "Shop", " ".join(f"One {item} for the garden, in stock." for item in chosen), links
            case ["list"]:
                links = [
                    f"/list?sort={s}&dir={d}&per={p}"
                    for s in WORDS[:5]
                    for d in ("up", "down")
                    for p in (10, 20, 50, 100)
                ]
                items = random.Random(str(query)).sample(WORDS, len(WORDS))
                return "List", " ".join(f"One {item} for the garden, in stock." for item in items), links
        return "Nothing", "Nothing here.", []

    def html(self, what):
        if isinstance(what, tuple):
            title, text, links = what
        else:
            title, text = f"Wolf spiders: {what}", ""
            kind, _, number = what.partition(" ")
            links = self.section(int(number)) if kind == "section" else []
            if kind == "page":
                text, links = self.prose(int(number)), self.beside(int(number))
        if isinstance(what, tuple) and title.startswith("Page "):
            frame = ""  # a print view
        else:
            ways = ["/", *(f"/section/{n}" for n in range((self.pages + 19) // 20))] if what == "front" else ["/"]
            lures = ["/calendar/2026/11", "/loop/a/", "/help/", "/archive", "/shop", "/list", f"http://www2.{HOST}/"]
            frame = self.links([*ways, *lures])
        return (
            f"<html><title>{title}</title><body>{frame}<h1>{title}</h1><p>{text}</p>{self.links(links)}</body></html>"
        )

    def section(self, number):
        return [f"/pages/{n}" for n in range(20 * number, min(20 * number + 20, self.pages))]

    def beside(self, number):
        """The links of a good page: its print view, and others under names that are new each time."""
        to = [self.dice.randrange(self.pages) for _ in range(9)]
        return [
            f"/print/{number}",
            f"/pages/{to[0]};jsessionid={self.random()}",
            f"/pages/{to[1]}?sid={self.random()}",
            f"/pages/{to[2]}?PHPSESSID={self.random()}",
            f"/pages/{to[3]}?utm_source=mail&utm_campaign={self.random()}",
            f"/pages/{to[4]}?gclid={self.random()}",
            f"/pages/{to[5]}?fbclid={self.random()}",
            f"/Pages/{to[6]}",
            f"/pages/{to[7]}/",
            f"/pages/{to[8]}/index.html",
        ]

    def prose(self, number):
        dice = random.Random(number)
        return f"Wolf spider number {number}. " + " ".join("".join(dice.choices(SYLLABLES, k=3)) for _ in range(120))

    def links(self, targets):
        return " ".join(f'<a href="{target}">{target.rpartition("/")[2] or target}</a>' for target in targets)

    def random(self):
        return f"{self.dice.getrandbits(64):016x}"


SPIDER = """
import sys, scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
class Everything(scrapy.Spider):
    name, start_urls = "everything", [sys.argv[2]]
    links = LinkExtractor(allow_domains=["traps.test"])
    def parse(self, response):
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url, meta={"proxy": sys.argv[1]})
    async def start(self):
        yield scrapy.Request(sys.argv[2], meta={"proxy": sys.argv[1]})
process = CrawlerProcess({"LOG_ENABLED": False, "CLOSESPIDER_PAGECOUNT": int(sys.argv[3]), "ROBOTSTXT_OBEY": False,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16, "DOWNLOAD_DELAY": 0, "TELNETCONSOLE_ENABLED": False,
    "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue", "DEPTH_PRIORITY": 1,
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue"})
process.crawl(Everything)
process.start()
"""


def scrapy(pages):
    """The same site with Scrapy, breadth-first: the share that traps have of as many requests as there are pages."""
    with Sites(site := TrapSite(pages)) as sites:
        command = [sys.executable, "-c", SPIDER, sites.proxy, f"http://{HOST}/", str(pages)]
        subprocess.run(command, timeout=600, check=True, capture_output=True)
    return site.lost / (site.lost + site.good)


@pytest.mark.row("C8")
def test_endless_urls_take_few_requests_and_hide_no_good_page(figure, size, tmp_path):
    pages = size(100, 4000)
    said, shares, found = [], [], []
    for strategy in size(["apprentice"], ["apprentice", "breadth-first"]):
        with Sites(site := TrapSite(pages)) as sites:
            options = {"pages": 4 * pages + 400, "strategy": strategy, "delay": 0.0, "proxy": sites.proxy}
            with hunt("wolf spider", [f"http://{HOST}/"], out=tmp_path / strategy, **options) as crawl:
                for _ in crawl:
                    pass
        assert crawl.crawl.stopped.reason == "nothing left to fetch"
        shares.append(site.lost / (site.lost + site.good))
        found.append(sum(name is not None and name.startswith("page ") for name in site.given) / pages)
        said.append(f"{strategy} lost {site.lost} requests ({shares[-1]:.1%}) and found {found[-1]:.1%}")
    peer = size("", f"; Scrapy lost {scrapy(pages):.0%} of as many" if size(False, True) else "")
    figure(f"beside {pages} good pages {', '.join(said)}{peer}")
    assert min(found) >= 0.99
    # What it takes to know a trap is the same however large the site is.
    assert site.lost <= 200 if pages < 1000 else max(shares) <= 0.05
