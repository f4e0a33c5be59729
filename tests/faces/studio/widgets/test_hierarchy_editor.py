"""One column's hierarchy: another rule, labels moved by hand, import with what is not covered, export."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from faces.studio.browser import PATIENCE, Served, decided, people, slide, turn_to
from patience import until
from shoal.faces.studio.project import Project

expect.set_options(timeout=PATIENCE)


def hierarchy_of(served: Served, name: str) -> dict[str, str]:
    return dict(Project(served.project).table(name).settings.hierarchy)


def test_a_rule_that_the_values_do_not_allow_is_refused_where_it_was_chosen(
    page: Page, served: Served
) -> None:
    decided(page, "rules.csv", people())
    turn_to(page, "Hierarchies")
    age = page.locator("section").filter(has=page.get_by_role("heading", name="age", exact=True))
    age.get_by_role("button", name="Dates").click()
    expect(age.get_by_role("alert")).to_contain_text("age")
    assert hierarchy_of(served, "rules") == {}
    age.get_by_role("button", name="Intervals").click()
    width = age.get_by_role("slider", name="Width of intervals of age")
    expect(width).to_be_visible()
    slide(page, "Width of intervals of age", "ArrowRight")
    until(
        lambda: hierarchy_of(served, "rules").get("age") == "interval(width=20,levels=3)", "wider intervals"
    )
    expect(age).to_contain_text("[20, 40)")


def test_labels_are_moved_by_hand_and_undone(page: Page, served: Served) -> None:
    decided(page, "moved.csv", people())
    turn_to(page, "Hierarchies")
    page.get_by_role("button", name="Edit level 1 of zip").click()
    page.get_by_label("1000 becomes").fill("centre")
    page.get_by_role("button", name="Save", exact=True).click()
    zips = page.locator("section").filter(has=page.get_by_role("heading", name="zip", exact=True))
    expect(zips).to_contain_text("centre")
    file = hierarchy_of(served, "moved")["zip"]
    assert file == "hierarchies/column-2-001.csv"
    assert "1000,centre" in (served.project / "moved" / file).read_text().replace(";", ",")
    page.get_by_role("button", name="Undo: zip: labels moved").click()
    expect(zips).not_to_contain_text("centre")
    # The same seen as a tree: opened branch by branch, and a value put under another one.
    zips.get_by_role("button", name="Tree", exact=True).click()
    zips.get_by_role("button", name=re.compile("^Open 10.* on level 2")).click()
    zips.get_by_role("button", name="Move 1000 on level 0 of zip").click()
    page.get_by_label("Group").fill("harbour")
    page.get_by_role("button", name="Move", exact=True).click()
    expect(zips.get_by_role("button", name="Open harbour on level 1")).to_be_visible()
    file = hierarchy_of(served, "moved")["zip"]
    assert "1000,harbour" in (served.project / "moved" / file).read_text().replace(";", ",")


def test_an_import_lists_what_it_does_not_cover(page: Page, served: Served, folder: Path) -> None:
    decided(page, "imported.csv", people())
    turn_to(page, "Hierarchies")
    zips = page.locator("section").filter(has=page.get_by_role("heading", name="zip", exact=True))
    with page.expect_download() as download:
        zips.get_by_role("button", name="Export the hierarchy of zip").click()
    download.value.save_as(folder / "zip.csv")
    lines = (folder / "zip.csv").read_text().splitlines()
    upload = zips.locator("input[type=file]")
    partly = {"name": "zip.csv", "mimeType": "text/csv", "buffer": "\n".join(lines[1:]).encode()}
    upload.set_input_files(partly)  # type: ignore[arg-type]
    expect(zips.get_by_role("alert")).to_contain_text("does not cover 1 values")
    expect(zips.locator(".s-risk").last).to_have_text(lines[0].split(",")[0].split(";")[0])
    assert hierarchy_of(served, "imported") == {}
    whole = {"name": "zip.csv", "mimeType": "text/csv", "buffer": "\n".join(lines).encode()}
    upload.set_input_files(whole)  # type: ignore[arg-type]
    until(lambda: "zip" in hierarchy_of(served, "imported"), "the imported hierarchy")
