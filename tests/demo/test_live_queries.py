"""The hospital as a live database."""

import json
import math
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.demo import live_queries
from shoal.demo.hospital import DIAGNOSES, OCCUPATIONS, patients
from shoal.demo.live_queries import GRANTED, QUESTIONS, LiveQueries, play, write_database
from shoal.engines.files import write_frame
from shoal.jobs.queries.project import project_of

ROWS = 3_000


@dataclass(frozen=True)
class Scene:
    folder: Path
    whole: pl.DataFrame
    act: LiveQueries
    said: tuple[str, ...]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder = tmp_path_factory.mktemp("act")
    whole = patients(ROWS)
    write_frame(whole, folder / "patients.csv")
    write_database(folder / "database.toml")
    said: list[str] = []
    return Scene(folder, whole, play(folder / "database.toml", whole, said.append), tuple(said))


def test_three_questions_are_answered_and_the_fourth_is_refused(scene: Scene) -> None:
    act = scene.act
    assert act.served
    assert [part.answer.spent["epsilon"] for part in act.asked] == [0.5, 0.5, 0.5]
    assert [part.answer.remaining["epsilon"] for part in act.asked] == [1.5, 1.0, 0.5]
    assert "ε=1 and ε=0.5" in act.refused


def test_the_same_question_again_costs_nothing_and_says_the_same(scene: Scene) -> None:
    again = scene.act.again
    assert again.archived and again.rows == scene.act.asked[0].answer.rows
    assert again.spent["epsilon"] == 0 and again.remaining["epsilon"] == 0.5


def test_the_truth_beside_the_answers_is_the_truth(scene: Scene) -> None:
    count, income, zips = scene.act.asked
    assert count.true_values() == [scene.whole.filter(pl.col("diagnosis") == "HIV").height]
    for row, truth in zip(zips.answer.rows, zips.true_values(), strict=True):
        assert truth == scene.whole.filter(pl.col("zip") == row[0]).height
    assert {row[0] for row in income.answer.rows} == {"F", "M"}
    # Noise of the scale 2 is beyond 60 once in 10^13 times.
    assert abs(count.answer.rows[0][0] - count.true_values()[0]) < 60  # type: ignore[operator]


def test_nothing_noisy_and_no_token_is_left_behind(scene: Scene) -> None:
    assert {path.name for path in scene.folder.iterdir()} == {"patients.csv", "database.toml"}


def test_it_becomes_json_and_a_table(scene: Scene) -> None:
    document = json.loads(json.dumps(scene.act.to_json(), allow_nan=False))
    assert document["again"] == {"same": True, "spent": {"epsilon": 0.0, "delta": 0.0}}
    assert [len(part["truth"]) == len(part["rows"]) for part in document["asked"]] == [True] * 3
    assert all(math.isfinite(part["spent"]["epsilon"]) for part in document["asked"])
    ((title, rows),) = scene.act.to_tables().items()
    assert f"ε = {GRANTED}" in title and len({len(row) for row in rows}) == 1
    assert rows[-1][2] == "refused"
    assert len(scene.said) == 1 and scene.said[0].endswith(".")


def test_the_project_file_declares_what_may_be_asked_and_no_names(scene: Scene) -> None:
    (dataset,) = project_of(scene.folder / "database.toml").datasets
    table = dataset.table("patients")
    assert "name" not in {column.name for column in table.columns}
    assert table.column("diagnosis").keys == tuple(v for group in DIAGNOSES.values() for v in group)
    assert table.column("occupation").keys == tuple(v for group in OCCUPATIONS.values() for v in group)
    assert {*scene.whole["diagnosis"]} <= {*(table.column("diagnosis").keys or ())}
    assert {*scene.whole["sex"]} == {"F", "M"}


def test_the_project_file_is_the_same_every_time(scene: Scene, tmp_path: Path) -> None:
    write_database(tmp_path / "database.toml")
    assert (tmp_path / "database.toml").read_bytes() == (scene.folder / "database.toml").read_bytes()


def test_without_a_web_framework_it_plays_in_the_process(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object, **__: object) -> None:
        raise BadParameter("serving needs FastAPI")

    monkeypatch.setattr(live_queries, "server", missing)
    said: list[str] = []
    act = play(scene.folder / "database.toml", scene.whole, said.append)
    assert not act.served and "FastAPI is not installed" in said[0]
    assert act.again.archived and act.refused
    assert len(act.asked) == len(QUESTIONS)
