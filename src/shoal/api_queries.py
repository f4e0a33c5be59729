"""What a Python user calls to query data with privacy, here or at a service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from shoal.core.errors import BadParameter
from shoal.jobs.request import check_keywords, check_words, request_of

if TYPE_CHECKING:
    from shoal.jobs.queries.ask import Client, Database
    from shoal.jobs.queries.learn import Lesson
    from shoal.queries.auditing.audit import Audit
    from shoal.queries.epsilon_choice import EpsilonChoice
    from shoal.queries.results import Answer


def ask(
    sql: str,
    data: Mapping[str, Any] | None = None,
    *,
    epsilon: Any,
    delta: Any = None,
    budget: Any = None,
    ledger: str | Path | None = None,
    config: str | Path | None = None,
    dataset: str | None = None,
    **declared: Any,
) -> Answer:
    """One question with privacy: `data` maps names to files or frames, `unit` names whose row it is.

    Declare with `bounds={"age": (0, 120)}`, `keys={"sex": ["F", "M"]}`, `kind`, `rows`, `groups`, `public`
    and `accounting`. Without `budget` and `ledger` the question has a budget of its own, and nothing is kept.
    """
    from shoal.jobs.queries.ask import ask_query
    from shoal.jobs.queries.declare import GIVEN
    from shoal.jobs.queries.question_requests import AskQuery

    if config is not None and (data is not None or declared or ledger is not None or budget is not None):
        raise BadParameter("a project file says all about the data; leave data, budget and ledger out")
    check_words("a question", "it", GIVEN, declared)
    job = AskQuery(
        sql=sql,
        epsilon=epsilon,
        delta=delta,
        data=data,
        **declared,
        budget=budget,
        ledger=ledger,
        config=config,
        dataset=dataset,
    )
    replied = ask_query(job)
    answer = cast("Answer", replied.outcome)
    return replace(answer, notes=replied.notes)


def audit(
    subject: Any,
    data: Mapping[str, Any] | None = None,
    *,
    epsilon: Any,
    delta: Any = None,
    neighbours: Any = None,
    without: str | None = None,
    samples: int = 100_000,
    confidence: float = 0.999,
    time_limit: float | None = 60.0,
    **declared: Any,
) -> Audit:
    """Bound ε from below by experiment: more than was claimed means that the promise is broken.

    `subject` is a mechanism, as in `"laplace"` or an object; a question in SQL with `data`, declared as for
    `ask`; or any function of one input that answers with noise, with two inputs as `neighbours`. The result
    of a question is about your rows and without noise: it is for you alone.
    """
    from shoal.jobs.queries.audit import audit_query
    from shoal.jobs.queries.declare import GIVEN
    from shoal.jobs.queries.question_requests import AuditQuery

    check_words("an audit", "it", GIVEN, declared)
    return audit_query(
        AuditQuery(
            subject=subject,
            epsilon=epsilon,
            delta=delta,
            neighbours=neighbours,
            without=without,
            samples=samples,
            confidence=confidence,
            time_limit=time_limit,
            data=data,
            **declared,
        )
    )


def choose_epsilon(
    question: str | None = None, data: Mapping[str, Any] | None = None, **options: Any
) -> EpsilonChoice:
    """The smallest ε for which 95 of 100 answers are off by at most `within`, or all by `error` on average.

    With `epsilon` instead: what that ε means. For a question with its declaration as for `ask`, or with
    `sensitivity` for one number. No row is read and nothing is spent; `to_chart()` draws it.
    """
    from shoal.jobs.queries.epsilon import epsilon_query
    from shoal.jobs.queries.question_requests import EpsilonQuery

    return epsilon_query(request_of(EpsilonQuery, data, {**options, "question": question}, "a choice of ε"))


def open_database(data: Mapping[str, Any] | None = None, **options: Any) -> Database:
    """Data to ask several questions about, within one budget: `ask`, `estimate`, `budget`, `append`, `close`.

    `data`, `unit`, `bounds` and so on as for `ask`, with `budget` and perhaps `ledger`, a file; or
    `config` and `dataset` for the data set of a project file.
    """
    from shoal.jobs.queries.ask import open_database

    return open_database(data, **options)


@check_keywords
def learn(
    mechanism: Any,
    data: Any,
    *,
    bounds: Mapping[str, Any],
    label: str | None = None,
    budget: Any = None,
    ledger: str | Path | None = None,
) -> Lesson:
    """Clusters, a classifier and the like from private rows, as in `learn("k-means(k=3,epsilon=1)", frame)`.

    `bounds={"age": (0, 120)}` names the columns to look at and what each may be; `label="kind=A"` the rows of
    the kind sought, for a classifier. One row is hidden. With a `ledger` the cost is paid from its budget.
    """
    from shoal.jobs.queries.learn import learn_query
    from shoal.jobs.queries.requests import LearnQuery

    return learn_query(
        LearnQuery(mechanism=mechanism, data=data, bounds=bounds, label=label, budget=budget, ledger=ledger)
    )


@check_keywords
def connect(url: str, token: str, *, timeout: float = 600.0, insecure: bool = False) -> Client:
    """A client of a service: `ask`, `estimate`, `budget`, `datasets`, `log`."""
    from shoal.jobs.queries.ask import connect

    return connect(url, token, timeout=timeout, insecure=insecure)
