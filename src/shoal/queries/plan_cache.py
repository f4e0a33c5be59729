"""Plans that are kept, for each analyst apart: how soon one is there tells nobody what others ask.

A question asked again is not planned again, and one that differs in written numbers only is filled in
(`sql/question_shapes.py`).
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable

from shoal.queries.declaration.declaration import Dataset
from shoal.queries.query import Plan
from shoal.queries.sql.function_names import today
from shoal.queries.sql.question_shapes import Shape, form_of, shape_of
from shoal.queries.stores.store import Store

_CLOCK = re.compile("current_date|today", re.IGNORECASE)
KEPT = 5_000  # characters of recent questions of one analyst: some 5 kB of plan for each at most
PEOPLE = 16  # whose plans are kept


class _Recent:
    """Plans and shapes by text and state of the rows, the oldest forgotten first."""

    def __init__(self) -> None:
        self.length = 0
        self._kept: OrderedDict[tuple[str, int], Plan | Shape] = OrderedDict()

    def get(self, key: tuple[str, int]) -> Plan | Shape | None:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: tuple[str, int], plan: Plan | Shape) -> None:
        if len(key[0]) > KEPT or key in self._kept:
            return
        self.length += len(key[0])
        self._kept[key] = plan
        while self.length > KEPT:
            (text, _), _ = self._kept.popitem(last=False)
            self.length -= len(text)


class PlanCache:
    """The plans of a data set. Threads may share it."""

    def __init__(self) -> None:
        self._people: OrderedDict[str, _Recent] = OrderedDict()
        self._lock = threading.Lock()

    def plan(
        self, sql: str, analyst: str, dataset: Dataset, store: Store, make: Callable[[str], Plan]
    ) -> Plan:
        """The plan of a question, made if it is not known."""
        version = store.version
        form = form_of(sql)
        whole = f"{today()} {sql}" if _CLOCK.search(sql) else sql  # a plan with a day in it is that day's
        key = (whole if form is None else form.text, version)
        known = self._known(analyst, key)
        if form is not None and known is None:  # its numbers may matter: then it is known by its whole text
            known = self._known(analyst, (whole, version))
        if isinstance(known, Plan):
            return known
        filled = None if form is None or known is None else known.filled(form.numbers)
        if filled is not None:
            return filled
        found = make(sql)
        kept: Plan | Shape | None = found
        if form is not None:
            kept = shape_of(form, found, dataset, store) if known is None else None
        if kept is None:
            key, kept = (whole, version), found
        with self._lock:
            self._people.setdefault(analyst, _Recent()).put(key, kept)
            while len(self._people) > PEOPLE:
                self._people.popitem(last=False)
        return found

    def known_shape(self, sql: str, analyst: str, version: int) -> bool:
        """Whether only numbers are to be filled in."""
        form = form_of(sql)
        return form is not None and isinstance(self._known(analyst, (form.text, version)), Shape)

    @property
    def characters(self) -> int:
        """Of all questions that are kept."""
        with self._lock:
            return sum(recent.length for recent in self._people.values())

    def _known(self, analyst: str, key: tuple[str, int]) -> Plan | Shape | None:
        with self._lock:
            recent = self._people.get(analyst)
            if recent is None:
                return None
            self._people.move_to_end(analyst)
            return recent.get(key)
