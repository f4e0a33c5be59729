"""The console: declare, see the error first, ask until it is refused; and the same at a service."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from faces.studio.browser import PATIENCE, Served, halted, people, turn_to, upload
from queries.service.houses import furnish, lines
from queries.service.houses import served as serving

expect.set_options(timeout=PATIENCE)


def test_a_table_is_asked_until_the_budget_is_spent(page: Page) -> None:
    upload(page, "askable.csv", people().replace("age", "years", 1))
    expect(page.get_by_role("heading", name="What each column is")).to_be_visible()
    turn_to(page, "Questions")
    page.get_by_label("Table", exact=True).click()
    page.get_by_role("option", name="askable", exact=True).click()
    expect(page.get_by_label("Smallest years")).to_be_visible()  # no longer the form of another table
    page.get_by_role("button", name="Use this").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose the column that tells whose row it is")
    page.get_by_label("Column that tells whose row it is").click()
    page.get_by_role("option", name="name", exact=True).click()
    page.get_by_label("Values of ill").fill("flu,gout")
    page.get_by_label("Smallest years").fill("young")
    page.get_by_role("button", name="Use this").click()
    expect(page.get_by_role("alert")).to_contain_text("young")
    page.get_by_label("Smallest years").fill("")
    page.get_by_role("button", name="Use this").click()
    question = page.get_by_label("Question in SQL")
    question.fill("SELECT il")
    question.press("End")
    page.get_by_role("group", name="Names that fit").get_by_role("button", name="ill").click()
    expect(question).to_have_value("SELECT ill")
    question.fill("SELECT ill, COUNT(*) AS n FROM askable GROUP BY ill")
    page.get_by_role("button", name="What would it cost?").click()
    expect(page.get_by_role("region", name="expected error")).to_contain_text("n")
    expect(page.get_by_text("Nothing was spent yet.")).to_be_visible()
    page.get_by_label("ε for this question").fill("0.8")
    page.get_by_role("button", name="Copy as").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("pre")).to_contain_text("shoal query ask")
    dialog.get_by_role("tab", name="shoal.toml").click()
    expect(dialog.locator("pre")).to_contain_text("[query.datasets.data]")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_role("region", name="answer")).to_contain_text("gout")
    expect(page.get_by_text("0.2 of 1")).to_be_visible()
    expect(page.get_by_role("region", name="Log")).to_contain_text("GROUP BY ill")
    question.fill("SELECT COUNT(*) AS everybody FROM askable")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("0.2")
    question.fill("SELECT name FROM askable")
    page.get_by_role("button", name="What would it cost?").click()
    expect(page.get_by_role("alert")).to_be_visible()


def test_a_name_is_completed_while_the_server_stands_still(page: Page, served: Served) -> None:
    upload(page, "typed.csv", people().replace("age", "years of life", 1))
    expect(page.get_by_role("heading", name="What each column is")).to_be_visible()
    turn_to(page, "Questions")
    page.get_by_label("Table", exact=True).click()
    page.get_by_role("option", name="typed", exact=True).click()
    expect(page.get_by_label("Smallest years of life")).to_be_visible()  # the form of this table
    page.get_by_label("Column that tells whose row it is").click()
    page.get_by_role("option", name="name", exact=True).click()
    page.get_by_role("button", name="Use this").click()
    question, offers = page.get_by_label("Question in SQL"), page.get_by_role("group", name="Names that fit")
    question.fill("SELECT AVG(ye) FROM typed")
    for _ in range("SELECT AVG(ye) FROM typed".count("") - len("SELECT AVG(ye") - 1):
        question.press("ArrowLeft")
    expect(offers.get_by_role("button")).to_have_count(1)
    with halted(served.pid):
        offers.get_by_role("button", name="years of life").click()
        expect(question).to_have_value('SELECT AVG("years of life") FROM typed')
        question.press_sequentially(" + 1")  # where the cursor is now
        expect(question).to_have_value('SELECT AVG("years of life" + 1) FROM typed')
    page.get_by_role("button", name="What would it cost?").click()
    expect(page.get_by_role("alert")).to_contain_text("years of life")  # bounds are missing, so it arrived
    expect(question).to_have_value('SELECT AVG("years of life" + 1) FROM typed')


def test_a_service_that_is_not_there_is_told_where_it_was_named(page: Page) -> None:
    turn_to(page, "Questions")
    page.get_by_role("radio", name="A running service").click()
    page.get_by_label("Address").fill("http://127.0.0.1:9")
    page.get_by_label("Token").fill("nobody")
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("alert")).to_contain_text("No answer from http://127.0.0.1:9")


def test_an_analyst_asks_a_running_service_until_it_refuses(
    page: Page, served: Served, tmp_path: Path
) -> None:
    house = furnish(tmp_path)
    with serving(house.service) as at:
        turn_to(page, "Questions")
        page.get_by_role("radio", name="A running service").click()
        page.get_by_label("Address").fill(at.url)
        page.get_by_label("Token").fill(house.bob)
        page.get_by_role("button", name="Connect").click()
        page.get_by_label("Question in SQL").fill("SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward")
        page.get_by_role("button", name="What would it cost?").click()
        expect(page.get_by_role("region", name="expected error")).to_contain_text("n")
        page.get_by_label("the error you can live with").fill("50")
        page.get_by_role("button", name="Find ε").click()
        expect(page.get_by_label("ε for this question")).to_have_value("0.119")
        expect(page.get_by_text("1 of 1")).to_be_visible()
        page.get_by_label("ε for this question").fill("0.75")
        page.get_by_role("button", name="Ask", exact=True).click()
        expect(page.get_by_role("region", name="answer")).to_contain_text("heart")
        expect(page.get_by_text("0.25 of 1")).to_be_visible()
        expect(page.get_by_role("region", name="Log")).to_contain_text("GROUP BY ward")
        page.get_by_label("Question in SQL").fill("SELECT COUNT(*) AS everybody FROM visits")
        page.get_by_role("button", name="Ask", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text("0.25")
        expect(page.get_by_text("0.25 of 1")).to_be_visible()
        kept = [path.read_bytes() for path in served.project.rglob("*") if path.is_file()]
        assert not any(house.bob.encode() in content for content in kept), "the token was kept"
    assert {line["person"] for line in lines(house) if "person" in line} <= {"bob"}
