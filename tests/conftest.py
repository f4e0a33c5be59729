"""Settings for all tests."""

import gc
import os
from collections.abc import Generator

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from xdist.remote import Producer
from xdist.scheduler.loadgroup import LoadGroupScheduling

from engine_places import place
from postgres_server import durable_postgres, postgres
from spark_session import spark

__all__ = ["durable_postgres", "place", "postgres", "spark"]  # fixtures

# Shared machines stall; a slow example is not a wrong one.
# The same examples on every machine, so that a verdict is about the change; `make explore` draws new ones.
settings.register_profile("shoal", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("explore", deadline=None, max_examples=200)
settings.load_profile(os.environ.get("SHOAL_EXAMPLES", "shoal"))
if settings.get_current_profile_name() == "shoal":
    # Hypothesis also tries constants of the modules that happen to be loaded: which those are depends on the
    # tests before, and on how they are spread over processes.
    providers._get_local_constants = lambda: providers._local_constants


class ByFile(LoadGroupScheduling):  # type: ignore[misc]  # xdist has no types
    """Each file is run in one process, so that its fixtures are made once, and its loops compiled once."""

    def _split_scope(self, nodeid: str) -> str:
        group: str = super()._split_scope(nodeid)
        return group.partition("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadGroupScheduling | None:
    return ByFile(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests that stay are nothing for the garbage collector to go through again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)  # before xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What shares one Spark or one browser runs in one process: each takes long to get going."""
    for item in items:
        given = getattr(item, "callspec", None)
        named = [*getattr(item, "fixturenames", ()), *(given.params.values() if given else ())]
        for costly in ("spark", "chromium"):
            if any(isinstance(name, str) and name == costly for name in named):
                item.add_marker(pytest.mark.xdist_group(costly))
                # Pages build parts of themselves anew: where a machine stands still for seconds, a click may
                # reach a part that has just gone, as a person's may. The summary tells what was tried twice.
                if costly == "chromium":
                    item.add_marker(pytest.mark.flaky(reruns=1))
        # A benchmark is a process that starts processes; one in some hundred was once found dead, and why is
        # not known. What it said stands in the failure, and the summary tells what was tried twice.
        if item.path.parent.name == "benchmarks":
            item.add_marker(pytest.mark.flaky(reruns=1))
        # One project file on every engine is tried each time; whatever else runs on all of them is on Spark
        # in `make slow`.
        if given and given.params.get("place") == "spark" and item.path.name != "test_one_project_file.py":
            item.add_marker(pytest.mark.slow)
