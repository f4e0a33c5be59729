"""What a report about a network finds out, and what it keeps to itself."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

import shoal
from graphs.drawn import power_law
from shoal.core.errors import BadInput
from shoal.faces.cli.app import app
from shoal.graphs.appraisal.dossier import GraphDossier
from shoal.graphs.formats.files import write_graph
from shoal.graphs.graph import Graph
from shoal.jobs.graphs.report import report_graph
from shoal.jobs.graphs.requests import ReportGraph
from shoal.jobs.schemas import schema_of
from shoal.report.document import document, write_report
from shoal.report.html import html

TRIED = ("degree", "percolation(seeds=8)", "walk(k=6,d0=4,d1=8,targets=3,trials=2)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("network")
    import polars as pl

    drawn = power_law(140, 600, 4)
    names = pl.Series([f"person-{number}" for number in range(140)])
    write_graph(replace(drawn, labels=names), place / "net.csv")
    shoal.protect(place / "net.csv", k=4, output=place / "out.csv", mapping=place / "who.csv", seed=1)
    shoal.protect(place / "net.csv", model="k-grouping(k=4)", method="grouping(rounds=0)",
                  output=place / "groups.csv", seed=1)  # fmt: skip
    shoal.protect(place / "net.csv", model="edge-differential-privacy(epsilon=1)", output=place / "noise.csv")
    return place


def told(folder: Path, name: str, **words: Any) -> GraphDossier:
    given = {"attack": TRIED, "original": str(folder / "net.csv"), "seed": 1, "made": "2026-01-31", **words}
    return report_graph(ReportGraph(data=str(folder / name), **given))


@pytest.fixture(scope="module")
def dossier(folder: Path) -> GraphDossier:
    return told(folder, "out.csv", truth=str(folder / "who.csv"))


def test_promises_are_checked_and_attacks_tried_before_and_after(dossier: GraphDossier) -> None:
    assert dossier.verdict.holds and dossier.verdict.promises[0].name == "k-degree"
    by_name = {trial.name: trial for trial in dossier.trials}
    for name in ("degree", "percolation", "walk"):
        assert by_name[name].before is not None and by_name[name].after is not None
    degree, second = by_name["degree"], by_name["percolation"]
    assert degree.before and degree.before.rate.hits and degree.after and not degree.after.works
    assert second.after and second.after.works and second.after.cured is not None
    assert by_name["coalition"].unasked


def test_what_changed_is_counted_edge_by_edge_where_it_is_told_who_is_who(dossier: GraphDossier) -> None:
    changes = dossier.appraisal.changes
    assert changes is not None and changes.removed == 0 and changes.added > 0
    assert dossier.appraisal.before is not None and dossier.appraisal.before.edges == changes.kept


def test_nobody_is_named(dossier: GraphDossier) -> None:
    page = html(document(dossier)) + json.dumps(dossier.to_json())
    assert "person-" not in page
    assert "for whoever decides, not for publication" in page and "Keep this report in the house." in page


def test_groups_and_noise_have_nobody_to_find_and_say_so(folder: Path) -> None:
    groups = told(folder, "groups.csv")
    assert not groups.paired and groups.groups is not None and groups.groups.smallest >= 4
    noise = told(folder, "noise.csv")
    for found in (groups, noise):
        asked = [trial for trial in found.trials if not trial.unasked]
        assert all(trial.void and trial.after is None and "nobody to find" in trial.reason for trial in asked)
        assert all(trial.before is not None for trial in asked), (
            "what they achieve without protection is told"
        )
        page = html(document(found))
        assert "No attack has anything to find in it" in page and "do not apply to this release" in page
        assert found.appraisal.changes is None


def test_without_the_original_it_may_be_published(folder: Path) -> None:
    found = told(folder, "out.csv", original=None, attack=("degree",))
    page = html(document(found))
    assert found.trials[0].before is None and "not for publication" not in page
    assert "the original was not given" in page


def test_without_the_truth_claims_are_counted_and_the_report_says_so(folder: Path) -> None:
    found = told(folder, "out.csv", attack=("degree",))
    assert not found.truth and found.appraisal.changes is None
    assert any("who is who was not given" in note for note in found.notes)


def test_a_file_that_was_changed_is_told(folder: Path, tmp_path: Path) -> None:
    for name in ("out.csv", "out.csv.shoal.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    with (tmp_path / "out.csv").open("a") as stream:
        stream.write("0,1\n")
    found = told(tmp_path, "out.csv", original=None, attack=("degree",))
    assert found.altered and "find out who changed it" in html(document(found))


def test_who_decided_is_told(dossier: GraphDossier) -> None:
    by = {choice.what: choice.by for choice in dossier.choices}
    assert by["promise"] == "flags" and by["method"] == "default" and by["labels of people"] == "default"


def test_one_command_reports_tables_and_networks(folder: Path, tmp_path: Path) -> None:
    words = ["report", str(folder / "out.csv"), "--original", str(folder / "net.csv"), "--attack", "degree",
             "--truth", str(folder / "who.csv"), "--seed", "1", "--json"]  # fmt: skip
    pages = tmp_path / "report.html", tmp_path / "report.pdf"
    ran = CliRunner().invoke(app, [*words, "-o", str(pages[0]), "--pdf", str(pages[1])])
    assert ran.exit_code == 0, ran.output
    document = json.loads(ran.stdout)
    Draft202012Validator(schema_of(["report"])).validate(document)
    assert document["nodes"] == 140 and "degrees" not in document["structure"]
    assert pages[0].read_text("utf-8").count("<svg") >= 3 and pages[1].read_bytes().startswith(b"%PDF")
    assert "--truth" in document["command"] and "--seed 1" in document["command"]
    again = write_report(folder / "out.csv", attack="degree")
    assert isinstance(again, GraphDossier)


def test_what_cannot_be_reported_is_refused_in_a_sentence(folder: Path) -> None:
    net = str(folder / "net.csv")
    for output, pdf, cause in (
        ("report.txt", None, "is .html or .pdf"),
        (net + ".html", "x.doc", "name of a PDF"),
        (net, None, "is .html or .pdf"),
    ):
        with pytest.raises(BadInput, match=cause):
            write_report(folder / "out.csv", original=net, output=output, pdf=pdf)
    for words, cause in (
        ({"time_limit": 0}, "above 0"),
        ({"seed": -1}, "from 0 on"),
        ({"attack": ("linkage",)}, "attack for tables"),
    ):
        with pytest.raises(BadInput, match=cause):
            told(folder, "out.csv", **words)
    ran = CliRunner().invoke(app, ["report", str(folder / "out.csv"), "--quasi", "a", "-o", "x.html"])
    assert ran.exit_code == 2 or "--quasi is not for a graph" in str(ran.exception)


def test_a_graph_without_a_manifest_needs_the_promise_told(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "bare.csv").write_bytes((folder / "out.csv").read_bytes())
    found = told(tmp_path, "bare.csv", original=None, attack=("degree",), k=4)
    assert found.verdict.holds and not found.choices
    assert "How it was made is not known" in html(document(found))
    assert isinstance(found, GraphDossier) and isinstance(power_law(5, 4, 1), Graph)
