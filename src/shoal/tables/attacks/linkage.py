"""Record linkage against a named list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import ClassVar, Literal

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacker_reasoning.unique_links import Links, cells, each_once

FEW = (1, 2, 5, 10, 20)  # candidates: so many rows may be a person's


@dataclass(frozen=True)
class Linkage(Attack[Scene]):
    """Finds the people on a list whose row in a release is the only one that fits them.

    A hit is a person who fits exactly one released row which fits nobody else on the list: their row for
    certain, if they are in the release or the list is complete. Labels are read as an attacker would, through
    hierarchies or by themselves; a column of which nothing matches is refused, because "nobody was hit" would
    then say nothing. A blank on the list is something that the attacker does not know and fits everything,
    unless `blanks=value` says that a blank on the list is a blank in the data. Equal lines of a list are
    about one person, unless it has nothing but the columns that are looked for.

    `tolerance` is for lists with slips, by column: `linkage(tolerance=age:2|birth_date:30|name:1)` takes
    numbers up to 2 apart, dates up to 30 days and texts up to 1 edit for the same. `show` names the column of
    the list that says who somebody is.

    Sweeney, "Weaving technology and policy together to maintain confidentiality", 1997.
    """

    name: ClassVar[str] = "linkage"
    needs: ClassVar[tuple[Need, ...]] = ("external",)
    threat: ClassVar[Threat] = "identifiability"
    sure: ClassVar[bool] = True

    show: str | None = None
    tolerance: tuple[str, ...] = ()
    blanks: Literal["unknown", "value"] = "unknown"

    def __post_init__(self) -> None:
        if self.blanks not in ("unknown", "value"):
            raise BadParameter(
                f"linkage(blanks={self.blanks}): blanks are unknown or a value; write one of them"
            )
        self._tolerances()

    def attack(self, scene: Scene) -> Finding:
        """Whom the release gives away to somebody with the list."""
        table, people = scene.table, scene.external
        assert people is not None
        shared = scene.shared_with(people, self.name)
        if self.show is not None and self.show not in people.columns:
            raise BadParameter(f"no column '{self.show}' in the list; it has {', '.join(people.columns)}")
        tolerances = self._tolerances()
        for column in tolerances:
            if column not in shared:
                raise BadParameter(
                    f"linkage has a tolerance for '{column}', which is no quasi-identifier that the list and "
                    f"the release share; they share {', '.join(shared)}"
                )
        listed, people = people.height, each_once(people, shared, self.show)
        scene = replace(scene, external=people)
        links = Links.of(people, table, shared, scene.readable, tolerances, self.blanks == "value")
        hits = len(links.person)
        return Finding(
            attack=self.name,
            rate=Rate(hits, people.height),
            baseline=1 / table.rows,
            findings=tuple(self._findings(links, scene, shared)),
            cure=(
                f"k-anonymity(k=2) or more over {', '.join(shared)} leaves nobody with a row of their own"
                if hits
                else "nothing to cure: no row of the release belongs to one person on this list alone"
            ),
            remedy="k-anonymity(k=2)",
            details={
                **_details(links, scene),
                **({"lines_that_repeat_another": listed - people.height} if listed > people.height else {}),
            },
        )

    def _tolerances(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for item in self.tolerance:
            column, _, text = item.rpartition(":")
            try:
                by = float(text)
            except ValueError:
                by = 0.0
            if not column or column in found or not isfinite(by) or by <= 0:
                raise BadParameter(
                    f"'{item}' is no tolerance; write a column once and how far it may be off, as in "
                    "linkage(tolerance=age:2|birth_date:30|name:1)"
                )
            found[column] = by
        return found

    def _findings(self, links: Links, scene: Scene, shared: Sequence[str]) -> list[dict[str, Json]]:
        """The first people hit: who they are and what their row gives away."""
        people, table = scene.external, scene.table
        assert people is not None
        known = [self.show] if self.show else [c for c in people.columns if c not in shared][:2]
        hidden = {*shared, *table.identifier}
        learned = [column for column in table.columns if column not in hidden]
        shown = scene.shown or len(links.person)
        return [
            {
                "who": cells(people, person, known or shared),
                "learned": cells(table.frame, row, learned),
                "confidence": sure,
            }
            for person, row, sure in zip(
                links.person[:shown].tolist(),
                links.row[:shown].tolist(),
                links.confidence[:shown].tolist(),
                strict=True,
            )
        ]


def _details(links: Links, scene: Scene) -> dict[str, Json]:
    """How far the release narrows people down, hit or not."""
    people, table = scene.external, scene.table
    assert people is not None
    candidates = links.candidates
    some = candidates[candidates > 0]
    classes = links.fitting.number[links.fitting.of_person]
    details: dict[str, Json] = {
        "fit_no_row": int((candidates == 0).sum()),
        "fit_one_class": int((classes == 1).sum()),
        "fit_one_row": int((candidates == 1).sum()),
        "average_candidates": float(some.mean()) if len(some) else 0.0,
        "share_with_at_most_so_many_candidates": {
            str(few): float((some <= few).sum() / max(len(candidates), 1)) for few in FEW
        },
        "expected_right_links_of_a_random_guess": float((1 / some).sum()),
        "people_with_blanks": int(links.blank.sum()),
        "hits_that_only_people_with_blanks_also_fit": int((links.confidence < 1).sum()),
    }
    if scene.original is not None:
        taken = {*table.quasi, *table.sensitive, *table.insensitive}
        names = [c for c in people.columns if c in scene.original.columns and c not in taken]
        if names:
            details["right"] = links.right(people, table, scene.original, names)
            details["right_by"] = f"the original, by {', '.join(names)}"
    return details
