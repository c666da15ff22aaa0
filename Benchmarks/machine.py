"""What the machine and its processes have used. Read from /proc; None where a system has none (macOS)."""

import os
import platform
import time

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def _stat(pid):
    """The fields of /proc/<pid>/stat from the third on, or None when the process is gone."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()
    except OSError:
        return None


def cpu_seconds(pid):
    """Processor time of a process, all its threads, and the children it has waited for."""
    stat = _stat(pid)
    return sum(map(int, stat[11:15])) / TICKS_PER_SECOND if stat else None


def children(pid):
    """The ids of the processes it has started, and what stat says of each."""
    for name in os.listdir("/proc"):
        stat = _stat(name) if name.isdigit() else None
        if stat and int(stat[1]) == pid:
            yield int(name), stat


def family_cpu_seconds(pid):
    """The same, and that of its children who live: PostgreSQL's is that of its postmaster's family."""
    own = cpu_seconds(pid)
    while own is not None:
        lived = sum(int(stat[11]) + int(stat[12]) for _, stat in children(pid)) / TICKS_PER_SECOND
        # A child that ended meanwhile has passed its time on to its parent: look again.
        before, own = own, cpu_seconds(pid)
        if own == before:
            return own + lived
    return None


def busy_seconds():
    """Processor time that anybody has used on any core, and what a hypervisor took away."""
    try:
        with open("/proc/stat") as file:
            ticks = list(map(int, file.readline().split()[1:9]))
    except OSError:
        return None
    return (sum(ticks) - ticks[3] - ticks[4]) / TICKS_PER_SECOND


class Quiet:
    """Waits for other people's work to end, for a bounded time in all."""

    BUSY_MAX = 0.1
    LOOK_SECONDS = 0.5

    def __init__(self, seconds_max):
        self._seconds_left = seconds_max

    def wait(self):
        """Comes back once the cores have idled for a moment, or when no more time is to be spent on it."""
        while self._seconds_left > 0:
            before = busy_seconds()
            time.sleep(self.LOOK_SECONDS)
            self._seconds_left -= self.LOOK_SECONDS
            if before is None or (busy_seconds() - before) / self.LOOK_SECONDS / CORES <= self.BUSY_MAX:
                return


def memory_mib(pid):
    """Resident memory, its private part (not backed by a file), and the most that was ever resident; in MiB."""
    names = {"VmRSS": "resident", "RssAnon": "private", "VmHWM": "peak"}
    try:
        with open(f"/proc/{pid}/status") as file:
            fields = dict(line.split(":", 1) for line in file)
    except OSError:
        return None
    return {ours: int(fields[theirs].split()[0]) / 1024 for theirs, ours in names.items()}


def family_memory_mib(pid):
    """Resident memory of a process and its children, each page shared among them counted once (Pss); in MiB."""
    total = 0
    for member in [pid, *(child for child, _ in children(pid))]:
        try:
            with open(f"/proc/{member}/smaps_rollup") as file:
                total += next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
        except (OSError, StopIteration):
            continue
    return total / 1024 if total else None


def mapped_library(pid, name):
    """The path of a shared library that a process has loaded, or None."""
    try:
        with open(f"/proc/{pid}/maps") as file:
            for line in file:
                path = line.split(maxsplit=5)[-1].strip()
                if os.path.basename(path).startswith(name + "."):
                    return path
    except OSError:
        pass
    return None


def description():
    """One line: cores, processor, kernel."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            model = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{CORES} cores ({model}), {platform.system()} {platform.release()}"
