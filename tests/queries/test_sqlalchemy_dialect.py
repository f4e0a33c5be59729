"""SQLAlchemy, pandas and Polars against a real server, by URL."""

import ast
import sys
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pandas
import polars as pl
import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import registry
from sqlalchemy.exc import NoSuchTableError, OperationalError, ProgrammingError

from queries.service.houses import Address, House
from shoal.queries import dbapi
from shoal.queries.dbapi.connection import TOKEN
from shoal.queries.sqlalchemy_dialect import ShoalDialect

BY_WARD = "SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward ORDER BY ward"
registry.register("shoal", "shoal.queries.sqlalchemy_dialect", "ShoalDialect")


@pytest.fixture
def engine(house: House, at: Address) -> Iterator[sa.Engine]:
    made = sa.create_engine(f"shoal://{house.ada}@127.0.0.1:{at.port}/clinic?epsilon=0.01")
    yield made
    made.dispose()


def test_the_package_names_the_dialect() -> None:
    told = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    named = told["project"]["entry-points"]["sqlalchemy.dialects"]["shoal"]
    assert named == f"{ShoalDialect.__module__}:{ShoalDialect.__name__}"


def test_sqlalchemy_before_its_second_version_finds_our_module() -> None:
    """Superset stays with 1.4, which asks for it under another name and knows neither Double nor the type."""
    assert ShoalDialect.dbapi() is ShoalDialect.import_dbapi() is dbapi
    source = Path(sys.modules[ShoalDialect.__module__].__file__ or "").read_text()
    outside = [node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom)]
    names = {alias.name for node in outside if node.module != "typing" for alias in node.names}
    assert "ReflectedColumn" not in names and "types.Double" not in source


def test_pandas_and_polars_read_by_engine(engine: sa.Engine) -> None:
    frame = pandas.read_sql(BY_WARD, engine)
    assert list(frame.columns) == ["ward", "n"] and len(frame) == 4
    with engine.connect() as connection:
        found = pl.read_database(BY_WARD, connection)
    assert found.schema == {"ward": pl.String, "n": pl.Int64}


def test_expressions_of_sqlalchemy_are_questions_sub_queries_too(engine: sa.Engine) -> None:
    visits = sa.Table("visits", sa.MetaData(), autoload_with=engine)
    others = visits.alias("others")
    their = others.c.id == visits.c.id
    often = sa.select(sa.func.count()).select_from(others).where(their).scalar_subquery() > 1
    ill = sa.exists().where(their, others.c.ill)
    counted = sa.select(sa.func.count().label("n")).select_from(visits)
    with engine.connect() as connection:
        for condition in (visits.c.age.between(20, 60), often, sa.or_(visits.c.age > 50, ill)):
            assert isinstance(connection.execute(counted.where(condition)).scalar(), int)
        batches = pl.read_database(BY_WARD, connection, iter_batches=True, batch_size=3)
        assert [batch.height for batch in batches] == [3, 1]
    assert pandas.read_sql(counted.where(often), engine).shape == (1, 1)
    assert [len(part) for part in pandas.read_sql(BY_WARD, engine, chunksize=3)] == [3, 1]


def test_a_question_costs_its_execution_option(engine: sa.Engine) -> None:
    question = sa.text("SELECT COUNT(*) AS n FROM visits WHERE age > :least")
    with engine.connect() as connection:
        found = connection.execute(question.execution_options(epsilon=0.25), {"least": 30})
        assert found.cursor.answer.spent["epsilon"] == 0.25
        found = connection.execution_options(epsilon="0.125").execute(question, {"least": 31})
        assert found.cursor.answer.spent["epsilon"] == 0.125
        assert (
            connection.execution_options(epsilon=None).execute(question, {"least": 32}).scalar() is not None
        )


def test_tables_and_columns_are_those_of_the_declaration(engine: sa.Engine) -> None:
    seen = sa.inspect(engine)
    assert seen.get_table_names() == ["visits"] and seen.get_schema_names() == ["clinic"]
    assert seen.has_table("VISITS") and not seen.has_table("nothing") and seen.get_view_names() == []
    columns = {column["name"]: column for column in seen.get_columns("visits")}
    kinds = {name: type(column["type"]) for name, column in columns.items()}
    assert kinds == {"id": sa.String, "age": sa.BigInteger, "ward": sa.String, "ill": sa.Boolean}
    assert columns["age"]["comment"] == "0 to 120" and "heart" in str(columns["ward"]["comment"])
    assert seen.get_pk_constraint("visits")["constrained_columns"] == [] and seen.get_indexes("visits") == []
    assert seen.get_table_comment("visits")["text"] == "at most 2 rows of each id"
    with pytest.raises(NoSuchTableError):
        seen.get_columns("nothing")


def test_expressions_of_reflected_tables_are_asked(engine: sa.Engine) -> None:
    visits = sa.Table("visits", sa.MetaData(), autoload_with=engine)
    asked = (
        sa.select(visits.c.ward, sa.func.count().label("n"))
        .where(visits.c.age.between(10, 80), visits.c.ward.in_(["heart", "lung"]), visits.c.ill.is_(True))
        .group_by(visits.c.ward)
        .order_by(visits.c.ward)
    )
    with engine.connect() as connection:
        rows = connection.execute(asked).all()
    assert [row.ward for row in rows][:2] == ["heart", "lung"]


def test_names_with_the_schema_that_is_told_are_answered(engine: sa.Engine) -> None:
    visits = sa.Table("visits", sa.MetaData(schema="clinic"), autoload_with=engine)
    with engine.connect() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(visits)) is not None


def test_an_empty_budget_says_so(house: House, at: Address) -> None:
    engine = sa.create_engine(f"shoal://{house.bob}@127.0.0.1:{at.port}/clinic?epsilon=7")
    with engine.connect() as connection, pytest.raises(OperationalError, match="left") as error:
        connection.execute(sa.text("SELECT COUNT(*) FROM visits"))
    assert isinstance(error.value.orig, dbapi.BudgetSpent)
    for shown in (str(error.value), repr(engine), str(engine.url), repr(engine.url)):
        assert house.bob not in shown


def test_without_a_price_nothing_is_asked(house: House, at: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN, house.ada)
    engine = sa.create_engine(f"shoal://127.0.0.1:{at.port}/clinic", pool_pre_ping=True)
    for _ in range(2):  # the second finds a connection in the pool, and looks whether it is alive
        with engine.connect() as connection, pytest.raises(ProgrammingError, match="epsilon"):
            connection.execute(sa.text("SELECT COUNT(*) FROM visits"))
    with pytest.raises(dbapi.ProgrammingError, match="setting"):
        sa.create_engine("shoal://127.0.0.1/clinic?what=1").connect()


def test_days_come_as_days() -> None:
    kind = sa.Date().dialect_impl(ShoalDialect())
    read = kind.result_processor(ShoalDialect(), None)
    assert read is not None and read("2024-02-29") == date(2024, 2, 29) and read(None) is None
