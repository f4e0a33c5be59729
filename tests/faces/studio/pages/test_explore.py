"""The page Explore: the lattice, rows before and after, and choosing another node."""

from __future__ import annotations

import re
from dataclasses import replace

from playwright.sync_api import Page, expect

from faces.studio.browser import PATIENCE, Served, people
from faces.studio.released import SETTINGS, released, run_again
from patience import until
from shoal.faces.studio.project import Project

expect.set_options(timeout=PATIENCE)
EVIL = "<img src=x onerror=document.title='gotcha'>"


def test_without_a_release_the_page_says_what_to_do(page: Page, served: Served) -> None:
    Project(served.project).add("bare.csv", lambda place: place.write_text(people(), "utf-8"))
    page.goto(f"{served.origin}/table/bare/explore")
    expect(page.get_by_text("There is no release to explore yet.")).to_be_visible()


def test_any_node_can_be_picked_and_an_unsafe_one_says_why(page: Page, served: Served) -> None:
    rows = people().replace("flu", EVIL)
    table = released(served.project, "explored", rows)
    page.goto(f"{served.origin}/table/{table.name}/explore")
    region = page.get_by_role("region", name="Rows before and after")
    expect(region.locator("td.s-changed").first).to_be_visible()
    expect(region).to_contain_text(EVIL)
    expect(page.get_by_text("rows were the only one of their kind")).to_be_visible()
    page.get_by_role("button", name="Look at all choices").click()
    picked = page.locator(".s-picked")
    expect(picked).to_contain_text("The best choice of levels that keeps the promise")
    # By keyboard: the lowest level of every column cannot be safe.
    for column in ("zip", "age"):
        choice = picked.get_by_role("combobox", name=column)
        choice.focus()
        choice.press("Enter")
        page.get_by_role("option", name="as it is").click()
        expect(choice).to_be_focused()  # whoever chooses by keyboard stays where they are
    expect(picked).to_contain_text("Breaks the promise")
    expect(picked).to_contain_text(re.compile(r"would leave out \d+ rows"))
    expect(picked.get_by_role("button", name="Release this choice")).to_have_count(0)
    page.reload()
    expect(page.locator(".s-picked")).to_be_visible()  # what was found is still there
    assert page.locator("img[src=x]").count() == 0 and "gotcha" not in page.title()


def test_changed_cells_are_marked_where_groups_have_labels_of_their_own(page: Page, served: Served) -> None:
    table = released(served.project, "parted", people(200), replace(SETTINGS, method="local-recoding"))
    page.goto(f"{served.origin}/table/{table.name}/explore")
    region = page.get_by_role("region", name="Rows before and after")
    expect(region.locator("td.s-changed").filter(has_text="[").first).to_be_visible()
    # What is not certain is said once, and shown in the cells that it is about.
    expect(page.get_by_text("Where several groups fit a row")).to_have_count(1)
    expect(region.get_by_text(re.compile(r"\bor \[|one of \d+ labels")).first).to_be_visible()
    expect(page.get_by_text("is spread evenly over them")).to_be_visible()


def test_a_picked_node_becomes_a_run_of_its_own(page: Page, served: Served) -> None:
    table = released(served.project, "applied", people())
    run_again(table, SETTINGS)  # before anybody has looked at it
    page.goto(f"{served.origin}/table/{table.name}/explore")
    expect(page.get_by_role("combobox", name="Release")).to_be_visible()
    page.get_by_role("button", name="Look at all choices").click()
    picked = page.locator(".s-picked")
    choice = picked.get_by_role("combobox", name="zip")
    choice.focus()
    choice.press("Enter")
    page.get_by_role("option", name="hidden").click()
    expect(picked).to_contain_text("Keeps the promise")
    picked.get_by_role("button", name="Release this choice").click()
    page.wait_for_url("**/run")
    done = table.folder / "runs" / "003" / "release.csv"
    until(done.exists, "the release of the choice")
    assert all(line.split(",")[0] == "*" for line in done.read_text("utf-8").splitlines()[1:])
