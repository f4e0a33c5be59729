"""What each attack achieved before and after, and what would stop those that still work."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.core.rounding import rounded
from shoal.jobs.dossier import Dossier, Trial
from shoal.report.blocks import Block, Cell, Chart, Grid, Tone, Words
from shoal.report.charts import attacks_chart, chart_words
from shoal.report.plain import attack_name, batched, sentence, share
from shoal.report.threats import THREATS, threat_of

MOST = 14  # attacks in a picture, which has to fit on a page


def attacks(dossier: Dossier) -> Iterator[Block]:
    """The blocks of the section."""
    tried = dossier.tried
    if tried:
        before = "the original without its identifiers, and then " if dossier.has_original else ""
        yield Words(
            f"Shoal attacked {before}this release, as somebody would who wants to know. A bar is the share "
            "of the people attacked who were hit, the mark what blind guessing achieves. An attack that is "
            "sure of whom it hits works as soon as it hits anybody. One that guesses about everybody works "
            "where the release makes it right more than 5 % more often than a blind guess is, or than it is "
            "about people who are not in the data: that much is true of people in general. One that picks a "
            "row among those that look alike works where it is right more often than so many rows leave to "
            "chance."
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
    if dossier.working:
        yield _cures(dossier.working)
    left = [trial for trial in dossier.trials if trial.after is None]
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
                Cell(f"{trial.after.rate.targets:,}"),
                Cell("–" if trial.before is None else f"{rounded(trial.before.rate.hits):,}"),
                Cell(f"{rounded(trial.after.rate.hits):,}", tone),
                Cell(share(trial.after.baseline)),
            )
        )
    head = ("attack", "what it does", "people", "hit before", "hit after", "blind")
    return Grid("Attacks", head, tuple(rows), (6, 12, 3, 3, 3, 3), (2, 3, 4, 5))


def _cures(working: tuple[Trial, ...]) -> Grid:
    rows = []
    for trial in working:
        assert trial.after is not None
        cured = "not tried" if trial.after.cured is None else share(trial.after.cured)
        rows.append((Cell(attack_name(trial), "strong"), Cell(sentence(trial.after.cure)), Cell(cured)))
    return Grid("Cures", ("still works", "what would stop it", "it then hits"), tuple(rows), (6, 20, 4), (2,))
