"""Promises: forms made from the catalog, one plain sentence each, and questions that lead to one."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from faces.studio.browser import PATIENCE, Served, decided, people, slide, turn_to
from patience import until
from shoal.faces.studio.project import Project, TableFolder
from shoal.faces.studio.settings import Settings

expect.set_options(timeout=PATIENCE)


def table_of(served: Served, name: str) -> TableFolder:
    return Project(served.project).table(name)


def settings_of(served: Served, name: str) -> Settings:
    return table_of(served, name).settings


def test_a_question_leads_to_a_promise_whose_form_says_what_it_means(page: Page, served: Served) -> None:
    decided(page, "questions.csv", people())
    turn_to(page, "Promise")
    expect(page.get_by_text("each row looks like at least 4 others")).to_be_visible()
    page.get_by_role("button", name="Which do I need?").click()
    page.get_by_role("button", name="Yes: Is there a column that must stay secret").click()
    card = page.get_by_role("group", name="l-diversity")
    expect(card).to_contain_text("stops attribute linkage")
    field = card.get_by_label("l", exact=True)
    expect(field).to_have_accessible_description("different values in each group, at least; 2 or 3 is usual")
    field.fill("3")
    field.press("Tab")
    until(lambda: "l-diversity(l=3)" in settings_of(served, "questions").model, "the promise")
    field.fill("three")
    field.press("Tab")
    expect(card.get_by_role("alert")).to_contain_text("three")
    assert "l-diversity(l=3)" in settings_of(served, "questions").model
    page.get_by_role("button", name="Remove k-anonymity").click()
    expect(page.get_by_role("group", name="k-anonymity")).to_have_count(0)
    assert settings_of(served, "questions").model == ("l-diversity(l=3)",)


def test_method_objective_and_rows_left_out_are_kept(page: Page, served: Served) -> None:
    decided(page, "method.csv", people())
    turn_to(page, "Promise")
    page.get_by_role("combobox", name="What counts as loss").click()
    page.get_by_role("option", name="Precision").click()
    until(lambda: settings_of(served, "method").objective == "precision", "the objective")
    slider = page.get_by_role("slider", name="Rows that may be left out")
    slide(page, "Rows that may be left out", "ArrowRight")
    until(lambda: settings_of(served, "method").suppress == 0.06, "six per cent")
    page.get_by_role("button", name="Undo: leave out 6 %").click()
    expect(slider).to_have_attribute("aria-valuenow", "5")
