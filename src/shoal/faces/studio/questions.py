"""What an owner declares about a table before anybody asks, kept beside it; and who is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.faces.studio.history import read_json, write_json
from shoal.faces.studio.project import HIDDEN, TableFolder

if TYPE_CHECKING:  # they load the engine, which is for working processes
    from shoal.jobs.queries.question_requests import AskQuery, EpsilonQuery

LEDGER = "questions.ledger"


@dataclass(frozen=True)
class Declaration:
    """Whose rows these are, what numbers and groups there may be, and what all questions may cost."""

    unit: str = ""
    rows: int = 1
    budget: str = "1"
    bounds: Mapping[str, str] = field(default_factory=dict)  # 0:120 by column
    keys: Mapping[str, str] = field(default_factory=dict)  # F,M by column

    def save(self, table: TableFolder) -> None:
        write_json(_place(table), asdict(self))

    @classmethod
    def of(cls, table: TableFolder) -> Declaration:
        """What was declared about a table, or nothing yet."""
        return cls(**(read_json(_place(table)) or {}))


@dataclass(frozen=True)
class Source:
    """Who is asked: a table of the project with what was declared about it, or a service elsewhere."""

    names: tuple[str, ...]  # of the table and its columns, for completion
    given: Mapping[str, Any] = field(default_factory=dict)
    ledger: Path | None = None
    budget: str | None = None
    service: str | None = None
    token: str | None = field(default=None, repr=False)
    dataset: str | None = None

    @classmethod
    def of_table(cls, table: TableFolder, declared: Declaration) -> Source:
        """A table of the project. Its ledger lies beside it, and goes on whatever is declared later."""
        name = table.name.replace("-", "_")
        given = {
            "data": {name: str(table.file)},
            "unit": declared.unit or None,
            "bounds": dict(declared.bounds),
            "keys": dict(declared.keys),
            "rows": declared.rows,
        }
        columns = (table.inspection or {}).get("columns", {})
        return cls((name, *columns), given, table.folder / LEDGER, declared.budget)

    def question(self, sql: str, epsilon: str, estimate: bool = False) -> AskQuery:
        """The request that carries a question out: the one of `shoal query ask`."""
        from shoal.jobs.queries.question_requests import AskQuery

        asked: dict[str, Any] = {"sql": sql, "epsilon": epsilon, "estimate": estimate}
        if self.service is not None:
            return AskQuery(**asked, service=self.service, token=self.token, dataset=self.dataset)
        begun = self.ledger is not None and self.ledger.exists()
        if estimate and not begun:
            return AskQuery(**asked, **self.given, budget=self.budget)
        return AskQuery(**asked, **self.given, budget=None if begun else self.budget, ledger=self.ledger)

    def epsilon_for(self, sql: str, within: float) -> EpsilonQuery:
        """The request for the smallest ε with which 95 of 100 answers are within so much of the truth."""
        from shoal.jobs.queries.question_requests import EpsilonQuery

        if self.service is not None:
            at: dict[str, Any] = {"service": self.service, "token": self.token, "dataset": self.dataset}
            return EpsilonQuery(question=sql, within=within, **at)
        begun = self.ledger is not None and self.ledger.exists()
        return EpsilonQuery(
            question=sql, within=within, **self.given, ledger=str(self.ledger) if begun else None
        )


def _place(table: TableFolder) -> Path:
    return table.folder / HIDDEN / "questions.json"
