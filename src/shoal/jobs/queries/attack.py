"""Set the scene of an attack on questions: who answers, whom they are about, and what the attacker knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl

from shoal import catalog, verbs
from shoal.core.contract import Attack
from shoal.core.errors import BadParameter, ShoalError
from shoal.core.outcome import SHOWN, Cured, Finding
from shoal.core.part_syntax import spell
from shoal.engines.atomic_write import check_place
from shoal.engines.files import read_frame, to_frame
from shoal.jobs.chart_files import check_form, draw
from shoal.jobs.queries.ask import Database
from shoal.jobs.queries.declare import Given, declare, epsilon_from, pairs_of
from shoal.jobs.queries.requests import AttackQuery, DeclaredPeople
from shoal.queries.alternatives.plain import Plain
from shoal.queries.attack_chart import attack_picture
from shoal.queries.attacker_reasoning.conversation import Conversation
from shoal.queries.attacker_reasoning.scene import Scene
from shoal.queries.attacker_reasoning.secret import Secret
from shoal.queries.client import Client, connect
from shoal.queries.endpoints.endpoint import Alternative, Endpoint
from shoal.queries.endpoints.function import FunctionEndpoint
from shoal.queries.endpoints.people import People
from shoal.queries.endpoints.private_answers import PrivateAnswers
from shoal.queries.results import Answer, BudgetState

MANY = 100  # values of a column that everybody may know; beyond, it is a name


def attack_query(job: AttackQuery) -> Finding:
    """What one attacker achieves by asking, and whether a budget stops them."""
    attacker: Attack[Scene] = catalog.part_of("attack", job.attack, "query")
    if job.chart is not None:
        check_form(job.chart)
        check_place(job.chart, [*pairs_given(job.data).values(), job.population, job.release])
    scene, who = scene_of(job)
    try:
        check_needs(attacker, scene)
        finding = verbs.attack(scene, attacker)
    finally:
        scene.talk.close()
        scene.people.close()
    finding = replace(finding, details={"against": who, **finding.details})
    if finding.details.get("answered") == 0:
        refusal = finding.details.get("first_refusal", "no question was asked")
        unproved = f"nothing was answered, so this proves nothing; the first question was refused: {refusal}"
        finding = replace(finding, cure=unproved)
    finding = with_cure_checked(finding, attacker, scene)
    if job.chart is not None:
        try:
            draw(attack_picture(finding), job.chart)
        except ShoalError as error:  # it is paid for, so it must be told, drawn or not
            return replace(finding, details={**finding.details, "not_drawn": str(error)})
    return finding


def check_needs(attacker: Attack[Scene], scene: Scene) -> None:
    """Ask for what an attack cannot do without."""
    if "known" in attacker.needs and not scene.known:
        raise BadParameter(
            f"{attacker.name} needs columns that everybody knows of people; give --known sex,zip"
        )


def scene_of(job: AttackQuery) -> tuple[Scene, str]:
    """Everything that an attack looks at, and who answers in words."""
    people = people_of(job)
    secret = None if job.secret is None else Secret.of(job.secret, people)
    price = None if job.epsilon is None else epsilon_from(job.epsilon)
    who = _who_answers(job, people, secret)
    again = who.reopen
    scene = Scene(
        Conversation(who.endpoint, price),
        people,
        secret=secret,
        known=tuple(people.column(one).name for one in job.known) or known_columns(people, secret),
        population=_beside(job.population, people),
        release=_beside(job.release, people),
        reopen=None if again is None else lambda some: Conversation(again(some), price),
        loss=who.loss,
        shown=SHOWN if job.show is None else job.show,
        seed=job.seed,
    )
    return scene, who.name if job.release is None else _called(job.release)


def people_of(job: DeclaredPeople) -> People:
    """The rows of the one private table that was named."""
    given = Given(
        data=_texts(job.data), unit=job.unit, bounds=_texts(job.bounds), kind=_texts(job.kind), rows=1
    )
    if len(given.data) != 1:
        raise BadParameter(
            f"attacks ask about one table, not {', '.join(given.data)}; name the one with people"
        )
    declared = declare(given)
    (table,) = declared.tables
    return People.of(table, declared.frames[table.name])


def alternative_of(given: Any, secret: Secret | None, **settings: Any) -> Alternative:
    """A way to answer from its spelling; what it leaves open about the secret is filled in."""
    column = "" if secret is None else secret.column
    value = "" if secret is None or secret.value is None else str(secret.value)
    made: Alternative = catalog.part_of("alternative", given, "query", column=column, value=value, **settings)
    return made


@dataclass(frozen=True)
class _Answering:
    """Who answers, in words too, and how to make another like them, where that can be done."""

    endpoint: Endpoint
    name: str
    reopen: Callable[[People], Endpoint] | None = None
    loss: Fraction | None = None


def _who_answers(job: AttackQuery, people: People, secret: Secret | None) -> _Answering:
    """Who is asked."""
    against, table = job.against, people.table.name
    if job.service is not None:
        against = connect(job.service, job.token or "")
    if isinstance(against, Client):
        return _Answering(PrivateAnswers(_Service(against, job.dataset), table), against.url)
    if against is None:
        against = Plain()
    if isinstance(against, str | Alternative):
        made = alternative_of(against, secret)
        return _Answering(made.open(people), spell(made), made.open, made.loss)
    if isinstance(against, Endpoint):
        return _Answering(against, type(against).__name__)
    if callable(against):
        return _Answering(FunctionEndpoint(against, table), "a function")
    if not isinstance(against, Database):
        raise BadParameter(
            f"nobody can ask {against!r}; against takes a name such as plain, a client, an open database, "
            "or a function of a text"
        )
    return _Answering(PrivateAnswers(against, table), "an open database")


class _Service:
    """A client that speaks of one data set."""

    def __init__(self, client: Client, dataset: str | None) -> None:
        self._client = client
        self._dataset = dataset or client.only_dataset()

    def ask(self, sql: str, epsilon: Fraction, /) -> Answer:
        return self._client.ask(sql, epsilon, dataset=self._dataset)

    def budget(self) -> BudgetState:
        return self._client.budget(self._dataset)


def with_cure_checked(finding: Finding, attacker: Attack[Scene], scene: Scene) -> Finding:
    """The finding with what the attack still achieves against the cure that it names."""
    if finding.remedy is None or finding.rate.interval[0] <= finding.baseline:
        return finding
    cure = alternative_of(finding.remedy, scene.secret)
    talk: Conversation | None = None
    try:
        talk = Conversation(cure.open(scene.people))
        after = replace(scene, talk=talk, loss=None, reopen=lambda some: Conversation(cure.open(some)))
        again = verbs.attack(after, attacker)
    except ShoalError:
        return finding  # it cannot be declared so: then nothing is proved
    finally:
        if talk is not None:
            talk.close()
    how = f"the same asked of {finding.remedy}"
    return replace(
        finding, cured=Cured(how, again.rate, talk.refused / max(talk.asked, 1), "questions refused")
    )


def known_columns(people: People, secret: Secret | None) -> tuple[str, ...]:
    """Columns that everybody may know of a person, where nobody named any: those that people share."""
    hidden = {people.unit, "" if secret is None else secret.column}
    found = []
    for column in people.table.columns:
        values = people.frame[column.name]
        number = column.kind in ("integer", "number")
        if column.name not in hidden and (number or 1 < values.n_unique() <= MANY):
            found.append(column.name)
    return tuple(found)


def pairs_given(data: Any) -> Mapping[str, Any]:
    """The tables that were named, by name."""
    return pairs_of("data", _texts(data))


def _beside(given: Any, people: People) -> pl.DataFrame | None:
    """Another table with columns of the same kinds."""
    if given is None:
        return None
    frame = read_frame(given) if isinstance(given, str | Path) else to_frame(given)
    there = [column for column in people.table.columns if column.name in frame.columns]
    if len(there) < 2:
        raise BadParameter(
            f"{_called(given)} shares fewer than two columns with {people.table.name}; give a table like it"
        )
    return People.typed(frame, there)


def _called(given: Any) -> str:
    return f"'{given}'" if isinstance(given, str | Path) else "another table"


def _texts(given: Any) -> Any:
    """Flags as `pairs_of` reads them."""
    return list(given) if isinstance(given, tuple) else [given] if isinstance(given, str) else given
