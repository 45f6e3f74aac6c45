"""The fault matrix: what can go wrong around a crawler, and the bound that Lycosa is held to in each case."""

from typing import NamedTuple


class Row(NamedTuple):
    """One fault, and what must hold in spite of it."""

    fault: str
    bound: str
    slow: bool = False
    """Whether only `make faults` runs it: it takes minutes, or tests of another folder promise the same in small."""


AREAS = {
    "A": "Durability",
    "B": "Network and HTTP",
    "C": "Robots, politeness, traps and content",
    "D": "Hostile HTML and URLs",
    "E": "Pages, interfaces, index and settings",
}

MATRIX = {
    # Durability
    "A1": Row(
        "kill -9 at random moments of a crawl, resumed each time",
        "0 lost, 0 twice, refetched at most what was under way",
    ),
    "A2": Row("kill -9 while a WARC record is written", "0 invalid records after resume"),
    "A3": Row(
        "kill -9 while the index commits or a checkpoint is saved", "documents in the index == pages in the store"
    ),
    "A4": Row("kill -9 of a scout process", "0 pages lost"),
    "A5": Row("SIGTERM, SIGINT, and each of them twice", "orderly stop, the documented exit code, 0 lost after resume"),
    "A6": Row("disk full, then space freed", "0 lost, 0 twice, one line and its own exit code"),
    "A7": Row("file descriptors, inodes, EIO or a read-only disk: shortages of the machine", "0 pages lost", slow=True),
    "A8": Row(
        "power loss: writes that were not synced are dropped at any point",
        "a consistent prefix, at most the time between two checkpoints lost",
        slow=True,
    ),
    "A9": Row("two processes on one collection; a stale lock", "the second is refused, the stale lock is taken over"),
    "A10": Row(
        "the clock jumps by a day; the process is suspended", "no gap between requests to a host shorter than its delay"
    ),
    "A11": Row("single bits flip in any file of a collection", "0 read back wrong in silence, 0 tracebacks"),
    "A12": Row("a collection of an earlier version", "opens, resumes and is searched"),
    "A13": Row(
        "a long crawl of a made web with faults",
        "MB per 10,000 pages: brain 40, scout 5, indexer 40 at most; descriptors flat",
        slow=True,
    ),
    "A14": Row("a memory limit of 256 MB", "the crawl ends with every page, or pauses with one line", slow=True),
    # Network and HTTP
    "B1": Row(
        "connection refused, black hole, reset after accept, reset in the body",
        "bounded tries, then one final reason; the control site complete",
    ),
    "B2": Row(
        "heads and bodies that drip, many hosts at once",
        "every slot freed by the total deadline; the control site complete",
    ),
    "B3": Row("a body shorter than announced", "100 % noticed, 0 stored as complete"),
    "B4": Row(
        "contradictory or nonsensical Content-Length and Transfer-Encoding", "0 crashes, 0 hangs, 0 smuggled responses"
    ),
    "B5": Row("broken, endless or tiny chunks, huge extensions and trailers", "an error or a cut page, in linear time"),
    "B6": Row("too many or too long headers, control bytes in headers", "refused within 1.25 MiB"),
    "B7": Row("endless 1xx, HTTP/0.9, HTTP/2, TLS, SSH or an endless status line", "refused, 0 hangs"),
    "B8": Row(
        "decompression bombs in every coding, nested, on redirects and errors", "decoded at most the cap + 64 KiB"
    ),
    "B9": Row("wrong coding labels, truncated or damaged gzip, raw deflate", "100 % readable, damaged ones marked"),
    "B10": Row(
        "a body without end; gigabytes announced", "cut at the page limit and marked, at most 512 KiB more received"
    ),
    "B11": Row("redirect loops and chains in every form", "at most 10 hops, each checked by scope, robots and guard"),
    "B12": Row(
        "links, redirects and names that lead to private addresses",
        "0 sockets to a refused address, 0 public ones refused",
    ),
    "B13": Row(
        "DNS: rebinding, mixed answers, NXDOMAIN, SERVFAIL, slow, thousands of addresses, wildcards",
        "0 connections to an address that was not checked, at most 10 for one name",
        slow=True,
    ),
    "B14": Row(
        "429 and 503 with Retry-After in every form", "0 requests before the time asked for, 100 % of pages recovered"
    ),
    "B15": Row(
        "TLS: expired, wrong host, unknown issuer, old protocol and others", "every case has its own reason, 0 crashes"
    ),
    "B16": Row("cookies and credentials across redirects", "0 leaked headers in 30 cases"),
    "B17": Row("surplus bytes on a kept connection", "0 pages mixed up"),
    "B18": Row("IPv6 only, broken IPv6 beside IPv4", "the page is fetched"),
    # Robots, politeness, traps and content
    "C1": Row("robots.txt conformance", "all of Google's cases that follow the RFC, 0 exceptions"),
    "C2": Row(
        "robots.txt answers 5xx or 429, times out, is reset, fails TLS",
        "0 pages of the host fetched until it can be had",
    ),
    "C3": Row("robots.txt 4xx, redirects, redirects elsewhere", "as RFC 9309 says"),
    "C4": Row(
        "robots.txt too large, binary, a bomb, a million rules", "rules in the first 500 KiB obeyed, bounded time"
    ),
    "C5": Row(
        "Crawl-delay of every value, per agent, under every spelling of a host", "100 % of gaps as long as asked"
    ),
    "C6": Row("politeness under load: many names, many hosts, redirects across", "limits per host hold"),
    "C7": Row("noindex and nofollow by header, tag and link", "as documented"),
    "C8": Row(
        "traps: calendars, repeating paths, facets, session ids, sort orders and others",
        "at most 5 % of requests lost, 99 % of good pages found",
    ),
    "C9": Row("soft 404s, parked domains, login walls, challenges", "recognised: precision and recall stated"),
    "C10": Row(
        "a mirror farm with few words changed", "at most 2 % duplicates among results, up to 5 % of words changed"
    ),
    "C11": Row(
        "keyword stuffing, hidden text, cloaking",
        "at most 60 points of harvest lost where three quarters of all links are spam",
    ),
    "C12": Row("wrong, missing or contradictory charsets", "decoded as browsers do"),
    "C13": Row("binary as HTML, HTML as binary, empty and partial answers", "0 garbage documents in the index"),
    "C14": Row("sitemaps: good, bad, bombs, entities", "0 entities fetched, bounded time"),
    "C15": Row("empty, huge and strange text", "indexed in bounded memory"),
    # Hostile HTML and URLs
    "D1": Row("nesting a hundred thousand deep", "bounded CPU seconds, the page is kept"),
    "D2": Row("hundreds of thousands of attributes, unclosed everything", "bounded CPU seconds, the page is kept"),
    "D3": Row("NUL, surrogates, bidi, zero width and other strange characters", "0 exceptions"),
    "D4": Row("hrefs of every dangerous kind", "only http and https are queued"),
    "D5": Row("base href of every kind", "as browsers do, nothing but http and https"),
    "D6": Row("meta refresh of every kind", "as browsers do"),
    "D7": Row("canonical, hreflang and amphtml links that mislead", "no content lost, no loop"),
    "D8": Row("huge inline data: JSON-LD, SVG, base64", "bounded CPU seconds"),
    "D9": Row("regular expressions that explode", "0 vulnerable", slow=True),
    "D10": Row("fuzzing of text extraction, tokeniser, stemmer and fingerprints", "0 crashes"),
    # Pages, interfaces, index and settings
    "E1": Row("stored XSS in every field a stranger can write", "0 payloads run", slow=True),
    "E2": Row("links to javascript: and data: in results", "0 such links, no referrer"),
    "E3": Row("archived copies of hostile pages", "0 requests to third parties, 0 scripts run"),
    "E4": Row("CSRF on every writing route", "0 accepted"),
    "E5": Row("DNS rebinding, foreign Host and Origin", "0 accepted"),
    "E6": Row("path traversal and symbolic links on every served path", "0 files leaked"),
    "E7": Row("listening beyond loopback without a token", "refused"),
    "E8": Row("fuzzing of the REST interface", "0 answers 5xx"),
    "E9": Row("SSRF through the interfaces", "0 requests to refused addresses"),
    "E10": Row(
        "slow connections and event streams in thousands",
        "0 searches failed, p95 below 1 s times how much slower than idle the machine is, at most 64 MB more",
    ),
    "E11": Row("query bombs", "answered or refused in bounded time"),
    "E12": Row("injection: SQL, log lines, terminal escapes, spreadsheet formulas", "0 effective"),
    "E13": Row("file names made from URLs", "0 files outside of the folder"),
    "E14": Row("WARC header injection", "one valid record each"),
    "E15": Row("prompt injection in what agents are given", "100 % marked as untrusted or neutralised"),
    "E16": Row("pickle, eval and world-writable state", "0 findings"),
    "E17": Row("secrets in logs, answers and archives", "0 found", slow=True),
    "E18": Row("mistakes in settings", "one line that names the mistake, exit code 2, nothing created"),
    "E19": Row("known vulnerabilities of the pinned dependencies", "0 known"),
}
