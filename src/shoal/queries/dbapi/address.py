"""Where a service is, as a URL tells it: shoal://[TOKEN@]HOST[:PORT][/DATASET][?epsilon=…]."""

from __future__ import annotations

import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from shoal.queries.client import local_host
from shoal.queries.dbapi.errors import ProgrammingError

PORT = 8765  # of a service on this machine; elsewhere it is that of https
_OPTIONS = ("epsilon", "delta", "tls", "insecure", "timeout")
_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True)
class Address:
    """Where to ask what at which price, as a URL tells it. The token is not in its repr."""

    url: str
    dataset: str | None
    token: str | None
    epsilon: str | None = None
    delta: str | None = None
    insecure: bool = False
    timeout: float = 600.0

    def __repr__(self) -> str:
        return f"Address({self.url!r}, {self.dataset!r})"


def address_of(url: str) -> Address:
    """`shoal://[TOKEN@]HOST[:PORT][/DATASET][?epsilon=…&delta=…&tls=…&insecure=…&timeout=…]`, taken apart.

    TLS unless the host is this machine; `tls=` says otherwise. No error repeats the URL: it may hold a token.
    """
    try:
        parts = urllib.parse.urlsplit(url)
        host, port = parts.hostname, parts.port
        told = urllib.parse.parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:
        raise ProgrammingError("the address cannot be read; write shoal://HOST:PORT/DATASET") from None
    if parts.scheme != "shoal" or not host:
        raise ProgrammingError("that is no address of ours; write shoal://HOST:PORT/DATASET?epsilon=0.1")
    options = dict(told)
    for name in options:
        if name not in _OPTIONS:
            raise ProgrammingError(f"the address has no setting '{name[:40]}'; it has {', '.join(_OPTIONS)}")
    here = local_host(host)
    tls = _truth(options, "tls", not here)
    name = f"[{host}]" if ":" in host else host
    whose = urllib.parse.unquote(parts.username or "") or None
    if parts.password:  # user:token@, as some programs insist on a user
        whose = urllib.parse.unquote(parts.password)
    shown = "" if port is None and tls else f":{port or PORT}"
    return Address(
        f"{'https' if tls else 'http'}://{name}{shown}",
        urllib.parse.unquote(parts.path.strip("/")) or None,
        whose,
        options.get("epsilon"),
        options.get("delta"),
        _truth(options, "insecure", False),
        _seconds(options.get("timeout", "600")),
    )


def _truth(options: Mapping[str, str], name: str, otherwise: bool) -> bool:
    word = options.get(name)
    if word is None:
        return otherwise
    if word.lower() not in _WORDS:
        raise ProgrammingError(f"{name} in the address is neither true nor false")
    return _WORDS[word.lower()]


def _seconds(word: str) -> float:
    try:
        seconds = float(Decimal(word))
    except ArithmeticError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise ProgrammingError("timeout in the address is no number of seconds; write timeout=600")
    return seconds
