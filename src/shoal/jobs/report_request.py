"""What is asked of a report about anything; it loads nothing, so that help comes at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from shoal.core.errors import BadParameter
from shoal.jobs.request import Request, setting


@dataclass(frozen=True, kw_only=True)
class ReportRequest(Request):
    """Tell all there is to tell about one release, for somebody who decides and signs."""

    verb: ClassVar[str] = "report"

    data: Any = setting(
        None, "path", "The release, with its manifest beside it.", metavar="RELEASE", placed=True
    )
    output: str | Path | None = setting(None, "path", "Where to write it: .html, or .pdf.", short="-o")
    pdf: str | Path | None = setting(None, "path", "Write it as PDF too.")
    title: str | None = setting(None, "text", "The title, in place of the file's name.")
    original: Any = setting(
        None, "path", "What the release was made from: attacks before, and what was lost."
    )
    attack: tuple[str, ...] = setting((), "texts", "Try only this attack of `shoal catalog`. Repeatable.")
    time_limit: float = setting(
        300.0, "number", "Seconds after which attacks end; what was not finished is named. Default: 300."
    )
    made: str | None = None  # the day of the report, today if not given

    def _check_report(self) -> None:
        self._several("attack")
        if not isinstance(self.data, str | Path) or str(self.data) == "-":
            raise BadParameter("a report is about a file with a fingerprint; name the release, not -")
        if not isinstance(self.time_limit, int | float) or not self.time_limit > 0:
            raise BadParameter(f"--time-limit is a number of seconds above 0, not {self.time_limit}")
