from __future__ import annotations

import subprocess
import sys
import time

from replay.evaluation.processor_time import ProcessorTime

BUSY = """
from time import process_time
while process_time() < 0.3: pass
print("done", flush=True)
input()
"""


def test_what_a_child_and_this_process_take_is_told_apart() -> None:
    before = ProcessorTime.now()
    with subprocess.Popen(
        [sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdin
        assert child.stdout
        child.stdout.readline()
        took = ProcessorTime.now() - before
        child.stdin.write(b"\n")
    assert took.children >= 0.2
    assert took.own < took.children


def test_time_of_the_clock_is_none() -> None:
    before = ProcessorTime.now()
    time.sleep(0.2)
    assert (ProcessorTime.now() - before).own < 0.2
