"""Every way in which a request is refused: a status, a code for programs and one sentence for people.

All of them have one form, `{"error": code, "detail": sentence}`. A sentence never contains a path, a text of
an engine or driver, or a value of a row.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fastapi import HTTPException
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as AnyHTTPException

from shoal.core.errors import BadInput, BadParameter, BadTable, NotAllowed, ShoalError, Spent, Unanswered
from shoal.queries.service.admission import Exists, NoDataset, NoPerson
from shoal.queries.service.worker_threads import Busy, Gone

FAILED = (
    "the service failed; if a cost was reserved it stays spent, and the owner finds the request in the log"
)
BAD_ROWS = "the rows cannot be read; send a JSON array of objects, or CSV with a header line, in UTF-8"
NO_DATASET = "no such data set, or no budget for it was given to you; ask its owner"
_SENTENCES = {
    400: ("bad-request", "the request cannot be understood; /docs tells what to send"),
    401: ("unauthorized", "a valid token is needed; send it as 'Authorization: Bearer TOKEN'"),
    403: ("forbidden", "only an owner may do this"),
    404: ("not-found", "there is no such thing here, or it is not yours; /docs lists what there is"),
    405: ("method", "this address does not take that method; /docs lists what it takes"),
    408: ("too-slow", "the request did not arrive in time; send it again"),
    413: ("too-large", "the request is too large; questions may have 1 MiB, rows 256 MiB at a time"),
    415: (
        "content-type",
        "the content type is not one of those taken here; send application/json or text/csv, not compressed",
    ),
    429: ("too-many", "too many requests; wait as long as Retry-After says"),
    503: ("busy", "too many questions are being answered; ask again in a second"),
}


class Refusal(HTTPException):
    """A request that is not answered."""

    def __init__(
        self, status: int, code: str, sentence: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(status, sentence, dict(headers or {}))
        self.code = code

    def response(self) -> JSONResponse:
        """What goes out."""
        body = {"error": self.code, "detail": self.detail}
        return JSONResponse(body, self.status_code, self.headers)


def plain(status: int, headers: Mapping[str, str] | None = None) -> Refusal:
    """The refusal that every cause of a status shares."""
    if status == 401:
        headers = {**(headers or {}), "WWW-Authenticate": "Bearer"}
    code, sentence = _SENTENCES.get(status, ("failed", FAILED) if status >= 500 else _SENTENCES[400])
    return Refusal(status, code, sentence, headers)


def later(status: int, seconds: float) -> Refusal:
    """A refusal with the time after which it is worth to come again."""
    return plain(status, {"Retry-After": str(max(1, math.ceil(seconds)))})


def of(error: Exception) -> Refusal:
    """How an error of ours or of the framework is told; of any other only that there was one."""
    match error:
        case Refusal():
            return error
        case Busy():
            return later(503, 1)
        case Gone():
            return Refusal(499, "gone", "the client hung up before the question began; nothing was spent")
        case Spent():
            return Refusal(403, "spent", str(error))
        case NotAllowed():
            return Refusal(400, "not-allowed", str(error))
        case Exists():
            return Refusal(409, "exists", str(error))
        case BadParameter():
            return Refusal(400, "bad-parameter", str(error))
        case NoDataset():
            return Refusal(404, "no-dataset", NO_DATASET)
        case NoPerson():
            return Refusal(404, "no-person", "nobody of that name has a token; GET /analysts lists who has")
        case BadTable():  # its message may show a value
            return Refusal(400, "bad-rows", BAD_ROWS)
        case BadInput():
            return plain(400)
        case Unanswered():
            return Refusal(500, "unanswered", str(error))
        case ShoalError():
            return plain(500)
        case AnyHTTPException():
            return plain(error.status_code, error.headers)
        case _:
            return plain(500)


def invalid(errors: Iterable[Mapping[str, Any]], known: Sequence[str]) -> Refusal:
    """A body or parameter of the wrong form. What was sent is not repeated: it may be a secret."""
    told = []
    for error in errors:
        if error["type"] == "json_invalid":
            return Refusal(422, "invalid", "the body is not JSON; /docs tells what to send")
        where = [part for part in error["loc"] if isinstance(part, str) and part in known]
        field = where[-1] if where else "body"
        reason = _REASONS.get(error["type"], "is not of the form that /docs tells")
        context = error.get("ctx", {})
        if error["type"] == "value_error":  # raised by ours
            reason = str(context.get("error", reason))
        if error["type"] == "literal_error" and "expected" in context:  # ours too: the words of the form
            reason = f"is not one of {context['expected']}"
        told.append(f"{field} {reason}")
    sentence = "; ".join(dict.fromkeys(told[:5])) or "the request is not of the form that /docs tells"
    return Refusal(422, "invalid", sentence)


_REASONS = {
    "missing": "is missing",
    "extra_forbidden": "has a field that nobody knows",
    "string_type": "is not a text",
    "string_too_long": "is too long",
    "string_too_short": "is empty",
    "string_pattern_mismatch": "has signs that are not taken here",
    "int_type": "is not a whole number",
    "int_parsing": "is not a whole number",
    "greater_than": "is too small",
    "greater_than_equal": "is too small",
    "less_than": "is too large",
    "less_than_equal": "is too large",
    "finite_number": "is not finite",
    "model_attributes_type": "is not a JSON object",
    "model_type": "is not a JSON object",
    "literal_error": "is not one of the words taken here",
}
