import json
import os
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest
from jsonschema import Draft202012Validator

import shoal
from report.conftest import ATTACKS
from shoal.core.errors import BadParameter
from shoal.core.outcome import Outcome
from shoal.demo.story import RULES, Story, tell
from shoal.demo.truth import SHARED
from shoal.jobs.schemas import schema_of

pytestmark = pytest.mark.xdist_group("story")  # told once, not once in every process
ROWS = 1_500
FILES = {
    "patients.csv",
    "names-removed.csv",
    "voters.csv",
    "control.csv",
    "release.csv",
    "release.csv.shoal.json",
    "shoal.toml",
    "occupation.csv",
    "diagnosis.csv",
    "database.toml",
    "network.csv",
    "network-release.csv",
    "network-release.csv.shoal.json",
    "network-who-is-who.csv",
    "before-after.svg",
    "before-after.png",
    "report.html",
    "report.pdf",
}


@dataclass(frozen=True)
class Told:
    story: Story
    folder: Path
    said: tuple[str, ...]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    folder = tmp_path_factory.mktemp("demo") / "made-by-the-story"
    said: list[str] = []
    return Told(tell(str(folder), ROWS, said.append), folder, tuple(said))


def test_the_story_is_an_outcome_and_valid_json(told: Told) -> None:
    assert isinstance(told.story, Outcome)
    document = json.loads(json.dumps(told.story.to_json(), allow_nan=False))
    Draft202012Validator(schema_of(["demo"])).validate(document)
    assert document["rows"] == ROWS
    assert document["verified"] is True
    assert document["optimal"] is True


def test_all_files_are_there_and_named(told: Told) -> None:
    assert {path.name for path in told.folder.iterdir()} == FILES
    beside = {"before-after.png", "report.pdf", "network-release.csv.shoal.json"}
    assert {*told.story.files, *beside} == FILES


def test_the_voter_list_names_most_registered_patients_before_and_nobody_after(told: Told) -> None:
    before, after = told.story.before, told.story.after
    assert before.identified > 0.9 * told.story.on_list
    assert after.identified == after.finding.rate.hits == 0
    assert before.risk.smallest_class == 1
    assert after.risk.smallest_class >= 5


def test_a_right_name_counts_and_a_wrong_one_does_not(told: Told) -> None:
    # Some citizens who are no patients look like one; the list names them, wrongly.
    assert told.story.before.identified <= told.story.before.finding.rate.hits
    patients = pl.read_csv(told.folder / "patients.csv", infer_schema=False)
    people = pl.read_csv(told.folder / "voters.csv", infer_schema=False)
    registered = patients.join(people, on=["name", "birth_date", "zip", "sex"], how="semi")
    assert told.story.on_list == registered.height
    assert told.story.before.identified <= registered.height


def test_the_diagnosis_is_hardly_easier_to_guess_than_blindly(told: Told) -> None:
    assert told.story.before.guessed > 0.9 * told.story.on_list
    assert told.story.after.guessed < 3 * told.story.blind * told.story.on_list


def test_the_release_verifies_from_its_file(told: Told) -> None:
    verdict = shoal.verify(told.folder / "release.csv")
    assert verdict.holds
    assert len(verdict.promises) == 3
    assert not verdict.notes


def test_nobody_is_named_after_because_of_k_and_not_because_labels_cannot_be_read(told: Told) -> None:
    released = pl.read_csv(told.folder / "release.csv", infer_schema=False)
    patients = pl.read_csv(told.folder / "patients.csv", infer_schema=False)
    cell = [pl.col("birth_date").str.head(3), pl.col("zip").str.head(3), pl.col("sex")]
    found = shoal.attack(
        released.unique(SHARED),  # one row per class: no longer k-anonymous
        "linkage",
        external=patients.filter(pl.struct(cell).is_first_distinct()),
        quasi=SHARED,
        hierarchy=RULES,
    )
    assert found.rate.hits > 20


def test_the_project_file_repeats_the_release(told: Told, tmp_path: Path) -> None:
    from shoal.jobs.config import load
    from shoal.jobs.tables.requests import ProtectTable

    settings = load(told.folder / "shoal.toml", ProtectTable)
    source = settings.pop("file")
    shoal.protect(source, **{**settings, "output": tmp_path / "again.csv"})
    assert (tmp_path / "again.csv").read_bytes() == (told.folder / "release.csv").read_bytes()


@pytest.mark.slow  # the whole story once more
def test_the_same_rows_tell_the_same_story(told: Told, tmp_path: Path) -> None:
    again = tell(str(tmp_path / "demo"), ROWS, lambda _: None)
    # The answers of the live database are noisy; they are the one part that must differ.
    same = {"folder": "", "queries": {}}
    ours, theirs = (
        json.dumps({**story.to_json(), **same}).replace(os.path.relpath(folder), "").replace(str(folder), "")
        for story, folder in ((again, tmp_path / "demo"), (told.story, told.folder))
    )
    assert json.loads(ours) == json.loads(theirs)
    for name in FILES - {"release.csv.shoal.json", "before-after.png", "report.html", "report.pdf"}:
        assert (tmp_path / "demo" / name).read_bytes() == (told.folder / name).read_bytes(), name


def test_every_step_is_said_in_one_sentence(told: Told) -> None:
    assert len(told.said) == 9
    assert all("\n" not in sentence and sentence.endswith((".", "?")) for sentence in told.said)


def test_the_tables_show_before_and_after_and_a_bar(told: Told) -> None:
    tables = told.story.to_tables()
    for rows in tables.values():
        assert len({len(row) for row in rows}) == 1
    bars = tables["patients whom the voter list names"]
    assert "█" in bars[1][1]
    assert "█" not in bars[2][1]


def test_the_story_ends_with_a_report_that_names_nobody(told: Told) -> None:
    text = (told.folder / "report.html").read_text("utf-8")
    assert "The promises hold" in text and "linkage" in text and "Disclosure of information" in text
    names = pl.read_csv(told.folder / "voters.csv", infer_schema=False)["name"].unique()
    assert not [name for name in names if name in text]
    assert (told.folder / "report.pdf").read_bytes().startswith(b"%PDF-")


def test_a_place_or_a_number_that_cannot_be_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    for folder, rows, why in (
        ("file", 20, "cannot make the folder"),
        ("file/sub", 20, "cannot make the folder"),
        ("new", 4, "at least 5 patients, not 4"),
    ):
        with pytest.raises(BadParameter, match=why):
            tell(str(tmp_path / folder), rows, lambda _: None)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_all_attacks_are_tried_and_what_succeeds_comes_with_its_cure(told: Told) -> None:
    tally = told.story.dossier.tally
    assert tally.kinds == ATTACKS and len(tally.tried) >= 11
    assert all("--other" in why or "needs" in why for why in tally.left.values())
    working = {trial.name for trial in told.story.dossier.working}
    assert "partly-known" in working, "who knows the income knows the row, and no promise says otherwise"
    assert all(name in told.said[6] for name in working)
    text = (told.folder / "report.html").read_text("utf-8")
    assert (
        "some attacks succeed" in text
        and f"{len(tally.tried)} of {ATTACKS} attacks tried; not tried: " in text
    )
