"""The page Report and export: files to download, the mapping, and copies of the job."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

import shoal
from faces.studio.browser import PATIENCE, Served, people
from faces.studio.released import released

expect.set_options(timeout=PATIENCE)


def test_what_is_downloaded_can_be_verified(
    page: Page, served: Served, tmp_path_factory: pytest.TempPathFactory
) -> None:
    table = released(served.project, "exported", people())
    page.goto(f"{served.origin}/table/{table.name}/report")
    place = tmp_path_factory.mktemp("downloads")
    for title, name in (("The release", "release.csv"), ("The manifest", "release.csv.shoal.json")):
        with page.expect_download() as arriving:
            page.get_by_role("button", name=f"Download {title}").click()
        arriving.value.save_as(place / name)
    assert shoal.verify(str(place / "release.csv")).holds
    page.get_by_role("button", name="Write the mapping of values").click()
    expect(page.get_by_text("This mapping must not be published")).to_be_visible()
    expect(page.get_by_role("button", name="Download The mapping of values")).to_be_visible()


def test_the_job_of_a_page_can_be_copied(page: Page, served: Served) -> None:
    table = released(served.project, "copied", people())
    page.goto(f"{served.origin}/table/{table.name}/data")
    page.get_by_role("button", name="Copy as").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("pre")).to_contain_text("shoal table inspect")
    dialog.get_by_role("tab", name="shoal.toml").click()
    expect(dialog.locator("pre")).to_contain_text("[table.inspect]")
    dialog.get_by_role("tab", name="Python").click()
    expect(dialog.locator("pre")).to_contain_text("shoal.inspect(")


@pytest.mark.slow
def test_the_report_is_made_and_downloaded(page: Page, served: Served) -> None:
    table = released(served.project, "reported", people())
    page.goto(f"{served.origin}/table/{table.name}/report")
    page.get_by_role("button", name="Make the report").click()
    expect(page.get_by_text("The promise holds")).to_be_visible()
    with page.expect_download() as arriving:
        page.get_by_role("button", name="Download Report as PDF").click()
    assert arriving.value.path().read_bytes().startswith(b"%PDF")
