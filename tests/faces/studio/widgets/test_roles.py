"""Roles: suggested, chosen by one click, and the same in every tab."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from faces.studio.browser import PATIENCE, Served, people, tab, upload
from shoal.faces.studio.project import Project
from shoal.faces.studio.widgets.roles import columns_as_one

expect.set_options(timeout=PATIENCE)


def test_one_click_decides_and_another_tab_sees_it(page: Page, chromium: Browser, served: Served) -> None:
    upload(page, "shared.csv", people())
    zip_code = page.get_by_role("group", name="zip")
    expect(zip_code).to_contain_text("Quasi-identifier: ")
    with tab(chromium, served) as other:
        other.goto(page.url)
        expect(other.get_by_text("4 columns are undecided")).to_be_visible()
        zip_code.get_by_role("button", name="Sensitive").click()
        expect(other.get_by_text("3 columns are undecided")).to_be_visible()
        pressed = other.get_by_role("group", name="zip").get_by_role("button", name="Sensitive")
        expect(pressed).to_have_attribute("aria-pressed", "true")
    settings = Project(served.project).table("shared").settings
    assert settings.roles == {"zip": "sensitive"}
    assert settings.accepted == ()


def test_accepting_everything_says_that_it_was_a_suggestion(page: Page, served: Served) -> None:
    upload(page, "accepted.csv", people())
    page.get_by_role("group", name="age").get_by_role("button", name="Harmless").click()
    expect(page.get_by_text("3 columns are undecided")).to_be_visible()
    page.get_by_role("button", name="Accept all suggestions").click()
    expect(page.get_by_text("Every column is decided.")).to_be_visible()
    settings = Project(served.project).table("accepted").settings
    assert settings.roles["age"] == "insensitive"
    assert "age" not in settings.accepted
    assert "zip" in settings.accepted


def test_columns_that_determine_each_other_are_one_thing_with_one_decision(
    page: Page, served: Served
) -> None:
    cities = ("Rome", "Oslo", "Bern", "Riga")
    lines = [f"P{number},{number % 4},{cities[number % 4]},{20 + number % 9}" for number in range(80)]
    upload(page, "twins.csv", "\n".join(["name,city_code,city,age", *lines]))
    both = page.get_by_role("group", name="city_code, city")
    expect(both).to_contain_text("decided about as one")
    both.get_by_role("button", name="Quasi-identifier").click()
    expect(page.get_by_text("2 columns are undecided")).to_be_visible()
    assert Project(served.project).table("twins").settings.roles == {"city_code": "quasi", "city": "quasi"}


def test_groups_that_share_a_column_are_one_group() -> None:
    def tells(one: str, other: str, mutual: bool = True) -> dict[str, object]:
        return {"determining": [one], "determined": other, "mutual": mutual}

    found = {
        "columns": dict.fromkeys("abcde"),
        "dependencies": [tells("d", "b"), tells("b", "d"), tells("e", "d"), tells("a", "c", mutual=False)],
    }
    assert columns_as_one(found) == [("a",), ("b", "d", "e"), ("c",)]
