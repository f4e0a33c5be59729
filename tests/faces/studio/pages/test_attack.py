"""The page Attack: an uploaded list, who is hit before and after, and the group of one of them."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from faces.studio.browser import PATIENCE, Served, people, upload
from faces.studio.released import released

expect.set_options(timeout=PATIENCE)


def test_a_list_hits_people_before_and_nobody_after(page: Page, served: Served) -> None:
    table = released(served.project, "attacked", people())
    page.goto(f"{served.origin}/table/{table.name}/attack")
    run = page.get_by_role("button", name="Run the attack")
    run.click()
    expect(page.get_by_role("alert").first).to_contain_text("needs a list of people")
    upload(page, "voters.exe", "x")
    expect(page.get_by_text("The file was not taken: it is none of .csv")).to_be_visible()
    upload(page, "voters.csv", "name,zip,age\nPerson 1,1101,21\nPerson 2,1202,22\n")
    expect(page.get_by_role("combobox", name="A list of people")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Run the attack").click()
    expect(page.get_by_text("of 2 people hit in the original (100.0%)")).to_be_visible()
    expect(page.get_by_text("of 2 people hit in the release (0.0%)")).to_be_visible()
    page.get_by_role("button", name="See the group of Person 1").click()
    expect(page.get_by_role("region", name="Rows that may be Person 1")).to_be_visible()
