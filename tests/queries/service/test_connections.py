"""A crowd at the door: who is let in, and in whose place."""

import errno
import logging
import resource
import subprocess
import sys

import pytest

from shoal.queries.service.connections import LEAST, Crowd, Quietly, places, warn_sparsely


class Someone:
    def __init__(self, idle: bool = True) -> None:
        self.idle, self.gone = idle, False

    def hang_up(self) -> None:
        self.gone = True


def test_the_oldest_idle_one_of_an_address_makes_room_for_the_next() -> None:
    crowd = Crowd(most=10, each=2)
    busy, idle, new = Someone(idle=False), Someone(), Someone()
    assert crowd.enter(busy, "a") and crowd.enter(idle, "a") and crowd.enter(new, "a")
    assert (busy.gone, idle.gone, new.gone) == (False, True, False)


def test_nobody_who_is_being_answered_makes_room() -> None:
    crowd = Crowd(most=10, each=1)
    assert crowd.enter(Someone(idle=False), "a")
    assert not crowd.enter(Someone(), "a")
    assert crowd.enter(Someone(), "b")


def test_when_all_places_are_taken_the_address_with_most_gives_one() -> None:
    crowd = Crowd(most=4, each=4)
    many, single = [Someone() for _ in range(3)], Someone()
    assert crowd.enter(single, "known")
    assert all(crowd.enter(one, "flood") for one in many)
    assert crowd.enter(Someone(), "new")
    assert [one.gone for one in many] == [True, False, False]
    assert not single.gone


def test_a_place_is_free_again_when_somebody_leaves_and_only_once() -> None:
    crowd, one = Crowd(most=1, each=1), Someone(idle=False)
    assert crowd.enter(one, "a")
    assert not crowd.enter(Someone(), "b")
    crowd.leave(one, "a")
    crowd.leave(one, "a")
    assert crowd.enter(Someone(idle=False), "b")
    assert not crowd.enter(Someone(), "c")


@pytest.mark.parametrize(
    ("descriptors", "wanted", "found"), [(400, 1000, 300), (100, 1000, 36), (20, 50, LEAST)]
)
def test_there_are_no_more_places_than_descriptors(descriptors: int, wanted: int, found: int) -> None:
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import resource; from shoal.queries.service.connections import places\n"
            f"resource.setrlimit(resource.RLIMIT_NOFILE, ({descriptors // 2}, {descriptors}))\n"
            f"print(places({wanted}), resource.getrlimit(resource.RLIMIT_NOFILE)[0])",
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert told.stdout.split() == [str(found), str(descriptors)]


def test_as_many_as_wanted_when_there_are_enough() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        assert places(LEAST) == LEAST
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_flood_of_errors_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    quietly = Quietly()
    context = {
        "message": "socket.accept() out of system resource\nmore",
        "exception": OSError(errno.EMFILE, "x"),
    }
    with caplog.at_level(logging.ERROR):
        for _ in range(1000):
            quietly(None, context)
    assert caplog.messages == [
        f"socket.accept() out of system resource (OSError {errno.EMFILE}); 0 more since the last line"
    ]
    assert caplog.records[0].exc_info is None


def test_of_a_flood_of_warnings_one_is_written_and_everything_else(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("shoal.tests.sparsely")
    for _ in range(2):
        warn_sparsely(log.name)
    assert len(log.filters) == 1
    with caplog.at_level(logging.INFO, log.name):
        for _ in range(100):
            log.warning("no HTTP")
        log.info("started")
        log.error("failed")
    assert [record.getMessage() for record in caplog.records] == ["no HTTP", "started", "failed"]
