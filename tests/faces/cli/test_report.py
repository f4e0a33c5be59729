"""`shoal report`: what it prints, writes and answers."""

from pathlib import Path

import pytest

from ..shell import ROLES, patients, protect, refused, shoal


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("patients.csv").write_text(patients(), "utf-8")
    assert protect("patients.csv", "-o", "release.csv", *ROLES, "--k", 3, "--suppress", 0.1).code == 0
    return "release.csv"


FEW = ("--attack", "linkage", "--external", "patients.csv")


def test_html_and_pdf_are_written_and_named(release: str) -> None:
    run = shoal(
        "report", release, "-o", "report.html", "--pdf", "report.pdf", "--original", "patients.csv", *FEW
    )
    assert run.code == 0, run.err
    assert "report.html" in run.err and "report.pdf" in run.err and "linkage" in run.out
    assert Path("report.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert Path("report.pdf").read_bytes().startswith(b"%PDF-")


def test_o_with_pdf_writes_a_pdf_alone(release: str) -> None:
    assert shoal("report", release, "-o", "only.pdf", *FEW).code == 0
    assert Path("only.pdf").read_bytes().startswith(b"%PDF-")


def test_json_needs_no_file_and_names_nobody(release: str) -> None:
    run = shoal("report", release, "--json", "--original", "patients.csv", *FEW)
    assert run.code == 0 and run.json["holds"] is True
    assert run.json["attacks"][0]["before"]["hits"] > 0
    assert "Person" not in run.out


def test_standard_output_gets_the_page_alone(release: str) -> None:
    run = shoal("report", release, "-o", "-", *FEW)
    assert run.code == 0 and run.out.startswith("<!DOCTYPE html>") and run.out.endswith("</html>\n")


def test_a_broken_promise_is_exit_code_1_and_the_report_says_so(release: str) -> None:
    lines = Path(release).read_text("utf-8").splitlines()
    Path(release).write_text("\n".join(lines[:2]) + "\n", "utf-8")
    run = shoal("report", release, "-o", "report.html", *FEW)
    assert run.code == 1
    text = Path("report.html").read_text("utf-8")
    assert 'class="box bad"' in text and "promises do not hold." in text
    assert '<span class="bad-text">does not hold</span>' in text


@pytest.mark.usefixtures("release")
def test_a_project_file_gives_what_flags_leave_open() -> None:
    Path("shoal.toml").write_text(
        '[table]\nfile = "release.csv"\n[table.report]\noutput = "from-file.html"\nattack = ["linkage"]\n'
        'external = "patients.csv"\n',
        "utf-8",
    )
    assert shoal("report", "--config", "shoal.toml").code == 0
    assert Path("from-file.html").exists()


@pytest.mark.usefixtures("release")
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("release.csv",), "give -o report.html"),
        (("release.csv", "-o", "report.docx"), ".html or .pdf"),
        (("nothing.csv", "-o", "report.html"), "nothing.csv"),
        (("release.csv", "-o", "release.csv"), ".html or .pdf"),
        (("release.csv", "-o", "report.html", "--attack", "nonsense"), "no attack 'nonsense'"),
        (("release.csv", "-o", "report.html", "--original", "missing.csv"), "missing.csv"),
        (("release.csv", "-o", "report.html", "--hierarchy", "zip"), "--hierarchy takes"),
        (("release.csv", "-o", "-", "--json"), "standard output"),
        (("-o", "report.html"), "no table given"),
    ],
)
def test_bad_input_is_one_sentence_and_nothing_is_written(words: tuple[str, ...], why: str) -> None:
    assert why in refused("report", *words)
