"""The application: routes behind a door, one form for every error, and an OpenAPI document that is true."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match

from shoal.core.errors import ShoalError
from shoal.queries.ledger.sqlite_ledger import SqlitePlace
from shoal.queries.service import (
    analyst_routes as asking,
)
from shoal.queries.service import (
    errors as refusals,
)
from shoal.queries.service import html_pages
from shoal.queries.service import (
    owner_routes as owning,
)
from shoal.queries.service import (
    requests as bodies,
)
from shoal.queries.service.access_middleware import AccessMiddleware, Patience, tell
from shoal.queries.service.lanes import lanes
from shoal.queries.service.quick_question import QuickQuestion
from shoal.queries.service.rate_limit import Limit
from shoal.queries.service.service import Service
from shoal.version import __version__

ABOUT = """Questions in SQL about private tables, answered with differential privacy.

Every answer has noise, tells how much, and is paid for from a budget, reserved before the question runs.
"""
# The framework can report to collectors; nothing of ours leaves the house.
SILENT = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}


def application(service: Service, patience: Patience | None = None) -> AccessMiddleware:
    """The service as an ASGI application."""
    made = lanes(service.settings.workers, service.settings.waiting)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        made.close(wait=False)  # what still runs was told to end, and is waited for where it ends

    app = FastAPI(
        title="Shoal queries",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        telemetry=SILENT,  # type: ignore[arg-type]
    )
    app.state.service, app.state.lanes = service, made
    app.state.loading = asyncio.Semaphore(1)  # of large bodies one is in memory at a time
    app.include_router(asking.router)
    app.include_router(owning.router)
    _add_pages(app)
    _add_refusals(app)
    settings = service.settings
    door = AccessMiddleware(
        QuickQuestion(app, service, made),
        service.find,
        service.audit,
        Limit(settings.rate, settings.burst),
        Limit(settings.failures, settings.failures_burst),
        patience,
        near=isinstance(service.ledger.place, SqlitePlace),
        lanes=made,
        blur=settings.blur,
    )
    app.state.counted = door.counted
    return door


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the bodies that are read by hand and without what never happens."""
    if app.openapi_schema is None:
        made = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        schemas = made.setdefault("components", {}).setdefault("schemas", {})
        schemas |= bodies.schemas()
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        app.openapi_schema = made
    return app.openapi_schema


def _add_pages(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def about() -> Response:
        return HTMLResponse(html_pages.about())

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return HTMLResponse(html_pages.docs(document(app)))

    @app.get("/docs.js", include_in_schema=False)
    async def script() -> Response:
        return Response(html_pages.script(), media_type="text/javascript; charset=utf-8")

    @app.get("/openapi.json", include_in_schema=False)
    async def openapi() -> Response:
        return JSONResponse(document(app))

    @app.get("/health", include_in_schema=False)
    async def health() -> Response:
        return JSONResponse({"status": "up"})


def _add_refusals(app: FastAPI) -> None:
    known = sorted(bodies.fields())

    def respond(request: Request, refusal: refusals.Refusal) -> Response:
        request.state.note.error = refusal.code
        return refusal.response()

    async def refused(request: Request, error: Exception) -> Response:
        refusal = refusals.of(error)
        if isinstance(error, ShoalError) and refusal.status_code == 500:  # the door tells all others
            tell(request.state.note, error)
        return respond(request, refusal)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return respond(request, refusals.invalid(error.errors(), known))

    async def by_status(request: Request, error: Exception) -> Response:
        refusal = refusals.of(error)
        if refusal.status_code == 405:
            refusal = refusals.plain(405, {"Allow": ", ".join(_methods(app, request))})
        return respond(request, refusal)

    app.add_exception_handler(ShoalError, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, by_status)
    app.add_exception_handler(Exception, refused)


def _methods(app: FastAPI, request: Request) -> list[str]:
    """Every method that an address takes; the framework tells those of the first route only."""
    found: set[str] = set()
    for route in (*app.routes, *asking.router.routes, *owning.router.routes):
        match, _ = route.matches(request.scope)
        if match is not Match.NONE:
            found |= getattr(route, "methods", None) or set()
    return sorted(found | ({"HEAD"} if "GET" in found else set()))
