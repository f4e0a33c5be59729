"""The command line, run in this process."""

from __future__ import annotations

import io
import json
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.faces.cli import main

ROLES = ("--identifier", "name", "--quasi", "zip,age,sex", "--sensitive", "ill")


@dataclass(frozen=True)
class Run:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.out)


def shoal(*words: object, stdin: bytes = b"") -> Run:
    """Run a command. A failure that nobody foresaw fails the test."""
    before = sys.argv, sys.stdin, sys.stdout, sys.stderr
    bytes_out = io.BytesIO()
    out = io.TextIOWrapper(bytes_out, encoding="utf-8", write_through=True)
    err = io.StringIO()
    sys.argv = ["shoal", *map(str, words)]
    sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(stdin)), out, err
    try:
        main()
        code = -1
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else -1
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = before
    assert "a defect of Shoal" not in err.getvalue(), err.getvalue()
    assert code >= 0, "the command did not end with an exit code"
    return Run(code, bytes_out.getvalue().decode(), err.getvalue())


def protect(*words: object, stdin: bytes = b"") -> Run:
    """`shoal table protect` with a seed."""
    return shoal("table", "protect", *words, "--seed", 1, stdin=stdin)


def refused(*words: object, code: int = 2, stdin: bytes = b"") -> str:
    """The sentence with which a command refuses; nothing may be written or printed beside it."""
    before = contents()
    run = shoal(*words, stdin=stdin)
    assert run.code == code, (run.code, run.err, run.out)
    assert run.out == ""
    assert run.err.startswith("shoal: ") and run.err.count("\n") == 1, run.err
    assert "Traceback" not in run.err
    assert contents() == before
    return run.err


def contents() -> dict[str, bytes]:
    """Every file below the working folder, temporary ones too."""
    return {str(path): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}


def patients(rows: int = 60, seed: int = 1) -> str:
    """A small table of made-up patients as CSV."""
    chance = random.Random(seed)
    lines = ["name,zip,age,sex,ill"]
    for row in range(rows):
        ill = chance.choice(["flu", "cancer", "heart", "hiv"])
        lines.append(
            f"Person {row},{47600 + chance.randrange(80)},{chance.randrange(20, 80)},"
            f"{chance.choice('MF')},{ill}"
        )
    return "\n".join(lines) + "\n"
