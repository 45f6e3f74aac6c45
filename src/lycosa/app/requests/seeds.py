"""Requests for start pages: from words alone, and better ones from known ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from lycosa.app.requests.network import ALLOW, CA, CONTACT, FIND, FIND_QUERIES, FINDERS, PROXY, RESOLVE
from lycosa.app.requests.option import Option, Request


class SeedsRequest(Request, frozen=True, kw_only=True):
    """Which seeds are known, where in-links are known, and which pages to add."""

    seeds: Annotated[Sequence[str], Option("URL of a page you know.", each="seed")] = ()
    seeds_file: Annotated[
        Path | None, Option("File with one URL per line; # starts a comment.", formerly=("seeds",))
    ] = None
    inlinks: Annotated[
        Sequence[str],
        Option(
            "Source of in-links: a collection, test bed, recording, made:..., folder with Common Crawl's vertices and "
            "edges, VERTICES,EDGES, or https://host/path?url={url}&limit={limit}."
        ),
    ] = ()
    bed: Annotated[str | None, Option("Test bed or made web that has the topic.")] = None
    topic: Annotated[str | None, Option("Topic of the test bed.")] = None
    description: Annotated[
        str, Option("A directory's description of the topic, or a file that contains it; mirrors of it are left out.")
    ] = ""
    limit: Annotated[int, Option("Maximum pages to add.", low=1)] = 10
    at_least: Annotated[int, Option("Minimum seeds that a hub links to.", low=1)] = 2
    leave_out: Annotated[Sequence[str], Option("Host to leave out, including its subdomains.")] = ()
    directories: Annotated[bool, Option("Do not leave out known directories.")] = False
    width: Annotated[int | None, Option("In-links to examine per page.", low=1, unset="1000; 20 for neighbours")] = None
    neighbours: Annotated[
        int, Option("Instead of adding hubs, start this many links upstream of the seeds.", low=0)
    ] = 0
    random_seed: Annotated[
        int, Option("Random seed for drawing neighbours.", low=-(2**53), high=2**53, formerly=("dice",))
    ] = 1
    proxy: Annotated[str | None, PROXY] = None
    ca: Annotated[str | None, CA] = None
    allow: Annotated[Sequence[str], ALLOW] = ()
    contact: Annotated[str, CONTACT] = ""


class WordsToFind(Request, frozen=True, kw_only=False):
    """The field that is given by position."""

    keywords: Annotated[str, Option("Topic, in a few words.", max_length=2000, required_remotely=True, words=True)] = ""


class FindRequest(WordsToFind, frozen=True, kw_only=True):
    """Which sources to search for pages from which a hunt can start."""

    find: Annotated[Sequence[str], FIND._replace(unset="every named source, unless collections are named")] = ()
    finders: Annotated[Mapping[str, str], FINDERS] = {}
    collections: Annotated[
        Sequence[str],
        Option(
            "Collection to search.",
            max_length=64,
            each="collection",
            unset="on a server, all collections, unless sources are named",
        ),
    ] = ()
    find_queries: Annotated[int, FIND_QUERIES] = 3
    limit: Annotated[int, Option("Maximum pages to find.", low=1, high=1000, remote_high=200)] = 20
    proxy: Annotated[str | None, PROXY] = None
    ca: Annotated[str | None, CA] = None
    allow: Annotated[Sequence[str], ALLOW] = ()
    resolve: Annotated[Mapping[str, str], RESOLVE] = {}
    contact: Annotated[str, CONTACT] = ""
