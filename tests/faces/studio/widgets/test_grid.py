"""Rows stay on the server: the browser has one page of them."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from faces.studio.browser import PATIENCE, people, upload
from shoal.faces.studio.widgets.grid import PAGE

expect.set_options(timeout=PATIENCE)


def test_one_page_of_rows_at_a_time(page: Page) -> None:
    upload(page, "paged.csv", people(100))
    rows = page.get_by_role("region", name="Rows of paged").locator("tbody tr")
    expect(page.get_by_text("Rows 1–15 of 100")).to_be_visible()
    expect(rows).to_have_count(PAGE)
    expect(page.get_by_role("button", name="Previous rows")).to_be_disabled()
    page.get_by_role("button", name="Next rows").click()
    expect(rows.first).to_contain_text("Person 15")
    page.get_by_label("Go to row").fill("100")
    page.get_by_label("Go to row").press("Enter")
    expect(page.get_by_text("Rows 91–100 of 100")).to_be_visible()
    expect(rows).to_have_count(10)
    expect(page.get_by_role("button", name="Next rows")).to_be_disabled()
