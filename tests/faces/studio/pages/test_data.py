"""The data page: rows, roles, combinations, and values that look like HTML."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from faces.studio.browser import PATIENCE, people, upload

expect.set_options(timeout=PATIENCE)
EVIL = "<img src=x onerror=document.title='gotcha'>"


def test_a_table_is_read_looked_at_and_shown(page: Page) -> None:
    upload(page, "people.csv", people())
    expect(page.get_by_role("heading", name="What each column is")).to_be_visible()
    expect(page.get_by_role("region", name="Combinations")).to_contain_text("zip")
    expect(page.get_by_role("region", name="Rows of people")).to_contain_text("Person 3")


def test_values_and_column_names_are_never_html(page: Page) -> None:
    upload(page, f"{EVIL}.csv", f"name,{EVIL}\nBob,{EVIL}\n" + "Eve,plain\n" * 5)
    rows = page.get_by_role("region", name="Rows of")
    expect(rows).to_contain_text(EVIL)
    expect(page.get_by_role("group", name=EVIL)).to_contain_text(EVIL)
    page.get_by_role("button", name="Accept all suggestions").click()
    expect(page.get_by_text("Every column is decided.")).to_be_visible()
    assert page.locator("img[src=x]").count() == 0
    assert "gotcha" not in page.title()
