"""Where a table stays that does not come here as a whole: a URL with the table behind #, or a folder."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

from shoal.core.errors import BadParameter
from shoal.engines.frames import quote_value

Kind = Literal["duckdb", "postgresql", "spark", "folder"]
FORMATS = (".parquet", ".csv", ".tsv")
_URL = re.compile(r"(duckdb|postgresql|postgres|spark)://(.*)", re.DOTALL | re.IGNORECASE)
# A password may have any sign in it, also one that cannot stand there; what only looks like one is a port.
_LOGIN = re.compile(r"(:/{1,2}[^/?#:@\s]*:)(?!\d*(?:[/?#,]|$)).*(?=@)", re.DOTALL)
_GIVEN = re.compile(r"(?<=[?&])([^=&#]*(?:passw|pwd)[^=&#]*=)[^&#]*", re.IGNORECASE)
_NAME = re.compile(r'"((?:[^"]|"")+)"|([^".]+)')


@dataclass(frozen=True)
class Address:
    """A table in an engine, a folder of Parquet or CSV files, or a Spark frame in this process.

    `place` is the file, the server, the master or the folder, and may hold a password; `str` never shows one.
    """

    kind: Kind
    place: str = field(repr=False)
    table: tuple[str, ...] = ()
    path: str = ""  # of Parquet files that Spark reads
    frame: Any = field(default=None, repr=False, compare=False)  # a Spark frame that was handed in

    def __str__(self) -> str:
        name = ".".join(map(_quoted, self.table))
        if self.kind == "folder":
            return self.place
        if self.kind == "duckdb":
            return f"duckdb:///{self.place}#{name}"
        if self.kind == "postgresql":
            return f"{without_secrets(self.place)}#{name}"
        return f"spark://{self.place.removeprefix('spark://')}{self.path}" + (f"#{name}" if name else "")


def without_secrets(text: str) -> str:
    """Text in which no password of a URL is left."""
    return _GIVEN.sub(r"\1***", _LOGIN.sub(r"\1***", text))


def without_password(url: str) -> str:
    """A URL without its password, for files that others read; PGPASSWORD or ~/.pgpass give it again."""
    bare = _GIVEN.sub("", _LOGIN.sub(lambda found: found[1][:-1], url))
    return re.sub(r"(?<=[?&])&+|[?&]+(?=#|$)", "", bare)


def address_of(source: Any) -> Address | None:
    """The address that a source is, or nothing where it is a file, a frame or anything else."""
    if isinstance(source, Address):
        return source
    if type(source).__module__.startswith("pyspark.") and hasattr(source, "createOrReplaceTempView"):
        return Address("spark", "", frame=source)
    if not isinstance(source, str | Path):
        return None
    # A Path has lost one of the slashes, and the password of a URL is no path.
    text = re.sub(r"^(duckdb|postgresql|postgres|spark):/(?!/)", r"\1://", str(source), flags=re.IGNORECASE)
    if (found := _URL.fullmatch(text)) is None:
        return Address("folder", str(source)) if _is_folder(source) else None
    kind, (rest, _, name) = found[1].lower(), found[2].partition("#")
    if kind.startswith("postgres"):
        _check_login(rest, name)
    table = _table_name(unquote(name), without_secrets(text)) if name else ()
    if kind == "spark":
        return _spark_address(rest, table)
    if not table:
        raise BadParameter(f"{quote_value(without_secrets(text))} names no table; write the table behind #")
    if kind == "duckdb":
        # Three slashes, then the path: a fourth makes it absolute.
        return Address("duckdb", unquote(rest.removeprefix("/")), table)
    return Address("postgresql", f"postgresql://{rest}", table)


def _check_login(rest: str, name: str) -> None:
    """Refuse a password that ends where it must not: its other half would be shown as a host or a table."""
    login = rest.partition("/")[0]
    hosts = re.sub(r"\[[^]]*\]", "", login.partition("?")[0]).split(",")
    numeric = all((host.partition(":")[2] or "0").isdigit() for host in hosts)
    cut = "@" in rest.partition("?")[0] or ("@" in name and "#" in name and ":" in login)
    if "@" not in login and (cut or not numeric):
        raise BadParameter(
            "the address of the database cannot be read: in user, password and names write / as %2F, # as "
            "%23, ? as %3F, @ as %40 and % as %25, or leave the password to PGPASSWORD or ~/.pgpass"
        )


def _is_folder(source: str | Path) -> bool:
    try:
        return Path(source).is_dir()
    except (OSError, ValueError):  # a name too long for any file: whoever opens it says so
        return False


def output_address(target: Any) -> Address | None:
    """The address that a release goes to, or nothing where it goes to a file.

    A folder need not be there yet: a name with a slash at its end is one.
    """
    text = str(target)
    if isinstance(target, str) and text.endswith("/") and not _URL.fullmatch(text):
        return Address("folder", text.rstrip("/") or "/")
    return address_of(target) if isinstance(target, str | Path | Address) else None


def _spark_address(rest: str, table: tuple[str, ...]) -> Address:
    # Written by hand: brackets as in local[2] are no part of a URL for Python.
    master, slash, path = rest.partition("/")
    if not table and not path:
        raise BadParameter(
            f"{quote_value(without_secrets(f'spark://{rest}'))} names no table; write the table behind #, or "
            "the path of Parquet files"
        )
    if table and path:
        raise BadParameter(
            f"{quote_value(without_secrets(f'spark://{rest}'))} names a path and a table; give one of them"
        )
    if master and not master.startswith("local"):
        master = f"spark://{master}"
    return Address("spark", master, table, slash + unquote(path) if path else "")


def _quoted(part: str) -> str:
    inside = part.replace('"', '""')
    return f'"{inside}"' if '"' in part or "." in part else part


def _table_name(text: str, url: str) -> tuple[str, ...]:
    """The parts of a name: `schema.table`; a part with a dot in it stands in double quotes."""
    parts, place = [], 0
    while found := _NAME.match(text, place):
        parts.append(found[1].replace('""', '"') if found[1] else found[2])
        place = found.end()
        if place == len(text):
            break
        if text[place] != ".":
            break
        place += 1
    if place != len(text) or text.endswith(".") or not 1 <= len(parts) <= 3:
        raise BadParameter(
            f"{quote_value(url)} has no table behind # that can be read; write schema.table, and a part with "
            "a dot or a quote in it in double quotes"
        )
    return tuple(parts)
