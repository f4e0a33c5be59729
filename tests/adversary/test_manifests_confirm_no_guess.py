"""An attacker who knows every row of the original but one, and tries values for it until something agrees.

Candidates that lead to one and the same release are all that the release leaves open. Whatever else goes out
must be the same for all of them: then no guess among them can be confirmed.
"""

import gzip
import hashlib
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
import shoal.report

HEADER = "zip,age,sex,hiv"
ZIPS, AGES, STATES = ("1010", "1020", "1090", "4020"), range(20, 80, 10), ("yes", "no")
# Two groups of neighbours, and last of all somebody who fits neither.
NEIGHBOURS = [
    ("1010" if place % 3 else "1020", 20 + 10 * (place % 2), "FM"[place % 2], ("no", "yes")[place % 5 == 0])
    for place in range(12)
] + [("1090", 60 + 10 * (place % 2), "FM"[place % 2], ("no", "yes")[place % 4 == 0]) for place in range(8)]
VICTIM = ("4020", 40, "F", "yes")
SETTINGS: dict[str, Any] = {
    "quasi": "zip,age,sex", "sensitive": "hiv", "k": 3, "suppress": 0.06, "seed": 7, "method": "optimal"
}  # fmt: skip
METHODS = ("optimal", "heuristic", "mondrian", "top-down", "local-recoding", "cell-suppression")
CASES = [*((method, True) for method in METHODS), ("optimal", False), ("mondrian", False)]
SUPPRESSING = [case for case in CASES if case[0] != "mondrian"]  # which leaves nobody out


def text_of(rows: list[tuple[object, ...]]) -> str:
    return "\n".join([HEADER, *(",".join(map(str, row)) for row in rows)]) + "\n"


def hierarchies() -> dict[str, str]:
    """Hierarchies that were declared before anybody saw the data: files with every value that is possible."""
    zips = "".join(f"{code};{code[:2]};{code[:1]};*\n" for code in ZIPS)
    ages = "".join(f"{age};{age // 20 * 20}-{age // 20 * 20 + 19};*\n" for age in AGES)
    for name, text in (("zip", zips), ("age", ages), ("sex", "F;*\nM;*\n")):
        Path(f"{name}-hierarchy.csv").write_text(text, "utf-8")
    return {name: f"{name}-hierarchy.csv" for name in ("zip", "age", "sex")}


def published(rows: list[tuple[object, ...]], **more: Any) -> tuple[bytes, str]:
    """The release of a table and its manifest, as anybody can get them."""
    Path("original.csv").write_text(text_of(rows), "utf-8")
    shoal.protect("original.csv", output="release.csv", **{**SETTINGS, **more})
    return Path("release.csv").read_bytes(), Path("release.csv.shoal.json").read_text("utf-8")


def guesses() -> Iterator[tuple[object, ...]]:
    """Every row there could be of a woman."""
    yield from itertools.product(ZIPS, AGES, "F", STATES)


def manifests_behind_one_release(known: list[Any], truth: Any, **more: Any) -> dict[str, list[Any]]:
    """The manifests of all guesses that lead to the release of the truth, with the guesses behind each."""
    release, _ = published([*known, truth], **more)
    found: dict[str, list[Any]] = {}
    for guess in guesses():
        made, manifest = published([*known, guess], **more)
        if made == release:
            found.setdefault(manifest, []).append(guess)
    return found


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_no_hash_in_a_manifest_is_that_of_a_guess_at_the_input() -> None:
    release, manifest = published([*NEIGHBOURS, VICTIM], hierarchy=hierarchies())
    assert json.loads(manifest)["suppressed"] == 1 and b"4020" not in release
    hashes = set(re.findall("[0-9a-f]{64}", manifest))
    assert hashes == {hashlib.sha256(release).hexdigest()}
    for guess in guesses():
        assert hashlib.sha256(text_of([*NEIGHBOURS, guess]).encode()).hexdigest() not in hashes, guess


@pytest.mark.parametrize(("method", "declared"), SUPPRESSING)
def test_a_manifest_does_not_tell_guesses_at_a_suppressed_row_apart(method: str, declared: bool) -> None:
    more = {"hierarchy": hierarchies()} if declared else {}
    found = manifests_behind_one_release(NEIGHBOURS, VICTIM, method=method, **more)
    assert sum(map(len, found.values())) > 1, "the release alone would give the row away: nothing to test"
    assert len(found) == 1, {len(rows): rows[:3] for rows in found.values()}


@pytest.mark.parametrize("objective", ["workload(queries.csv)", "classifier(column=hiv)"])
def test_what_a_release_is_for_does_not_tell_guesses_at_a_suppressed_row_apart(objective: str) -> None:
    Path("queries.csv").write_text("zip,age,sex\n1010,,\n,20,F\n1090,60,\n4020,40,\n", "utf-8")
    found = manifests_behind_one_release(NEIGHBOURS, VICTIM, objective=objective, hierarchy=hierarchies())
    assert sum(map(len, found.values())) > 1, "the release alone would give the row away: nothing to test"
    assert len(found) == 1, {len(rows): rows[:3] for rows in found.values()}


@pytest.mark.parametrize(("method", "declared"), CASES)
def test_a_manifest_does_not_tell_guesses_at_a_generalised_row_apart(method: str, declared: bool) -> None:
    more = {"hierarchy": hierarchies()} if declared else {}
    found = manifests_behind_one_release(NEIGHBOURS[1:], NEIGHBOURS[0], method=method, suppress=0, **more)
    assert sum(map(len, found.values())) > 1, "the release alone would give the row away: nothing to test"
    assert len(found) == 1, {len(rows): rows[:3] for rows in found.values()}


@pytest.mark.parametrize(
    ("k", "suppress"),
    [(6, 0), (3, 0.2), *(pytest.param(k, 0.2, marks=pytest.mark.slow) for k in (2, 6))],
)
def test_which_method_auto_took_follows_from_the_release(k: int, suppress: float) -> None:
    """Whatever row is guessed: where the release is the same, so is all that the manifest says."""
    found: dict[bytes, set[str]] = {}
    seen = 0
    for guess in guesses():
        release, manifest = published(
            [*NEIGHBOURS, guess], method="auto", hierarchy=hierarchies(), k=k, suppress=suppress
        )
        seen += release in found
        found.setdefault(release, set()).add(manifest)
    assert seen, "every guess has a release of its own: nothing to test"
    assert max(map(len, found.values())) == 1


@pytest.mark.parametrize("extension", ["csv", "csv.gz", "parquet", "arrow"])
def test_nothing_of_a_suppressed_row_is_left_in_a_file(extension: str) -> None:
    """Neither as a category that nobody has any more, nor in statistics, nor as a name of a file."""
    frame = pl.DataFrame(
        [("1010", "flu")] * 6 + [("4020", "secret")], schema=["zip", "ill"], orient="row"
    ).with_columns(pl.col("zip").cast(pl.Categorical), pl.col("ill").cast(pl.Enum(["flu", "secret"])))
    frame.write_parquet("original.parquet")
    output = Path(f"release.{extension}")
    shoal.protect("original.parquet", output=output, quasi="zip", sensitive="ill", k=3, suppress=0.2)
    content = gzip.decompress(output.read_bytes()) if extension.endswith("gz") else output.read_bytes()
    told = content + Path(f"{output}.shoal.json").read_bytes()
    assert b"flu" in content and not any(word in told for word in (b"4020", b"secret", b"original"))


def test_a_report_without_the_original_tells_no_more_than_release_and_manifest() -> None:
    told = set()
    for hiv in STATES:
        published([*NEIGHBOURS, (*VICTIM[:3], hiv)], hierarchy=hierarchies())
        shoal.report.write_report("release.csv", output="report.html", made="2026-01-31")
        told.add(Path("report.html").read_bytes())
    assert len(told) == 1


def test_a_report_with_the_original_has_no_fingerprint_of_it_and_no_entropy() -> None:
    given = hierarchies()
    release, _ = published([*NEIGHBOURS, VICTIM], hierarchy=given)
    found = shoal.report.write_report(
        "release.csv", original="original.csv", hierarchy=given, output="report.html", attack=("homogeneity",)
    )
    page = Path("report.html").read_text("utf-8")
    assert hashlib.sha256(Path("original.csv").read_bytes()).hexdigest() not in page
    assert hashlib.sha256(release).hexdigest() in page
    assert set(found.losses) == {"precision", "loss", "discernibility", "average_class_size"}
    record = json.loads(Path("release.csv.shoal.json").read_text("utf-8"))
    assert {**found.losses, "entropy": None} == record["losses"]


def test_a_manifest_of_old_with_the_fingerprint_is_still_read() -> None:
    published([*NEIGHBOURS, VICTIM])
    path = Path("release.csv.shoal.json")
    old = json.loads(path.read_text("utf-8"))
    old["hashes"]["input"] = "sha256:" + "0" * 64
    old["losses"] |= {"entropy": 0.123456789, "loss": 0.987654321, "precision": 0.5}
    del old["losses_withheld"]
    path.write_text(json.dumps(old), "utf-8")
    assert shoal.verify("release.csv").holds
    found = shoal.report.write_report("release.csv", output="report.html", attack=("homogeneity",))
    assert "entropy" not in found.losses and found.losses["loss"] == 0.988
