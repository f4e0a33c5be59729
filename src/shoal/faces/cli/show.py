"""What the command line prints: one JSON document, or tables for people. Remarks go to standard error."""

from __future__ import annotations

import io
import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shoal.core.contract import Follow, Progress, Watch
    from shoal.core.outcome import Json, Outcome, Rows


def show(outcome: Outcome, as_json: bool) -> None:
    """Print an outcome on standard output."""
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
    """A table on standard error."""
    _print(title, rows, sys.stderr)


def say(sentence: str) -> None:
    """A remark on standard error."""
    print(sentence, file=sys.stderr)


def _print(title: str, rows: Rows, stream: TextIO | None = None) -> None:
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=escape(title), box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for heading in rows[0]:
        table.add_column(escape(heading), overflow="fold")
    for row in rows[1:]:
        table.add_row(*(escape(cell) for cell in row))
    # A pipe has no width; a narrow default would break tables that a script reads.
    place = stream or sys.stdout
    console = Console(file=place) if place.isatty() else Console(file=place, width=200)
    console.print(table)


@contextmanager
def progress(quiet: bool) -> Iterator[Watch | None]:
    """A bar on standard error while a search runs; none where nobody looks."""
    if quiet or not sys.stderr.isatty():
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
def following(verb: str) -> Iterator[Follow | None]:
    """A bar on standard error over the parts of a long job; none where nobody looks."""
    if not sys.stderr.isatty():
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
