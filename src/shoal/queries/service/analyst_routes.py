"""What an analyst may ask for: answers, what they would cost, what is left, what was asked."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import JSONResponse, Response
from fastapi.security import HTTPBearer

from shoal.queries import session
from shoal.queries.answer_arrow import ARROW, arrow_of, wants_arrow
from shoal.queries.ledger.token_holders import Person
from shoal.queries.results import Answer
from shoal.queries.service import responses as replies
from shoal.queries.service.access_middleware import tell
from shoal.queries.service.audit_log import Note
from shoal.queries.service.joint_work import Apart, Joint
from shoal.queries.service.lanes import Lane, Lanes
from shoal.queries.service.requests import LONGEST, Question
from shoal.queries.service.service import Service

# The door has read the token already; this tells it to the OpenAPI document.
token = HTTPBearer(auto_error=False, description="The token that the owner gave you.")
router = APIRouter(dependencies=[Depends(token)], responses=replies.REFUSALS)
MOST = 10_000  # entries of a log at a time
DatasetName = Annotated[str, Query(min_length=1, max_length=63)]


_Rendered = tuple[Answer, dict[str, Any], Response]


@dataclass(frozen=True)
class _Piece:
    """A question that is answered together with others."""

    service: Service
    person: Person
    dataset: str
    question: session.Question
    arrow: bool


class Questioner:
    """Somebody who was let in with a question.

    It is carried out and paid for even if they hang up: were it dropped where it has not begun, what is spent
    would tell whether it had.
    """

    def __init__(self, state: Mapping[str, Any], service: Service, lanes: Lanes, action: str) -> None:
        self.person: Person = state["person"]
        self.note: Note = state["note"]
        self.service = service
        self.gate = Lane(lanes.questions, self.person.name)
        self.note.action = action


class Visit(Questioner):
    """A request of a person who was let in."""

    def __init__(self, request: Request) -> None:
        held, state, name = request.app.state, request.scope["state"], request.scope["route"].name
        lanes: Lanes = held.lanes
        super().__init__(state, held.service, lanes, name)
        self.plan = Lane(lanes.estimates, self.person.name, lambda: _left(request))
        self.look = Lane(lanes.looks, self.person.name)


async def _visit(request: Request) -> Visit:
    # A class of its own would be called in a thread, which costs more than the call.
    return Visit(request)


async def _left(request: Request) -> None:
    """Returns when the client has hung up; of the body nothing is left by now."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


Visitor = Annotated[Visit, Depends(_visit)]


@router.post(
    "/query",
    name="query",
    responses=replies.with_arrow(replies.route_responses(replies.AnswerReply, 400, 403, 404)),
)
async def query(visit: Visitor, body: Question, request: Request) -> Response:
    """Ask a question. Its cost is reserved before it runs and is not given back, whatever happens then.

    With `Accept: application/vnd.apache.arrow.stream` the rows come as an Arrow stream; everything else about
    the answer is in the schema's metadata under `shoal`, as JSON.
    """
    return await answer_question(visit, body, request.headers.getlist("accept"))


async def answer_question(visit: Questioner, body: Question, accepted: Sequence[str]) -> Response:
    """The answer, when its time has come, in the form that is accepted."""
    with visit.service.departures.arrival() as arrival:
        return await _answer(visit, body, accepted, arrival)


async def _answer(visit: Questioner, body: Question, accepted: Sequence[str], arrival: int) -> Response:
    visit.note.dataset, visit.note.question = body.dataset, body.sql[:LONGEST]
    person, service, arrow = visit.person, visit.service, wants_arrow(accepted)

    def asked() -> _Rendered:
        told = service.ask(person, body.dataset, body.sql, body.epsilon, body.delta, arrival)
        return _rendered(told, arrow)

    def leaves(seconds: float) -> float:
        settings = service.settings
        return (
            0.0 if service.stopping else leaves_after(seconds, settings.first_bucket, settings.answer_after)
        )

    work: Callable[[], _Rendered] | Joint[_Rendered] = asked
    if service.together(body.dataset, body.sql, person):
        question = session.Question(body.sql, body.epsilon, body.delta, person.name, arrival)
        work = Joint(_Piece(service, person, body.dataset, question, arrow), _answer_all)
    # A refusal, too: it may have waited for a question before it, and would tell when that ended.
    answer, told, reply = await visit.gate.run(work, leaves)
    if answer.leaves is not None:
        answer.leaves()
    _understood(visit.note, told)
    if answer.trouble is not None:  # the owner's to know, in the owner's log
        visit.note.trouble = type(answer.trouble.__cause__ or answer.trouble).__name__
        tell(visit.note, answer.trouble)
    return reply


def _rendered(answer: Answer, arrow: bool) -> _Rendered:
    # Before its time has come: what is done then would be seen on the clock.
    told = answer.to_json()
    return answer, told, Response(arrow_of(answer), 200, None, ARROW) if arrow else JSONResponse(told)


def _answer_all(pieces: list[_Piece]) -> list[_Rendered | Exception | Apart[_Rendered]]:
    """Several people's questions to one service, answered together."""
    answers = pieces[0].service.ask_all([(part.person, part.dataset, part.question) for part in pieces])
    return [_result(answer, part.arrow) for part, answer in zip(pieces, answers, strict=True)]


def _result(
    answer: Answer | Exception | session.Unfinished, arrow: bool
) -> _Rendered | Exception | Apart[_Rendered]:
    """What becomes of one of several questions: an error is its own."""
    if isinstance(answer, session.Unfinished):
        return Apart(partial(_finished, answer, arrow))
    if isinstance(answer, Exception):
        return answer
    try:
        return _rendered(answer, arrow)
    except Exception as error:
        return error


def _finished(question: session.Unfinished, arrow: bool) -> _Rendered:
    answer = question.answer()
    if isinstance(answer, Exception):
        raise answer
    return _rendered(answer, arrow)


@router.post("/estimate", name="estimate", responses=replies.route_responses(replies.EstimateReply, 400, 404))
async def estimate(visit: Visitor, body: Question) -> Response:
    """What a question would cost and how far off its answer would be. Nothing is spent."""
    visit.note.dataset, visit.note.question = body.dataset, body.sql[:LONGEST]
    person = visit.person
    found = await visit.plan.run(
        lambda: visit.service.estimate(person, body.dataset, body.sql, body.epsilon, body.delta)
    )
    return JSONResponse(found.to_json())


@router.get("/budget", name="budget", responses=replies.route_responses(replies.BudgetReply, 404))
async def budget(visit: Visitor, dataset: DatasetName) -> Response:
    """What was granted to you, what is spent and what is left."""
    visit.note.dataset = dataset
    state = await visit.look.run(lambda: visit.service.budget(visit.person, dataset))
    return JSONResponse(state.to_json())


@router.get("/log", name="log", responses=replies.route_responses(replies.LogReply, 404))
async def log(
    visit: Visitor, dataset: DatasetName, limit: Annotated[int, Query(ge=1, le=MOST)] = 100
) -> Response:
    """The latest questions and what they cost: your own, or everybody's if you are an owner."""
    visit.note.dataset = dataset
    entries = await visit.look.run(lambda: visit.service.log(visit.person, dataset, limit))
    return JSONResponse({"dataset": dataset, "entries": entries})


@router.get("/datasets", name="datasets", responses=replies.route_responses(replies.DatasetsReply))
async def datasets(visit: Visitor) -> Response:
    """What may be asked about: the declarations of the data sets that you have a budget for."""
    return JSONResponse({"datasets": await visit.look.run(lambda: visit.service.shown(visit.person))})


def _understood(note: Note, told: dict[str, Any]) -> None:
    note.question, note.cost, note.paid = told["query"], told["spent"], not told["archived"]


_STEPS = (1.0, 3.0)
_BLUR = 0.1  # of a time: how wide its border is blurred


def leaves_after(seconds: float, first: float, fixed: float = 0.0) -> float:
    """How long after a question began its answer leaves that was ready after so many seconds.

    How long a question takes depends on the rows. An answer therefore waits for one of 0.1, 0.3, 1, 3, 10 …
    seconds after its question began, or for the one time that the owner chose.

    Sharp borders would tell a row that moves the real time by a thousandth of a second, if the question is
    tuned to one of them. So it is the next time of which a share is not over yet, drawn anew for each answer:
    about a half, logistic with a tenth. `sql/work_limit.py` sees to it that one row moves little, and
    `least_epsilon` that questions cannot be asked by the thousand.
    """
    if fixed:
        return fixed * max(1, math.ceil(seconds / fixed))
    share = blurred(random.SystemRandom().random() or 0.5)
    while True:
        for step in _STEPS:
            if seconds <= first * step * share:
                return first * step
        first *= 10


def blurred(chance: float) -> float:
    """Which share of a time must not be over: the logistic quantile of a chance around a half, above nought.

    Downwards it bends, so that what is ready at once nearly always leaves at the first time.
    """
    away = _BLUR * math.log(chance / (1 - chance))
    return min(1.0, 0.5 + away) if away > 0 else 0.5 * math.exp(2 * away)
