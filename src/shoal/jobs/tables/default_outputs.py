"""Several files that belong together: all of them are written, or none."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.core.errors import BadParameter
from shoal.tables.manifest import beside


@dataclass(frozen=True)
class Places:
    """The files that are written beside a table when nobody names one."""

    release: Path
    project: Path
    report: Path

    @classmethod
    def beside(cls, file: Any) -> Places:
        """`people.csv` gets people-release.csv, people.shoal.toml and people-report.html."""
        if not isinstance(file, str) or file == "-" or "://" in file or not Path(file).is_file():
            raise BadParameter("nowhere to write the release; give -o OUT.csv")
        path = Path(file)
        stem = path.name.removesuffix(".gz")
        stem = stem[: len(stem) - len(Path(stem).suffix)] or stem
        return cls(*(path.with_name(stem + end) for end in ("-release.csv", ".shoal.toml", "-report.html")))

    @property
    def every(self) -> tuple[Path, ...]:
        """All of them, with the manifest of the release."""
        return self.release, beside(self.release), self.project, self.report


@contextmanager
def all_or_none(places: Sequence[Path], force: bool) -> Iterator[None]:
    """Within this, write the files; when anything fails, what was there before is there again.

    Files that exist are replaced with `force` only.
    """
    there = [place for place in places if place.exists()]
    if there and not force:
        names = ", ".join(f"'{place}'" for place in there)
        exist = "exists" if len(there) == 1 else "exist"
        raise BadParameter(f"{names} {exist} already; give --force to replace, or -o for another name")
    mark = secrets.token_hex(6)
    aside = {place: place.with_name(f".shoal-{mark}-{place.name}") for place in there}
    try:
        for place, kept in aside.items():
            place.rename(kept)
        yield
    except BaseException:
        for place in places:
            if place not in aside or aside[place].exists():
                place.unlink(missing_ok=True)
        for place, kept in aside.items():
            if kept.exists():
                kept.rename(place)
        raise
    for kept in aside.values():
        kept.unlink(missing_ok=True)
