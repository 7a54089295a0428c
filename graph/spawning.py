"""Spawn a child that the kernel kills when this process dies (Linux; elsewhere a plain one).

Linux takes the *thread* that forked for the parent, so a child asked for from a worker thread
would be killed as soon as that thread returned. One thread that never returns forks them all.
"""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import lru_cache

Command = tuple[str, ...]
Child = subprocess.Popen[bytes]
_Job = tuple[Callable[[Command], Child], Command, Future[Child]]

# Runs in the child before the server takes its place under the same pid. `preexec_fn` would do
# the same between fork and exec, where a process with threads may deadlock.
_BIND = """
import ctypes, os, signal, sys
PR_SET_PDEATHSIG = 1
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
if os.getppid() != int(sys.argv[1]):
    sys.exit("the parent died before the child was bound to it")
os.execvp(sys.argv[2], sys.argv[2:])
"""


def spawn_bound(popen: Callable[[Command], Child], command: Command) -> Child:
    """Run `popen(command)` so that the child cannot outlive this process."""
    if sys.platform != "linux":
        return popen(command)
    parent = os.getpid()
    bound = (sys.executable, "-I", "-S", "-c", _BIND, str(parent), *command)
    child: Future[Child] = Future()
    _spawner(parent).put((popen, bound, child))
    return child.result()


@lru_cache(maxsize=1)
def _spawner(pid: int) -> "queue.SimpleQueue[_Job]":
    """The lasting thread's queue: one per process, so a forked copy of us gets its own."""
    jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
    # A daemon: it must outlive the exit handlers, which end the children in good order.
    threading.Thread(target=_serve, args=(jobs,), name=f"spawner-{pid}", daemon=True).start()
    return jobs


def _serve(jobs: "queue.SimpleQueue[_Job]") -> None:
    while True:
        popen, command, child = jobs.get()
        try:
            child.set_result(popen(command))
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            child.set_exception(error)
