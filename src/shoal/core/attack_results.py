"""What attacks achieved on a release, without whom they hit: figures, what was expected, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shoal.core.outcome import Finding, Json, Rate, Rows, number
from shoal.core.rounded_figures import round_figure

SLIGHT = 0.05  # a guess that is right so much more often is not held against a release


@dataclass(frozen=True)
class Tried:
    """What an attack achieved, without whom it hit and what it learned."""

    rate: Rate
    baseline: float
    cure: str
    cured: float | None = None  # the rate after the cure, where that was tried
    allowed: float = 0.0  # the chance that the promises leave an attack of this kind
    outside: float | None = None  # the rate among people who are not in the data, where some were given
    guessing: bool = False  # it guesses about everybody, and is right of some by chance
    added: float | None = None  # the least that the release adds to that rate, by a 95 % interval
    sure: bool = False  # who is hit is known better than any blind guess knows
    remark: str = ""  # why the figure may be too low

    @classmethod
    def of(cls, finding: Finding, allowed: float = 0.0, sure: bool = False) -> Tried:
        """The figures of a finding; the people in it stay behind."""
        cured = None if finding.cured is None else finding.cured.rate.value
        outside, added = finding.details.get("control"), finding.details.get("risk_interval")
        remark = finding.details.get("understates")
        return cls(
            finding.rate,
            finding.baseline,
            finding.cure,
            cured,
            allowed,
            outside if isinstance(outside, float) else None,
            "risk" in finding.details,
            float(added[0]) if isinstance(added, list) else None,
            sure,
            remark if isinstance(remark, str) else "",
        )

    @property
    def expected(self) -> float:
        """The share that an attack may hit on a safe release: none where it is sure of whom it hits.

        Of guesses as many are right as without the release: those of a blind guess, those about people who
        are not in the data, or those that so many rows that look alike leave to chance.
        """
        return 0.0 if self.sure else max(self.baseline, self.allowed, self.outside or 0.0)

    @property
    def works(self) -> bool:
        """More are hit than blind guessing hits, or than the promises allow, by more than chance explains.

        Who is sure needs only one: that a blind guess is right about many does not make it sure of anybody.
        A guess is held against people who are not in the data, too: what is right of them as often is true of
        people in general. It succeeds if it beats both baselines by more than 5 points in a hundred that they
        leave open.
        """
        if self.sure:
            return self.rate.hits > 0
        least, usual = self.rate.interval[0], max(self.baseline, self.allowed)
        if not self.rate.hits or least <= usual:
            return False
        if not self.guessing:
            return True
        blindly = (least - usual) / (1 - usual)
        return min(blindly, blindly if self.added is None else self.added) > SLIGHT

    def to_json(self) -> dict[str, Json]:
        return {
            "targets": self.rate.targets,
            "hits": round_figure(self.rate.hits),
            "rate": round_figure(self.rate.value),
            "interval": [round_figure(end) for end in self.rate.interval],
            "baseline": number(round_figure(self.baseline)),
            "allowed": self.allowed,
            "control": None if self.outside is None else round_figure(self.outside),
            "sure": self.sure,
            "expected": number(round_figure(self.expected)),
            "works": self.works,
            "may_understate": self.remark or None,
            "cure": self.cure,
            "rate_after_cure": None if self.cured is None else round_figure(self.cured),
        }


@dataclass(frozen=True)
class Trial:
    """One attack on the original without its identifiers, and on the release; or why it was not tried."""

    name: str
    attack: str  # as a user writes it, parameters included
    about: str  # what it does, in one sentence
    before: Tried | None = None
    after: Tried | None = None
    reason: str = ""  # why it was not tried
    unasked: bool = False  # not tried because only others were asked for
    void: bool = False  # not tried because the release has nobody, or nothing, that it could find

    def to_json(self) -> dict[str, Json]:
        return {
            "attack": self.attack,
            "before": None if self.before is None else self.before.to_json(),
            "after": None if self.after is None else self.after.to_json(),
            "not_tried": self.reason or None,
        }


@dataclass(frozen=True)
class Tally:
    """Which kinds of attack were tried. One that is after several columns is one kind."""

    tried: tuple[str, ...]
    left: Mapping[str, str]  # per kind that was not tried, why

    @classmethod
    def of(cls, trials: Sequence[Trial]) -> Tally:
        tried = tuple(dict.fromkeys(trial.name for trial in trials if trial.after is not None))
        return cls(tried, {trial.name: trial.reason for trial in trials if trial.name not in tried})

    @property
    def kinds(self) -> int:
        return len(self.tried) + len(self.left)

    @property
    def words(self) -> str:
        """`11 of 16 attacks tried; not tried: temporal and intersection, because …; …`."""
        told = f"{len(self.tried)} of {self.kinds} attacks tried"
        by_reason: dict[str, list[str]] = {}
        for name, reason in self.left.items():
            by_reason.setdefault(reason.partition(";")[0], []).append(name)  # the way out is told elsewhere
        why = [
            f"{_join_names(names)}, because {_because(reason, len(names) > 1)}"
            for reason, names in by_reason.items()
        ]
        return f"{told}; not tried: {'; '.join(why)}" if why else told

    def to_json(self) -> dict[str, Json]:
        return {"kinds": self.kinds, "tried": list(self.tried), "not_tried": dict(self.left)}


def _join_names(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _because(reason: str, several: bool) -> str:
    """A reason as the end of a sentence: `it needs …`."""
    verb, _, rest = reason.partition(" ")
    if verb not in ("needs", "does", "cannot", "finds"):
        return reason
    plural = {"needs": "need", "does": "do", "finds": "find"}.get(verb, verb)
    return f"they {plural} {rest}" if several else f"it {reason}"


def attack_rows(tried: Sequence[Trial]) -> Rows:
    """Every attack before and after as a text table."""
    rows = [["attack", "before", "after", "a safe release", "verdict"]]
    for trial in tried:
        assert trial.after is not None
        verdict = "SUCCEEDS" if trial.after.works else "fails"
        expected = f"up to {trial.after.expected:.2%}" if trial.after.expected else "nobody"
        rows.append([trial.attack, _share(trial.before), _share(trial.after), expected, verdict])
    return rows


def _share(tried: Tried | None) -> str:
    return "–" if tried is None else f"{tried.rate.value:.2%} ({tried.rate.hits:,} of {tried.rate.targets:,})"
