"""The frame: navigation, undo, light and dark, and nothing that is fetched from elsewhere."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from faces.studio.browser import PATIENCE, Served, people, tab, turn_to, upload

expect.set_options(timeout=PATIENCE)


def test_the_first_page_asks_nobody_else_for_anything(chromium: Browser, served: Served) -> None:
    with tab(chromium, served) as page:
        asked: list[str] = []
        page.context.on("request", lambda request: asked.append(request.url))
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text("Make data about people safe to share")
        assert len(asked) > 5
        assert not [url for url in asked if not url.startswith((served.origin, "data:", "blob:"))]
        assert "token" not in page.url


def test_a_table_that_is_not_there_is_told_in_one_sentence(page: Page, served: Served) -> None:
    page.goto(f"{served.origin}/table/..%2f..%2fetc/data")
    expect(page.get_by_text("not found")).to_be_visible()
    page.goto(f"{served.origin}/table/none/data")
    expect(page.get_by_role("heading", level=1)).to_have_text("No such table")
    page.get_by_role("button", name="Back to the start").click()
    expect(page.get_by_role("button", name="Open the sample")).to_be_visible()


def test_navigation_names_the_page_that_one_is_on_and_undo_takes_back(page: Page) -> None:
    upload(page, "framed.csv", people())
    expect(page.get_by_role("link", name="Data")).to_have_attribute("aria-current", "page")
    expect(page.get_by_role("button", name="Nothing to undo")).to_be_disabled()
    page.get_by_role("button", name="Accept all suggestions").click()
    expect(page.get_by_text("Every column is decided.")).to_be_visible()
    page.get_by_role("button", name="Undo: accepted all suggestions").click()
    expect(page.get_by_text("4 columns are undecided")).to_be_visible()
    page.get_by_role("button", name="Redo: accepted all suggestions").click()
    expect(page.get_by_text("Every column is decided.")).to_be_visible()
    turn_to(page, "Networks")
    expect(page.get_by_role("heading", level=1)).to_have_text("Networks")
    turn_to(page, "Data")  # the way back to the table is still there
    expect(page.get_by_text("Every column is decided.")).to_be_visible()


def test_light_and_dark_are_remembered(chromium: Browser, served: Served) -> None:
    with tab(chromium, served) as page:
        body = page.locator("body")
        expect(body).to_have_class(re.compile("body--(light|dark)"))  # not before it is decided
        dark = "body--dark" in (body.get_attribute("class") or "")
        page.get_by_role("button", name="Light or dark").click()
        wanted = re.compile("body--light" if dark else "body--dark")
        expect(body).to_have_class(wanted)
        page.reload()
        expect(body).to_have_class(wanted)
        page.get_by_role("button", name="Light or dark").click()
        expect(body).not_to_have_class(wanted)
