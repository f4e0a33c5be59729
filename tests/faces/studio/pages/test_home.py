"""The first page: the sample, an upload, a file of the folder, and a file that is no table."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from faces.studio.browser import PATIENCE, Served, people, upload
from shoal.faces.studio.lists import lists_of
from shoal.faces.studio.project import Project

expect.set_options(timeout=PATIENCE)


def test_the_sample_hospital_opens(page: Page, served: Served) -> None:
    expect(page.get_by_role("listitem").filter(has_text="Decide about every column")).to_be_visible()
    page.get_by_role("button", name="Open the sample").click()
    expect(page.get_by_text("20,000", exact=True)).to_be_visible()
    expect(page.get_by_role("group", name="diagnosis")).to_contain_text("Sensitive: the column name")
    assert (served.project / "patients" / "patients.csv").is_file()
    assert list(lists_of(Project(served.project).table("patients"))) == ["voters.csv"]


def test_a_wrong_file_is_told_where_it_was_given(page: Page, served: Served) -> None:
    upload(page, "virus.exe", "MZ")
    expect(page.get_by_role("alert")).to_contain_text("The file was not taken: it is none of .csv")
    upload(page, "virus.exe.gz", "MZ")
    expect(page.get_by_role("alert")).to_contain_text("'virus.exe.gz' is no table that Shoal reads")
    upload(page, "broken.parquet", "this is no Parquet")
    expect(page.get_by_role("heading", name="This file cannot be read")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("broken.parquet")
    expect(page.get_by_role("alert")).not_to_contain_text(str(served.project))
    page.get_by_role("button", name="Remove this file").click()
    expect(page.get_by_role("heading", name="Upload a file")).to_be_visible()
    assert not (served.project / "broken").exists()
    upload(page, "broken.csv", "a,b\n1,2,3\n")
    expect(page.get_by_role("alert")).to_contain_text("'broken.csv' has 3 fields on line 2")
    page.get_by_role("button", name="Remove this file").click()
    expect(page.get_by_role("heading", name="Upload a file")).to_be_visible()
    upload(page, "broken.csv", people())  # repaired, and under the same name
    expect(page.get_by_text("4 columns are undecided")).to_be_visible()
    assert not [*(served.project / ".studio").glob("arriving-*")]


def test_a_file_of_the_project_folder_is_used_and_a_table_is_removed(page: Page, served: Served) -> None:
    (served.project / "lying-there.csv").write_text(people())
    page.reload()
    page.get_by_role("button", name="Use it").click()
    expect(page.get_by_text("4 columns are undecided")).to_be_visible()
    page.get_by_role("link", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Make data about people safe to share")
    page.get_by_role("button", name="Remove lying-there").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_role("button", name="Remove lying-there")).to_have_count(0)
    assert not (served.project / "lying-there").exists()
    (served.project / "lying-there.csv").unlink()
