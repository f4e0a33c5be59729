"""LKC-privacy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.core.rounded_figures import per_cent
from shoal.tables.model_inputs.classes import Classes, ValueCounts
from shoal.tables.model_inputs.label_subsets import Groups, combinations, labels_in_all, pair_rows
from shoal.tables.model_inputs.share_limits import ROUNDING, among

# From so many columns on, counting all pairs of labels in one matrix beats a pass per pair of columns.
MANY_COLUMNS = 12
MANY_LABELS = 4096


@dataclass(frozen=True)
class LKC(ClassModel[Classes]):
    """Who knows at most L quasi-identifiers of somebody finds K rows, and infers no secret above C.

    Every combination of up to L values that occurs matches at least K rows, and among those no listed
    sensitive value (`values`; all of them without a list) has a share above C. Offers the fewest matches.

    Mohammed, Fung, Hung, Lee, "Anonymizing healthcare data: a case study on the blood transfusion
    service", 2009.
    """

    name: ClassVar[str] = "lkc"
    example: ClassVar[str] = "L=2,K=2,C=0.5"
    asks: ClassVar[Mapping[str, str]] = {
        "L": "columns that an attacker knows of somebody, at most",
        "K": "rows that fit such knowledge, at least",
        "C": "how sure a guess at a secret may be, as a share",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("record linkage", "attribute linkage")
    question: ClassVar[str] = "Are there many columns, of which an attacker knows only a few?"
    reads: ClassVar[Reads] = "values"
    scope: ClassVar[Scope] = "table"

    L: int
    K: int
    C: float
    values: tuple[str, ...] = ()
    column: str | None = None

    def __post_init__(self) -> None:
        if self.L < 1:
            raise BadParameter(f"lkc needs L of at least 1, not {self.L}; 2 to 4 is common")
        if self.K < 1:
            raise BadParameter(f"lkc needs K of at least 1, not {self.K}; for example K=5")
        if not 0 < self.C <= 1:
            cure = f"; for {self.C:g} % write C={self.C / 100:g}" if 1 < self.C <= 100 else ""
            raise BadParameter(f"lkc needs C as a share above 0 and up to 1, not {self.C:g}{cure}")

    @property
    def named_values(self) -> Mapping[str, Sequence[str]]:
        return {"values": self.values}

    def in_words(self) -> str:
        return (
            f"Who knows at most {self.L:,} details of somebody finds at least {self.K:,} rows that fit, and "
            f"infers no guarded value with more than {per_cent(self.C)} certainty."
        )

    def level(self, classes: Classes) -> float:
        classes.about(self.column, self.name)
        if not len(classes):
            return 0.0
        if self._by_pairs(classes):
            rows = self._pairs(classes)
            return float(rows[rows > 0].min())
        return float(min(groups.sizes(classes).min() for groups in combinations(classes, self.L)))

    def unmet(self, classes: Classes) -> str:
        """What a table that is one class offers instead."""
        about = classes.about(self.column, self.name)
        share = max(counts.shares[self._secret(counts)].max(initial=0.0) for counts in about)
        # Rounded up, so that what is named really holds.
        share = np.ceil(share * 1e4 - 1e-9) / 1e4
        return f"has {classes.rows:,} rows, {share:.2%} with one value; ask for no larger K, C from {share:g}"

    def holds(self, classes: Classes) -> Mask:
        return np.full(len(classes), self._holds(classes))

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        # Finer labels cut the rows that match into fewer, and in one of the pieces the share is no lower.
        return np.where(self.holds(classes), 0, classes.sizes).astype(np.float64)

    def _holds(self, classes: Classes) -> bool:
        """Looks at combinations of exactly L columns (or all, if there are fewer), and at no shorter one.

        Take values q of fewer columns A, and any L columns B around A. The rows that match q are cut by their
        values in B into pieces, at least one. If each piece has K rows, so has q; and the share of a secret
        among the rows of q is a weighted mean of its shares in the pieces: if none is above C, nor is q's.
        """
        about = classes.about(self.column, self.name)
        # A search asks twice, for what is doomed and for what holds.
        known = about[0].memo.get(repr(self))
        if known is None:
            if self._by_pairs(classes):
                fits = self._enough_in_pairs(classes)
            else:
                fits = all(self._enough(groups, classes) for groups in combinations(classes, self.L))
            known = about[0].memo[repr(self)] = np.array([fits], np.float64)
        return bool(known[0])

    def _enough(self, groups: Groups, classes: Classes) -> bool:
        sizes = groups.sizes(classes)
        if sizes.min(initial=self.K) < self.K:
            return False
        if self.C == 1:
            return True
        for counts in classes.about(self.column, self.name):
            group, rows = groups.pairs(counts, self._secret(counts))
            if (rows > self.C * sizes[group] * (1 + ROUNDING)).any():
                return False
        return True

    def _by_pairs(self, classes: Classes) -> bool:
        return self.L == 2 and len(classes.labels) >= MANY_COLUMNS and labels_in_all(classes) <= MANY_LABELS

    def _pairs(self, classes: Classes) -> NDArray[np.float64]:
        memo = classes.about(self.column, self.name)[0].memo
        if "pairs" not in memo:
            memo["pairs"] = pair_rows(classes, classes.sizes)
        return memo["pairs"]

    def _enough_in_pairs(self, classes: Classes) -> bool:
        rows = self._pairs(classes)
        if (rows[rows > 0] < self.K).any():
            return False
        if self.C == 1:
            return True
        most = self.C * rows * (1 + ROUNDING)
        for counts in classes.about(self.column, self.name):
            owner = np.repeat(np.arange(len(classes)), np.diff(counts.offsets))
            for value in np.unique(counts.values[self._secret(counts)]):
                there = np.zeros(len(classes), np.int64)
                there[owner[counts.values == value]] = counts.counts[counts.values == value]
                if (pair_rows(classes, there) > most).any():
                    return False
        return True

    def _secret(self, counts: ValueCounts) -> Mask:
        return among(counts, self.values or counts.domain.values)
