"""The losses that may stand beside a release: those that its readers can compute themselves.

A figure that follows from the release, the number of suppressed rows and hierarchies that were declared tells
nothing that these do not tell. Entropy follows from how often each original value occurs, and a hierarchy
taken from the data knows which ones occur: by either a guess at a suppressed or generalised value can be
confirmed, in a small table even when three digits are left.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from shoal.core.rounded_figures import round_figure
from shoal.tables.appraisal.losses import LOSSES, key
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.release import TableRelease


def published_losses(losses: Mapping[str, float], declared: bool) -> dict[str, float]:
    """What may go out of some losses, to three digits; `declared` is whether all hierarchies were."""
    told = ("hierarchies", "sizes") if declared else ("sizes",)
    names = [key(loss) for loss in LOSSES if loss.told_by in told]
    return {name: round_figure(losses[name]) for name in names if name in losses}


def published_optimal(release: TableRelease) -> bool | None:
    """Whether a release is the best there is, where it was its method's task to prove it.

    Other methods may reach their bound by chance. Whether they did depends on rows that are not released.
    """
    return release.optimal if release.proves else None


def all_declared(release: TableRelease, declared: Collection[str]) -> bool:
    """Whether a reader knows every leaf of every hierarchy: those of declared columns, as far as rows show
    it.

    Missing values are a leaf of their own where somebody has one, which no declaration says.
    """
    hierarchies = release.known_here().hierarchies
    for column in release.table.quasi:
        hierarchy = hierarchies.get(column)
        if column not in declared or hierarchy is None:
            return False
        if None in hierarchy.leaves and not texts(release.table.frame[column]).null_count():
            return False
    return True
