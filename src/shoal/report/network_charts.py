"""The pictures of a report about a network as SVG: who has how many friends, and what changed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from shoal.graphs.appraisal.degrees import Degrees
from shoal.graphs.appraisal.estimate import Estimate, number_text
from shoal.report.charts import AFTER, BEFORE, FIELD, INK, QUIET, RULE, WIDTH, svg_with, words_at

LEFT, RIGHT, TOP, TALL = 62, 20, 34, 210
STEP, NAMES, MIDDLE, HALF = 26, 210, 350, 110  # of the picture of changes: rows, names, zero, and 100 %


def degrees_chart(before: Degrees | None, after: Degrees, alt: str) -> str:
    """How many people have at least so many friends, both axes by powers of ten."""
    sides = [(one, colour) for one, colour in ((before, BEFORE), (after, AFTER)) if one is not None]
    widest = max(max(one.highest for one, _ in sides), 2)
    most = max(max(one.nodes for one, _ in sides), 2)
    span = WIDTH - LEFT - RIGHT

    def across(degree: float) -> float:
        return LEFT + span * math.log(max(degree, 1)) / math.log(widest)

    def down(people: float) -> float:
        return TOP + TALL * (1 - math.log(max(people, 1)) / math.log(most))

    parts = []
    for tick in _ticks(widest):
        x = across(tick)
        parts.append(f'<path d="M{x:.1f} {TOP}V{TOP + TALL}" stroke="{RULE}" fill="none"/>')
        parts.append(words_at(round(x, 1), TOP + TALL + 15, f"{tick:,}", 10, QUIET, "middle"))
    for tick in _ticks(most):
        y = down(tick)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{RULE}" fill="none"/>')
        parts.append(words_at(LEFT - 8, round(y + 3.5, 1), f"{tick:,}", 10, QUIET, "end"))
    parts.append(words_at(WIDTH - RIGHT, TOP + TALL + 31, "friends", 10.5, QUIET, "end"))
    parts.append(words_at(LEFT, TOP - 8, "people with at least so many", 10.5, QUIET))
    x = WIDTH - RIGHT - 190.0
    for one, colour in sides:
        told = "before" if colour == BEFORE else "this release"
        dash = ' stroke-dasharray="5 3"' if colour == BEFORE else ""
        parts.append(f'<path d="M{x:g} {TOP - 12}h22" stroke="{colour}" stroke-width="2"{dash}/>')
        parts.append(words_at(x + 28, TOP - 8, told, 11, INK))
        x += 90
        points = [
            (across(degree), down(people))
            for degree, people in zip(one.values, one.reaching().tolist(), strict=True)
            if degree > 0
        ]
        if points:
            steps = "".join(f"V{y:.1f}H{right:.1f}" for right, y in points)
            parts.append(
                f'<path d="M{LEFT} {points[0][1]:.1f}{steps}" stroke="{colour}" stroke-width="2" '
                f'fill="none"{dash}/>'
            )
    return svg_with(TOP + TALL + 38, parts, alt)


def changes_chart(rows: Sequence[tuple[str, Estimate, Estimate]], alt: str) -> str:
    """Per figure how much it rose or fell, in per cent of what it was; bars end at 100 %."""
    parts = []
    bottom = 22 + STEP * len(rows)
    for share in (-1.0, -0.5, 0.0, 0.5, 1.0):
        x = MIDDLE + HALF * share
        parts.append(f'<path d="M{x:g} 18V{bottom}" stroke="{INK if not share else RULE}" fill="none"/>')
        parts.append(words_at(x, 12, f"{share:+.0%}" if share else "unchanged", 10, QUIET, "middle"))
    for place, (name, before, after) in enumerate(rows):
        y = 26 + STEP * place
        parts.append(words_at(NAMES, y + 9, name, 12, INK, "end"))
        told = f"{number_text(before.value, 3)} → {number_text(after.value, 3)}"
        change = (after.value - before.value) / before.value if before.value else None
        if change is not None:
            length = HALF * min(abs(change), 1.0)
            start = MIDDLE if change > 0 else MIDDLE - length
            parts.append(
                f'<rect x="{start:.1f}" y="{y}" width="{max(length, 1):.1f}" height="12" fill="{AFTER}"/>'
                if abs(change) >= 0.0005
                else f'<rect x="{MIDDLE - 1}" y="{y}" width="2" height="12" fill="{FIELD}"/>'
            )
            told += f"  ({change_words(change)})"
        parts.append(words_at(MIDDLE + HALF + 16, y + 9.5, told, 11, INK))
    return svg_with(bottom + 6, parts, alt)


def change_words(change: float) -> str:
    """`−12 %`, `+0.4 %`, `unchanged`."""
    if abs(change) < 0.0005:
        return "unchanged"
    shown = abs(100 * change)
    sign = "+" if change > 0 else "\N{MINUS SIGN}"
    return f"{sign}{shown:,.0f}\u202f%" if shown >= 10 else f"{sign}{shown:.1f}\u202f%"


def _ticks(most: float) -> list[int]:
    """1, 10, 100 … up to the most; 2 and 5 between them where there are few."""
    powers = [10**power for power in range(len(str(int(most))))]
    steps = (1,) if most >= 1000 else (1, 2, 5)
    return [step * power for power in powers for step in steps if step * power <= most]
