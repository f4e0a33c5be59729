"""Flags and a project file become one request."""

from pathlib import Path

import pytest

from shoal.core.errors import BadParameter
from shoal.faces.cli.flags import (
    Typed,
    pairs_of,
)
from shoal.jobs import ProtectTable


def test_pairs_are_column_and_rule() -> None:
    given = ["age=interval(width=5)", "zip=a=b.csv", '"a=b"=mask()', '"the ""best"""=flat()']
    assert pairs_of(given) == {
        "age": "interval(width=5)",
        "zip": "a=b.csv",
        "a=b": "mask()",
        'the "best"': "flat()",
    }
    for wrong in ("age", "=x", "age=", ""):
        with pytest.raises(BadParameter, match="COLUMN=FILE"):
            pairs_of([wrong])


def test_flags_outweigh_the_project() -> None:
    Path("shoal.toml").write_text('[table]\nquasi = "a"\n[table.protect]\nk = 3\nsuppress = 0.1\n', "utf-8")
    found = Typed(ProtectTable, {"k": 5, "suppress": None, "quasi": "b"}, "shoal.toml").settings
    assert found == {"quasi": "b", "k": 5, "suppress": 0.1}


def test_a_model_flag_replaces_the_k_of_the_project_and_the_other_way_round() -> None:
    Path("k.toml").write_text("[table.protect]\nk = 3\n", "utf-8")
    Path("model.toml").write_text('[table.protect]\nmodel = "l-diversity(l=2)"\n', "utf-8")
    given = {"model": ["l-diversity(l=2)"], "k": None}
    assert Typed(ProtectTable, given, "k.toml").settings == {"model": ["l-diversity(l=2)"]}
    assert Typed(ProtectTable, {"model": None, "k": 4}, "model.toml").settings == {"k": 4}
    both = {"model": ["l-diversity(l=2)"], "k": 4}
    assert Typed(ProtectTable, both, "k.toml").settings == both


def test_a_request_has_the_names_of_python() -> None:
    flags = {"file": "a.csv", "time-limit": 3.0, "model": ["k-anonymity(k=2)"], "quasi": "a,b"}
    job = Typed(ProtectTable, flags).job()
    assert (job.data, job.time_limit, job.model, job.quasi) == (
        "a.csv",
        3.0,
        ("k-anonymity(k=2)",),
        ("a", "b"),
    )


def test_what_was_typed_stands_above_the_project_file() -> None:
    Path("shoal.toml").write_text('[table]\nfile = "a.csv"\n[table.protect]\nsuppress = 0.1\n', "utf-8")
    typed = Typed(ProtectTable, {"file": None, "suppress": 0.2, "step": ["round(column=a)"]}, "shoal.toml")
    assert typed.settings == {"file": "a.csv", "suppress": 0.2, "step": ["round(column=a)"]}
    job = typed.job()
    assert (job.data, job.suppress, job.step) == ("a.csv", 0.2, ("round(column=a)",))
