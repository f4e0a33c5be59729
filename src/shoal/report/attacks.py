"""What each attack achieved before and after, and what would stop those that still work."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.core.rounding import per_cent
from shoal.jobs.tables.attack_results import Trial
from shoal.jobs.tables.dossier import Dossier
from shoal.report.blocks import Block, Cell, Chart, Grid, Tone, Words
from shoal.report.charts import attacks_chart, chart_words
from shoal.report.threats import THREATS, threat_of
from shoal.report.wording import attack_name, batched, expected_words, listed, rate_words, sentence

MOST = 14  # attacks in a picture, which has to fit on a page


def attacks(dossier: Dossier) -> Iterator[Block]:
    """The blocks of the section."""
    tried = dossier.tried
    if tried:
        before = "the original without its identifiers, and then " if dossier.has_original else ""
        yield Words(
            f"Shoal attacked {before}this release, as somebody would who wants to know. "
            f"{sentence(dossier.tally.words)}"
        )
        yield Words(
            "A bar is the share of the people attacked who were hit, the mark what a blind guess hits. An "
            "attack that is sure of whom it hits succeeds as soon as it hits anybody. One that guesses about "
            "everybody is right about some people by chance: it succeeds if it beats both baselines by more "
            "than 5 points in every 100 that they leave open. The baselines are a blind guess, and the same "
            "attack on people who are not in the data, where such a list was given. An attack that picks one "
            "of the rows that look alike must also be right more often than picking at random."
        )
    else:
        yield Words("No attack could be tried with the files that were given.")
    first = True
    for threat in THREATS:
        group = [trial for trial in tried if threat_of(trial) == threat]
        for place, some in enumerate(batched(group, MOST)):
            about = threat.capitalize() + (", continued" if place else "")
            yield Chart(attacks_chart(some, first), chart_words(some), about)
            first = False
    if tried:
        yield _table(tried)
        yield from _understated(tried)
    if dossier.working:
        yield _cures(dossier.working)
    left = [trial for trial in dossier.trials if trial.after is None and not trial.unasked]
    if left:
        rows = tuple((Cell(attack_name(trial), "quiet"), Cell(trial.reason, "quiet")) for trial in left)
        yield Grid("Not tried", ("not tried", "why"), rows, (6, 24))


def _table(tried: tuple[Trial, ...]) -> Grid:
    rows = []
    for place, trial in enumerate(tried):
        assert trial.after is not None
        tone: Tone = "bad" if trial.after.works else "good"
        # Tried on several columns, an attack is explained once.
        again = place > 0 and tried[place - 1].name == trial.name
        rows.append(
            (
                Cell(attack_name(trial), "strong"),
                Cell("" if again else trial.about),
                Cell("–" if trial.before is None else per_cent(trial.before.rate.value)),
                Cell(rate_words(trial.after)),
                Cell(expected_words(trial.after)),
                Cell("succeeds" if trial.after.works else "fails", tone),
            )
        )
    head = ("attack", "what it does", "hit before", "hit now (95 % interval)", "on a safe release", "verdict")
    return Grid("Attacks", head, tuple(rows), (6, 10, 3, 6, 6, 3))


def _understated(tried: tuple[Trial, ...]) -> Iterator[Block]:
    """Attacks that a missing part keeps from being as strong as they can be."""
    told: dict[str, list[str]] = {}
    for trial in tried:
        if trial.after is not None and trial.after.remark:
            told.setdefault(trial.after.remark, []).append(attack_name(trial))
    for remark, names in told.items():
        yield Words(f"{sentence(f'The figure of {listed(names)} may be too low: {remark}')}", "warn")


def _cures(working: tuple[Trial, ...]) -> Grid:
    rows = []
    for trial in working:
        assert trial.after is not None
        cured = "not tried" if trial.after.cured is None else per_cent(trial.after.cured)
        rows.append((Cell(attack_name(trial), "strong"), Cell(sentence(trial.after.cure)), Cell(cured)))
    return Grid("Cures", ("succeeds", "what would stop it", "it then hits"), tuple(rows), (6, 20, 4), (2,))
