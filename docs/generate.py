"""Write docs/reference.md from the catalog and the command line, and what other pages count of the catalog.

Run it as `python docs/generate.py`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from shoal.catalog import KINDS, Catalog, Part
from shoal.faces.cli.app import app
from shoal.tables.appraisal.losses import OBJECTIVES
from shoal.tables.hierarchies.spec import FORMS

TARGET = Path(__file__).with_name("reference.md")
DOCS = TARGET.parent
COUNTING = (
    DOCS.parent / "README.md",
    *(DOCS / name for name in ("index.md", "other-tools.md", "promises.md", "report.md")),
)
COUNTED = {
    "attacks": ("attack", "table"),
    "privacy models": ("model", "table"),
    "mechanisms": ("mechanism", "query"),
}
HEAD = """# Reference

Made from the catalog and the command line by `docs/generate.py`. Do not edit it.
Change the docstring, then run

```sh
.venv/bin/python docs/generate.py
```

A part is written `name(param=value,…)`. A parameter without a value here is needed, or is nothing by default.
"""
EXPLAINED = {
    "model": "What must hold. See [models](models.md).",
    "method": "How to get there.",
    "step": "What to change before. See [steps](steps.md).",
    "attack": "Who breaks it. See [attacks on tables](attacks.md), [on graphs](graph-attacks.md) and "
    "[on questions](query-attacks.md).",
    "measure": "What it cost, and what risk is left. See [measures](measures.md).",
    "mechanism": "How an answer gets its noise.",
    "alternative": "Who answers instead. See [alternatives](alternatives.md).",
}


def reference() -> str:
    """The whole page."""
    # What other packages register is theirs to document.
    own = [part for part in Catalog.whole().parts if part.cls.__module__.startswith("shoal.")]
    lines = [HEAD]
    for kind in KINDS:
        lines += [f"## {kind.capitalize()}s\n", f"{EXPLAINED[kind]}\n"]
        for part in own:
            if part.kind == kind:
                lines += _part(part)
    lines += ["## Objectives\n", f"{_listed(OBJECTIVES)}. See [measures](measures.md#losses).\n"]
    lines += [
        "## Forms of hierarchies\n",
        f"{_listed(FORMS[1:])}, or {FORMS[0]}. See [hierarchies](hierarchies.md).\n",
    ]
    lines += ["## Commands\n", *_commands(typer.main.get_command(app), "shoal")]
    return "\n".join(lines).rstrip() + "\n"


def _part(part: Part) -> Iterator[str]:
    yield f"### {part.name}\n"
    spelled = f"{part.name}({part.parameters})" if part.parameters else part.name
    yield f"`{spelled}` · for a {part.noun}\n"
    for paragraph in inspect.cleandoc(part.cls.__doc__ or "").split("\n\n"):
        yield " ".join(paragraph.split()) + "\n"
    if part.kind == "model":
        yield f"Stops: {', '.join(part.cls.stops)}.\n"


def _commands(command: Any, path: str) -> Iterator[str]:
    command = getattr(command, "made", command)
    for name, below in sorted(getattr(command, "commands", {}).items()):
        yield from _commands(below, f"{path} {name}")
    if hasattr(command, "commands"):
        return
    yield f"### {path}\n"
    yield f"{inspect.cleandoc(command.help or '')}\n"
    yield "| flag | meaning |"
    yield "|---|---|"
    for parameter in command.params:
        if parameter.name == "help":
            continue
        # An option shows its spellings, an argument its place holder.
        shown = ", ".join(parameter.opts) if parameter.param_type_name == "option" else parameter.metavar
        yield f"| `{shown}` | {(parameter.help or '').replace('|', chr(92) + '|')} |"
    yield ""


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def counted(text: str) -> str:
    """A page with as many parts as the catalog has."""
    for words, of in COUNTED.items():
        many = sum((part.kind, part.noun) == of for part in Catalog.whole().parts)
        text = re.sub(rf"\b\d+(?= {words}\b)", str(many), text)
    return text


if __name__ == "__main__":
    TARGET.write_text(reference(), "utf-8")
    for page in COUNTING:
        page.write_text(counted(page.read_text("utf-8")), "utf-8")
