"""A site that is empty without JavaScript, as a source: served on loopback, by tests and by bench/rendering.py."""

import json
from random import Random

from lycosa.core.nouns import Raw

APP = """
const page = document.getElementById("root").dataset.page ?? location.pathname.slice(1);
fetch(`/api/${page}.json`).then((answer) => answer.json()).then(({ title, text, links }) => {
  document.title = title;
  const main = document.createElement("main");
  const anchors = links.map((to) => `<p><a href="/${to}">spider ${to}</a></p>`);
  main.innerHTML = `<h1>${title}</h1><p>${text}</p>${anchors.join("")}`;
  document.getElementById("root").append(main);
});
"""
SHELL = """<!DOCTYPE html><html lang="en"><head><title>Spiders</title><link rel="stylesheet" href="/style.css">
<link rel="icon" href="/icon.png"><link rel="preconnect" href="http://elsewhere.test">
<script defer src="/app.js"></script><script async src="https://www.google-analytics.com/analytics.js"></script></head>
<body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>"""
_WORDS = """wolf spider silk venom prey night burrow brood eyes hunt leg web moss forest meadow stone moon male female
egg sac young leaf beetle cricket wind ground autumn spring species genus family length brown grey pattern stripe"""
WORDS = _WORDS.split()


def answer(body, mime="text/html", status=200, **headers):
    """A response."""
    named = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return Raw(status, (("Content-Type", mime), *named), body.encode() if isinstance(body, str) else body)


class ScriptSite:
    """Pages 0 ... n-1 of one site, each linking to the next few; every `plain`-th page is written by its server."""

    def __init__(self, pages, plain=0, host="app.test"):
        self.host = host
        self.pages = {f"page-{number}": self._page(number, pages) for number in range(pages)}
        self.plain = {f"page-{number}" for number in range(pages) if plain and number % plain == plain - 1}
        self.more = {}
        """Further answers by URL."""

    @property
    def seed(self):
        return f"http://{self.host}/page-0"

    def _page(self, number, pages):
        links = [f"page-{other}" for other in (2 * number + 1, 2 * number + 2, number + 1) if other < pages]
        text = " ".join(Random(number).choices(WORDS, k=60))
        return {"title": f"Wolf spider {number}", "text": text, "links": links}

    def response(self, url):
        if url in self.more:
            return self.more[url]
        start, _, path = url.partition("://")[2].partition("/")
        if start != self.host:
            return None
        name = path.removeprefix("api/").removesuffix(".json")
        if path == "app.js":
            return answer(APP, "text/javascript")
        if name not in self.pages:
            return None
        page = self.pages[name]
        if path.startswith("api/"):
            return answer(json.dumps(page), "application/json")
        if name in self.plain:
            links = "".join(f"<p><a href=/{to}>spider {to}</a></p>" for to in page["links"])
            body = f"<title>{page['title']}</title><h1>{page['title']}</h1><p>{page['text']}</p>{links}"
            return answer(f"<!doctype html>{body}<script src=/app.js></script>")
        return answer(SHELL, ETag='"shell"')

    def urls(self):
        return iter([f"http://{self.host}/{name}" for name in self.pages])
