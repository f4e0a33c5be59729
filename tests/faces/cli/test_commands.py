"""Flags are read as they are typed, and nothing is loaded for that."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import typer
from typer._coercion import build_runtime_param
from typer.exceptions import TyperException

from patience import LONG
from shoal.core.errors import ShoalError
from shoal.faces.cli.app import app
from shoal.faces.cli.commands import AsTyped


def every_parameter() -> Iterator[Any]:
    def below(command: Any) -> Iterator[Any]:
        command = getattr(command, "made", command)
        yield from command.params
        for each in getattr(command, "commands", {}).values():
            yield from below(each)

    return below(typer.main.get_command(app))


def test_what_is_typed_is_read_as_typer_would_read_it() -> None:
    texts = ["", "a", "a,b", " 5 ", "5", "-3", "0.05", "1e3", "nan", "5x", "true", "ä\u2028"]
    context: Any = None
    seen = set()
    for param in every_parameter():
        many = param.multiple or param.nargs == -1
        kind = (str(param.type_descriptor.annotation), param.type_descriptor.parameter_info.parser, many)
        if kind in seen:
            continue
        seen.add(kind)
        several: list[Any] = [None, [], *([text] for text in texts), ["a", "b"], ("a",)]
        for value in several if many else [None, *texts, True, 7]:
            told = []
            for reader in (AsTyped(), build_runtime_param(param.type_descriptor)):
                try:
                    told.append(repr(reader.coerce(value, param=param, ctx=context)))
                except (TyperException, ShoalError) as error:
                    told.append(f"{type(error).__name__} {error}")
            assert told[0] == told[1], (param.name, value)
    assert len(seen) >= 5


def test_no_library_of_validators_is_loaded_for_flags() -> None:
    work = (
        "import sys\nfrom shoal.faces.cli.app import main\n"
        "sys.argv = ['shoal', 'table', 'protect', 'nowhere.csv', '--k', '5', '--quasi', 'a', '-o', 'b.csv']\n"
        "try:\n    main()\nexcept SystemExit as left:\n    assert left.code == 2\n"
        "assert 'pydantic' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", work], check=True, timeout=LONG)
