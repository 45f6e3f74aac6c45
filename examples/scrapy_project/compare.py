"""Two crawls by the same spider over the same made web, in Lycosa's order and in Scrapy's own; what has each found?

Everything goes through the made web's server on this machine, so nothing leaves it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from lycosa.web.serving import spawn
from lycosa.web.source_names import open_made

WEB = "made:pages=4000,topics=8,seed=7,traps=no"
PAGES = 300
HERE = Path(__file__).parent


def crawl(proxy: str, seeds: tuple[str, ...], feed: Path, **settings: object) -> list[str]:
    """The pages of one crawl."""
    command = [sys.executable, "-m", "scrapy", "crawl", "links", "-a", f"seeds={' '.join(seeds)}", "-O", str(feed)]
    quick = {"LOG_LEVEL": "ERROR", "DOWNLOAD_DELAY": 0, "CLOSESPIDER_ITEMCOUNT": PAGES}
    for name, value in (quick | settings).items():
        command += ["-s", f"{name}={value}"]
    proxies = {"http_proxy": proxy, "https_proxy": proxy, "no_proxy": ""}
    subprocess.run(command, cwd=HERE, env=os.environ | proxies, check=True)
    return [json.loads(line)["url"] for line in feed.read_text().splitlines()][:PAGES]


def main() -> None:
    topic = open_made(WEB).topics[0]
    print(f"{WEB}: {len(topic.targets)} pages about {topic.keywords} are wanted, {PAGES} pages may be fetched")
    with spawn(WEB) as served, TemporaryDirectory() as place:
        feed = Path(place) / "items.jsonl"
        ways = {f"Scrapy with {name}": {"LYCOSA_STRATEGY": name} for name in ("apprentice", "best-first")}
        for way, settings in (ways | {"Scrapy alone": {"ADDONS": "{}"}}).items():
            found = crawl(served.proxy, topic.examples, feed, LYCOSA_KEYWORDS=topic.keywords, **settings)
            print(f"{way}: {len({*found} & {*topic.targets}) / len(topic.targets):.0%} of them found")


if __name__ == "__main__":
    main()
