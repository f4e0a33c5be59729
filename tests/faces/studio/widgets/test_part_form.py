"""A form made from the parameters of a part: numbers, choices, and columns to choose from."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from faces.studio.browser import PATIENCE, Served, decided, people, turn_to
from patience import until
from shoal.faces.studio.project import Project

expect.set_options(timeout=PATIENCE)


def test_every_kind_of_parameter_reaches_the_spelling(page: Page, served: Served) -> None:
    decided(page, "forms.csv", people())
    turn_to(page, "Promise")
    page.get_by_role("button", name="Which do I need?").click()
    page.get_by_role("button", name="Yes: Would").click()
    card = page.get_by_role("group", name="t-closeness")
    card.get_by_role("combobox", name="distance").click()
    page.get_by_role("option", name="hierarchical").click()
    card.get_by_label("column (optional)").fill("ill")
    card.get_by_label("column (optional)").press("Tab")

    def spelled() -> bool:
        models = Project(served.project).table("forms").settings.model
        return "t-closeness(t=0.5,distance=hierarchical,column=ill)" in models

    until(spelled, "the promise as it was filled in")
    expect(card.get_by_role("alert")).to_have_count(0)
