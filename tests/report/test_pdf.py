import re
import shutil
import subprocess
import zlib
from importlib.resources import files
from pathlib import Path

import pytest

from report.conftest import Case
from shoal.report.blocks import Cell, Chart, Code, Document, Grid, Title, Words
from shoal.report.charts import attacks_chart
from shoal.report.document import document
from shoal.report.pdf import pdf


def test_it_is_a_pdf_with_pages_and_tags(case: Case) -> None:
    made = pdf(document(case.dossier))
    assert made.startswith(b"%PDF-1.") and made.rstrip().endswith(b"%%EOF")
    whole = made + b"".join(_unpacked(made))
    assert len(re.findall(rb"/Type\s*/Page\b", whole)) >= 2
    assert b"/StructTreeRoot" in whole and b"Inter" in whole


def test_the_same_document_gives_the_same_bytes(case: Case) -> None:
    told = document(case.dossier)
    assert pdf(told) == pdf(told)


@pytest.mark.parametrize("odd", ["#eval(1) $x$ *b* @y <z>", "日本語", "\x01\x07", "a" * 400, "\u202e"])
def test_a_column_can_be_called_anything(odd: str, case: Case) -> None:
    chart = Chart(attacks_chart(case.dossier.tried, True), odd, odd)
    grid = Grid(odd, (odd,), ((Cell(odd, code=True),),), (1,))
    made = pdf(Document(odd, odd, "2026-01-31", (Title(odd, odd, odd), Words(odd), grid, chart, Code(odd))))
    assert made.startswith(b"%PDF-")


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs pdftotext of poppler-utils")
def test_a_fingerprint_copied_from_the_page_is_the_fingerprint(case: Case, tmp_path: Path) -> None:
    place = tmp_path / "report.pdf"
    place.write_bytes(pdf(document(case.dossier)))
    copied = subprocess.run(["pdftotext", place, "-"], capture_output=True, check=True, timeout=60).stdout
    assert case.dossier.prints
    for one in case.dossier.prints:
        assert one.sha256 in copied.decode(), "on one line, and with no sign in between"


def test_no_word_is_broken_by_signs_that_nobody_sees() -> None:
    source = files("shoal.report").joinpath("report.typ").read_text("utf-8")
    assert not re.search(r"200b|zws|shy|\\-\?", source)


def _unpacked(made: bytes) -> list[bytes]:
    found = []
    for body in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", made, re.DOTALL):
        try:
            found.append(zlib.decompress(body))
        except zlib.error:
            continue
    return found
