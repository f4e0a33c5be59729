"""A release beside its original: rows with changed cells, the spread of columns, group sizes and risk."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from shoal.core.errors import ShoalError
from shoal.faces.studio import release_tasks
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.widgets.charts import columns_chart, pair_bars
from shoal.faces.studio.widgets.copy_as import copy_button
from shoal.faces.studio.widgets.text import figure, note, problem, section, text

ROWS = 12
MOST_LABELS = 10


def before_after(desk: Desk, folder: str, release: str, settings: dict[str, Any]) -> None:
    """Three sections, filled when a worker has compared the two."""
    with section(
        "Before and after", "What became of each row of the original. Only you see rows side by side."
    ):
        rows = ui.element("div").classes("s-stack")
        with ui.element("div").classes("s-row"):
            copy_button(lambda: desk.ask("copying", release_tasks.copies, folder, settings, "diff", release))
    with section("How each column is spread", "Grey is the original, blue the release."):
        spread = ui.element("div")
    with section(
        "Groups and risk",
        "Who looks like nobody else can be found. The larger the group, the lower the risk.",
    ):
        groups = ui.element("div").classes("s-stack s-wide")

    async def show(first: int, everything: bool) -> None:
        try:
            found = await desk.ask("comparing", release_tasks.diff, folder, release, settings, first, ROWS)
        except ShoalError as error:
            with rows.clear():
                problem(str(error))
            return
        if rows.is_deleted:
            return
        with rows.clear():
            _rows(found, lambda other: show(other, False))
        if everything:
            with spread.clear():
                _spread(found["changes"])
            with groups.clear():
                _groups(found["groups"])

    for place in (rows, spread, groups):
        with place:
            ui.skeleton(height="60px").style("width: 100%")
    ui.timer(0, lambda: show(0, True), once=True)


def _rows(found: dict[str, Any], turn: Any) -> None:
    for told in found["notes"]:
        note(told[:1].upper() + told[1:] + ".", "plain")
    if not found["rows"]:
        return
    first, many = found["first"], found["rows_before"]
    with ui.element("div").classes("s-row"):
        back = ui.button(icon="chevron_left", on_click=lambda: turn(max(first - ROWS, 0)))
        back.props('flat round dense aria-label="Previous rows"').classes("s-quiet")
        back.set_enabled(first > 0)
        ui.label(f"Rows {first + 1:,}–{min(first + ROWS, many):,} of {many:,}").classes("s-soft s-small")
        forth = ui.button(icon="chevron_right", on_click=lambda: turn(first + ROWS))
        forth.props('flat round dense aria-label="Next rows"').classes("s-quiet")
        forth.set_enabled(first + ROWS < many)
        gone = [name for name, kept in zip(found["columns"], found["kept"], strict=True) if not kept]
        if gone:
            ui.label(f"Not released: {', '.join(gone)}").classes("s-soft s-small")
    shown = [place for place, kept in enumerate(found["kept"]) if kept]
    with ui.element("div").classes("s-scroll").props('tabindex="0" role="region"') as frame:
        frame.props["aria-label"] = "Rows before and after"
        with ui.element("table").classes("s-table"):
            with ui.element("thead"), ui.element("tr"):
                for place in shown:
                    text("th", found["columns"][place]).props('scope="col"')
                text("th", "").props('scope="col"').props["aria-label"] = "What became of it"
            with ui.element("tbody"):
                for pair in found["rows"]:
                    _row(pair, shown)


# What is not certain is said once, in a remark above the rows, and not in each of them.
FATES = {"released": "", "perhaps": "", "suppressed": "left out", "unknown": ""}


def _row(pair: dict[str, Any], shown: list[int]) -> None:
    with ui.element("tr").classes("s-left-out" if pair["fate"] == "suppressed" else ""):
        for place in shown:
            before = pair["before"][place]
            if pair["possible"] is not None:
                after = pair["possible"][place]
            else:
                after = [before if pair["after"] is None else pair["after"][place]]
            if after == [before]:
                text("td", _word(before))
            elif before in after:  # it may have stayed, and must not look as if it had
                with ui.element("td"):
                    text("span", _word(before))
                    text("strong", f"or {_several([one for one in after if one != before])}")
            else:
                with ui.element("td").classes("s-changed"):
                    text("s", _word(before))
                    text("strong", _several(after))
        text("td", FATES[pair["fate"]]).classes("s-small")


def _word(label: str | None) -> str:
    return "missing" if label is None else label


def _several(labels: list[str | None]) -> str:
    """What a cell has become, or may have: two labels, or how many there are."""
    if len(labels) > 2:
        return f"one of {len(labels)} labels"
    return " or ".join(map(_word, labels))


def _spread(changes: dict[str, Any]) -> None:
    if any(change["level"] is not None for change in changes.values()):
        words = "A label that covers several of the values shown is spread evenly over them."
        text("p", words).classes("s-soft s-small")
    with ui.element("div").classes("s-charts"):
        for column, change in changes.items():
            with ui.element("div").classes("s-stack"):
                text("h3", column).classes("s-value")
                told = f"{change['changed']:.0%} of the cells changed" if change["changed"] else "unchanged"
                before, after = dict(map(tuple, change["before"])), dict(map(tuple, change["after"]))
                words = f"{told}; {change['values_before']:,} values became {change['values_after']:,} labels"
                if change["level"]:
                    words += f", counted here on level {change['level']}"
                ui.label(f"{words}{_left_out(change, len(before))}").classes("s-soft s-small")
                if change["level"] is not None:
                    most = sorted(before, key=lambda label: -max(before[label], after[label]))[:MOST_LABELS]
                    labels = [label for label in before if label in most]
                elif change["aligned"]:
                    labels = list(before)[:MOST_LABELS]
                else:
                    labels = [*list(before)[: MOST_LABELS // 2], *list(after)[: MOST_LABELS // 2]]
                labels = list(dict.fromkeys(labels))
                pair_bars(
                    ["missing" if label is None else str(label) for label in labels],
                    [before.get(label, 0) for label in labels],
                    [after.get(label, 0) for label in labels],
                    f"{column}: {words}",
                    40 + 30 * len(labels),
                )


def _left_out(change: dict[str, Any], labels: int) -> str:
    """Whether a picture lacks some labels."""
    many = labels if change["level"] is not None else max(change["values_before"], change["values_after"])
    return "; the most frequent are shown" if many > MOST_LABELS else ""


def _groups(groups: dict[str, Any]) -> None:
    before, after = groups["before"], groups["after"]
    with ui.element("div").classes("s-columns s-figures"):
        figure(_per_cent(before["risk"]["highest"]), "highest risk of being found, before")
        figure(_per_cent(after["risk"]["highest"]), "highest risk after")
        figure(
            _per_cent(after["risk"]["average"]),
            f"average risk after; it was {_per_cent(before['risk']['average'])}",
        )
        alone = dict(map(tuple, before["buckets"]))["1"]
        figure(f"{alone:,}", "rows were the only one of their kind")
    labels = [name for name, _ in before["buckets"]]
    columns_chart(
        labels,
        [rows for _, rows in before["buckets"]],
        [rows for _, rows in after["buckets"]],
        "Rows by the size of their group, before and after",
    )
    ui.label("Rows by the number of rows that look the same").classes("s-soft s-small")


def _per_cent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.1 or share == 0 else f"{100 * share:.2g} %"
