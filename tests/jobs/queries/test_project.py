"""The section [query] of a project file."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from jobs.projects import PROJECT, ROWS, project
from shoal.core.errors import BadParameter, BadTable, Spent, Unanswered
from shoal.jobs.queries.ask import ask_query
from shoal.jobs.queries.project import first_owner, ledger_of, open_project, open_service, project_of
from shoal.jobs.queries.question_requests import AskQuery
from shoal.queries.results import Answer
from shoal.queries.stores.duckdb_store import DuckStore

COUNT = "SELECT COUNT(*) AS n FROM people"


def test_a_project_file_says_where_everything_is(tmp_path: Path) -> None:
    found = project_of(project(tmp_path))
    assert found.folder == tmp_path / "database"
    assert found.ledger == tmp_path / "database" / "ledger.sqlite"
    assert found.dataset(None).name == "clinic"
    assert found.dataset("clinic").sources == (("people", str(tmp_path / "people.csv")),)
    assert not (tmp_path / "database").exists()


def test_the_ledger_may_be_elsewhere_and_figures_may_be_given(tmp_path: Path) -> None:
    more = PROJECT.replace(
        'folder = "database"', 'folder = "database"\nledger = "books"\nrate = 5\nworkers = 2'
    )
    found = project_of(project(tmp_path, more))
    assert found.ledger == tmp_path / "books"
    assert (found.settings.rate, found.settings.workers) == (5, 2)
    address = PROJECT.replace('folder = "database"', 'ledger = "postgresql://x/y"')
    assert project_of(project(tmp_path, address)).ledger == "postgresql://x/y"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[table]", r"no section \[query\]; it has table"),
        ("[query", "cannot read .* as TOML"),
        ("[query]\nfoldr = 'x'", "no setting 'foldr'"),
        ("[query]\nfolder = 5", "not a text"),
        ("[query]\nrate = 'x'", "not a number"),
        ("[query]\ndatasets = 5", "datasets are sections"),
        (PROJECT.replace('"integer 0..120"', '"whole"'), "begin with a kind"),
        (PROJECT.replace('unit = "who"', ""), "no unit"),
        (PROJECT.replace("epsilon = 4", ""), "epsilon"),
    ],
)
def test_a_slip_in_the_file_is_told(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(BadParameter, match=why):
        project_of(project(tmp_path, text))


def test_no_file_no_data_set_no_rows(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="no project file"):
        project_of(tmp_path / "nothing.toml")
    place = project(tmp_path)
    with pytest.raises(BadParameter, match="no data set 'x'; there is clinic"):
        open_project(place, "x")
    (tmp_path / "people.csv").unlink()
    with pytest.raises((BadParameter, BadTable), match="no file"):
        open_project(place)
    assert not (tmp_path / "database").exists()
    with pytest.raises(BadParameter, match="declares no data set"):
        open_service(project_of(project(tmp_path, "[query]\nfolder = 'database'")))


def test_two_data_sets_need_a_name(tmp_path: Path) -> None:
    second = PROJECT.split("[query.datasets.clinic]")[1]
    both = (
        PROJECT + "[query.datasets.other]" + second.replace("query.datasets.clinic", "query.datasets.other")
    )
    place = project(tmp_path, both)
    with pytest.raises(BadParameter, match=r"which data set.*clinic, other"):
        open_project(place)
    with open_project(place, "other") as database:
        assert database.budget().dataset == "other"


def test_the_owner_asks_the_database_of_a_project_within_its_budget(tmp_path: Path) -> None:
    place = project(tmp_path)
    with shoal.open_database(config=place) as database:
        answer = database.ask(COUNT, epsilon=3)
        assert answer.remaining == {"epsilon": 1, "delta": 1e-6}
        assert abs(answer.rows[0][0] - ROWS) < 20  # type: ignore[operator]
        assert database.estimate(COUNT, epsilon=1).cost["epsilon"] == 1
        assert database.budget().spent["epsilon"] == 3
    again = ask_query(AskQuery(sql=COUNT, epsilon=3, config=place)).outcome
    assert isinstance(again, Answer) and again.archived and again.rows == answer.rows
    with pytest.raises(Spent):
        shoal.ask("SELECT SUM(age) AS n FROM people", config=place, epsilon=2)


def test_rows_that_are_appended_stay(tmp_path: Path) -> None:
    place = project(tmp_path)
    with open_project(place) as database:
        database.append("people", pl.DataFrame({"who": ["x", "y"], "age": [1, 2], "sex": ["F", "M"]}))
    with open_project(place) as database:
        assert abs(database.ask(COUNT, epsilon=4).rows[0][0] - ROWS - 2) < 12  # type: ignore[operator]


def test_a_declaration_in_use_cannot_be_changed(tmp_path: Path) -> None:
    open_project(project(tmp_path)).close()
    with pytest.raises(BadParameter, match="another declaration"):
        open_project(project(tmp_path, PROJECT.replace("0..120", "0..130")))
    with pytest.raises(BadParameter, match="4"):
        open_project(project(tmp_path, PROJECT.replace("epsilon = 4", "epsilon = 5")))


def test_a_running_service_is_asked_over_http(tmp_path: Path) -> None:
    place = project(tmp_path)
    service = open_service(project_of(place))
    with pytest.raises(BadParameter, match=r"is running.*--service URL"):
        open_project(place)
    ledger = ledger_of(project_of(place))  # but the ledger can be looked at
    assert ledger.granted("clinic", "owner")
    ledger.close()
    service.close()


def test_the_first_owner_gets_a_token_once(tmp_path: Path) -> None:
    service = open_service(project_of(project(tmp_path)))
    token = first_owner(service)
    assert token is not None and service.find(token) is not None
    assert first_owner(service) is None
    service.close()


def test_rows_may_stay_in_postgres_and_the_ledger_be_there_too(tmp_path: Path, postgres: str) -> None:
    import psycopg

    text = PROJECT.replace('file = "people.csv"', "postgres = true").replace(
        "[query]", f'[query]\nledger = "{postgres}"\npostgres = "{postgres}"\nschema = "jobs_serving"'
    )
    place = project(tmp_path, text.replace("datasets.clinic", "datasets.clinic_of_jobs"))
    with psycopg.connect(postgres, autocommit=True) as hand:
        hand.execute("CREATE SCHEMA jobs_serving")
        hand.execute("CREATE TABLE jobs_serving.people (who TEXT, age INTEGER, sex TEXT)")
        hand.execute(
            "INSERT INTO jobs_serving.people"
            " SELECT 'p' || n, 20 + n % 60, 'F' FROM generate_series(1, 500) AS n"
        )
    for left in (2, 0):
        with open_project(place) as database:
            answer = database.ask(f"SELECT COUNT(*) AS n{left} FROM people", epsilon=2)
            assert answer.remaining["epsilon"] == left
            assert abs(answer.rows[0][0] - 500) < 20  # type: ignore[operator]
            with pytest.raises(BadParameter, match="add to them there"):
                database.append("people", "people.csv")


def test_rows_in_postgres_need_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOAL_POSTGRES", raising=False)
    text = PROJECT.replace('file = "people.csv"', "postgres = true")
    with pytest.raises(BadParameter, match="SHOAL_POSTGRES"):
        open_project(project(tmp_path, text))
    mixed = (
        text
        + '\n[query.datasets.clinic.tables.b]\nfile = "people.csv"\n'
        + "[query.datasets.clinic.tables.b.columns]\n"
    )
    with pytest.raises(BadParameter, match="choose one"):
        open_project(project(tmp_path, mixed + 'age = "integer"'))


def test_a_question_that_failed_is_not_answered_from_the_archive_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was made up in its place is for analysts; an owner was given it without a word."""

    def fails(*_: Any, **__: Any) -> Any:
        raise RuntimeError("broken")

    with open_project(project(tmp_path)) as database:
        with monkeypatch.context() as broken, pytest.raises(Unanswered):
            broken.setattr(DuckStore, "run", fails)
            broken.setattr(DuckStore, "rows", fails)
            database.ask(COUNT, 1)
        assert not database.ask(COUNT, 1).archived
        assert database.ask(COUNT, 1).archived
