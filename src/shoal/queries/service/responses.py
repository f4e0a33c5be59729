"""What comes back, as the OpenAPI document tells it. Only a description: answers are written as they are."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from shoal.queries.answer_arrow import ARROW
from shoal.queries.declaration.declaration import Accounting, Kind, Policy, Renews

Cell = str | float | bool | None
Responses = dict[int | str, dict[str, Any]]


class Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ErrorReply(Reply):
    """The one form of every error."""

    error: str = Field(description="for programs; it does not change")
    detail: str = Field(description="one sentence for people")


class LossReply(Reply):
    """An amount of budget."""

    epsilon: float | None
    delta: float | None
    rho: float | None = None
    mu: float | None = None


class AnswerReply(Reply):
    """Noisy rows, the expected error per column, a 95 % interval per cell, what it cost and what is left."""

    columns: list[str]
    rows: list[list[Cell]]
    error: dict[str, float | None]
    interval: list[list[list[float | None] | None]]
    spent: LossReply
    remaining: LossReply
    notes: list[str]
    archived: bool = Field(description="the same answer as before, at no cost")
    query: str = Field(description="the question as it was understood")
    id: int | str | None


class EstimateReply(Reply):
    """What a question would cost."""

    columns: list[str]
    error: dict[str, float | None]
    interval: dict[str, float | None]
    cost: LossReply
    remaining: LossReply
    notes: list[str]


class BudgetReply(Reply):
    """Granted, spent and left."""

    dataset: str
    analyst: str
    limit: LossReply
    spent: LossReply
    remaining: LossReply
    policy: Policy
    accounting: Accounting
    renews: RenewalReply | None = None


class RenewalReply(Reply):
    """How a budget renews, and what that adds up to."""

    every: Literal["day", "week", "month", "year"]
    period: str = Field(description="the one that counts now, in UTC, such as 2026-11")
    spent_in_all: LossReply = Field(description="in all periods together")
    in_words: str


class EntryReply(Reply):
    """One line of the ledger: who asked what, and what it cost; for a grant, how much was granted."""

    id: int
    time: str
    dataset: str
    analyst: str
    kind: str
    loss: float = Field(description="ε, or ρ under zCDP")
    delta: float
    question: str


class LogReply(Reply):
    dataset: str
    entries: list[EntryReply]


class ColumnReply(Reply):
    name: str
    kind: Kind
    low: float | str | None
    high: float | str | None
    keys: list[str | int] | None
    missing: bool
    never_null: bool


class TableReply(Reply):
    name: str
    unit: str | None
    rows: int
    groups: int | None
    rows_per_group: int | None
    columns: list[ColumnReply]


class DatasetReply(Reply):
    """A declaration, and the caller's budget."""

    name: str
    about: str
    policy: Policy
    accounting: Accounting
    renews: Renews
    tables: list[TableReply]
    budget: BudgetReply | None


class DatasetsReply(Reply):
    datasets: list[DatasetReply]


class RegisteredReply(Reply):
    dataset: str


class RowsReply(Reply):
    dataset: str
    table: str
    rows: int = Field(description="how many arrived")


class DeletedReply(Reply):
    dataset: str


class ForgottenReply(Reply):
    dataset: str


class TokenReply(Reply):
    name: str
    role: Literal["analyst", "owner"]
    token: str = Field(description="shown once")


class RenewedReply(Reply):
    name: str
    token: str = Field(description="shown once")


class PersonReply(Reply):
    name: str
    role: Literal["analyst", "owner"]
    since: str | None
    revoked: str | None


class PeopleReply(Reply):
    analysts: list[PersonReply]


class NameReply(Reply):
    name: str


class GrantReply(Reply):
    name: str
    dataset: str


_WHY = {
    400: "the request was understood and cannot be done; nothing was spent",
    401: "no token, or none that is known",
    403: "not for you, or the budget does not cover it",
    404: "not there, or not yours",
    408: "the body did not arrive in time",
    409: "the name is taken",
    413: "the body is too large",
    415: "another content type",
    422: "the request is not of the form told here",
    429: "too many requests",
    500: "it failed; a reserved cost stays spent",
    503: "too many are being answered; nothing was spent",
}


def refusal_responses(*statuses: int) -> Responses:
    """Refusals for the OpenAPI document."""
    return {status: {"model": ErrorReply, "description": _WHY[status]} for status in statuses}


def route_responses(model: type[Reply], *statuses: int, status: int = 200) -> Responses:
    """What a route answers with, and how it refuses beyond what every route may refuse for."""
    about = (model.__doc__ or "done").strip()
    return {status: {"model": model, "description": about}, **refusal_responses(*statuses)}


def with_arrow(responses: Responses) -> Responses:
    """The same, with an Arrow stream in the place of JSON for those who accept one."""
    schema = {"schema": {"type": "string", "format": "binary"}}
    return {**responses, 200: {**responses[200], "content": {ARROW: schema}}}


REFUSALS = refusal_responses(401, 408, 413, 422, 429, 500, 503)
