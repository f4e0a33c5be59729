"""Against what a Python user would pick: ANJANA for the release, pyCANON for the check, in the same run.

They live in an environment of their own, `benchmarks/.peers`. Both sides get the same table in memory and
the same hierarchies; both results are checked and their loss measured by Shoal from the released rows alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

import shoal
from benchmarks import clock, show
from benchmarks.people import QUASI, adult
from shoal.core.errors import Unreachable
from shoal.engines.files import read_frame
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.hierarchy_files import read_hierarchy

FOLDER = Path(__file__).with_name(".peers")
PACKAGES = ("anjana", "pycanon")
THEIRS = Path(__file__).with_name("theirs.py")

SENSITIVE = "occupation"
K, SUPPRESS = 5, 0.05
FIVE = QUASI[:5]
EIGHT = tuple(column for column in QUASI if column != SENSITIVE)


@dataclass(frozen=True)
class Setting:
    """One release: the columns, and what is promised beyond k-anonymity, in our words and in ANJANA's."""

    quasi: tuple[str, ...]
    model: str | None
    more: Mapping[str, float]

    @property
    def name(self) -> str:
        """As it stands in the first column."""
        return f"{len(self.quasi)} QI, k={K}" + (f" + {self.model}" if self.model else "")

    @property
    def models(self) -> list[str]:
        """All promises."""
        return [f"k-anonymity(k={K})", *([self.model] if self.model else [])]


SETTINGS = tuple(
    Setting(quasi, model, more)
    for model, more in (
        (None, {}),
        ("l-diversity(l=3)", {"l_div": 3}),
        ("t-closeness(t=0.2)", {"t": 0.2}),
    )
    for quasi in (FIVE, EIGHT)
)


@dataclass(frozen=True)
class Result:
    """What one side made of a setting; no rows when it found no release."""

    seconds: float
    released: pl.DataFrame | None


class Contest:
    """One table, its hierarchies, and a folder for what the two sides hand each other."""

    def __init__(self, rows: int | None, rounds: int, folder: Path) -> None:
        subject = adult(rows)
        self.generated = subject.generated
        self.frame = read_frame(subject.table)
        self.hierarchies: Mapping[str, Hierarchy] = {
            column: read_hierarchy(path) for column, path in subject.hierarchies.items()
        }
        self.rounds = rounds
        self.folder = folder

    def ours(self, setting: Setting) -> Result:
        """Shoal's release: searched, proved optimal, and verified."""

        def work() -> pl.DataFrame | None:
            try:
                return shoal.protect(
                    self.frame.select(*setting.quasi, SENSITIVE),
                    quasi=setting.quasi,
                    sensitive=SENSITIVE,
                    hierarchy={column: self.hierarchies[column] for column in setting.quasi},
                    model=setting.models,
                    method="optimal",
                    suppress=SUPPRESS,
                ).table.frame
            except Unreachable:
                return None

        found = clock.timed(work, self.rounds)
        return Result(found.warm, found.result)

    def our_check(self, setting: Setting, path: Path) -> float:
        """CPU seconds to say which k, l and t a released table offers."""
        frame = read_frame(path)
        models = [f"k-anonymity(k={K})", "l-diversity(l=3)", "t-closeness(t=0.2)"]

        def work() -> object:
            return shoal.verify(frame, quasi=setting.quasi, sensitive=SENSITIVE, model=models)

        return clock.timed(work, self.rounds).warm

    def theirs(self, settings: list[Setting]) -> tuple[list[Result], dict[str, float]]:
        """ANJANA's releases, and pyCANON's seconds for checking our k-anonymous ones."""
        table = self.folder / "table.csv"
        self.frame.write_csv(table)
        releases: list[dict[str, Any]] = [
            {
                "do": "release",
                "quasi": setting.quasi,
                "sensitive": SENSITIVE,
                "k": K,
                "suppress": SUPPRESS,
                "more": setting.more,
                "output": str(self.folder / f"theirs-{place}.csv"),
            }
            for place, setting in enumerate(settings)
        ]
        checked = [setting for setting in settings if self.path(setting).exists()]
        checks = [
            {"do": "check", "quasi": s.quasi, "sensitive": SENSITIVE, "table": str(self.path(s))}
            for s in checked
        ]
        job = {
            "table": str(table),
            "hierarchies": {column: hierarchy.levels() for column, hierarchy in self.hierarchies.items()},
            "rounds": self.rounds,
            "tasks": [*releases, *checks],
        }
        order = self.folder / "job.json"
        order.write_text(json.dumps(job), "utf-8")
        call = [str(_python()), str(THEIRS), str(order)]
        seconds = json.loads(
            subprocess.run(call, stdout=subprocess.PIPE, check=True, timeout=clock.LONGEST).stdout
        )
        results = []
        for task, spent in zip(releases, seconds, strict=False):
            path = Path(task["output"])
            results.append(Result(spent, read_frame(path) if path.exists() else None))
        names = [setting.name for setting in checked]
        return results, dict(zip(names, seconds[len(releases) :], strict=True))

    def path(self, setting: Setting) -> Path:
        """Where our release of a setting is, for the other side to check."""
        return self.folder / f"ours-{len(setting.quasi)}-{setting.model or 'k'}.csv"

    def judged(self, setting: Setting, result: Result | None) -> list[str]:
        """Seconds, loss, rows suppressed and whether the promises hold, by our own ruler."""
        if result is None:
            return ["–"] * 4
        if result.released is None:
            return [f"{result.seconds:.3f}", "–", "–", "no release"]
        asked: dict[str, Any] = {"quasi": setting.quasi, "sensitive": SENSITIVE}
        hierarchies = {column: self.hierarchies[column] for column in setting.quasi}
        found = shoal.measure(result.released, original=self.frame, hierarchy=hierarchies, k=K, **asked)
        assert found.losses is not None
        holds = shoal.verify(result.released, model=setting.models, **asked).holds
        suppressed = self.frame.height - result.released.height
        verdict = "yes" if holds else "NO"
        return [f"{result.seconds:.3f}", f"{found.losses['loss']:.4f}", f"{suppressed:,}", verdict]


def run(rows: int | None = None, rounds: int | None = None, only: str = "", offline: bool = False) -> None:
    """Print the releases side by side, then the checks."""
    why_not = _installed(offline)
    with tempfile.TemporaryDirectory() as folder:
        contest = Contest(rows, rounds or 3, Path(folder))
        settings = [setting for setting in SETTINGS if only in setting.name]
        ours = [contest.ours(setting) for setting in settings]
        for setting, result in zip(settings, ours, strict=True):
            if result.released is not None:
                result.released.write_csv(contest.path(setting))
        theirs: list[Result] | list[None] = [None] * len(settings)
        checks: dict[str, float] = {}
        if why_not is None:
            theirs, checks = contest.theirs(settings)
        notes = [f"no peer to compare with: {why_not}"] if why_not else []
        if contest.generated:
            notes.append("the table is generated, not Adult")
        _print_releases(contest, settings, ours, theirs, notes)
        _print_checks(contest, settings, checks)


def _print_releases(
    contest: Contest,
    settings: list[Setting],
    ours: list[Result],
    theirs: list[Result] | list[None],
    notes: list[str],
) -> None:
    rows = []
    for setting, mine, other in zip(settings, ours, theirs, strict=True):
        ratio = show.times(other.seconds, mine.seconds) if other else "–"
        rows.append([setting.name, *contest.judged(setting, mine), *contest.judged(setting, other), ratio])
    show.table(
        f"Release, {contest.frame.height:,} rows, {SENSITIVE} sensitive, at most {SUPPRESS:.0%} suppressed: "
        f"CPU s, best of {contest.rounds}",
        ["setting", "Shoal", "loss", "lost rows", "holds", "ANJANA", "loss", "lost rows", "holds", "ratio"],
        rows,
        notes,
    )


def _print_checks(contest: Contest, settings: list[Setting], checks: Mapping[str, float]) -> None:
    rows = []
    for setting in settings:
        if setting.name in checks:
            mine, other = contest.our_check(setting, contest.path(setting)), checks[setting.name]
            rows.append([setting.name, f"{mine:.3f}", f"{other:.3f}", show.times(other, mine)])
    if rows:
        show.table(
            f"Check of Shoal's releases, k, l and t: CPU s, best of {contest.rounds}",
            ["release", "Shoal", "pyCANON", "ratio"],
            rows,
        )


def _python() -> Path:
    return FOLDER / "bin" / "python"


def _installed(offline: bool) -> str | None:
    """Why the peers cannot run; None when they can."""
    if _works():
        return None
    if offline:
        return f"they are not in {FOLDER.name}, and --offline forbids to install them"
    try:
        subprocess.run(
            [sys.executable, "-m", "venv", str(FOLDER)],
            check=True,
            capture_output=True,
            timeout=clock.LONGEST,
        )
        call = [str(_python()), "-m", "pip", "install", "--quiet", *PACKAGES]
        subprocess.run(call, check=True, capture_output=True, timeout=clock.LONGEST)
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", None) or str(error).encode()
        return f"they cannot be installed: {said.decode(errors='replace').strip().splitlines()[-1]}"
    return None if _works() else "they are installed but cannot be imported"


def _works() -> bool:
    if not _python().exists():
        return False
    call = [str(_python()), "-c", "import anjana.anonymity, pycanon.anonymity"]
    return subprocess.run(call, capture_output=True, check=False, timeout=clock.LONGEST).returncode == 0
