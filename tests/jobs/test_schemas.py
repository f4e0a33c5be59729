"""Every command that prints JSON has a schema, and the schemas are sound."""

from typing import Any

import pytest
import typer
from jsonschema import Draft202012Validator

from shoal.core.errors import BadParameter
from shoal.faces.cli.app import app
from shoal.jobs.schemas import SCHEMAS, schema_of


def commands(command: Any, name: str) -> list[str]:
    command = getattr(command, "made", command)
    if hasattr(command, "commands"):
        return [
            found for word, inner in command.commands.items() for found in commands(inner, f"{name} {word}")
        ]
    has_json = any("--json" in param.opts for param in command.params)
    return [name.strip()] if has_json else []


def test_every_command_with_json_has_a_schema() -> None:
    # A schema is one by itself.
    assert set(SCHEMAS) == set(commands(typer.main.get_command(app), "")) - {"schema"}


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    found: Any = schema_of(name.split())
    Draft202012Validator.check_schema(found)
    assert found["title"] == f"shoal {name} --json"
    assert not Draft202012Validator(found).is_valid({}), "a document without any name fits no command"


def test_a_command_that_is_not_there_gets_a_sentence() -> None:
    with pytest.raises(BadParameter, match="did you mean 'table protect'"):
        schema_of(["table", "protct"])
    assert set(schema_of([])) == set(SCHEMAS)
