"""Takes the pictures of the studio that the documentation shows, with Debian's Chromium.

In a checkout with everything built: PYTHONPATH=tests .venv/bin/python docs/screenshots.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page
from small_png import small

from faces.studio.browser import browsing, serving, tab

PLACE = Path(__file__).parent / "images" / "studio"
LARGEST = 120_000  # bytes of a picture that is left as the browser packs it


def take(page: Page, name: str) -> None:
    """One picture, as a user of a laptop sees it."""
    page.wait_for_timeout(600)  # until nothing moves any more
    picture = page.screenshot()
    (PLACE / f"{name}.png").write_bytes(small(picture) if len(picture) > LARGEST else picture)


def walk(page: Page) -> None:
    """From the first page to a release."""
    page.get_by_role("button", name="Open the sample").wait_for()
    take(page, "start")
    page.get_by_role("button", name="Open the sample").click()
    page.get_by_role("heading", name="What each column is").wait_for()
    page.get_by_text("Rows 1–15").wait_for()
    take(page, "data")
    page.get_by_role("button", name="Accept all suggestions").click()
    page.get_by_role("button", name="Next: hierarchies").click()
    page.get_by_role("slider", name="Level of occupation").wait_for()
    page.get_by_text("people who are alone").wait_for()
    take(page, "hierarchies")
    page.get_by_role("button", name="Next: promise").click()
    page.get_by_text("each row looks like at least 4 others").wait_for()
    page.get_by_role("button", name="Add l-diversity").click()
    page.get_by_role("group", name="l-diversity").wait_for()
    take(page, "promise")
    page.get_by_role("button", name="Next: run").click()
    page.get_by_role("button", name="Protect").click()
    page.get_by_text("promise kept").wait_for()
    take(page, "run")
    page.get_by_role("button", name="Light or dark").click()
    take(page, "run-dark")
    page.get_by_role("button", name="Light or dark").click()


def look(page: Page) -> None:
    """What a release costs, whom an attack hits, and what may go out."""
    page.get_by_role("button", name="Next: explore").click()
    page.get_by_role("button", name="Look at all choices").click()
    page.get_by_text("The choice you picked").wait_for()
    take(page, "explore")
    page.get_by_role("link", name="Attack").click()
    page.get_by_role("button", name="Run the attack").click()
    page.get_by_role("heading", name="Hit in the original").wait_for()
    take(page, "attack")
    page.get_by_role("link", name="Report and export").click()
    page.get_by_role("button", name="Make the report").click()
    page.get_by_text("Report as PDF").wait_for()
    take(page, "report")


def also(page: Page) -> None:
    """A network with its promise, and a question with its answer."""
    page.get_by_role("link", name="Networks").click()
    page.get_by_role("button", name="Open the sample network").click()
    page.get_by_role("img", name="The network as a picture").wait_for()
    page.get_by_role("heading", name="network", exact=True).evaluate("one => one.scrollIntoView()")
    take(page, "networks")
    page.get_by_role("link", name="Questions").click()
    page.get_by_label("Column that tells whose row it is").click()
    page.get_by_role("option", name="patient_id", exact=True).click()
    page.get_by_label("Values of sex").fill("F,M")
    page.get_by_role("button", name="Use this").click()
    page.get_by_label("Question in SQL").fill("SELECT sex, COUNT(*) AS people FROM patients GROUP BY sex")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("region", name="answer").wait_for()
    page.get_by_label("Question in SQL").scroll_into_view_if_needed()
    take(page, "questions")


def main() -> None:
    PLACE.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "project") as served,
        browsing() as browser,
        tab(browser, served, 1180, 760) as page,
    ):
        walk(page)
        look(page)
        also(page)


if __name__ == "__main__":
    main()
