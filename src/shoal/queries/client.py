"""Ask a service from a notebook: nothing but the standard library, no data but the answers.

client = connect("https://data.example.org", token)
client.ask("SELECT ward, COUNT(*) FROM visits GROUP BY ward", epsilon=0.5)
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from shoal.core.errors import BadParameter, NotAllowed, ShoalError, Spent, Unanswered
from shoal.queries.results import Answer, BudgetState, CostEstimate

Figure = float | int | str | Decimal | Fraction
_ERRORS: dict[str, type[ShoalError]] = {
    "not-allowed": NotAllowed,
    "bad-parameter": BadParameter,
    "invalid": BadParameter,
    "spent": Spent,
    "unanswered": Unanswered,
}


def connect(url: str, token: str, timeout: float = 600.0, insecure: bool = False) -> Client:
    """A client of the service at an address; `insecure` allows plain HTTP beyond this machine."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadParameter(f"'{url}' is no address of a service; it begins with https://")
    if parts.scheme == "http" and not insecure and not local_host(parts.hostname):
        raise BadParameter(
            f"'{url}' would send the token readable for all; use https://, or insecure=True in a closed net"
        )
    return Client(url.rstrip("/"), token, timeout)


class Client:
    """An analyst at a service."""

    def __init__(self, url: str, token: str, timeout: float) -> None:
        self.url = url
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._timeout = timeout
        # A redirect would carry the token to wherever it points.
        self._opener = urllib.request.build_opener(_NoRedirect)

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

    def ask(
        self, sql: str, epsilon: Figure, delta: Figure | None = None, dataset: str | None = None
    ) -> Answer:
        """The answer to a question, which costs ε. The data set may be left out when there is only one."""
        return Answer.from_json(self._post("/query", self._question(sql, epsilon, delta, dataset)))

    def estimate(
        self, sql: str, epsilon: Figure, delta: Figure | None = None, dataset: str | None = None
    ) -> CostEstimate:
        """What a question would cost and how far off its answer would be; nothing is spent."""
        return CostEstimate.from_json(self._post("/estimate", self._question(sql, epsilon, delta, dataset)))

    def budget(self, dataset: str | None = None) -> BudgetState:
        """What was granted, what is spent, what is left."""
        return BudgetState.from_json(self._get("/budget", dataset=dataset or self.only_dataset()))

    def datasets(self) -> list[dict[str, Any]]:
        """What may be asked about: tables, columns, bounds and keys."""
        return list(self._get("/datasets")["datasets"])

    def log(self, dataset: str | None = None, limit: int = 100) -> list[dict[str, Any]]:
        """What was asked, the latest first."""
        return list(self._get("/log", dataset=dataset or self.only_dataset(), limit=limit)["entries"])

    def only_dataset(self) -> str:
        """The one data set there is to ask about, where there is only one."""
        names = [str(told["name"]) for told in self.datasets()]
        if len(names) != 1:
            told = ", ".join(names) or "none"
            raise BadParameter(f"which data set? You may ask about: {told}; add dataset=…")
        return names[0]

    def _question(
        self, sql: str, epsilon: Figure, delta: Figure | None, dataset: str | None
    ) -> dict[str, object]:
        body: dict[str, object] = {
            "dataset": dataset or self.only_dataset(),
            "sql": sql,
            "epsilon": _figure_text(epsilon),
        }
        return body if delta is None else {**body, "delta": _figure_text(delta)}

    def _get(self, path: str, **query: object) -> Any:
        return self._call(urllib.request.Request(f"{self.url}{path}?{urllib.parse.urlencode(query)}"))

    def _post(self, path: str, body: Mapping[str, object]) -> Any:
        return self._call(urllib.request.Request(f"{self.url}{path}", json.dumps(body).encode()))

    def _call(self, request: urllib.request.Request) -> Any:
        for name, value in self._headers.items():
            request.add_header(name, value)
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise _error_of(error) from None
        except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError) as error:
            raise ShoalError(
                f"no answer from {self.url} ({type(error).__name__}); is the service running there?"
            ) from None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _error_of(error: urllib.error.HTTPError) -> ShoalError:
    """The error that the service told, as the class that it has there."""
    try:
        told = json.load(error)
        code, detail = str(told["error"]), str(told["detail"])
    except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
        return ShoalError(
            f"the service answered {error.code} and not as a Shoal service does; check the address"
        )
    return _ERRORS.get(code, ShoalError)(detail)


def _figure_text(figure: Figure) -> str | float | int:
    """A figure without a rounding on the way, where it is one that can be written in digits."""
    if isinstance(figure, Fraction):
        return float(figure) if figure.denominator != 1 else int(figure)
    return str(figure) if isinstance(figure, Decimal) else figure


def local_host(host: str) -> bool:
    """Whether a name or address is that of this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
