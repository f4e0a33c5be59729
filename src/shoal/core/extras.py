"""What Shoal does only with an extra installed, told in one sentence with the command that installs it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

from shoal.core.errors import NotInstalled

# extra → the modules it brings; tests hold it to pyproject.toml
_GRAPHS, _QUERIES = ("igraph", "scipy"), ("duckdb", "opendp", "pyarrow", "sqlglot")
_REPORT, _SERVE = ("altair", "typst", "vl_convert"), ("fastapi", "httptools", "uvicorn")
EXTRAS: Mapping[str, tuple[str, ...]] = {
    "arrow": ("pyarrow",),
    "attacks": (*_QUERIES, "scipy"),
    "demo": (*_GRAPHS, *_QUERIES, *_REPORT, *_SERVE),
    "graphs": _GRAPHS,
    "models": ("sklearn",),
    "postgres": ("psycopg",),
    "queries": _QUERIES,
    "report": _REPORT,
    "serve": _SERVE,
    "spark": (*_QUERIES, "pyspark"),
    "sqlalchemy": ("sqlalchemy",),
    "studio": (*_GRAPHS, *_QUERIES, *_REPORT, "nicegui"),
}


def require(extra: str, what: str, otherwise: str = "") -> None:
    """Refuse to go on without an extra; `what` needs it, and `otherwise` is what works without."""
    missing = [module for module in EXTRAS[extra] if not _there(module)]
    if missing:
        raise NotInstalled(
            f"{what} needs {_join_names(missing)}, which {'is' if len(missing) == 1 else 'are'} not "
            f"installed; run pip install 'shoal[{extra}]'{otherwise and f', or {otherwise}'}"
        )


def _join_names(modules: list[str]) -> str:
    *most, last = modules
    return f"{', '.join(most)} and {last}" if most else last


def _there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # a finder that refuses it, or None in its place
        return False
