"""E13: a file that is named after a URL lies in its folder, whatever the URL."""

import os

import pytest
from sites import Sites, html

import lycosa
from lycosa.store.export_formats import file_name

URLS = (
    "http://a.test/../../x",
    "http://a.test/%2e%2e/%2e%2e/etc/passwd",
    "http://a.test/\0",
    "http://a.test/" + "x" * 5000,
    "http://a.test/CON",
    "http://a.test/AUX.txt",
    "http://a.test/trailing.",
    "http://a.test/Case",
    "http://a.test/case",
    "http://a.test/C:\\x",
    "http://a.test/~root",
    "http://a.test/-rf",
    "http://a.test/\n",
    "http://a.test/😀",
    "http://a.test/?/../../x",
    "http://a.test/.ssh/authorized_keys",
)
RESERVED = {"con", "prn", "aux", "nul"}


@pytest.mark.row("E13")
def test_every_file_lies_in_its_folder(figure, run, tmp_path):
    names = [file_name(url) for url in URLS]
    outside = [name for name in names if "/" in name or "\\" in name or "\0" in name or name.startswith((".", "-"))]
    outside += [name for name in names if len(os.fsencode(name)) > 200 or name.partition(".")[0] in RESERVED]
    assert len({name.lower() for name in names}) == len(set(URLS)), "two URLs share a file"
    pages = {f"a.test/{n}/..%2F..%2Fescaped": html("spider", text="spider") for n in range(3)}
    pages["a.test/"] = html("spider", *(f"http://{place}" for place in pages))
    with Sites(pages) as sites:
        how = {"pages": 10, "delay": 0.0, "proxy": sites.proxy, "index": False}
        with lycosa.hunt("spider", ["http://a.test/"], out=tmp_path / "in" / "c", **how) as hunt:
            kept = sum(1 for _ in hunt)
    assert run("export", tmp_path / "in" / "c", tmp_path / "in" / "md")[0] == 0
    made = list((tmp_path / "in" / "md").iterdir())
    outside += [str(path) for path in tmp_path.iterdir() if path.name != "in"]
    figure(f"{len(outside)} outside of the folder, {len(URLS)} odd URLs, {len(made)} of {kept} pages exported")
    assert len(made) == kept and not outside
