"""Tables that are unusual but right: they are protected, verified and measured like any other."""

import csv
import datetime as dt
import io
from pathlib import Path

import polars as pl
import pytest

import shoal as library
from faces.shell import protect, shoal

pytestmark = pytest.mark.slow


def works(source: str, quasi: str, *words: object, k: int = 2) -> None:
    """Protect, verify, measure and attack through the command line; the losses agree."""
    run = protect(
        source, "-o", "out.csv", "--quasi", quasi, "--k", k, *words, "--method", "optimal", "--json"
    )
    assert run.code == 0, run.err
    assert shoal("table", "verify", "out.csv").code == 0
    again = shoal("table", "measure", "out.csv", "--original", source, "--population", source, "--json")
    assert again.code == 0, again.err
    assert again.json["losses"] == run.json["losses"]
    assert shoal("table", "attack", "linkage", "out.csv", "--external", source, "--json").code == 0
    assert shoal("table", "inspect", source, "--json").code == 0


@pytest.mark.parametrize(
    ("text", "quasi", "k"),
    [
        ("zip,age\n1,2\n", "zip,age", 1),
        ("zip\n1\n1\n2\n2\n", "zip", 2),
        ("zip,age\n" + "1,2\n" * 10, "zip,age", 10),
        ("zip,age\n" + "".join(f"{row % 3 or ''},{row % 4 or ''}\n" for row in range(40)), "zip,age", 3),
        ("zip,age\n" + "".join(f",{row % 5}\n" for row in range(20)), "zip,age", 2),
        ("zip\n" + "\n".join(["", "", "x", "x"]) + "\n", "zip", 2),
        (
            "price\n" + "".join(f"{value}\n" for value in ["1.0", "1.00", "1", "2.50", "2.5", "03"] * 4),
            "price",
            4,
        ),
        ("a,b\n" + '"",x\n,x\n' * 4, "a", 4),
        ("a\n" + "*\nx\n" * 4, "a", 5),
    ],
    ids=[
        "one row",
        "one column",
        "all alike",
        "gaps",
        "all missing",
        "lone gaps",
        "zeros",
        "empty text",
        "star",
    ],
)
def test_small_and_strange(text: str, quasi: str, k: int) -> None:
    Path("odd.csv").write_text(text, "utf-8")
    works("odd.csv", quasi, k=k)


def test_missing_values_are_values_and_never_dropped() -> None:
    rows = "".join(f"{row % 2 or ''},{row % 4 or ''},{'' if row % 5 == 0 else 'flu'}\n" for row in range(40))
    Path("gaps.csv").write_text("zip,age,ill\n" + rows, "utf-8")
    models = ("--model", "l-diversity(l=2)", "--model", "t-closeness(t=0.5)")
    works("gaps.csv", "zip,age", "--sensitive", "ill", *models)
    assert len(Path("out.csv").read_text("utf-8").splitlines()) == 41


NAMES = [
    "class", "rows", "len", "value", "row", "__row", "__person", "key0", "count", "literal", "index",
    "released", "population", "a b", "ü", "city, state", 'the "best"', "a=b", "a(b)", "a|b", "[x]",
    " lead", "tail ", "two\nlines", "--quasi", "$x", "^x",
]  # fmt: skip


# Every name in every role once, three at a time.
@pytest.mark.parametrize("names", [*zip(NAMES, NAMES[9:] + NAMES[:9], NAMES[18:] + NAMES[:18], strict=True)])
def test_any_column_name_will_do(names: tuple[str, str, str]) -> None:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([names[0], "other", *names[1:]])
    writer.writerows([[str(row % 4), "abc"[row % 3], str(row // 12), str(row % 2)] for row in range(24)])
    Path("odd.csv").write_text(text.getvalue(), "utf-8")
    quasi, sensitive, insensitive = ('"' + name.replace('"', '""') + '"' for name in names)
    roles = (f"--sensitive={sensitive}", f"--insensitive={insensitive}", f"--hierarchy={quasi}=flat()")
    works("odd.csv", f"{quasi},other", *roles, "--model", f"l-diversity(l=2,column={sensitive})")


def typed() -> pl.DataFrame:
    """A table with one column of every plain type."""
    rows = range(40)
    moment = dt.datetime(2020, 1, 1, 3, 4, 5)
    return pl.DataFrame(
        {
            "whole": [row % 5 for row in rows],
            "small": pl.Series([row % 3 for row in rows], dtype=pl.UInt8),
            "float": [[1.0, 1.5, 1e-7, 1e20, 0.1 + 0.2, -0.0, 0.0, 123456.789][row % 8] for row in rows],
            "single": pl.Series([[0.1, 1e10, 3.3][row % 3] for row in rows], dtype=pl.Float32),
            "strange": [[float("nan"), 1.0, None, float("inf")][row % 4] for row in rows],
            "exact": pl.Series([["1.10", "2.20"][row % 2] for row in rows]).cast(pl.Decimal(10, 2)),
            "flag": [[True, False, None][row % 3] for row in rows],
            "day": [dt.date(2020, 1, 1 + row % 2) for row in rows],
            "moment": [moment.replace(hour=row % 2, microsecond=1000 * (row % 2)) for row in rows],
            "zoned": pl.Series([moment.replace(day=1 + row % 2) for row in rows]).dt.replace_time_zone("UTC"),
            "time": [dt.time(1, 2, row % 2) for row in rows],
            "length": [dt.timedelta(days=row % 2, seconds=5) for row in rows],
            "kind": pl.Series(["xyz"[row % 3] for row in rows], dtype=pl.Categorical),
            "nothing": pl.Series([None] * 40, dtype=pl.Null),
            "text": [["", "a", None, " x"][row % 4] for row in rows],
            "key": [f"p{row % 4}" for row in rows],
        }
    )


@pytest.mark.parametrize("column", [column for column in typed().columns if column != "key"])
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_every_type_survives_the_way_out_and_back(column: str, suffix: str) -> None:
    typed().write_parquet("typed.parquet")
    before = Path("typed.parquet").read_bytes()
    others = [name for name in typed().columns if name not in (column, "key")]
    for quasi, sensitive, kept, models in (
        ([column], [], [*others, "key"], ["k-anonymity(k=2)"]),
        (["key"], [column], others, ["k-anonymity(k=2)", "t-closeness(t=0.9)"]),
    ):
        release = library.protect(
            "typed.parquet",
            output=f"out.{suffix}",
            quasi=quasi,
            sensitive=sensitive,
            insensitive=kept,
            model=models,
            suppress=0.4,
        )
        assert library.verify(f"out.{suffix}").promises == release.promises
        assert library.measure(f"out.{suffix}", original="typed.parquet").losses == release.losses
    assert Path("typed.parquet").read_bytes() == before


def test_an_attack_on_strange_numbers_prints_json() -> None:
    typed().write_parquet("typed.parquet")
    words = ("--quasi", "whole,float,kind", "--external", "typed.parquet", "--json")
    assert shoal("table", "attack", "linkage", "typed.parquet", *words).json["hits"] > 0


def test_another_encoding_comes_in_and_utf_8_goes_out() -> None:
    Path("wide.csv").write_bytes("straße;alter\nÜ;1\nÜ;1\n".encode("utf-16"))
    works("wide.csv", "straße,alter")
    assert "straße" in Path("out.csv").read_text("utf-8")


def test_a_separator_of_ones_own() -> None:
    Path("colon.csv").write_text("zip:age\n1:2\n1:2\n", "utf-8")
    run = protect("colon.csv", "-o", "out.csv", "--quasi", "zip,age", "--k", 2, "--separator", ":")
    assert run.code == 0 and Path("out.csv").read_text("utf-8").startswith("zip:age\n")
    assert shoal("table", "verify", "out.csv", "--separator", ":").code == 0
