"""Name → class for every model, method, attack and measure: built-ins, and what other packages register.

Adding a part is one file and one line here. Another package adds one with an entry point in the group
`shoal.models`, `shoal.methods`, `shoal.attacks` or `shoal.measures`. Classes are imported when asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Literal

from shoal.core.errors import BadParameter
from shoal.core.outcome import Json, Tables
from shoal.core.spelling import build, parameters, split

Kind = Literal["model", "method", "attack", "measure"]
KINDS: tuple[Kind, ...] = ("model", "method", "attack", "measure")

_BUILT_IN: dict[Kind, dict[str, str]] = {
    "model": {
        "k-anonymity": "shoal.tables.models.k_anonymity:KAnonymity",
        "l-diversity": "shoal.tables.models.l_diversity:LDiversity",
        "t-closeness": "shoal.tables.models.t_closeness:TCloseness",
    },
    "method": {
        "optimal": "shoal.tables.methods.optimal:Optimal",
    },
    "attack": {
        "linkage": "shoal.tables.attacks.linkage:Linkage",
    },
    "measure": {
        "average-class-size": "shoal.tables.measures.average_class_size:AverageClassSize",
        "discernibility": "shoal.tables.measures.discernibility:Discernibility",
        "distinction": "shoal.tables.measures.distinction:Distinction",
        "entropy": "shoal.tables.measures.entropy:Entropy",
        "journalist": "shoal.tables.measures.risk:Journalist",
        "loss": "shoal.tables.measures.loss:Loss",
        "marketer": "shoal.tables.measures.risk:Marketer",
        "precision": "shoal.tables.measures.precision:Precision",
        "prosecutor": "shoal.tables.measures.risk:Prosecutor",
        "separation": "shoal.tables.measures.separation:Separation",
    },
}


@dataclass(frozen=True)
class Part:
    """One entry of the catalog."""

    kind: Kind
    name: str
    cls: type[Any]

    @property
    def noun(self) -> str:
        """The pillar it belongs to, or the package that brought it."""
        path = self.cls.__module__.split(".")
        return {"tables": "table", "graphs": "graph", "queries": "query"}.get(
            path[1] if len(path) > 1 else "", path[0]
        )

    @property
    def promise(self) -> str:
        """The first sentence of its docstring."""
        return " ".join((self.cls.__doc__ or "").split("\n\n")[0].split())

    @property
    def parameters(self) -> str:
        """Its parameters with their defaults."""
        return parameters(self.cls)

    @property
    def paper(self) -> str:
        """The last paragraph of its docstring: where it comes from."""
        paragraphs = (self.cls.__doc__ or "").strip().split("\n\n")
        return " ".join(paragraphs[-1].split()) if len(paragraphs) > 1 else ""


def names(kind: Kind) -> list[str]:
    """All names of a kind, in order."""
    return sorted({*_BUILT_IN[kind], *(entry.name for entry in entry_points(group=f"shoal.{kind}s"))})


def find(kind: Kind, name: str) -> type[Any]:
    """The class behind a name."""
    if name in _BUILT_IN[kind]:
        module, _, attribute = _BUILT_IN[kind][name].partition(":")
        found: type[Any] = getattr(import_module(module), attribute)
        return found
    for entry in entry_points(group=f"shoal.{kind}s", name=name):
        loaded: type[Any] = entry.load()
        return loaded
    raise BadParameter(f"no {kind} '{name}'; there is {', '.join(names(kind))}")


def make(kind: Kind, text: str) -> Any:
    """A part from its spelling, as in `k-anonymity(k=5)`."""
    name, given = split(text)
    return build(find(kind, name), given)


@dataclass(frozen=True)
class Catalog:
    """Every part, as `shoal catalog` shows it."""

    parts: tuple[Part, ...]

    @classmethod
    def whole(cls) -> Catalog:
        """All parts of all kinds."""
        return cls(tuple(Part(kind, name, find(kind, name)) for kind in KINDS for name in names(kind)))

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal catalog --json` prints."""
        return {
            f"{kind}s": [
                {
                    "name": part.name,
                    "of": part.noun,
                    "parameters": part.parameters,
                    "promise": part.promise,
                    "paper": part.paper,
                    **({"stops": list(part.cls.stops)} if kind == "model" else {}),
                }
                for part in self.parts
                if part.kind == kind
            ]
            for kind in KINDS
        }

    def to_tables(self) -> Tables:
        """One table per kind."""
        return {
            f"{kind}s": [
                ["name", "of", "parameters", "what it does", *(["stops"] if kind == "model" else [])],
                *(
                    [
                        part.name,
                        part.noun,
                        part.parameters,
                        part.promise,
                        *([", ".join(part.cls.stops)] if kind == "model" else []),
                    ]
                    for part in self.parts
                    if part.kind == kind
                ),
            ]
            for kind in KINDS
        }
