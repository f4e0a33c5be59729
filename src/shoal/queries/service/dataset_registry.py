"""The declarations that a service works with, one file each. A data set is there when its file is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.engines.atomic_write import write_text
from shoal.queries.declaration.declaration import Dataset, Table
from shoal.queries.declaration.serialisation import POSTGRES, dataset_from, to_plain
from shoal.queries.declaration.validation import fraction_text
from shoal.queries.service.folder_lock import keep_private


class Registry:
    """A folder of declarations and, beside each, a place for its rows."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder
        keep_private(folder.parent)
        self._known: dict[str, Dataset] = {}
        self._local: set[str] = set()
        self._gone: set[str] = set()  # names that stay taken
        for path in sorted(folder.glob("*.json")):
            try:
                told = json.loads(path.read_text("utf-8"))
                if told.get("deleted") is True:
                    self._gone.add(path.stem)
                    continue
                dataset = dataset_from(told["declaration"])
                local = bool(told["local"])
            except (ValueError, KeyError, TypeError, AttributeError, BadParameter) as error:
                raise BadParameter(
                    f"{path} is no declaration of ours ({type(error).__name__}); restore it"
                ) from None
            self._known[dataset.name] = dataset
            if local:
                self._local.add(dataset.name)

    def all(self) -> Sequence[Dataset]:
        """Every data set."""
        return list(self._known.values())

    def find(self, name: str) -> Dataset | None:
        """A data set by its name, as it was registered."""
        return self._known.get(name)

    def taken(self, name: str) -> bool:
        """Whether a name, or one that some file systems cannot tell from it, is in use."""
        return name.casefold() in {known.casefold() for known in (*self._known, *self._gone)}

    def deleted(self, name: str) -> bool:
        """Whether a data set of that name was there once."""
        return name.casefold() in {gone.casefold() for gone in self._gone}

    def local(self, name: str) -> bool:
        """Whether its rows are in the folder, and not in a database elsewhere."""
        return name in self._local

    def rows(self, name: str) -> Path:
        """The file for its rows."""
        return self._folder / f"{name}.duckdb"

    def clear(self, name: str) -> None:
        """Take a file of rows away, with what DuckDB keeps beside it."""
        path = self.rows(name)
        path.unlink(missing_ok=True)
        path.with_name(f"{path.name}.wal").unlink(missing_ok=True)
        shutil.rmtree(path.with_name(f"{path.name}.tmp"), ignore_errors=True)

    def delete(self, name: str) -> None:
        """Take a declaration away for good, then its rows; a note of its name stays."""
        write_text(json.dumps({"deleted": True}) + "\n", self._folder / f"{name}.json")
        self._known.pop(name, None)
        self._local.discard(name)
        self._gone.add(name)
        self.clear(name)

    def add(self, dataset: Dataset, local: bool) -> None:
        """Write a declaration down, or another in its place: whole and flushed to disk, or not at all."""
        kept = replace(dataset, sources=())  # where the rows came from is nobody's business later
        document = {"declaration": to_plain(kept), "local": local}
        write_text(
            json.dumps(document, indent=1, ensure_ascii=False) + "\n", self._folder / f"{dataset.name}.json"
        )
        keep_private(self._folder)
        self._known[dataset.name] = kept
        if local:
            self._local.add(dataset.name)


def keeps_promise(before: Dataset, now: Dataset) -> None:
    """Refuse another declaration of a data set in use, but for words about it and what newcomers get."""
    now = replace(now, about=before.about, each=before.each)
    told = difference(before, now)
    if told is None:
        return
    cure = "what was promised is kept, so go back to that, or register it under a new name with its budget"
    if difference(before, replace(now, budget=before.budget)) is None:
        words = [f"--dataset {now.name} --change-epsilon {fraction_text(now.budget.epsilon)}"]
        words += [f"--change-delta {fraction_text(now.budget.delta)}"] if now.budget.delta else []
        cure = f"go back to that, or change it for good: shoal query budget --config FILE {' '.join(words)}"
    raise BadParameter(f"data set '{now.name}' is in use with another declaration: {told}; {cure}")


def difference(before: Dataset, now: Dataset) -> str | None:
    """Where two declarations first differ, in words; None when they say the same."""
    return _difference(to_plain(replace(before, sources=())), to_plain(replace(now, sources=())), "")


def _difference(before: Json, now: Json, where: str) -> str | None:
    if before == now:
        return None
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for name in dict.fromkeys((*before, *now)):
            found = _difference(before.get(name), now.get(name), f"{where}.{name}" if where else name)
            if found is not None:
                return found
    return f"{where} was {_to_json(before)} and is now {_to_json(now)}"


def _to_json(value: Json) -> str:
    if value is None:
        return "not there"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"


def describe(dataset: Dataset) -> dict[str, Json]:
    """What an analyst may know of a data set: everything that its owner declared but where it came from."""
    return {
        "name": dataset.name,
        "about": dataset.about,
        "policy": dataset.policy,
        "accounting": dataset.accounting,
        "renews": dataset.renews,
        "tables": [_table(table) for table in dataset.tables],
    }


def _table(table: Table) -> Json:
    columns: list[Json] = [
        {
            "name": column.name,
            "kind": column.kind,
            "low": None if column.bounds is None else column.bounds[0],
            "high": None if column.bounds is None else column.bounds[1],
            "keys": None if column.keys is None else list(column.keys),
            "missing": column.missing,
            "never_null": column.never_null,
        }
        for column in table.columns
    ]
    return {
        "name": table.name,
        "unit": table.unit,
        "rows": table.rows,
        "groups": table.groups,
        "rows_per_group": table.rows_per_group,
        "columns": columns,
    }


def files_of(dataset: Dataset, elsewhere: bool) -> dict[str, str]:
    """Where the rows to begin with are; none when they are `elsewhere`, in a store of their own."""
    if not elsewhere and any(source == POSTGRES for _, source in dataset.sources):
        raise BadParameter(f"the rows of '{dataset.name}' are in a database; tell its address at every start")
    return {} if elsewhere else dict(dataset.sources)
