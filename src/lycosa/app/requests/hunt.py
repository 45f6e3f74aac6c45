"""A hunt request: what to hunt, from where, how, and for how long. Its plan is made in `hunt_plan`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any
from warnings import warn

from lycosa.app.requests.network import ACCESS, ALLOW, CA, CONTACT, FIND, FIND_QUERIES, FINDERS, PROXY, RESOLVE
from lycosa.app.requests.option import Option
from lycosa.app.requests.scope import SCOPE, ScopeOptions, Sites, Within, Without
from lycosa.web.proxies import VARIABLE as PROXY_VARIABLE
from lycosa.web.rendering.render_options import MODES
from lycosa.web.tls_reasons import VARIABLE as CA_VARIABLE

TOPIC, START, BUDGET = "Topic", "Start", "Budget"
POLITENESS, NETWORK, RENDERING, STRATEGY, OUTPUT = "Politeness", "Network", "Rendering", "Strategy", "Output"
GROUPS = (TOPIC, START, BUDGET, SCOPE, POLITENESS, NETWORK, RENDERING, STRATEGY, OUTPUT)
"""The groups of options in the order in which faces show them."""
Setting = str | int | float | bool


class TopicAndSeeds(ScopeOptions, frozen=True, kw_only=False):
    """The two fields that may be given by position."""

    keywords: Annotated[
        str, Option("Topic to hunt for, in a few words.", TOPIC, max_length=2000, required_remotely=True, words=True)
    ] = ""
    seeds: Annotated[Sequence[str], Option("URL to start from.", START, max_length=1000, each="seed")] = ()


class HuntRequest(TopicAndSeeds, frozen=True, kw_only=True):
    """What to hunt, from where, how, and for how long."""

    judge: Annotated[
        str, Option("Judge that scores pages, as NAME or NAME:option=value,option=value.", TOPIC, max_length=500)
    ] = "cosine"
    intent: Annotated[
        str,
        Option(
            "What you want, in a sentence or two, for a judge who reads (llm); keywords cannot say everything.",
            TOPIC,
            max_length=2000,
        ),
    ] = ""
    topic_language: Annotated[
        str,
        Option(
            "Language of the topic, such as de, by whose rules words in Latin letters are read; others need none.",
            TOPIC,
            max_length=10,
            unset="the only language whose pages are kept, if it is one; else en",
        ),
    ] = ""
    relevant: Annotated[
        float | None,
        Option(
            "Probability of being on topic from which a page counts as relevant.",
            TOPIC,
            above=0,
            high=1,
            unset="each page counts as much as it is likely on topic",
        ),
    ] = None
    background: Annotated[
        str, Option("Pages that provide word frequencies: a collection, test bed or WARC.", TOPIC, local=True)
    ] = ""
    taxonomy: Annotated[str, Option("File of categories with example pages.", TOPIC, local=True)] = ""
    good: Annotated[
        Sequence[str], Option("Category of the taxonomy to hunt; `*sports`: all whose names end so.", TOPIC, local=True)
    ] = ()
    refile: Annotated[
        Mapping[str, str],
        Option("Move an example to another category, as URL=CATEGORY.", TOPIC, local=True, formerly=("refiled",)),
    ] = {}
    seeds_file: Annotated[
        Path | str | None,
        Option("File with one URL per line; # starts a comment.", START, local=True, formerly=("seeds",)),
    ] = None
    seeds_from: Annotated[Sequence[str], Option("Collection to search for further seeds.", START, max_length=1000)] = ()
    find: Annotated[Sequence[str], FIND._replace(group=START, unset="every named source, if there are no seeds")] = ()
    finders: Annotated[Mapping[str, str], FINDERS._replace(group=START)] = {}
    find_queries: Annotated[int, FIND_QUERIES._replace(group=START)] = 3
    found_on_topic: Annotated[
        bool, Option("Treat found seeds as examples of the topic too, not only as starting points.", START)
    ] = False
    begin_at: Annotated[
        Sequence[str], Option("URL to start from that is not an example of the topic.", START, max_length=1000)
    ] = ()
    on_topic: Annotated[
        bool, Option("Treat the seeds as examples of the topic, or only as starting points.", START, off="off-topic")
    ] = True
    bed: Annotated[
        Path | str | None, Option("Replay this test bed in virtual time instead of using HTTP.", START, local=True)
    ] = None
    topic: Annotated[str | None, Option("Topic of the test bed to hunt.", START, local=True)] = None
    task: Annotated[
        str, Option("Seeds of the test bed to start from.", START, choices=("examples", "neighbors"), local=True)
    ] = "examples"
    replay: Annotated[
        str | None,
        Option("Replay this WARC, collection or made web instead of using HTTP.", START, local=True),
    ] = None
    pages: Annotated[
        int, Option("Maximum pages to keep; 0 = no limit.", BUDGET, low=0, high=2**53, remote_low=1, unit="pages")
    ] = 500
    bytes: Annotated[
        int | None, Option("Maximum bytes of page bodies to keep, in total.", BUDGET, low=1, high=2**53, unit="bytes")
    ] = None
    seconds: Annotated[float | None, Option("Maximum seconds to crawl.", BUDGET, above=0, high=1e9, unit="seconds")] = (
        None
    )
    until: Annotated[
        float | None,
        Option(
            "Stop when this share (0 to 1) of the relevant pages is found, by estimate.",
            BUDGET,
            above=0,
            below=1,
            formerly=("share",),
        ),
    ] = None
    body: Annotated[
        int,
        Option(
            "Maximum bytes to keep per page, after decompression.",
            BUDGET,
            low=1,
            unit="bytes",
            local=True,
        ),
    ] = 1 << 20
    document_body: Annotated[
        int,
        Option(
            "Maximum bytes to keep per document that is readable only as a whole: PDF, office file, book.",
            BUDGET,
            low=1,
            unit="bytes",
            local=True,
        ),
    ] = 20 << 20
    within: Within = ()
    without: Without = ()
    per_host: Annotated[int | None, Option("Maximum pages per host.", SCOPE, low=1, unit="pages")] = None
    per_site: Annotated[int | None, Option("Maximum pages per registrable domain.", SCOPE, low=1, unit="pages")] = None
    index_pages: Annotated[bool, Option("Treat /index.html and similar URLs as the folder's URL.", SCOPE)] = False
    sites: Sites = {}
    sitemaps: Annotated[
        bool, Option("Read sitemaps that hosts name in robots.txt, and feeds that pages name.", SCOPE)
    ] = True
    hints: Annotated[
        bool,
        Option(
            "Fold pages that say they are the same page, or another version of it, at another URL. "
            "Mirrors are recognised by their texts in any case.",
            SCOPE,
        ),
    ] = True
    delay: Annotated[
        float | None,
        Option(
            "Seconds between two requests to the same host.", POLITENESS, low=0, high=1e9, unit="seconds", unset="1"
        ),
    ] = None
    spread: Annotated[
        int,
        Option("Number of consecutive pages that must come from different hosts.", POLITENESS, low=1),
    ] = 1
    robots: Annotated[bool, Option("Obey robots.txt.", POLITENESS, local=True)] = True
    nofollow: Annotated[
        bool, Option("Obey nofollow and noindex in links, meta tags and headers.", POLITENESS, local=True)
    ] = True
    contact: Annotated[str, CONTACT] = ""
    agent: Annotated[str | None, Option("Name of the user agent.", POLITENESS, local=True, unset="Lycosa/0.1")] = None
    workers: Annotated[
        int | None,
        Option("Maximum concurrent requests.", NETWORK, low=1, unset="16", local=True),
    ] = None
    processes: Annotated[int, Option("Scout processes; 0 = CPU cores - 1.", NETWORK, low=0, local=True)] = 0
    timeout: Annotated[
        float, Option("Maximum seconds per request.", NETWORK, above=0, high=1e9, unit="seconds", local=True)
    ] = 30.0
    retries: Annotated[int, Option("Retries after a temporary failure.", NETWORK, low=0, local=True)] = 2
    outage: Annotated[
        float,
        Option(
            "Seconds to wait for network, memory or file descriptors before the crawl stops.",
            NETWORK,
            low=0,
            high=1e9,
            unit="seconds",
            local=True,
        ),
    ] = 120.0
    proxy: Annotated[str | None, PROXY] = None
    ca: Annotated[str | None, CA] = None
    access: Annotated[Mapping[str, Any], ACCESS] = {}
    allow: Annotated[Sequence[str], ALLOW] = ()
    resolve: Annotated[Mapping[str, str], RESOLVE] = {}
    render: Annotated[
        str,
        Option(
            "Read pages from a browser: never, auto (only those that are empty without JavaScript) or always.",
            RENDERING,
            choices=MODES,
        ),
    ] = "never"
    browser: Annotated[
        Path | str | None,
        Option("Path of the browser.", RENDERING, unset="an installed Chromium or Chrome", local=True),
    ] = None
    render_seconds: Annotated[
        float,
        Option(
            "Maximum seconds for a page in the browser, without its hosts' pauses.",
            RENDERING,
            above=0,
            high=3600,
            unit="seconds",
            local=True,
        ),
    ] = 20.0
    render_requests: Annotated[
        int,
        Option("Maximum requests that the scripts of a page may make.", RENDERING, low=0, high=1000, local=True),
    ] = 50
    render_memory: Annotated[
        int,
        Option(
            "Megabytes with which a browser is killed and replaced.",
            RENDERING,
            low=128,
            high=2**20,
            unit="MB",
            local=True,
        ),
    ] = 1024
    strategy: Annotated[str, Option("Strategy that scores links.", STRATEGY, max_length=80)] = "apprentice"
    settings: Annotated[
        Mapping[str, Setting], Option("Option of the strategy, as option=value.", STRATEGY, max_length=100, each="set")
    ] = {}
    inlinks: Annotated[Sequence[str], Option("Source of in-links.", STRATEGY, local=True)] = ()
    past: Annotated[Sequence[str], Option("Collection of an earlier crawl to learn from.", STRATEGY, local=True)] = ()
    reach: Annotated[
        int,
        Option(
            "How far down the queue to look for a host that is ready; 1 = strict best-first.",
            STRATEGY,
            low=1,
        ),
    ] = 16
    capacity: Annotated[
        int,
        Option("Maximum links in the frontier; the worst are dropped.", STRATEGY, low=1, local=True),
    ] = 1_000_000
    random_seed: Annotated[
        int, Option("Random seed.", STRATEGY, low=-(2**53), high=2**53, formerly=("dice", "seed"))
    ] = 1
    out: Annotated[
        Path | str | None,
        Option("Folder of the new collection.", OUTPUT, unset="named after the keywords", local=True),
    ] = None
    name: Annotated[
        str, Option("Name of the hunt.", OUTPUT, unset="made from the keywords", max_length=80, server_only=True)
    ] = ""
    checkpoint: Annotated[
        float, Option("Seconds between checkpoints.", OUTPUT, above=0, high=1e9, unit="seconds", local=True)
    ] = 60.0
    index: Annotated[bool, Option("Index pages while the crawl runs.", OUTPUT, local=True)] = True


class FolderToResume(ScopeOptions, frozen=True, kw_only=False):
    """The field that is given by position."""

    folder: Annotated[Path | str, Option("Collection to continue.")]


class ResumeRequest(FolderToResume, frozen=True, kw_only=True):
    """Which hunt to continue, and what to change; another scope applies to all links from the beginning."""

    pages: Annotated[int | None, Option("New maximum of pages to keep; 0 = no limit.", BUDGET, low=0, high=2**53)] = (
        None
    )
    bytes: Annotated[int | None, Option("New maximum of bytes to keep.", BUDGET, low=1, high=2**53)] = None
    seconds: Annotated[float | None, Option("New maximum of seconds to crawl.", BUDGET, above=0, high=1e9)] = None
    until: Annotated[
        float | None,
        Option("New share (0 to 1) of the relevant pages to stop at.", BUDGET, above=0, below=1, formerly=("share",)),
    ] = None
    workers: Annotated[int | None, Option("Maximum concurrent requests.", NETWORK, low=1)] = None
    outage: Annotated[
        float | None, Option("Seconds to wait for network, memory or file descriptors.", NETWORK, low=0)
    ] = None
    proxy: Annotated[
        str | None,
        Option(
            "HTTP proxy for all requests, if it is another one or needs a login.",
            NETWORK,
            secret=True,
            variable=PROXY_VARIABLE,
        ),
    ] = None
    ca: Annotated[
        str | None,
        Option("PEM file of further certificate authorities to trust.", NETWORK, variable=CA_VARIABLE),
    ] = None
    access: Annotated[Mapping[str, Any] | None, ACCESS] = None


def flattened(named: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of version 0.1, which grouped some of them as `http`, `rules` and `sources`, one by one."""
    flat = dict(named)
    if flat.get("pages", 0) is None:
        warn("no limit of pages is now written pages=0", DeprecationWarning, stacklevel=3)
        flat["pages"] = 0
    for group in ("http", "rules", "sources"):
        if flat.get(group) is None:
            flat.pop(group, None)
        else:
            single = {_FORMERLY.get(name, name): value for name, value in flat.pop(group).items()}
            names = ", ".join(single)
            warn(f"{group}={{...}} is now given as single options: {names}", DeprecationWarning, stacklevel=3)
            flat |= single
    return flat


_FORMERLY = {"obey_robots": "robots", "obey_nofollow": "nofollow", "timeout_total": "timeout", "refiled": "refile"}
