"""Hierarchies: the ladder of each column, and what levels do to groups."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from faces.studio.browser import PATIENCE, decided, people, slide, turn_to, upload

expect.set_options(timeout=PATIENCE)


def test_a_table_without_quasi_identifiers_says_where_to_go(page: Page) -> None:
    upload(page, "nothing.csv", people())
    expect(page.get_by_text("4 columns are undecided")).to_be_visible()
    turn_to(page, "Hierarchies")
    page.get_by_role("button", name="Decide about the columns").click()
    expect(page.get_by_text("4 columns are undecided")).to_be_visible()


def test_levels_change_the_groups_at_once(page: Page) -> None:
    decided(page, "ladders.csv", people(120))
    turn_to(page, "Hierarchies")
    expect(page.get_by_text("of 120 rows in groups smaller than 5")).to_be_visible()
    for column in ("zip", "age"):
        slide(page, f"Level of {column}", "PageUp")
    expect(page.get_by_text("every group has at least 120 rows")).to_be_visible()
