"""Flags are made of the fields of a request."""

import inspect
from typing import Annotated, Any, get_args

import pytest
import typer

from shoal.core.errors import BadParameter
from shoal.faces.cli.flags import AsJson, Typed, number, parameter, whole, with_flags
from shoal.jobs.request import known
from shoal.jobs.tables.requests import CompareTable, HierarchyTable, ProtectTable, VerifyTable


def test_numbers_are_read_and_anything_else_is_shown_back() -> None:
    assert whole("5") == 5 and number("0.05") == 0.05
    for text in ("", "five", "5.0", "1e3"):
        with pytest.raises(BadParameter, match=f"'{text}' is not a whole number"):
            whole(text)
    with pytest.raises(BadParameter, match="'some' is not a number"):
        number("some")


def made(word: str, request: type[Any] = ProtectTable) -> tuple[Any, Any]:
    kind, info = get_args(parameter(word, known(request)[word]).annotation)
    return kind, info


def test_a_setting_becomes_a_flag_of_its_kind() -> None:
    assert made("output")[0] == str | None
    assert (made("output")[1].default, made("output")[1].param_decls) == ("--output", ("-o",))
    assert made("step")[0] == made("hierarchy")[0] == made("join")[0] == list[str] | None
    assert made("k")[0] == int | None and made("k")[1].parser is whole
    assert made("time-limit")[0] == float | None and made("time-limit")[1].parser is number
    assert made("escape-formulas")[0] == bool | None
    assert made("quasi")[0] == made("k", CompareTable)[0] == str | None
    assert isinstance(made("file")[1], typer.models.ArgumentInfo)
    assert parameter("time-limit", known(ProtectTable)["time-limit"]).name == "time_limit"


def test_a_command_has_the_flags_of_its_request_and_its_own() -> None:
    seen: list[Any] = []

    @with_flags(VerifyTable)
    def verify(
        typed: Typed, loud: Annotated[bool, typer.Option("--loud")] = False, as_json: AsJson = False
    ) -> None:
        """Look."""
        seen.append((typed, loud, as_json))

    takes = list(inspect.signature(verify).parameters)
    assert takes[-5:] == ["separator", "encoding", "config", "loud", "as_json"]
    assert {"file", "quasi", "model", "k"} < set(takes) and "identifier" not in takes
    assert verify.__doc__ == "Look."
    given = dict.fromkeys(takes, None)
    verify(
        **{
            **given,
            "quasi": "a",
            "hierarchy": ["a=mask()"],
            "config": "p.toml",
            "loud": True,
            "as_json": True,
        }
    )
    [(typed, loud, as_json)] = seen
    assert (typed.request, typed.config, loud, as_json) == (VerifyTable, "p.toml", True, True)
    assert {word: flag for word, flag in typed.flags.items() if flag is not None} == {
        "quasi": "a",
        "hierarchy": {"a": "mask()"},
    }


def test_a_command_without_a_project_file_has_no_flag_for_one() -> None:
    @with_flags(HierarchyTable)
    def hierarchy(typed: Typed) -> None:
        """Look."""

    assert "config" not in inspect.signature(hierarchy).parameters
