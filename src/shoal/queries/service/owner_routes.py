"""What an owner may do besides asking: register data sets, change rows, let people in and out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from fastapi.routing import APIRoute
from pydantic import ValidationError

from shoal.queries.service import errors as refusals
from shoal.queries.service import requests as bodies
from shoal.queries.service import responses as replies
from shoal.queries.service.analyst_routes import Visit, token
from shoal.queries.service.lanes import Lane, Lanes
from shoal.queries.service.metrics import metrics_text
from shoal.queries.service.requests import Grant, NewDataset, NewPerson
from shoal.queries.service.row_upload import frame_of, table_of


class OwnersRoute(APIRoute):
    """A route for owners. Anybody else is refused before anything of the request is read."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def checked(request: Request) -> Response:
            request.state.note.action = self.name
            if request.state.person.role != "owner":
                raise refusals.plain(403)
            return await handle(request)

        return checked


class OwnersVisit(Visit):
    """A request of an owner."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.loading: asyncio.Semaphore = request.app.state.loading
        lanes: Lanes = request.app.state.lanes
        # Somebody whose token is taken back has to wait for nobody.
        self.gate = Lane(lanes.owner, self.person.name)
        self.rows = Lane(lanes.rows, self.person.name)


async def _visit(request: Request) -> OwnersVisit:
    return OwnersVisit(request)


Owner = Annotated[OwnersVisit, Depends(_visit)]
Name = Annotated[str, Path(min_length=1, max_length=63)]
router = APIRouter(
    route_class=OwnersRoute,
    dependencies=[Depends(token)],
    responses={**replies.REFUSALS, **replies.refusal_responses(403)},
)
_ROWS = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": {
                            "anyOf": [{"type": kind} for kind in ("string", "number", "boolean", "null")]
                        },
                    },
                }
            },
            "text/csv": {"schema": {"type": "string"}},
        },
    }
}
_DATASET = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewDataset"}}},
    }
}


@router.post(
    "/datasets",
    name="register",
    status_code=201,
    openapi_extra=_DATASET,
    responses=replies.route_responses(replies.RegisteredReply, 400, 409, 415, status=201),
)
async def register(visit: Owner, request: Request) -> Response:
    """Register a data set with the rows to begin with. Its declaration and budget cannot be changed after."""
    _content(request, "application/json")
    async with visit.loading:
        content = await request.body()
        name = await visit.rows.run(lambda: _register(visit, content))
    return JSONResponse({"dataset": name}, 201)


def _register(visit: Visit, content: bytes) -> str:
    try:
        body = NewDataset.model_validate_json(content)
    except ValidationError as error:
        raise refusals.invalid(error.errors(include_input=False), sorted(bodies.fields())) from None
    dataset = body.declaration.made()
    visit.note.dataset = dataset.name
    rows = {name: table_of(dataset.table(name), given) for name, given in body.rows.items()}
    visit.service.register(dataset, rows)
    return dataset.name


@router.delete(
    "/datasets/{name}", name="delete", responses=replies.route_responses(replies.DeletedReply, 404)
)
async def delete(visit: Owner, name: Name) -> Response:
    """Delete a data set with its rows, for good. What was spent stays in the ledger, the name taken."""
    visit.note.dataset = name
    await visit.rows.run(lambda: visit.service.delete(visit.person, name))
    return JSONResponse({"dataset": name})


@router.get(
    "/metrics",
    name="metrics",
    responses={
        200: {
            "description": "figures about the service, as Prometheus reads them",
            "content": {"text/plain": {"schema": {"type": "string"}}},
        }
    },
)
async def metrics(visit: Owner, request: Request) -> Response:
    """Requests by kind and status, budgets by data set, work under way: for Prometheus.

    Nothing in it depends on rows. It takes an owner's token.
    """
    text = await visit.look.run(lambda: metrics_text(visit.service, request.app.state))
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


@router.post(
    "/datasets/{name}/tables/{table}/rows",
    name="append",
    openapi_extra=_ROWS,
    responses=replies.route_responses(replies.RowsReply, 400, 404, 415),
)
async def append(visit: Owner, name: Name, table: Name, request: Request) -> Response:
    """Add rows to a table."""
    return await _changed(visit, name, table, request, replace=False)


@router.put(
    "/datasets/{name}/tables/{table}/rows",
    name="replace",
    openapi_extra=_ROWS,
    responses=replies.route_responses(replies.RowsReply, 400, 404, 415),
)
async def replace(visit: Owner, name: Name, table: Name, request: Request) -> Response:
    """Put these rows in the place of all rows in the table of the people named in them."""
    return await _changed(visit, name, table, request, replace=True)


async def _changed(visit: OwnersVisit, name: str, table: str, request: Request, replace: bool) -> Response:
    visit.note.dataset = name
    kind = _content(request, "application/json", "text/csv")
    declared = await visit.rows.run(lambda: visit.service.table(visit.person, name, table))
    async with visit.loading:
        content = await request.body()

        def change() -> int:
            frame = frame_of(declared, content, kind)
            visit.service.change(name, declared.name, frame, replace)
            return frame.height

        height = await visit.rows.run(change)
    return JSONResponse({"dataset": name, "table": declared.name, "rows": height})


@router.delete(
    "/datasets/{name}/units/{unit:path}",
    name="forget",
    responses=replies.route_responses(replies.ForgottenReply, 400, 404),
)
async def forget(
    visit: Owner, name: Name, unit: Annotated[str, Path(min_length=1, max_length=1000)]
) -> Response:
    """Forget a person: all rows of one unit, in every table. The audit log does not note who it was."""
    visit.note.dataset = name
    await visit.rows.run(lambda: visit.service.forget(visit.person, name, unit))
    return JSONResponse({"dataset": name})


@router.post(
    "/analysts",
    name="add-person",
    status_code=201,
    responses=replies.route_responses(replies.TokenReply, 400, 404, 409, status=201),
)
async def add_person(visit: Owner, body: NewPerson) -> Response:
    """Let somebody in. The token is shown once and is not kept."""
    visit.note.dataset = body.dataset
    made = await visit.gate.run(
        lambda: visit.service.add(body.name, body.role, body.dataset, body.epsilon, body.delta)
    )
    return JSONResponse({"name": body.name, "role": body.role, "token": made}, 201)


@router.get("/analysts", name="people", responses=replies.route_responses(replies.PeopleReply))
async def people(visit: Owner) -> Response:
    """Who has a token and who had one."""
    return JSONResponse({"analysts": await visit.gate.run(visit.service.everybody)})


@router.delete("/analysts/{name}", name="revoke", responses=replies.route_responses(replies.NameReply, 404))
async def revoke(visit: Owner, name: Name) -> Response:
    """Take a token back, from this moment on. What was spent stays spent."""
    await visit.gate.run(lambda: visit.service.revoke(name))
    return JSONResponse({"name": name})


@router.post(
    "/analysts/{name}/token", name="renew", responses=replies.route_responses(replies.RenewedReply, 404)
)
async def renew(visit: Owner, name: Name) -> Response:
    """Give somebody another token, shown once; the one before stops working. Budgets stay as they are."""
    return JSONResponse({"name": name, "token": await visit.gate.run(lambda: visit.service.renew(name))})


@router.post(
    "/analysts/{name}/grants", name="grant", responses=replies.route_responses(replies.GrantReply, 400, 404)
)
async def grant(visit: Owner, name: Name, body: Grant) -> Response:
    """Give somebody a budget for a data set, in the place of the one before. What was spent counts."""
    visit.note.dataset = body.dataset
    await visit.gate.run(lambda: visit.service.grant(name, body.dataset, body.epsilon, body.delta))
    return JSONResponse({"name": name, "dataset": body.dataset})


def _content(request: Request, *taken: str) -> str:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in taken:
        raise refusals.plain(415)
    return kind
