"""Who a process is: its pid and when it started, since a pid alone is used again."""

import json
import os
import signal
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

_STARTED_FIELD = 19  # `starttime`, counted from the state that follows the name in /proc/*/stat
_DEAD_STATES = "ZX"  # a zombie holds a pid but is nobody


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """One process, and no other that ever had or will have its pid."""

    pid: int
    started: str


def of(pid: int) -> ProcessIdentity | None:
    """The living process with this pid, or None."""
    started = _started_by_proc(pid) if Path("/proc/self/stat").exists() else started_by_ps(pid)
    return None if started is None else ProcessIdentity(pid, started)


def me() -> ProcessIdentity:
    """This process."""
    identity = of(os.getpid())
    if identity is None:
        raise RuntimeError("this process cannot be seen: there is neither /proc nor ps")
    return identity


def alive(identity: ProcessIdentity) -> bool:
    """Whether that very process still runs."""
    return of(identity.pid) == identity


def send(identity: ProcessIdentity, number: signal.Signals) -> bool:
    """Signal that very process; False, signalling nobody, if it is gone or not ours to signal."""
    try:
        if not hasattr(os, "pidfd_open"):
            return _send_by_pid(identity, number)
        handle = os.pidfd_open(identity.pid)
    except (ProcessLookupError, PermissionError):
        return False
    try:
        # The handle is taken first: from here on no other process can slip in under the pid.
        if not alive(identity):
            return False
        signal.pidfd_send_signal(handle, number)
    except (ProcessLookupError, PermissionError):
        return False
    finally:
        os.close(handle)
    return True


def _send_by_pid(identity: ProcessIdentity, number: signal.Signals) -> bool:
    if not alive(identity):
        return False
    os.kill(identity.pid, number)
    return True


def write(record: Path, identity: ProcessIdentity) -> None:
    """Record it in one step: a reader sees the old record or the new one, never half of one."""
    record.parent.mkdir(parents=True, exist_ok=True)
    fresh = record.with_name(record.name + ".new")
    fresh.write_text(json.dumps(asdict(identity)), "utf-8")
    fresh.replace(record)


def read(record: Path) -> ProcessIdentity | None:
    """The recorded process if it lives; None for no record, one we cannot read, or a stranger."""
    try:
        found = json.loads(record.read_text("utf-8"))
        identity = ProcessIdentity(pid=int(found["pid"]), started=str(found["started"]))
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
    return identity if alive(identity) else None


def _started_by_proc(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name, in brackets, may itself hold spaces and brackets.
    fields = stat.rpartition(")")[2].split()
    # Ticks count from boot, so the boot belongs to the answer.
    return None if fields[0] in _DEAD_STATES else f"{boot}:{fields[_STARTED_FIELD]}"


def started_by_ps(pid: int) -> str | None:
    """The same without /proc (macOS); exact to the second only."""
    found = subprocess.run(
        ["ps", "-o", "stat=,lstart=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=False,
        env={"LC_ALL": "C", "PATH": os.environ.get("PATH", "/bin:/usr/bin")},
    )
    state, _, started = found.stdout.strip().partition(" ")
    return None if not started or state[0] in _DEAD_STATES else started.strip()
