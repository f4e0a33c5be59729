"""Everybody can use it: axe finds nothing on any page, in light and dark; keys are enough; a tablet is wide
enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from faces.studio.browser import PATIENCE, Served, decided, people, serving, tab, turn_to
from house.sources import ROOT

expect.set_options(timeout=PATIENCE)
AXE = ROOT / ".axe" / "node_modules" / "axe-core" / "axe.min.js"
# What tells that a page is all there.
PAGES = {
    "data": "Rows 1–15 of 60",
    "hierarchies": "people who are alone in their group",
    "promise": "each row looks like at least 4 others",
    "run": "promise kept",
    "explore": "rows were the only one of their kind",
    "attack": "Attack the release",
    "report": "Give these away",
    "networks": "Add a network",
    "questions": "Who answers?",
}
PROJECT = ("networks", "questions")  # pages that are not about one table
# Axe takes seconds a page: the way to a release is looked at every time, the rest in `make slow`.
OFTEN = ("", "data", "hierarchies", "promise", "run")
EVERY = [*OFTEN, *(pytest.param(name, marks=pytest.mark.slow) for name in PAGES if name not in OFTEN)]


@pytest.fixture(scope="module")
def whole(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A tab at a table that has been protected once, in a studio of its own."""
    with serving(tmp_path_factory.mktemp("axe") / "project") as served, tab(chromium, served) as page:
        decided(page, "axe.csv", people())
        turn_to(page, "Run")
        page.get_by_role("button", name="Protect").click()
        expect(page.get_by_text("promise kept")).to_be_visible()
        yield page


def go(page: Page, name: str) -> None:
    start = "/".join(page.url.split("/")[:3])
    home = f"{start}/{'' if name in PROJECT else 'table/axe/'}"
    page.goto(f"{home}{name}" if name else start)
    if name:
        expect(page.get_by_text(PAGES[name]).first).to_be_visible()
    else:
        expect(page.get_by_role("button", name="Open the sample")).to_be_visible()


def violations(page: Page) -> list[str]:
    page.evaluate(AXE.read_text("utf-8"))
    found: dict[str, Any] = page.evaluate("async () => await axe.run({exclude: [['#q-loading-bar']]})")
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes']][:3]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical", "moderate")
    ]


@pytest.mark.skipif(not AXE.is_file(), reason="no axe-core here; `make axe` fetches it from the npm registry")
@pytest.mark.parametrize("name", EVERY)
def test_axe_finds_nothing_in_light_and_dark(whole: Page, name: str) -> None:
    go(whole, name)
    assert not violations(whole)
    whole.get_by_role("button", name="Light or dark").click()
    expect(whole.locator("body")).to_have_class(re.compile("body--dark"))
    try:
        assert not violations(whole)
    finally:
        whole.get_by_role("button", name="Light or dark").click()
        expect(whole.locator("body")).not_to_have_class(re.compile("body--dark"))


@pytest.mark.parametrize("name", EVERY)
def test_a_tablet_is_wide_enough(whole: Page, name: str) -> None:
    size = whole.viewport_size
    assert size is not None
    whole.set_viewport_size({"width": 820, "height": 1180})
    try:
        go(whole, name)
        assert whole.evaluate("document.documentElement.scrollWidth") <= 820
        expect(whole.get_by_role("link", name="Start")).not_to_be_in_viewport()  # nothing lies on the page
        whole.get_by_role("button", name="Navigation").click()
        expect(whole.get_by_role("link", name="Start")).to_be_in_viewport()
    finally:
        whole.set_viewport_size(size)


def focused(page: Page) -> str:
    """What has the focus, by its name."""
    script = """() => {
        const here = document.activeElement;
        return here === document.body ? '' : here.getAttribute('aria-label') || here.innerText || '';
    }"""
    return str(page.evaluate(script))


def tab_to(page: Page, name: str) -> None:
    """Press Tab until something of this name has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if name in focused(page):
            return
    raise AssertionError(f"Tab does not come to {name!r}")


def test_keys_are_enough_from_the_sample_to_a_run(chromium: Browser, served: Served) -> None:
    (served.project / "keys.csv").write_text(people())
    with tab(chromium, served) as page:
        expect(page.get_by_role("button", name="Use it")).to_be_visible()
        tab_to(page, "Use it")
        page.keyboard.press("Enter")
        expect(page.get_by_text("4 columns are undecided")).to_be_visible()
        tab_to(page, "Accept all suggestions")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Every column is decided.")).to_be_visible()
        tab_to(page, "Run")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Protect")).to_be_visible()
        tab_to(page, "Protect")
        page.keyboard.press("Enter")
        expect(page.get_by_text("promise kept")).to_be_visible()
    (served.project / "keys.csv").unlink()
