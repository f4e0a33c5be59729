"""The page of networks: upload, look, protect, attack, download."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from faces.studio.browser import PATIENCE, Served, turn_to, upload
from faces.studio.test_networks import ring
from shoal import verify

expect.set_options(timeout=PATIENCE)


def test_a_network_from_upload_to_a_verified_download(page: Page, served: Served) -> None:
    turn_to(page, "Networks")
    # The first page takes files, too.
    expect(page.get_by_role("heading", name="Networks", level=1)).to_be_visible()
    upload(page, "wrong.gml", "this is no GML")
    expect(page.get_by_role("alert")).to_contain_text("wrong.gml")
    upload(page, "friends.csv", ring())
    expect(page.get_by_role("img", name="The network as a picture")).to_be_visible()
    page.get_by_label("k", exact=True).fill("ninety")
    page.get_by_role("button", name="Protect").click()
    expect(page.get_by_role("alert").last).to_contain_text("ninety")
    page.get_by_label("k", exact=True).fill("99")
    page.get_by_role("button", name="Protect").click()
    expect(page.get_by_role("alert").last).to_contain_text("30")  # fewer people than k
    page.get_by_label("k", exact=True).fill("3")
    page.get_by_label("k", exact=True).press("Tab")
    expect(page.get_by_text("as at least 2 others")).to_be_visible()
    page.get_by_role("button", name="Copy as").nth(1).click()
    expect(page.get_by_role("dialog").locator("pre")).to_contain_text("--model 'k-degree(k=3)'")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Protect").click()
    expect(page.get_by_text("k-degree holds")).to_be_visible()
    expect(page.get_by_role("region", name="Before and after")).to_contain_text("Clustering")
    page.get_by_label("Attack", exact=True).click()
    page.get_by_role("option", name="degree", exact=True).click()
    page.get_by_role("button", name="Attack", exact=True).click()
    expect(page.get_by_role("region", name="Attacks")).to_contain_text("0 of 30")
    with page.expect_download() as told:
        page.get_by_role("button", name="Release", exact=True).click()
    place = served.project.parent / "downloaded.csv"
    told.value.save_as(place)
    assert verify(place, model="k-degree(k=3)").holds
