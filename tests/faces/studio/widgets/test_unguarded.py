"""The warning about sensitive columns that no promise protects."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from faces.studio.browser import PATIENCE, Served, decided, people, turn_to
from shoal.faces.studio.project import Project

expect.set_options(timeout=PATIENCE)


def test_a_sensitive_column_that_no_promise_protects_is_told_and_guarded_by_one_click(
    page: Page, served: Served
) -> None:
    decided(page, "open.csv", people())
    told = page.get_by_text("No promise protects ill yet")
    turn_to(page, "Run")
    expect(told).to_be_visible()
    turn_to(page, "Promise")
    expect(told).to_be_visible()
    page.get_by_role("button", name="Add l-diversity").click()
    expect(page.get_by_role("group", name="l-diversity")).to_be_visible()
    expect(told).to_have_count(0)
    assert Project(served.project).table("open").settings.model == ("k-anonymity(k=5)", "l-diversity(l=2)")
    page.get_by_role("button", name="Remove l-diversity").click()
    expect(told).to_be_visible()
