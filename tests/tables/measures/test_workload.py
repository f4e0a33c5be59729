"""How wrong the counts of a file are, measured and searched for."""

import json
from pathlib import Path
from typing import Any

import pytest

import shoal
from shoal.core.errors import BadInput, BadParameter
from shoal.tables.measures.workload import Workload
from tables.pairs import pair, people

ROLES: dict[str, Any] = {"quasi": ["age", "sex"], "sensitive": "ill"}


def written(path: Path, text: str) -> str:
    path.write_text(text, "utf-8")
    return str(path)


def test_a_label_counts_for_the_share_of_its_leaves_that_is_asked_for(tmp_path: Path) -> None:
    rows = [("20", "F", "a")] * 3 + [("21", "F", "b"), ("30", "M", "a")]
    both = pair(rows, [("2*", "F", "a")] * 3 + [("2*", "F", "b")])
    file = written(tmp_path / "q.csv", "age,sex,ill\n20,,\n2*,F,a\n,M,\n20|30,,a\n")
    # 2 of 3, 3 of 3, none of 1, 1.5 of 4
    assert Workload(file).measure(both) == pytest.approx((1 / 3 + 0 + 1 + 2.5 / 4) / 4)


@pytest.mark.parametrize(
    "method",
    ["optimal", "heuristic", "local-recoding", "local-recoding(ranges=true)", "cell-suppression", "auto"],
)
def test_what_a_search_says_is_what_is_measured(tmp_path: Path, method: str) -> None:
    frame = people(150)
    file = written(tmp_path / "q.csv", 'age,sex,ill\n"[40, 60]",,gout\n,F,\n"[20, 29]",M,flu\n')
    asked = {**ROLES, "hierarchy": {"age": "interval(width=5)"}}
    release = shoal.protect(frame, k=5, objective=f"workload({file})", method=method, **asked)
    found = shoal.measure(release, original=frame, only=f"workload(file={file})", **asked)
    (told,) = found.found.values()
    assert release.losses["workload"] == pytest.approx(told)


def test_levels_that_answer_the_queries_are_found(tmp_path: Path) -> None:
    """The least loss keeps sex; somebody who asks for ages alone is better off without it."""
    frame = people(400)
    file = written(tmp_path / "q.csv", 'age\n"[40, 44]"\n"[20, 24]"\n')
    asked = {**ROLES, "hierarchy": {"age": "interval(width=5,fanout=4)"}, "suppress": 0.0, "k": 30}
    plain = shoal.protect(frame, method="optimal", **asked)
    aimed = shoal.protect(frame, method="optimal", objective=f"workload({file})", **asked)
    assert aimed.losses["workload"] == 0 and aimed.optimal
    assert aimed.losses["loss"] > plain.losses["loss"]


def test_a_manifest_tells_neither_the_folder_of_the_queries_nor_how_wrong_they_are(tmp_path: Path) -> None:
    file = written(tmp_path / "load.csv", "age,ill\n30|31,gout\n")
    release = shoal.protect(
        people(200), k=5, objective=f"workload({file})", output=tmp_path / "out.csv", **ROLES
    )
    assert "workload" in release.losses
    text = (tmp_path / "out.csv.shoal.json").read_text("utf-8")
    told = json.loads(text)
    assert told["settings"]["objective"] == "workload(file=load.csv)"
    assert str(tmp_path) not in text and told["losses"]["workload"] is None
    assert "workload" not in vars(release._as_told())["losses"]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("agee\n30\n", "ask for 'agee', which does not go out; columns that do: age, sex, ill"),
        ("age,sex\n30,\n,\n", "line 3 of .* asks for nothing"),
        ("age\n", "has a header but no rows"),
        ("age\n999\n", "line 2 of .* asks for '999' in 'age', which is no value, label or range"),
    ],
)
def test_queries_that_nobody_can_answer_are_refused(tmp_path: Path, text: str, cause: str) -> None:
    file = written(tmp_path / "q.csv", text)
    with pytest.raises(BadInput, match=cause):
        shoal.protect(people(60), k=2, objective=f"workload({file})", **ROLES)


@pytest.mark.parametrize(
    ("objective", "cause"),
    [
        ("workload", "workload needs file"),
        ("workload()", "workload needs file"),
        ("workload(nowhere.csv)", "no file of queries 'nowhere.csv'"),
        ("workload(nowhere.csv,floor=2)", "floor is a share of the rows from 0 to 1, not 2"),
    ],
)
def test_a_workload_without_its_file_is_refused(objective: str, cause: str) -> None:
    with pytest.raises(BadParameter, match=cause):
        shoal.protect(people(60), k=2, objective=objective, **ROLES)
