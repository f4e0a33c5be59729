"""Sparse-profile matching, as done to the Netflix prize data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.tables.attacker_reasoning.control_group import Contrast
from shoal.tables.attacker_reasoning.nearest_classes import places
from shoal.tables.attacker_reasoning.row_classes import Ints
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.sparse_profile.profiles import Profiles, Scores
from shoal.tables.model_inputs.text_values import texts

RARE = 0.01  # the cure leaves out items that fewer than this share of the people have


@dataclass(frozen=True)
class SparseProfile(Attack[Scene]):
    """Finds people in a release of what each of them bought, saw or rated, from a few items known of them.

    Release and list have one row per person and item, perhaps with a rating and a date. Every released person
    gets a score: for each known item that they have, exp(-|rating - rating'| / rho0) +
    exp(-|date - date'| / d0), weighted by 1 / log(people who have the item); ratings and dates that are not
    known do not count, and an item known without either counts 1. The best is taken for the person if it
    stands out: (best - second best) / standard deviation of all scores >= eccentricity. With `rule=agreeing`
    it is instead the only released person who agrees, within the tolerances, with all known items but for
    `wrong` of them. The columns of the list are called as in the release, and `who` says whose items they
    are. If the list, or the original beside `who`, has the person column too, only right answers are hits.
    How often strangers are taken for somebody is told by a control group, a list like the other but of people
    who are not in the release, and by how often somebody would still be claimed if the best were not there.

    Narayanan, Shmatikov, "Robust de-anonymization of large sparse datasets" (Scoreboard-RH), 2008.
    """

    name: ClassVar[str] = "sparse-profile"
    example: ClassVar[str] = "person=ill,item=age,who=name"
    needs: ClassVar[tuple[Need, ...]] = ("external",)
    roles: ClassVar[bool] = False  # it asks for its columns by name
    threat: ClassVar[Threat] = "identifiability"

    person: str
    item: str
    rating: str | None = None
    date: str | None = None
    who: str | None = None
    rho0: float = 1.5
    d0: float = 30.0
    eccentricity: float = 1.5
    rule: Literal["weighted", "agreeing"] = "weighted"
    rating_tolerance: float = 1.0
    date_tolerance: float = 14.0
    wrong: int = 2

    def __post_init__(self) -> None:
        if self.rule not in ("weighted", "agreeing"):
            raise BadParameter(f"rule is weighted or agreeing, not '{self.rule}'")
        named = [name for name in (self.person, self.item, self.rating, self.date) if name is not None]
        if len(set(named)) < len(named):
            raise BadParameter(f"person, item, rating and date are different columns, not {', '.join(named)}")
        for name in ("rho0", "d0", "eccentricity"):
            if not getattr(self, name) > 0:
                raise BadParameter(f"{name} is a number above 0, not {getattr(self, name)}")
        for name in ("rating_tolerance", "date_tolerance", "wrong"):
            if not getattr(self, name) >= 0:
                raise BadParameter(f"{name} is a number from 0 on, not {getattr(self, name)}")

    def attack(self, scene: Scene) -> Finding:
        assert scene.external is not None
        who = self._who(scene.external)
        profiles = self._profiles(scene, scene.external, who)
        if not scene.readable and not (profiles.known["item"] >= 0).any():
            released = profiles.items.drop_nulls()[:1].to_list()
            raise BadParameter(
                f"nothing in '{self.item}' of the list is in the release, which has {released}; "
                "write items as the release does"
            )
        found = self._matched(profiles)
        strangers = None
        # A control group for other attacks has one row per person, and no items of theirs.
        control = scene.control
        if control is not None and control.height and {who, self.item} <= set(control.columns):
            others = self._matched(self._profiles(scene, control, who)).claimed
            strangers = Rate(int(others.sum()), len(others))
        claimed, truth = found.claimed, self._truth(scene, who, profiles)
        right = claimed if truth is None else claimed & (truth == found.best)
        persons, targets = len(profiles.persons), len(profiles.targets)
        hits = np.flatnonzero(right)
        told: list[dict[str, Json]] = []
        for target in hits[: scene.shown or len(hits)].tolist():
            best = int(found.best[target])
            learned: dict[str, Json] = {self.person: profiles.persons[best]}
            if more := profiles.unknown(target, best):
                learned[self.item] = "; ".join(str(item) for item in more)
            sure = float(found.sure[target])
            told.append({"who": {who: profiles.targets[target]}, "learned": learned, "confidence": sure})
        return Finding(
            attack=self.name,
            rate=Rate(len(hits), targets),
            baseline=1 / persons,
            findings=tuple(told),
            cure=(
                "no model of the catalog stops this cheaply: a few items together are nearly always "
                "one person's; release fewer items of each, leave out rare ones, coarsen dates to years, or "
                "publish counts with noise instead of profiles"
                if len(hits)
                else "nothing to cure: nobody's known items point to one released person"
            ),
            details={
                **Contrast(Rate(len(hits), targets), strangers).to_json(),
                "persons": persons,
                "known_items": profiles.known.height / max(targets, 1),
                "claimed": int(claimed.sum()),
                "right": None if truth is None else len(hits),
                "precision": len(hits) / int(claimed.sum()) if truth is not None and claimed.any() else None,
                "in_the_release": None if truth is None else int((truth >= 0).sum()),
                "claimed_without_the_best": float(found.without.mean()),
                "mean_eccentricity": float(found.strength.mean()) if self.rule == "weighted" else None,
            },
        )

    def remedied(self, scene: Scene) -> tuple[Scene | None, str]:
        """The release with years for dates and without rare items."""
        frame = scene.table.frame
        persons = frame[self.person].n_unique()
        enough = max(2, int(np.ceil(RARE * persons)))
        holders = pl.col(self.person).n_unique().over(self.item)
        kept = frame.filter(holders >= enough)
        how = f"without items that fewer than {enough:,} people have"
        if self.date is not None:
            day = texts(kept[self.date])
            year = day.str.extract(r"^(\d{4})(?:-|$)", 1)
            # Numbers of days go to the middle of their stretch of 365.
            middle = (day.cast(pl.Float64, strict=False) / 365).floor() * 365 + 182
            coarse = pl.select(pl.coalesce(year, middle.cast(pl.String))).to_series()
            kept = kept.with_columns(coarse.alias(self.date))
            how += ", and with years for dates"
        return (replace(scene, table=scene.table.with_frame(kept)), how) if kept.height else (None, "")

    def _profiles(self, scene: Scene, known: pl.DataFrame, who: str) -> Profiles:
        return Profiles.of(scene.table.frame, known, self.person, self.item, who, self.rating, self.date)

    def _matched(self, profiles: Profiles) -> Scores:
        if self.rule == "agreeing":
            return profiles.agreeing(self.rating_tolerance, self.date_tolerance, self.wrong)
        return profiles.standing_out(self.rho0, self.d0, self.eccentricity)

    def _who(self, external: pl.DataFrame) -> str:
        """The column of the list that says whose items they are."""
        if self.who is not None:
            if self.who not in external.columns:
                raise BadParameter(
                    f"no column '{self.who}' in the list; it has {', '.join(external.columns)}"
                )
            return self.who
        used = {self.person, self.item, self.rating, self.date}
        free = [column for column in external.columns if column not in used]
        if len(free) != 1:
            raise BadParameter(
                f"cannot tell which column of the list says whose items they are; give who=…, the list has "
                f"{', '.join(external.columns)}"
            )
        return free[0]

    def _truth(self, scene: Scene, who: str, profiles: Profiles) -> Ints | None:
        """For everybody on the list the released person they are, -1 if none; None if nobody can tell."""
        for frame in (scene.external, scene.original):
            if frame is not None and {who, self.person} <= set(frame.columns) and who != self.person:
                pairs = frame.select(
                    texts(frame[who]).alias("who"), texts(frame[self.person]).alias("person")
                ).unique(subset="who", keep="first", maintain_order=True)
                own = pl.DataFrame({"who": profiles.targets}).join(
                    pairs, on="who", how="left", nulls_equal=True, maintain_order="left"
                )
                return places(own["person"], profiles.persons).astype(np.int64)
        return None
