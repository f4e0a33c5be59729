"""What a request to protect lacks, what Shoal suggests in its place, and the request with that accepted."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.catalog import find
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.part_syntax import join_columns, spell, split
from shoal.jobs.tables.output import GivenAway, Made
from shoal.jobs.tables.requests import ProtectTable
from shoal.tables.column_decisions import ROLES, By
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.multir_k_anonymity import MultirKAnonymity
from shoal.tables.table import Table

if TYPE_CHECKING:
    from shoal.tables.discovery.roles import ColumnReport

USUAL_K = 5
USUAL_L = 2
USELESS = 0.9  # the loss from which a release tells so little that a weaker promise is the better offer
MANY_ALONE = 0.05  # the share of rows that harmless columns may single out before somebody must be told
_GUARDS = {"attribute linkage", "probabilistic"}  # the attacks of which one learns a sensitive value
_WORDS = {"quasi": "no quasi-identifier named", "model": "no promise asked for"}


@dataclass(frozen=True)
class Suggested:
    """A request, the roles that its columns suggest where nobody gave one, and what it lacks without them."""

    job: ProtectTable
    table: Table
    reports: Mapping[str, ColumnReport]

    @classmethod
    def of(cls, job: ProtectTable, table: Table, kept: Collection[str] = ()) -> Suggested:
        """Look at the columns that have no role; `kept` are spoken of by steps or models."""
        # Here, because vocabularies take their time and a table with roles does not need them.
        from shoal.tables.discovery.discovery import look_at

        table = table.with_roles(
            job.identifier or table.identifier,
            job.quasi or table.quasi,
            job.sensitive or table.sensitive,
            job.insensitive,
        )
        silent = [column for column in table.insensitive if column not in (*job.insensitive, *kept)]
        return cls(job, table, look_at(Table(table.frame.select(silent))) if silent else {})

    @property
    def roles(self) -> dict[str, tuple[str, ...]]:
        """The columns of each role, those that somebody named first."""
        found: dict[str, tuple[str, ...]] = {}
        for role in ROLES:
            named = self.job.insensitive if role == "insensitive" else getattr(self.table, role)
            found[role] = (*named, *(name for name in self._accepted if self.reports[name].role == role))
        return found

    @property
    def _accepted(self) -> list[str]:
        """The columns whose role is accepted: not those that nothing is known about, which do not go out."""
        return [name for name, report in self.reports.items() if report.understood]

    @property
    def lacks(self) -> list[str]:
        """What must be said before anything can be protected, in words."""
        return [_WORDS["quasi"]] * (not self.table.quasi) + [_WORDS["model"]] * _promises_nothing(self.job)

    @property
    def flags(self) -> str:
        """All that is missing as flags, to copy and paste."""
        asked = [
            f"--{role} {shlex.quote(join_columns(columns))}"
            for role, columns in self.roles.items()
            if self._new(role) and columns
        ]
        if _promises_nothing(self.job):
            counted = spell(MultirKAnonymity(USUAL_K, self.key)) if self.key else None
            asked.append(f'--model "{counted}"' if counted else f"--k {USUAL_K}")
        return " ".join(asked)

    def _new(self, role: str) -> bool:
        return any(self.reports[name].role == role for name in self._accepted)

    def accepted(self) -> ProtectTable:
        """The request with every suggested role; refused where no column looks like a quasi-identifier."""
        roles = self.roles
        if not roles["quasi"]:
            raise BadParameter(
                f"no column looks like a quasi-identifier, so there is nothing to suggest; {self._choose()}"
            )
        decided: dict[str, By] = {**self.job.decided, **dict.fromkeys(self._accepted, "suggestion")}
        chosen: dict[str, Any] = {**roles}
        return replace(self.job, **chosen, decided=decided, yes=False)

    def _choose(self) -> str:
        """What to say where no column looks like a quasi-identifier; what names people is no choice."""
        naming = self.roles["identifier"]
        able = [name for name in self.table.columns if name not in naming]
        return f"choose with --quasi from {', '.join(able or self.table.columns)}"

    def offers(self) -> list[ProtectTable]:
        """The accepted request with the promises to try, the strongest first."""
        job = self.accepted()
        if not _promises_nothing(job):
            return [job]
        diverse = self._diverse(job.sensitive)
        alone = replace(job, k=USUAL_K)
        counted = (spell(MultirKAnonymity(USUAL_K, self.key)),) if self.key else ()
        offers = [(*counted, *diverse), counted, diverse] if diverse else [counted]
        return [*(replace(alone, model=model) for model in offers if model), alone]

    @property
    def key(self) -> str | None:
        """The column that stands for one person in several rows.

        Of several the one with the fewest gaps (a gap is a person of its own), then with most values.
        """
        found = [name for name in self._accepted if self.reports[name].key]
        return max(found, key=lambda name: (-self._gaps(name), self.reports[name].distinction), default=None)

    def _gaps(self, name: str) -> int:
        """Rows without a value, however that is written."""
        from shoal.tables.discovery.roles import MISSING_MARKS

        written = texts(self.table.frame[name]).fill_null("").str.strip_chars().str.to_lowercase()
        return int(written.is_in(MISSING_MARKS).sum())

    def _diverse(self, sensitive: Collection[str]) -> tuple[str, ...]:
        """l-diversity of every sensitive column that has different values at all."""
        able = [name for name in sensitive if texts(self.table.frame[name]).n_unique() >= USUAL_L]
        return diverse(able, sensitive)

    def refuse(self, more: Collection[str] = (), flags: str = "") -> BadParameter:
        """One sentence with everything that is missing, and the flags that say it."""
        told = ", ".join([*self.lacks, *more])
        if not self.roles["quasi"]:
            return BadParameter(f"{told}; {self._choose()}")
        given = " ".join(filter(None, [self.flags, flags]))
        return BadParameter(f"{told}; add --yes to accept what the columns suggest, or say {given}")


def best_offer(found: Suggested, make: Callable[[ProtectTable], Made]) -> Made:
    """The release by suggested roles, with the strongest of the usual promises that leaves some detail."""
    *stronger, last = found.offers()
    refused = None
    for offer in stronger:
        spelled = " and ".join(map(str, offer.model))
        try:
            made = _without_revealing_columns(offer, make)
        except Unreachable as error:
            refused = f"{spelled} is out of reach: {error}"
            continue
        if not useless(made.release.losses):
            return made.noted(
                [*suggestion_remarks(offer, found.reports, None), *combination_remarks(made.release.table)]
            )
        refused = f"{spelled} would have left hardly any detail"
    made = _without_revealing_columns(last, make)
    return made.noted(
        [*suggestion_remarks(last, found.reports, refused), *combination_remarks(made.release.table)]
    )


def _without_revealing_columns(job: ProtectTable, make: Callable[[ProtectTable], Made]) -> Made:
    """The release without columns that would give others away."""
    try:
        return make(job)
    except GivenAway as error:
        harmless = tuple(column for column in job.insensitive if column not in error.columns)
        made = make(replace(job, insensitive=harmless, identifier=(*job.identifier, *error.columns)))
        return made.noted([f"left out: {error}"])


def suggestion_remarks(
    job: ProtectTable, reports: Mapping[str, ColumnReport], refused: str | None
) -> list[str]:
    """Remarks about suggestions that were accepted, and about what k-anonymity alone leaves open."""
    notes = []
    for role in ROLES:
        named = [column for column in getattr(job, role) if column in reports]
        if named:
            notes.append(f"accepted as suggested: {role} {join_columns(named)}")
    keyed = any(report.key for report in reports.values())
    if keyed and (counting := [model for model in job.model if model.startswith(MultirKAnonymity.name)]):
        notes.append(f"a person has several rows, so people are counted, and not rows alone: {counting[0]}")
    if job.sensitive and not job.model and job.k is not None:
        why = f" ({refused})" if refused else ""
        notes.append(
            f"k-anonymity alone leaves the homogeneity attack open{why}: all rows of a group may share one "
            f'value of {join_columns(job.sensitive)}; --model "l-diversity(l={USUAL_L})" closes it'
        )
    return notes


def combination_remarks(released: Table) -> list[str]:
    """A remark where columns that are harmless one by one find people together, and go out as they are."""
    columns = released.insensitive
    if not columns:
        return []
    alone = int(pl.DataFrame([texts(released.frame[name]) for name in columns]).is_unique().sum())
    if alone < MANY_ALONE * released.rows:
        return []
    return [
        f"{join_columns(columns)} go out unchanged, and {alone:,} of {released.rows:,} rows have a "
        "combination of them that no other row has: whoever knows these values of somebody finds the row; "
        "name those that others may know with --quasi, or leave them out with --identifier"
    ]


def useless(losses: Mapping[str, float]) -> bool:
    """Whether a release says hardly anything any more."""
    return losses.get("loss", 0.0) > USELESS


def _promises_nothing(job: Any) -> bool:
    return not job.model and job.k is None


def diverse(columns: Collection[str], sensitive: Collection[str]) -> tuple[str, ...]:
    """l-diversity of these columns: in one promise where they are all that are sensitive."""
    if columns and len(columns) == len(sensitive):
        return (spell(LDiversity(USUAL_L)),)
    return tuple(spell(LDiversity(USUAL_L, column=name)) for name in columns)


def unguarded(models: Collection[str], sensitive: Collection[str]) -> tuple[str, ...]:
    """The sensitive columns whose values none of these promises keeps from whoever finds a group."""
    guarded: set[str] = set()
    for spelling in models:
        name, given = split(spelling)
        if _GUARDS.isdisjoint(find("model", name).stops):
            continue
        named = given.get("column") or given.get("y") or given.get("guard")
        guarded.update(named.split("|") if named else sensitive)
    return tuple(column for column in sensitive if column not in guarded)
