"""The section `[query]` of a project file: a live database in a folder, its data sets and its owner.

    [query]
    folder = "database"                       # everything that the service keeps

    [query.datasets.hospital]
    unit = "patient_id"
    epsilon = 4

    [query.datasets.hospital.tables.patients]
    file = "patients.csv"                     # the rows to begin with

    [query.datasets.hospital.tables.patients.columns]
    sex = "text F|M"
    income = "number 0..500000"

Paths are relative to the project file.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, cast

from shoal.core.errors import BadParameter, Unanswered
from shoal.engines.address import Address
from shoal.jobs.queries.ask import OWNER, Database, remote
from shoal.jobs.queries.declare import chance, epsilon_from
from shoal.jobs.queries.spark_source import SparkSource, spark_tables
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.declaration.declaration import Dataset
from shoal.queries.declaration.serialisation import POSTGRES, dataset_from
from shoal.queries.execution import FAILED
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.open_ledger import open_ledger
from shoal.queries.ledger.token_holders import Person
from shoal.queries.results import Answer, BudgetState, CostEstimate
from shoal.queries.service.dataset_registry import Registry
from shoal.queries.service.service import Service
from shoal.queries.service.settings import Settings

ADDRESS = "SHOAL_POSTGRES"  # the variable that may hold the address of a database
_KNOWN = ("folder", "ledger", "postgres", "schema", "datasets", *(part.name for part in fields(Settings)))


@dataclass(frozen=True)
class Project:
    """What a project file says about a live database."""

    folder: Path
    ledger: str | Path
    datasets: tuple[Dataset, ...]
    settings: Settings
    postgres: str | None = None  # where rows are that stay in PostgreSQL
    schema: str = "public"  # of PostgreSQL

    def dataset(self, name: str | None) -> Dataset:
        """One data set; the only one when no name is given."""
        known = {dataset.name: dataset for dataset in self.datasets}
        if name is None and len(known) == 1:
            return self.datasets[0]
        if name is None or name not in known:
            said = (
                "which data set? Give --dataset; there is"
                if name is None
                else f"no data set '{name}'; there is"
            )
            raise BadParameter(f"{said} {', '.join(known) or 'none'}")
        return known[name]


def project_of(path: str | Path) -> Project:
    """The live database that a project file describes."""
    place = Path(path)
    try:
        document = tomllib.loads(place.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise BadParameter(f"no project file {path}; check the path given to --config") from None
    except (OSError, UnicodeDecodeError, RecursionError, tomllib.TOMLDecodeError) as error:
        raise BadParameter(f"cannot read {path} as TOML: {str(error).splitlines()[0]}") from error
    section = document.get("query")
    if not isinstance(section, Mapping):
        raise BadParameter(f"{path} has no section [query]; it has {', '.join(document) or 'nothing'}")
    for word in section:
        if word not in _KNOWN:
            raise BadParameter(f"{path}: [query] has no setting '{word}'; it has {', '.join(_KNOWN)}")
    folder = place.parent / _text(path, section, "folder", "shoal-database")
    ledger = _text(path, section, "ledger", "")
    told = section.get("datasets", {})
    if not isinstance(told, Mapping):
        raise BadParameter(f"{path}: datasets are sections such as [query.datasets.hospital]")
    figures = {part.name: section[part.name] for part in fields(Settings) if part.name in section}
    for name, value in figures.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BadParameter(f"{path}: {name} = {value!r} is not a number")
    return Project(
        folder,
        ledger if remote(ledger) else place.parent / ledger if ledger else folder / "ledger.sqlite",
        tuple(_dataset(path, str(name), plain) for name, plain in told.items()),
        Settings(**figures),
        _text(path, section, "postgres", os.environ.get(ADDRESS, "")) or None,
        _text(path, section, "schema", "public"),
    )


def open_service(project: Project) -> Service:
    """The service of a project, with every data set declared and its owner allowed to ask."""
    if not project.datasets and not project.folder.exists():
        raise BadParameter(
            "[query] declares no data set; add [query.datasets.NAME] with tables, unit and epsilon"
        )
    _check_sources(project)
    service = Service(project.folder, project.ledger, project.settings)
    try:
        for dataset in project.datasets:
            _declare(service, project, dataset)
            let_owner_ask(service.ledger, dataset)
    except BaseException:
        service.close()
        raise
    return service


def let_owner_ask(ledger: Ledger, dataset: Dataset) -> None:
    """Open the account of a data set, and let its owner spend of it like everybody else."""
    limit = accounting_of(dataset.accounting).limit(dataset.budget)
    ledger.open(dataset.name, limit, dataset.policy, dataset.accounting, dataset.renews)
    ledger.grant(dataset.name, OWNER, limit)


def ledger_of(project: Project) -> Ledger:
    """The ledger of a project, also while its service is running; the accounts are there from now on."""
    if not isinstance(project.ledger, str):
        try:
            project.ledger.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise BadParameter(
                f"cannot make '{project.ledger.parent}': {error.strerror}; choose another"
            ) from None
    ledger = open_ledger(project.ledger)
    try:
        for dataset in project.datasets:
            let_owner_ask(ledger, dataset)
    except BaseException:
        ledger.close()
        raise
    return ledger


def registered_dataset(project: Project, name: str) -> Dataset | None:
    """A data set as the folder of a project has it, also one that the project file does not name."""
    place = project.folder / "datasets"
    return Registry(place).find(name) if place.is_dir() else None


def open_project(config: str | Path, dataset: str | None = None) -> Database:
    """The database of a project file, asked by its owner without a service in between."""
    project = project_of(config)
    chosen = project.dataset(dataset)
    try:
        return _Opened(open_service(project), chosen)
    except BadParameter as error:
        if "is running" in str(error):
            raise BadParameter(f"{error}, or ask it with --service URL") from None
        raise


def first_owner(service: Service) -> str | None:
    """The token of the first owner, made when nobody has been one; shown only once."""
    if any(person.role == OWNER for person in service.people.all()):
        return None
    return service.people.add(OWNER, OWNER)


class _Opened(Database):
    """The same, with a service's folder behind it."""

    def __init__(self, service: Service, dataset: Dataset) -> None:
        self._service, self._dataset = service, dataset.name
        self._elsewhere = "PostgreSQL" if _in_postgres(dataset) else "Spark" if _in_spark(dataset) else None
        self._person = Person(OWNER, OWNER)
        self.notes = ()

    def ask(self, sql: str, epsilon: Any, delta: Any = None) -> Answer:
        answer = self._service.ask(self._person, self._dataset, sql, epsilon_from(epsilon), chance(delta))
        if answer.trouble is not None:  # whoever has the folder has the rows, and may know
            raise Unanswered(FAILED)
        if answer.leaves is not None:  # at once: there is no clock here that anybody could read
            answer.leaves()
        return answer

    def estimate(self, sql: str, epsilon: Any, delta: Any = None) -> CostEstimate:
        return self._service.estimate(self._person, self._dataset, sql, epsilon_from(epsilon), chance(delta))

    def budget(self) -> BudgetState:
        return self._service.budget(self._person, self._dataset)

    def append(self, table: str, rows: Any) -> None:
        if self._elsewhere:
            raise BadParameter(f"the rows of '{self._dataset}' are in {self._elsewhere}; add to them there")
        self._service.change(self._dataset, table, rows, replace=False)

    def close(self) -> None:
        self._service.close()


def _declare(service: Service, project: Project, dataset: Dataset) -> None:
    tables = _in_spark(dataset)
    if tables:
        bare = replace(dataset, sources=())
        service.declare(bare, store=cast(Any, SparkSource(tables).store(bare)))
        return
    if not _in_postgres(dataset):
        service.declare(dataset)
        return
    if project.postgres is None:
        raise BadParameter(
            f"the rows of '{dataset.name}' are in PostgreSQL; "
            f'give its address as postgres = "postgresql://…", or in the variable {ADDRESS}'
        )
    from shoal.queries.stores.postgres_store import PostgresStore

    bare = replace(dataset, sources=())
    service.declare(bare, store=cast(Any, PostgresStore(bare, project.postgres, project.schema)))


def _in_postgres(dataset: Dataset) -> bool:
    there = [source == POSTGRES for _, source in dataset.sources]
    if any(there) and not (all(there) and len(there) == len(dataset.tables)):
        raise BadParameter(
            f"some tables of '{dataset.name}' are in PostgreSQL and some are files; choose one"
        )
    return any(there)


def _in_spark(dataset: Dataset) -> dict[str, Address]:
    return spark_tables({name: source for name, source in dataset.sources if source != POSTGRES})


def _check_sources(project: Project) -> None:
    """Refuse a missing file before a folder is made."""
    for dataset in project.datasets:
        for table, source in dataset.sources:
            if source == POSTGRES or table in _in_spark(dataset):
                continue
            if not Path(source).is_file() and not project.folder.exists():
                raise BadParameter(f"no file '{source}' for the table '{table}'; check the project file")


def _dataset(path: str | Path, name: str, plain: Any) -> Dataset:
    try:
        dataset = dataset_from(plain, name)
    except BadParameter as error:
        raise BadParameter(f"{path}: {error}") from None
    folder = Path(path).parent
    sources = [
        (table, source if _stays(source) else str(folder / source)) for table, source in dataset.sources
    ]
    return replace(dataset, sources=tuple(sources))


def _stays(source: str) -> bool:
    """Whether a source is not a path beside the project file."""
    return source == POSTGRES or source.startswith("spark://") or Path(source).is_absolute()


def _text(path: str | Path, section: Mapping[str, Any], name: str, missing: str) -> str:
    value = section.get(name, missing)
    if not isinstance(value, str):
        raise BadParameter(f"{path}: {name} = {value!r} is not a text in quotes")
    return value
