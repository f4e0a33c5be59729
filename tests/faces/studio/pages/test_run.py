"""Runs: the way from upload to a release that `verify` accepts, cancelled runs, and pages loaded again."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from faces.shell import shoal
from faces.studio.browser import PATIENCE, Served, decided, follow, people, tab, turn_to
from shoal.faces.studio.project import Project

expect.set_options(timeout=PATIENCE)


def test_from_upload_to_a_downloaded_release_that_verify_accepts(page: Page, folder: Path) -> None:
    decided(page, "whole.csv", people(200))
    follow(page, "Next: hierarchies", "Hierarchies")
    follow(page, "Next: promise", "Promise")
    field = page.get_by_role("group", name="k-anonymity").get_by_label("k", exact=True)
    expect(page.get_by_text("at least 4 others")).to_be_visible()  # the form is there, and was looked at
    field.fill("4")
    field.press("Tab")
    expect(page.get_by_text("at least 3 others")).to_be_visible()
    follow(page, "Next: run", "Run")
    expect(page.get_by_text("k-anonymity(k=4)").first).to_be_visible()
    page.get_by_role("button", name="Protect").click()
    expect(page.get_by_text("promise kept")).to_be_visible()
    expect(page.get_by_role("button", name="Next: explore")).to_be_visible()
    for button, name in (("Download the release", "release.csv"), ("Manifest", "release.csv.shoal.json")):
        with page.expect_download() as download:
            page.get_by_role("button", name=button).click()
        download.value.save_as(folder / name)
    verdict = shoal("table", "verify", folder / "release.csv", "--json")
    assert verdict.code == 0, verdict.err
    assert verdict.json["models"][0]["name"] == "k-anonymity"
    assert verdict.json["models"][0]["level"] >= 4
    assert "Person" not in (folder / "release.csv").read_text()


def test_nothing_is_released_before_every_column_is_decided(page: Page, served: Served) -> None:
    decided(page, "undecided.csv", people())
    page.get_by_role("button", name="Undo: accepted all suggestions").click()
    expect(page.get_by_text("4 columns are undecided")).to_be_visible()
    turn_to(page, "Run")
    expect(page.get_by_role("alert")).to_contain_text("Nobody has decided about name, zip, age, ill")
    expect(page.get_by_role("button", name="Protect")).to_have_count(0)
    assert not Project(served.project).table("undecided").runs.all


def test_a_promise_out_of_reach_is_told_in_the_place_of_the_run(page: Page, served: Served) -> None:
    decided(page, "unreachable.csv", people())
    table = Project(served.project).table("unreachable")
    turn_to(page, "Promise")
    field = page.get_by_role("group", name="k-anonymity").get_by_label("k", exact=True)
    field.fill("5000")
    field.press("Tab")
    expect(
        page.get_by_text("at least 4,999 others").or_(page.get_by_text("at least 4999 others"))
    ).to_be_visible()
    turn_to(page, "Run")
    page.get_by_role("button", name="Protect").click()
    expect(page.get_by_text("not possible")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("5000")
    assert not [*table.folder.glob("runs/*/release.csv")]


def test_a_run_is_found_again_by_a_new_page_and_leaves_nothing_when_cancelled(
    chromium: Browser, served: Served
) -> None:
    with tab(chromium, served) as page:
        decided(page, "halted.csv", people())
        turn_to(page, "Run")
        expect(page.get_by_role("button", name="Protect")).to_be_visible()
        table = Project(served.project).table("halted")
        with served.halted_workers():
            page.get_by_role("button", name="Protect").click()
            expect(page.get_by_text("at work")).to_be_visible()
            page.reload()
            run = page.get_by_role("region", name="Run 1")
            expect(run.get_by_text("at work")).to_be_visible()
            expect(run.get_by_role("progressbar")).to_be_visible()
            turn_to(page, "Data")  # a click is answered while a run is at work
            expect(page.get_by_text("Every column is decided.")).to_be_visible()
            turn_to(page, "Run")
            run.get_by_role("button", name="Cancel").click()
            expect(run.get_by_text("cancelled")).to_be_visible()
        assert [path.name for path in (table.folder / "runs").rglob("*") if path.is_file()] == ["run.json"]
        page.get_by_role("button", name="Protect").click()
        expect(page.get_by_role("region", name="Run 2").get_by_text("promise kept")).to_be_visible()
        page.get_by_role("button", name="Remove run 1").click()
        expect(page.get_by_role("region", name="Run 1")).to_have_count(0)
