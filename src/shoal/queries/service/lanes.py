"""Threads for each kind of work of a service."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields

from shoal.queries.service.joint_work import Done, Joint
from shoal.queries.service.worker_threads import Gate, Leaves, Share


@dataclass(frozen=True)
class Lane:
    """A gate as one person comes to it."""

    gate: Gate
    person: str
    left: Callable[[], Awaitable[None]] | None = None

    async def run(self, work: Callable[[], Done] | Joint[Done], leaves: Leaves | None = None) -> Done:
        """Do the work in a thread and wait for it, and until it `leaves`."""
        return await self.gate.run(work, self.person, self.left, leaves)


@dataclass(frozen=True)
class Lanes:
    """Threads for each kind of work, so that what is short never waits for what is long."""

    questions: Gate
    estimates: Gate  # behind a question they would tell when it ended, to the millisecond
    looks: Gate  # budgets, logs, declarations
    owner: Gate  # people and their budgets
    rows: Gate

    def close(self, wait: bool = True) -> None:
        """Let nobody in any more, and wait for what is running."""
        for gate in self._all:
            gate.close(wait)

    def abandon(self) -> None:
        """Wait for nothing any more."""
        for gate in self._all:
            gate.abandon()

    @property
    def named(self) -> dict[str, Gate]:
        """Each by its name."""
        return {part.name: getattr(self, part.name) for part in fields(self)}

    @property
    def _all(self) -> tuple[Gate, ...]:
        return self.looks, self.owner, self.rows, self.estimates, self.questions


def lanes(workers: int, waiting: int) -> Lanes:
    """One person leaves half of the workers to others, and three quarters of the places to wait."""
    share = Share((workers + 1) // 2, max(1, waiting // 4))
    few = Share(2, 16)
    return Lanes(
        Gate(workers, waiting, "shoal-question", share),
        Gate(2, waiting, "shoal-estimate", Share(1, share.waiting)),
        Gate(3, 64, "shoal-look", few),
        Gate(2, 64, "shoal-owner"),
        Gate(2, 64, "shoal-rows"),
    )
