"""What the command line prints: one JSON document, or tables for people. Remarks go to standard error."""

from __future__ import annotations

import io
import json
import logging
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from shoal.core.outcome import Json, Outcome, Rows
    from shoal.core.progress import Follow, Progress, Watch


WIDE = 200  # of a pipe, in characters
LONG_WORD = 20  # a longer word may be broken


def show(outcome: Outcome, as_json: bool, notes: Iterable[str] = (), printed: bool = True) -> None:
    """Remarks on standard error, then the outcome on standard output unless that is taken."""
    for note in notes:
        say(f"shoal: {note}")
    if not printed:
        return
    if as_json:
        show_document(outcome.to_json())
        return
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a name that the terminal cannot show is no failure
    for title, rows in outcome.to_tables().items():
        _print(title, rows)


def show_document(document: dict[str, Json]) -> None:
    """Print one JSON document on standard output."""
    # Only UTF-8 can carry every column name; elsewhere JSON has its own way to write them.
    plain = sys.stdout.encoding.lower().replace("-", "") != "utf8"
    sys.stdout.write(json.dumps(document, ensure_ascii=plain, allow_nan=False) + "\n")


def say_table(title: str, rows: Rows) -> None:
    """A table on standard error, unless nobody wants any remark."""
    if not quiet():
        _print(title, rows, sys.stderr)


def say(sentence: str) -> None:
    """A remark on standard error, unless nobody wants any."""
    if not quiet():
        print(sentence, file=sys.stderr)


def quiet() -> bool:
    """Whether --quiet was given."""
    return logging.getLogger("shoal").level >= logging.ERROR


def _print(title: str, rows: Rows, stream: TextIO | None = None) -> None:
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    # A pipe has no width; a narrow default would break tables that a script reads. COLUMNS says it for both.
    place = stream or sys.stdout
    known = place.isatty() or os.environ.get("COLUMNS", "").isdigit()
    console = Console(file=place) if known else Console(file=place, width=WIDE)
    if _narrowest(rows) > console.width:
        rows = _one_line_per_cell(rows)
    # A title may be wider than its table, and is looked for as a whole.
    console.print(f"[bold]{escape(title)}[/bold]", highlight=False, soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD)
    for index, heading in enumerate(rows[0]):
        # Names stand in the first column, and are looked for: they stay whole where there is room.
        named = index == 0 and max(len(row[0]) for row in rows) <= console.width // 3
        table.add_column(escape(heading), overflow="fold", no_wrap=named)
    for row in rows[1:]:
        table.add_row(*(escape(cell) for cell in row))
    console.print(table)


def _narrowest(rows: Rows) -> int:
    """The columns of a terminal that a table needs so that no word is broken, but for long ones."""
    words = [[word for cell in column for word in cell.split()] for column in zip(*rows, strict=True)]
    return sum(min(max(map(len, column), default=0), LONG_WORD) + 2 for column in words)


def _one_line_per_cell(rows: Rows) -> Rows:
    """A table with too many columns, one line per cell: what it is, and its value."""
    head, *body = rows
    lines: Rows = []
    for row in body:
        lines += [*([[""] * 2] if lines else []), *map(list, zip(head, row, strict=True))]
    return [["", ""], *lines]


def _silent() -> bool:
    """Whether no bar is wanted, or nobody looks."""
    return quiet() or not sys.stderr.isatty()


@contextmanager
def progress(quiet: bool = False) -> Iterator[Watch | None]:
    """A bar on standard error while a search runs; none where nobody looks."""
    if quiet or _silent():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    bar = Bar(
        TextColumn("searching"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} % settled, best {task.fields[best]}, bound {task.fields[bound]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("search", total=None, best="–", bound="–")

        def watch(state: Progress) -> None:
            bar.update(
                task,
                total=state.done + state.open,
                completed=state.done,
                best="–" if state.best is None else f"{state.best:.6g}",
                bound="–" if state.bound is None else f"{state.bound:.6g}",
            )

        yield watch


@contextmanager
def progress_bar(verb: str) -> Iterator[Follow | None]:
    """A bar on standard error over the parts of a long job; none where nobody looks."""
    if _silent():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(verb, total=None)

        def follow(done: int, whole: int, part: str) -> None:
            # A name of the user's may hold what Rich takes for markup.
            bar.update(task, total=whole or None, completed=done, description=escape(part))

        yield follow
