"""Where a hunt could begin, as a server finds it: in its collections, and by the sources that its owner has set up."""

from __future__ import annotations

from msgspec.structs import replace

from lycosa.app.answers.page import FoundSeeds
from lycosa.app.federated import Opening
from lycosa.app.index_pool import open_index
from lycosa.app.jobs.hunt_jobs import HuntJobs
from lycosa.app.requests.option import check_remote
from lycosa.app.requests.seeds import FindRequest
from lycosa.app.start_pages import preview
from lycosa.system.errors import Code, Refused
from lycosa.web.http_options import HttpOptions


def preview_of(jobs: HuntJobs, request: FindRequest, opening: Opening = open_index) -> FoundSeeds:
    """What the named collections and sources find; all collections and all sources if the request names none."""
    check_remote(request)
    folders = jobs.folders(request.collections) if request.collections or not request.find else {}
    if not folders and not request.find and not jobs.finders:
        raise Refused("there are no pages to search yet", "start a hunt first", code=Code.EMPTY)
    http = HttpOptions(**{**jobs.http, "delay": jobs.delay})
    found = preview(replace(request, finders=jobs.finders), http, folders, opening, only_named=True)
    found.remarks = [jobs.pathless(remark) for remark in found.remarks]
    return found
