"""What attacks achieve on a release, before and after its protection, whatever was released."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.core.attack_results import Trial
from shoal.core.dossier import ReleaseDossier
from shoal.core.rounded_figures import per_cent
from shoal.report.blocks import Block, Cell, Chart, Grid, Tone, Words
from shoal.report.charts import attacks_chart, chart_words
from shoal.report.threats import THREATS, threat_of
from shoal.report.wording import (
    attack_name,
    batched,
    expected_words,
    listed,
    plain,
    rate_words,
    sentence,
)

MOST_ATTACKS = 14  # in a picture, which has to fit on a page
_BEFORE = {
    "table": "the original without its identifiers",
    "graph": "the network with its names replaced and nothing else changed",
}
_JUDGED = {
    "table": "A bar is the share of the people attacked who were hit, the mark what a blind guess hits. An "
    "attack that is sure of whom it hits succeeds as soon as it hits anybody. One that guesses about "
    "everybody is right about some people by chance: it succeeds if it beats both baselines by more "
    "than 5 points in every 100 that they leave open. The baselines are a blind guess, and the same "
    "attack on people who are not in the data, where such a list was given. An attack that picks one "
    "of the rows that look alike must also be right more often than picking at random.",
    "graph": "A bar is the share that was found of all that the attack was after: people, groups of accounts "
    "or of friends, or edges that the method had changed. The mark is what a blind guess hits. An attack "
    "that is sure of whom it finds, and rarely wrong, succeeds as soon as it finds anybody; all others "
    "succeed if they find more than a blind guess by more than chance explains.",
}


def attacks(dossier: ReleaseDossier) -> Iterator[Block]:
    """The blocks of the section."""
    tried, void = dossier.tried, [trial for trial in dossier.trials if trial.void]
    if tried:
        before = f"{_BEFORE[dossier.noun]}, and then " if dossier.has_original else ""
        yield Words(
            f"Shoal attacked {before}this release, as somebody would who wants to know. "
            f"{sentence(dossier.tally.words)}"
        )
    elif not void:
        yield Words("No attack could be tried with the files that were given.")
    yield from _nothing_to_find(dossier, void)
    drawn = [trial for trial in dossier.trials if trial.after is not None or trial.before is not None]
    if drawn:
        yield Words(_JUDGED[dossier.noun])
    first = True
    for threat in THREATS:
        group = [trial for trial in drawn if threat_of(trial) == threat]
        for place, some in enumerate(batched(group, MOST_ATTACKS)):
            about = threat.capitalize() + (", continued" if place else "")
            yield Chart(attacks_chart(some, first), chart_words(some), about)
            first = False
    if tried:
        yield _table(tried)
        yield from _understated_attacks(tried)
    if dossier.working:
        yield _cures(dossier.working)
    left = [trial for trial in dossier.trials if trial.after is None and not trial.unasked and not trial.void]
    if left:
        rows = tuple((Cell(attack_name(trial), "quiet"), Cell(trial.reason, "quiet")) for trial in left)
        yield Grid("Not tried", ("not tried", "why"), rows, (6, 24))


def _nothing_to_find(dossier: ReleaseDossier, void: list[Trial]) -> Iterator[Block]:
    """Attacks that have nothing to find in the release, and what they achieve without protection."""
    by_reason: dict[str, list[Trial]] = {}
    for trial in void:
        by_reason.setdefault(trial.reason, []).append(trial)
    for why, some in by_reason.items():
        names = listed([attack_name(trial) for trial in some])
        one = len(some) == 1
        told = f"{names} {'does' if one else 'do'} not apply to this release: {why}."
        hit = [trial for trial in some if trial.before is not None and trial.before.rate.hits]
        if hit:
            told += f" On {_BEFORE[dossier.noun]}, " + listed(
                [
                    f"{attack_name(trial)} finds {per_cent(trial.before.rate.value)}"
                    for trial in hit
                    if trial.before is not None
                ]
            )
            told += "."
        yield Words(sentence(told))


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
                Cell("" if again else plain(trial.about)),
                Cell("–" if trial.before is None else per_cent(trial.before.rate.value)),
                Cell(rate_words(trial.after)),
                Cell(expected_words(trial.after)),
                Cell("succeeds" if trial.after.works else "fails", tone),
            )
        )
    head = ("attack", "what it does", "hit before", "hit now (95 % interval)", "on a safe release", "verdict")
    return Grid("Attacks", head, tuple(rows), (6, 10, 3, 6, 6, 3))


def _understated_attacks(tried: tuple[Trial, ...]) -> Iterator[Block]:
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
        rows.append(
            (Cell(attack_name(trial), "strong"), Cell(sentence(plain(trial.after.cure))), Cell(cured))
        )
    return Grid("Cures", ("succeeds", "what would stop it", "it then hits"), tuple(rows), (6, 20, 4), (2,))
