"""`shoal query report` on a command line."""

from pathlib import Path

from faces.asking import COUNT, ask
from faces.shell import shoal


def test_a_report_of_the_ledger_in_this_folder() -> None:
    ask(COUNT, "--budget", 2)
    run = shoal("query", "report", "-o", "report.html", "--time-limit", 1, "--json")
    assert run.code == 0 and run.json["holds"] and run.json["questions"][0]["question"] == COUNT
    assert "Owner&#x27;s report" in Path("report.html").read_text("utf-8")
    assert "stays in the house" in run.err


def test_a_report_needs_a_place() -> None:
    run = shoal("query", "report")
    assert run.code == 2 and "-o report.html" in run.err
