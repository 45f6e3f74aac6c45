"""The documentation as a site: `make docs` builds it with Sphinx, MyST (Markdown) and Furo (the theme).

Pages are read as CommonMark with GitHub's names for headings, so they look the same here, on GitHub and in an editor.
The lists of links in index.md and in decisions/README.md are the navigation. A page that is not in one of them fails
the build, and so does a broken link. Nothing in the built pages is loaded from elsewhere (tests/docs/test_site.py), and
they work from the disk, search included. (Material for MkDocs would have been nicer, but is maintained only until May
2027; its successor Zensical is still an alpha version and does not notice pages without a place.)
"""

import os
import re
import tomllib
from pathlib import Path

DOCS = Path(__file__).parent
PROJECT = tomllib.loads((DOCS.parent / "pyproject.toml").read_text())["project"]
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+\.md)")
ENTRY = re.compile(r"^[-|] \[[^]]*\]\(([^)#\s]+)\.md\)", re.M)

project = "Lycosa"
version = release = PROJECT["version"]
extensions = ["myst_parser"]
root_doc = "index"
myst_heading_anchors = 4
html_theme = "furo"
html_title = f"Lycosa {version}"
html_logo = html_favicon = "../src/lycosa/face/server/static/lycosa.svg"
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False


def navigation(text):
    """The lists of links on such a page as hidden tables of contents, one for each heading."""
    for section in re.split(r"^#+ ", text, flags=re.M)[1:]:
        heading, _, body = section.partition("\n")
        if pages := ENTRY.findall(body):
            yield "\n".join(["```{toctree}", ":hidden:", f":caption: {heading}", *pages, "```", ""])


def read(app, name, content):
    """Add the navigation, and let links to files outside this folder lead to the repository."""
    folder = (DOCS / name).parent

    def outside(found):
        file = Path(os.path.normpath(folder / found[1]))
        if file.is_relative_to(DOCS) or not file.exists():
            return found[1]
        return f"{PROJECT['urls']['Source']}/{file.relative_to(DOCS.parent)}"

    if Path(name).name in ("index", "README"):
        content[0] += "\n" + "\n".join(navigation(content[0]))
    content[0] = LINK.sub(outside, content[0])


def setup(app):
    app.connect("source-read", read)
