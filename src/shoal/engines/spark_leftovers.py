"""What a killed driver left in Spark: tables and folders that never got the name of a release.

Nobody can tell from here whether another driver is still writing them, so they are named and not removed.
"""

from __future__ import annotations

from typing import Any

from shoal.engines.address import Address
from shoal.engines.sql_engine import is_fresh_name


def unfinished_folders(session: Any, path: str) -> list[str]:
    """Folders beside a path that wait for a name."""
    return _named_so(session, _path(session, path).getParent(), ".")


def unfinished_tables(session: Any, target: Address) -> list[str]:
    """Tables of the target's schema that wait for a name, and folders of such in its warehouse."""
    schema = ".".join(target.table[:-1]) or session.catalog.currentDatabase()
    tables = [
        each.name
        for each in session.catalog.listTables(schema)
        if not each.isTemporary and is_fresh_name(each.name)
    ]
    folders = _named_so(session, _path(session, session.catalog.getDatabase(schema).locationUri), "")
    return tables + [path for path in folders if path.rpartition("/")[2] not in tables]


def _named_so(session: Any, place: Any, before: str) -> list[str]:
    system = place.getFileSystem(session.sparkContext._jsc.hadoopConfiguration())
    if not system.exists(place):
        return []
    found = [each.getPath() for each in system.listStatus(place)]
    return sorted(
        str(each.toString())
        for each in found
        if each.getName().startswith(before) and is_fresh_name(each.getName().removeprefix(before))
    )


def _path(session: Any, path: str) -> Any:
    return session.sparkContext._jvm.org.apache.hadoop.fs.Path(path)
