"""Run one command and print what it took and complained of, as JSON: `python child.py OUTPUT COMMAND…`.

A process of its own, because a child's peak memory is counted from that of the process that starts it.
"""

import ctypes
import json
import os
import resource
import subprocess
import sys
import time

HOURS = 6 * 3600  # seconds: a benchmark may take long, but not for ever

# Who outlives the command that started it, as Spark's Java does for a moment, is handed to us and counted.
ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER
started = time.monotonic()
with open(sys.argv[1], "wb") as said:  # noqa: PTH123  pathlib would double what this imports
    done = subprocess.run(
        sys.argv[2:], stdout=said, stderr=subprocess.PIPE, text=True, check=False, timeout=HOURS
    )
wall = time.monotonic() - started
late = time.monotonic() + 60
try:
    while time.monotonic() < late:
        if os.waitpid(-1, os.WNOHANG)[0] == 0:
            time.sleep(0.01)
except ChildProcessError:
    pass
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([done.returncode, wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, done.stderr]))
