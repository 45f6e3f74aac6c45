"""A report in a folder."""

import struct
import xml.etree.ElementTree as ET

from lycosa.lab.report.figures import curve_panel
from lycosa.lab.report.pictures import file_svg, panel_svg
from lycosa.lab.report.write import write_report


def test_a_report_is_a_page_with_its_figures_and_tables(report):
    assert report.name == "report.html"
    names = {"trajectories", "importance", "static-dynamic", "reliability", "topics", "path-1"}
    figures = {file.name for file in (report.parent / "figures").iterdir()}
    assert figures == {
        f"{task}-{name}.{kind}" for task in ("examples", "neighbors") for name in names for kind in ("svg", "png")
    }
    assert (report.parent / "tables" / "neighbors" / "summary.tex").is_file()
    written = report.read_text(encoding="utf-8")
    for file in (report.parent / "tables" / "examples").iterdir():
        assert f'<a href="tables/examples/{file.name}">' in written


def test_figures_are_valid_svg_and_png_at_twice_the_size(report, hostile_report):
    pictures = [file for page in (report, hostile_report) for file in (page.parent / "figures").glob("*.svg")]
    assert len(pictures) == 17
    for picture in pictures:
        tree = ET.parse(picture).getroot()
        assert tree.tag == "{http://www.w3.org/2000/svg}svg"
        assert len(list(tree.iter())) > 40
        image = picture.with_suffix(".png").read_bytes()
        assert image[:8] == b"\x89PNG\r\n\x1a\n" and image[-8:-4] == b"IEND"
        width, height = struct.unpack(">II", image[16:24])
        assert (width, height) == (2 * round(float(tree.get("width"))), 2 * round(float(tree.get("height"))))


def test_what_is_written_in_a_picture_is_not_changed(measured):
    comparison = measured(("dom:alpha=0.2567", '"#2e5187"'))
    panel = curve_panel(comparison, "target_recall", {label: way for way, label in enumerate(comparison.arms)})
    for drawn in (file_svg([panel], 1), panel_svg(panel, 2, "name", "key")):
        assert ">dom:alpha=0.2567<" in drawn and '>"#2e5187"<' in drawn


def test_the_same_comparison_gives_the_same_report_in_the_place_of_the_old_one(chapter, few_plots, tmp_path):
    facts = {"labels": ("only",), "topics": 1, "pages": 3, "without": few_plots}
    made = chapter(**facts)
    before = {file: file.read_bytes() for file in written(write_report(tmp_path, [made]))}
    claims = tmp_path / "tables" / "claims.csv"
    claims.write_text("a table that is there already")
    # Another task has other files, and those of the first are gone.
    neighbors = chapter(**facts, task="neighbors")
    page = write_report(tmp_path, [neighbors], also=[claims])
    assert 'href="tables/claims.csv"' in page.read_text()
    assert len(written(page)) == len(before) + 1 > 12
    assert [file for file in written(page) if "examples" in str(file.relative_to(tmp_path))] == []
    again = {file: file.read_bytes() for file in written(write_report(tmp_path, [made]))}
    assert before == again


def written(page):
    return [file for file in page.parent.rglob("*") if file.is_file()]
