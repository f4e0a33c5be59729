"""Which released columns tell what another one hides, in sentences for a report."""

from __future__ import annotations

from shoal.tables.discovery.dependencies import dependencies
from shoal.tables.reading.given_away import given_away
from shoal.tables.reading.scene import Scene

SURE_OF_IT = 0.95


def leaks(scene: Scene) -> tuple[str, ...]:
    """What columns of the release tell of each other, by the people given and by the release alone."""
    if scene.manifest is not None and scene.manifest.guarantees:
        return ()  # chance made these rows
    found = given_away(scene, SURE_OF_IT)
    told = [
        f"{' and '.join(one.determining)} {'gives' if len(one.determining) == 1 else 'give'} away "
        f"{one.determined}, which was made coarser, in {int(one.rows.sum()):,} rows"
        for one in found
    ]
    known = {one.determined for one in found}
    others = [name for name in scene.table.columns if name not in scene.table.identifier]
    for one in dependencies(scene.table.frame, others):
        new = one.determined in scene.table.quasi and one.determined not in known
        if new and not set(one.determining) & set(scene.table.quasi):
            told.append(
                f"{' and '.join(one.determining)} determine{'s' * (len(one.determining) == 1)} "
                f"{one.determined} in {one.share:.1%} of the released rows, and no promise counts on "
                "anybody knowing it: it may tell more than the label does"
            )
    return tuple(told)
