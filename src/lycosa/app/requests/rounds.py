"""A request for consecutive crawls, each from the best hubs of the one before."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from lycosa.app.requests.hunt import BUDGET, OUTPUT, START, STRATEGY, HuntRequest
from lycosa.app.requests.option import Option
from lycosa.app.requests.scope import SCOPE


class RoundsRequest(HuntRequest, frozen=True, kw_only=True):
    """A hunt in several rounds; its budget and its scope are those of each round."""

    rounds: Annotated[int, Option("Number of rounds.", BUDGET, low=1)] = 4
    hubs: Annotated[int, Option("Number of hubs of a round from which the next round starts.", START, low=1)] = 200
    new: Annotated[bool, Option("Do not fetch pages again that an earlier round has.", SCOPE)] = False
    strategy: Annotated[str, Option("Strategy that scores links.", STRATEGY, max_length=80)] = "tids"
    out: Annotated[
        Path | str | None, Option("Folder of the rounds.", OUTPUT, unset="named after the keywords", local=True)
    ] = None
