"""What every attack that applies finds in the demo's release, and what would stop those that succeed."""

from __future__ import annotations

from shoal.core.attack_results import attack_rows
from shoal.core.outcome import Tables
from shoal.tables.appraisal.dossier import Dossier


def attack_tables(dossier: Dossier) -> Tables:
    """Every attack that was tried on the release, and what stops those that succeed."""
    tally = dossier.tally
    told = {
        f"{len(tally.tried)} of {tally.kinds} kinds of attack tried on release.csv": attack_rows(
            dossier.tried
        )
    }
    cures = [
        [trial.attack, trial.after.cure, "–" if trial.after.cured is None else f"{trial.after.cured:.1%}"]
        for trial in dossier.working
        if trial.after is not None
    ]
    if cures:
        told["what would stop those that succeed"] = [["attack", "cure", "it then hits"], *cures]
    return told


def in_short(dossier: Dossier) -> str:
    """What all attacks together found, in one sentence."""
    names = list(dict.fromkeys(trial.name for trial in dossier.working))
    tried = f"{len(dossier.tally.tried)} of {dossier.tally.kinds} kinds of attack were tried"
    if not names:
        return f"{tried}; none of them succeeds."
    return (
        f"{tried}; {', '.join(names)} succeed{'s' * (len(names) == 1)}, because no promise was made against "
        "them: the tables below show what would stop them."
    )
