"""The pictures of a report as SVG: no script, no font of their own, the same in a browser and in a PDF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from shoal.core.attack_results import Trial, Tried
from shoal.core.rounded_figures import per_cent
from shoal.report.wording import attack_name, visible
from shoal.tables.appraisal.dossier import ColumnStory

INK, QUIET, RULE, FIELD = "#1c2733", "#5b6875", "#d5dbe1", "#f1f4f6"
BEFORE, AFTER = "#a8501f", "#0f6b66"  # as text they stand out from white and from the field
FONT = "Inter, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
WIDTH, LEFT, SPAN = 680, 190, 400
BAR, STEP = 11, 42


def attacks_chart(trials: Sequence[Trial], legend: bool) -> str:
    """Two bars per attack, before and after, on a scale of all people attacked."""
    both = any(trial.before is not None for trial in trials)
    step = STEP if both else STEP - BAR - 3
    top = 38 if legend else 8
    bottom = top + step * len(trials)
    parts = list(_legend(both)) if legend else []
    for tick in range(0, 101, 25):
        x = LEFT + SPAN * tick / 100
        parts.append(f'<path d="M{x:g} {top - 2}V{bottom - 6}" stroke="{RULE}" fill="none"/>')
        parts.append(words_at(x, bottom + 8, f"{tick}\u202f%", 10, QUIET, "middle"))
    for place, trial in enumerate(trials):
        y = top + step * place
        name, about = _name_and_parameters(trial)
        middle = y + (step - 8) / 2
        parts.append(words_at(LEFT - 14, middle + (1 if about else 4), name, 12.5, INK, "end", 600))
        if about:
            parts.append(words_at(LEFT - 14, middle + 14, about, 10.5, QUIET, "end"))
        if both:
            parts += _bar(y + 4, trial.before, BEFORE)
            y += BAR + 4
        parts += _bar(y + 4, trial.after, AFTER)
    return svg_with(bottom + 14, parts, chart_words(trials))


def chart_words(trials: Sequence[Trial]) -> str:
    """The same in words."""
    told = []
    for trial in trials:
        before = "" if trial.before is None else f"{per_cent(trial.before.rate.value)} before, "
        after = "nobody to find" if trial.after is None else per_cent(trial.after.rate.value)
        told.append(f"{attack_name(trial)}: {before}{after} after")
    return "Share of people hit by each attack. " + "; ".join(told) + "."


def hierarchies_chart(columns: Sequence[ColumnStory]) -> str:
    """Per quasi-identifier how many steps of its hierarchy were climbed, and how many values that left."""
    parts, step, left, wide = [], 38, 150, 150
    for place, column in enumerate(columns):
        y = 2 + step * place
        parts.append(words_at(left - 14, y + 18, _short(column.name, 18), 12.5, INK, "end", 600))
        # Of a hierarchy that nobody showed us we know that it goes on.
        height = column.height or (column.level or 0) + 1
        climbed = height if column.fate == "hidden" else column.level
        rung = (wide - 4 * (height - 1)) / height
        for number in range(height):
            full = climbed is not None and number < climbed
            parts.append(
                f'<rect x="{left + number * (rung + 4):.1f}" y="{y + 8}" width="{rung:.1f}" height="11" '
                f'rx="2" fill="{AFTER if full else FIELD}" stroke="{AFTER if full else RULE}"/>'
            )
        parts.append(words_at(left + wide + 16, y + 13, _short(hierarchy_words(column), 62), 11.5, INK))
        if column.labels:
            shown = _short("such as " + ", ".join(column.labels), 66)
            parts.append(words_at(left + wide + 16, y + 27, shown, 10.5, QUIET))
    alt = "Detail taken from each column. " + " ".join(
        f"{column.name}: {hierarchy_words(column)}." for column in columns
    )
    return svg_with(6 + step * len(columns), parts, alt)


def hierarchy_words(column: ColumnStory) -> str:
    """What became of one quasi-identifier."""
    values = ""
    if column.after is not None:
        values = f": {column.after:,} different value{'s' * (column.after != 1)}"
    steps = "coarsened, some rows more than others"
    if column.height and column.level is not None:
        steps = f"coarsened {column.level} of {column.height} steps"
    elif column.level:
        steps = f"coarsened {column.level} step{'s' * (column.level != 1)}"
    fates = {"unchanged": "kept exact", "hidden": "hidden entirely", "changed": "changed by chance"}
    return {**fates, "coarsened": steps}.get(column.fate, "not known what became of it") + values


def _bar(y: float, tried: Tried | None, colour: str) -> Iterator[str]:
    if tried is None:
        yield words_at(
            LEFT + 6, y + 9, "nobody to find" if colour == AFTER else "not possible here", 10.5, QUIET
        )
        return
    low, high = tried.rate.interval
    end = LEFT + SPAN * tried.rate.value
    yield f'<rect x="{LEFT}" y="{y:g}" width="{SPAN}" height="{BAR}" rx="2" fill="{FIELD}"/>'
    if tried.rate.hits:
        yield (
            f'<rect x="{LEFT}" y="{y:g}" width="{max(end - LEFT, 1.5):.1f}" height="{BAR}" rx="2" '
            f'fill="{colour}"/>'
        )
    if high - low > 0.012:
        one, two, middle = LEFT + SPAN * low, LEFT + SPAN * high, y + BAR / 2
        yield (
            f'<path d="M{one:.1f} {middle - 3:g}v6m0 -3H{two:.1f}m0 -3v6" '
            f'stroke="{INK}" stroke-width="1.1" fill="none"/>'
        )
    blind = LEFT + SPAN * min(max(tried.baseline, 0.0), 1.0)
    yield f'<path d="M{blind:.1f} {y - 2:g}v{BAR + 4}" stroke="{INK}" stroke-width="1.8" fill="none"/>'
    yield words_at(LEFT + SPAN + 12, y + 9.5, per_cent(tried.rate.value), 11.5, colour, "start", 600)


def _legend(both: bool) -> Iterator[str]:
    x = LEFT
    for colour, words in ((BEFORE, "names removed only"), (AFTER, "this release")):
        if colour == AFTER or both:
            yield f'<rect x="{x}" y="6" width="12" height="{BAR}" rx="2" fill="{colour}"/>'
            yield words_at(x + 18, 15.5, words, 11.5, INK)
            x += 34 + int(6.3 * len(words))
    yield f'<path d="M{x + 2} 4v{BAR + 4}" stroke="{INK}" stroke-width="1.8" fill="none"/>'
    yield words_at(x + 10, 15.5, "blind guess", 11.5, INK)
    x += 96
    yield f'<path d="M{x} 8v6M{x} 11h16M{x + 16} 8v6" stroke="{INK}" stroke-width="1.1" fill="none"/>'
    yield words_at(x + 22, 15.5, "95\u202f% interval", 11.5, INK)


def _name_and_parameters(trial: Trial) -> tuple[str, str]:
    """The name of an attack, and what else its spelling says."""
    name, _, about = attack_name(trial).partition(" of ")
    return _short(name, 24), _short(f"of {about}", 28) if about else ""


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def words_at(
    x: float, y: float, words: str, size: float, fill: str, anchor: str = "start", weight: int = 400
) -> str:
    """One line of text at a place."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="{FONT}" font-size="{size:g}" font-weight="{weight}" '
        f'fill="{fill}" text-anchor="{anchor}">{escape(words)}</text>'
    )


def svg_with(height: float, parts: Sequence[str], alt: str) -> str:
    """A picture of its parts, with words for those who cannot see it."""
    return visible(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" '
        f'height="{height:g}" role="img" aria-label="{escape(alt)}">'
        f"<title>{escape(alt)}</title>{''.join(parts)}</svg>"
    )
