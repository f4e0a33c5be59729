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


def test_a_column_that_tells_another_is_told_though_it_is_not_told_by_it(page: Page) -> None:
    towns = {"Rome": "Italy", "Milan": "Italy", "Bern": "Switzerland", "Basel": "Switzerland"}
    lines = [f"P{number},{list(towns.items())[number * 7 % 4][0]}" for number in range(120)]
    rows = [f"{line},{towns[line.split(',')[1]]},{20 + number % 9}" for number, line in enumerate(lines)]
    upload(page, "towns.csv", "\n".join(["name,town,country,age", *rows]))
    told = page.get_by_role("region", name="Columns that give others away")
    expect(told).to_contain_text("town")
    expect(told.get_by_role("row").filter(has_text="town").last).to_contain_text("country")
    expect(page.get_by_role("group", name="country", exact=True)).to_be_visible()  # they are two things


def test_values_and_column_names_are_never_html(page: Page) -> None:
    upload(page, f"{EVIL}.csv", f"name,{EVIL}\nBob,{EVIL}\n" + "Eve,plain\n" * 5)
    rows = page.get_by_role("region", name="Rows of")
    expect(rows).to_contain_text(EVIL)
    expect(page.get_by_role("group", name=EVIL)).to_contain_text(EVIL)
    page.get_by_role("button", name="Accept all suggestions").click()
    expect(page.get_by_text("Every column is decided.")).to_be_visible()
    assert page.locator("img[src=x]").count() == 0
    assert "gotcha" not in page.title()
