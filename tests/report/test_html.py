import re
from html.parser import HTMLParser

import polars as pl

from report.conftest import Case
from shoal.report.blocks import Cell, Document, Grid, Title, Words
from shoal.report.document import document
from shoal.report.html import html

VOID = {"meta", "col", "br", "path", "rect"}


class Outline(HTMLParser):
    """Every tag is closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def outline(text: str) -> Outline:
    found = Outline()
    found.feed(text)
    assert not found.open
    return found


def test_it_needs_no_network_and_no_script(case: Case) -> None:
    text = html(document(case.dossier))
    assert not re.findall(r"(?:src|href|url|@import)\s*[=(]", text)
    addresses = set(re.findall(r"https?://[^\s\"'<]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}  # the name of a format, never asked for
    seen = outline(text).seen
    assert not {"script", "link", "img", "iframe", "object", "form"} & set(seen)
    assert not re.search(r"\son\w+=", text)


def test_it_is_well_formed_and_accessible(case: Case) -> None:
    text = html(document(case.dossier))
    seen = outline(text).seen
    assert text.startswith("<!DOCTYPE html>") and '<html lang="en">' in text and "<title>" in text
    assert seen.count("h1") == 1 and seen.count("h2") == 9 and seen.count("main") == 1
    assert seen.count("caption") == seen.count("table") > 3
    assert text.count('role="img" aria-label="') == seen.count("svg") > 1


def test_nobody_is_named(case: Case) -> None:
    text = html(document(case.dossier))
    original = pl.read_csv(case.original, infer_schema=False)
    assert not [name for name in original["name"] if re.search(rf"\b{name}\b", text)]
    raw = set(original["zip"]) - set(pl.read_csv(case.release, infer_schema=False)["zip"])
    assert not [code for code in raw if re.search(rf"(?<![\w]){code}(?![\w])", text)]


def test_promises_attacks_and_fingerprints_are_there(case: Case) -> None:
    text = html(document(case.dossier))
    for words in ("k-anonymity(k=3)", "l-diversity(l=2)", "linkage", "homogeneity", "Linkability"):
        assert words in text
    for one in case.dossier.prints:
        assert one.sha256 in text


def test_a_column_can_be_called_anything() -> None:
    odd = "<script>alert(1)</script>\x00&\"'"
    text = html(
        Document(
            odd,
            odd,
            "2026-01-31",
            (Title(odd, odd, odd), Words(odd), Grid(odd, (odd,), ((Cell(odd),),), (1,))),
        )
    )
    assert "script" not in outline(text).seen and "\x00" not in text


def test_on_a_phone_every_cell_says_what_it_is_and_no_table_needs_to_be_moved(case: Case) -> None:
    made = html(document(case.dossier))
    assert '<div class="grid"><table>' in made and 'data-head="verdict"' in made
    narrow = made[made.index("@media (max-width") : made.index("@page")]
    assert "attr(data-head)" in narrow and ".grid thead" in narrow and "min-width: 38rem" not in narrow
