"""The last resort: ledger and log closed, then the end."""

import subprocess
import sys
import threading
from pathlib import Path

from patience import all_done
from queries.service.houses import furnish
from shoal.queries.ledger.open_ledger import open_ledger
from shoal.queries.service.shutdown import Deadline, working

SCRIPT = """
import sys, threading, time
from concurrent.futures import ThreadPoolExecutor
from shoal.queries.service.service import Service
from shoal.queries.service.shutdown import Deadline
service = Service(sys.argv[1])
ThreadPoolExecutor(1).submit(time.sleep, 3600)  # Python would wait for it
end = Deadline(service, seconds=0.5)
end.start()
end.start()
"""


def test_a_process_that_is_kept_ends_anyway(tmp_path: Path) -> None:
    house = furnish(tmp_path / "house")
    house.service.close()
    told = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(house.service.folder)],
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (told.returncode, told.stderr) == (0, b"")
    ledger = open_ledger(house.service.folder / "ledger.sqlite")
    assert ledger.check().holds
    ledger.close()


def test_a_deadline_that_is_lifted_ends_nothing(tmp_path: Path) -> None:
    house = furnish(tmp_path / "house")
    end = Deadline(house.service, seconds=3600)
    end.lift()  # before it began
    end.start()
    end.lift()
    assert end._timer is not None
    end._timer.join(30)
    assert not end._timer.is_alive()
    house.service.close()


def test_a_thread_at_work_is_seen() -> None:
    go = threading.Event()
    thread = threading.Thread(target=go.wait, args=(30,), name="shoal-test", daemon=True)
    thread.start()
    assert working(within=0.05)
    go.set()
    all_done([thread])
    assert not any(one.name == "shoal-test" for one in threading.enumerate())
