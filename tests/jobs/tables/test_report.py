import hashlib
import logging
import shlex
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from report.conftest import Case, case  # noqa: F401  the fixture
from shoal.core.errors import BadParameter, ShoalError
from shoal.jobs.report_files import places, write_files
from shoal.jobs.tables.report import report_table
from shoal.jobs.tables.requests import ReportTable
from shoal.tables.manifest import Manifest, beside


def test_everything_is_taken_from_the_manifest(case: Case) -> None:  # noqa: F811
    found = case.dossier
    columns = {column.name: column for column in found.columns}
    assert columns["name"].fate == "removed" and columns["ill"].fate == "unchanged"
    assert {columns[name].role for name in ("zip", "age", "sex")} == {"quasi"}
    assert found.rows == 60 and found.released + (found.suppressed or 0) == 60
    assert found.method == "optimal" and found.measured and found.risk_before is not None
    assert not found.notes


def test_what_became_of_a_column_is_told_by_levels_and_labels(case: Case) -> None:  # noqa: F811
    released = pl.read_csv(case.release, infer_schema=False)
    for column in case.dossier.columns:
        if column.role == "quasi":
            assert set(column.labels) <= set(released[column.name])
            assert column.after == released[column.name].n_unique()
            assert column.level is not None and (not column.level or column.level <= (column.height or 0))


def test_each_file_is_read_once(case: Case, caplog: pytest.LogCaptureFixture) -> None:  # noqa: F811
    with caplog.at_level(logging.INFO, "shoal"):
        report_table(case.job())
    read = Counter(record.getMessage().split(":")[0] for record in caplog.records)
    files = (case.release, case.original, case.people)
    assert {name: times for name, times in read.items() if name.startswith("read ")} == {
        f"read '{file}'": 1 for file in files
    }


def test_the_record_may_be_elsewhere_and_is_read_once(
    case: Case,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moved, record = tmp_path / "moved.csv", tmp_path / "record.html"
    moved.write_bytes(case.release.read_bytes())
    record.write_bytes(beside(case.release).read_bytes())
    read: list[Path] = []
    really = Manifest.read

    def reading(path: Path) -> Manifest:
        read.append(path)
        return really(path)

    monkeypatch.setattr(Manifest, "read", reading)
    job = case.job(data=str(moved), manifest=str(record))
    found = report_table(job)
    assert found.verdict.holds and found.rows == 60 and found.method == "optimal"
    assert [one.file for one in found.prints] == ["moved.csv", "record.html"]
    assert read == [record]
    with pytest.raises(BadParameter, match="other files of this request"):
        places(replace(job, output=str(record)))


def test_fingerprints_are_those_of_the_files(case: Case) -> None:  # noqa: F811
    prints = {one.what: one.sha256 for one in case.dossier.prints}
    for what, path in (("release", case.release), ("manifest", Path(f"{case.release}.shoal.json"))):
        assert prints[what] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert set(prints) == {"release", "manifest"}, "by that of the original a guess could be confirmed"


def test_linkage_succeeds_before_and_fails_after(case: Case) -> None:  # noqa: F811
    trial = next(trial for trial in case.dossier.trials if trial.name == "linkage")
    assert trial.before is not None and trial.after is not None
    assert trial.before.rate.hits > 50 and trial.after.rate.hits == 0


def test_without_original_and_list_less_is_told(case: Case) -> None:  # noqa: F811
    found = report_table(ReportTable(data=str(case.release), attack=("linkage",)))
    assert found.risk_before is None and not found.measured and found.losses
    assert found.trials[0].after is None and "--external" in found.trials[0].reason
    assert [one.what for one in found.prints] == ["release", "manifest"]


def test_without_a_manifest_the_flags_tell(case: Case, tmp_path: Path) -> None:  # noqa: F811
    bare = tmp_path / "bare.csv"
    shutil.copy(case.release, bare)
    with pytest.raises(BadParameter, match="no promise to verify"):
        report_table(ReportTable(data=str(bare)))
    found = report_table(
        ReportTable(data=str(bare), quasi=("zip", "age", "sex"), sensitive=("ill",), k=3, attack=("linkage",))
    )
    assert found.verdict.holds and found.method == "" and found.rows is None
    assert {column.fate for column in found.columns} == {"unknown"}


def test_a_wrong_original_is_noticed(case: Case, tmp_path: Path) -> None:  # noqa: F811
    other = tmp_path / "other.csv"
    pl.read_csv(case.original, infer_schema=False).head(59).write_csv(other)
    found = report_table(case.job(original=str(other)))
    assert any("as many rows" in note for note in found.notes)
    other.write_text("a,b\n1,2\n", "utf-8")
    with pytest.raises(BadParameter, match="none of the release's quasi-identifiers"):
        report_table(case.job(original=str(other)))
    with pytest.raises(ShoalError, match=r"missing\.csv"):
        report_table(case.job(original=str(tmp_path / "missing.csv")))


def test_a_population_is_used_and_one_that_does_not_fit_is_refused(case: Case, tmp_path: Path) -> None:  # noqa: F811
    assert report_table(case.job(population=str(case.original))).has_population
    few = tmp_path / "few.csv"
    pl.read_csv(case.original, infer_schema=False).head(20).write_csv(few)
    with pytest.raises(BadParameter, match="the population does not contain the table"):
        report_table(case.job(population=str(few)))


def test_a_changed_file_breaks_the_promise(case: Case, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "release.csv"
    pl.read_csv(case.release, infer_schema=False).head(1).write_csv(path)
    shutil.copy(f"{case.release}.shoal.json", f"{path}.shoal.json")
    found = report_table(ReportTable(data=str(path), attack=("linkage",)))
    assert not found.verdict.holds and any("fingerprint" in note for note in found.notes)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"output": "report.docx"}, "html or .pdf"),
        ({"pdf": "report.html"}, "name of a PDF"),
        ({"output": "a.pdf", "pdf": "b.pdf"}, "both name a PDF"),
        ({"output": "no-such-folder/report.html"}, "no folder"),
        ({"data": "-"}, "not -"),
    ],
)
def test_bad_places_are_refused_before_any_work(case: Case, changed: dict[str, str], why: str) -> None:  # noqa: F811
    with pytest.raises(BadParameter, match=why):
        places(case.job(**changed))


def test_a_report_never_replaces_what_it_reads(case: Case, tmp_path: Path) -> None:  # noqa: F811
    page = tmp_path / "list.html"
    page.write_text("zip\n1\n", "utf-8")
    with pytest.raises(BadParameter, match="other files of this request"):
        places(case.job(external=str(page), output=str(page)))


def test_the_command_repeats_the_request(case: Case) -> None:  # noqa: F811
    words = shlex.split(report_table(case.job(title="A title")).command)
    assert words[:2] == ["shoal", "report"] and words[words.index("--title") + 1] == "A title"
    assert words.count("--attack") == 2 and words[words.index("--original") + 1] == str(case.original)


def test_files_are_whole_or_not_there(tmp_path: Path) -> None:
    write_files({tmp_path / "a": b"1", str(tmp_path / "b"): b"2"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_a_population_serves_risk_and_promises_as_they_need_it(case: Case, tmp_path: Path) -> None:  # noqa: F811
    common: dict[str, Any] = {"identifier": "name", "quasi": "zip,age,sex", "sensitive": "ill", "seed": 1}
    mixed, present = tmp_path / "mixed.csv", tmp_path / "present.csv"
    shoal.protect(case.original, output=mixed, method="mondrian", k=3, **common)
    hierarchies = {"zip": "mask()", "age": "interval(width=10)", "sex": "flat()"}
    shoal.protect(
        case.original,
        output=present,
        model="delta-presence(low=0,high=1)",
        population=case.original,
        hierarchy=hierarchies,
        **common,
    )
    for release in (mixed, present):
        found = report_table(
            ReportTable(
                data=str(release),
                population=str(case.original),
                attack=("homogeneity",),
                hierarchy=hierarchies,
            )
        )
        assert found.verdict.holds and found.has_population
        assert found.risk.journalist.highest <= found.risk.prosecutor.highest


def test_a_time_limit_is_a_number_of_seconds() -> None:
    for wrong in (0, -1, "soon"):
        with pytest.raises(BadParameter, match="--time-limit is a number of seconds above 0"):
            ReportTable(data="release.csv", time_limit=wrong)  # type: ignore[arg-type]
