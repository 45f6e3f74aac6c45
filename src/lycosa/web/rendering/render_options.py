"""Whether pages are rendered, by which browser, and what a page may cost there."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import force_setattr

from lycosa.system.errors import Code, Refused, check_range

MODES = NEVER, AUTO, ALWAYS = "never", "auto", "always"
"""With auto, only pages whose plain answer is an empty shell are rendered."""
BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
"""Names under which a browser may be installed: Chromium and what is made from it."""


class RenderOptions(Struct, frozen=True, kw_only=True):
    """Whether pages are rendered, and the limits of one page."""

    mode: Literal["never", "auto", "always"] = "never"
    browser: str = ""
    """Path of the browser; empty: the first of BROWSERS that is installed."""
    seconds: float = 20.0
    """Most seconds for a page in the browser. The pauses that hosts want are not counted."""
    requests: int = 50
    """Most requests that a page's scripts may make."""
    memory: int = 1024
    """Megabytes with which the browser is killed and replaced."""

    def __post_init__(self) -> None:
        check_range("render_seconds", self.seconds, above=0)
        check_range("render_requests", self.requests, 0)
        check_range("render_memory", self.memory, 128)
        if self.browser:
            # A crawl may be resumed from another working directory.
            found = shutil.which(self.browser) or self.browser
            force_setattr(self, "browser", str(Path(found).absolute()))

    @property
    def wanted(self) -> bool:
        """Whether any page may be rendered."""
        return self.mode != NEVER

    def must_be_ready(self) -> None:
        """Refuse to begin if pages are to be rendered and the package or the browser is not installed."""
        if not self.wanted:
            return
        if find_spec("playwright") is None:
            raise Refused(
                "rendering needs the playwright package",
                "pip install 'lycosa[render]'",
                code=Code.NEEDS_PACKAGE,
                field="render",
            )
        self.path()

    def path(self) -> str:
        """The path of the browser."""
        if self.browser:
            if not (Path(self.browser).is_file() and os.access(self.browser, os.X_OK)):
                raise Refused(
                    f"{self.browser} is not a program that can be run",
                    "give the path of an installed Chromium or Chrome",
                    code=Code.NOT_FOUND,
                    field="browser",
                )
            return self.browser
        found = next(filter(None, map(shutil.which, BROWSERS)), None)
        if found is None:
            raise Refused(
                "rendering needs a browser, and no Chromium or Chrome was found",
                "install one (apt install chromium), or give its path",
                code=Code.NEEDS_PACKAGE,
                field="browser",
            )
        return found
