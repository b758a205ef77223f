"""Run a campaign for long, and watch what it takes: python -m tests.soak --time 60m --subject tfnp.

Memory, handles and processes, the disk of the run, temporary files, and the number of cases are sampled, printed as
curves, and written to soak.json beside the run. The exit status is 1 if one of SLACK still grows after the first sixth
of the time, or a temporary file is left at the end. A worker is replaced when it has grown by a certain size, so that
its memory and its temporary files grow and go: peaks are compared. With --kill 30 a process of the run, but never its
own, is killed every 30 seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

BLOCKS = "▁▂▃▄▅▆▇█"
WIDTH = 60
GROWTH = 1.15  # of the last third over the one before
WARM = 6  # one part in so many is not compared

SLACK = {
    "main_mb": 16.0,
    "workers_mb": 64.0,
    "handles_per_process": 1.0,
    "processes": 1.0,
    "kb_per_finding": 8.0,
    "temporary": 64.0,
}
"""What is compared, and the growth that is none however small the quantity is."""
PEAKS = frozenset(("workers_mb", "temporary"))
"""Of which the peaks are compared, not the medians."""
USAGE = 2  # the exit status of a run that could not begin


@dataclass(frozen=True)
class Sample:
    """What a run took at a time: of its own process, and of all below it."""

    seconds: float
    processes: int
    main_mb: float
    workers_mb: float
    handles: int
    disk_kb: float
    cases: int
    findings: int
    temporary: int = 0

    @property
    def handles_per_process(self) -> float:
        """The mean number of handles: how many workers there are at a time is no growth."""
        return self.handles / self.processes

    @property
    def kb_per_finding(self) -> float:
        """The disk of the run, to which each finding adds files, but nothing else may add."""
        return self.disk_kb / (self.findings + 1)


def list_descendants(root: int) -> list[int]:
    """Return a process and all below it."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(path.parent.name))
    found, left = [], [root]
    while left:
        found.append(left.pop())
        left += children.get(found[-1], [])
    return found


def read_memory(pid: int) -> float:
    """Return the resident memory of a process in MB, of pages that several processes share its part only."""
    (line,) = [line for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines() if line.startswith("Pss:")]
    return int(line.split()[1]) * 1024 / 1e6


def take_sample(root: int, directory: Path, seconds: float, temporary: Path | None = None) -> Sample:
    """Look at a run, its directory, and that of its temporary files."""
    memory: dict[int, float] = {}
    handles = 0
    for pid in list_descendants(root):
        try:
            memory[pid] = read_memory(pid)
            handles += len(os.listdir(f"/proc/{pid}/fd"))
        except (OSError, ValueError):  # it has ended
            continue
    files = list_files(directory)
    main = memory.pop(root, 0.0)
    disk = sum(path.stat().st_size for path in files if path.exists()) / 1e3
    findings = sum(path.parent.name == "cases" for path in files)
    cases, left = _count_cases(directory), len(list_files(temporary)) if temporary is not None else 0
    return Sample(seconds, len(memory) + 1, main, sum(memory.values()), handles, disk, cases, findings, left)


def list_files(folder: Path) -> list[Path]:
    """Return what is in a folder, and in those in it, but not folders. Some of it may be removed meanwhile."""
    return [Path(parent, name) for parent, _, names in os.walk(folder) for name in names]


def _count_cases(directory: Path) -> int:
    try:
        state = json.loads((directory / "state.json").read_text())
    except (OSError, ValueError):  # not yet written
        return 0
    return sum(state["counts"]["cases"].values())


def watch(
    process: subprocess.Popen[bytes], directory: Path, temporary: Path, interval: float, killing: float = 0.0
) -> list[Sample]:
    """Sample a run until it ends, and kill one of its processes every `killing` seconds, if that is not 0."""
    begun, samples, kills = time.monotonic(), [], 0
    while process.poll() is None:
        seconds = time.monotonic() - begun
        samples.append(take_sample(process.pid, directory, seconds, temporary))
        if killing and samples[-1].cases and seconds > (kills + 1) * killing:
            kills += kill_one(process.pid)
        time.sleep(interval)
    return samples


def kill_one(root: int) -> bool:
    """Kill a process below another one. Return False if there is none."""
    below = list_descendants(root)[1:]
    if not below:
        return False
    try:
        os.kill(random.choice(below), signal.SIGKILL)
    except ProcessLookupError:  # it has just ended
        return False
    return True


def find_growth(samples: Sequence[Sample]) -> list[str]:
    """Return what still grows: its median, or peak, in the last part of the time is more than GROWTH of that before."""
    judging = [one for one in samples if one.cases]
    warm = judging[len(judging) // WARM :]
    middle, last = warm[: len(warm) // 2], warm[len(warm) // 2 :]
    if not middle:
        return ["too few samples"]
    found = []
    for name, slack in SLACK.items():
        measure = max if name in PEAKS else statistics.median
        before, after = (measure([getattr(one, name) for one in part]) for part in (middle, last))
        if after > before * GROWTH + slack:
            found.append(f"{name} grows from {before:,.1f} to {after:,.1f}")
    return found


def draw(values: Sequence[float]) -> str:
    """Return values as a line of blocks, each the mean of its part of the time."""
    parts = [values[i * len(values) // WIDTH : (i + 1) * len(values) // WIDTH] for i in range(WIDTH)]
    means = [statistics.mean(part) for part in parts if part]
    top = max(means, default=0.0) or 1.0
    return "".join(BLOCKS[round(mean / top * (len(BLOCKS) - 1))] for mean in means)


def show(samples: Sequence[Sample]) -> None:
    """Print a curve of each quantity, from zero to its largest mean."""
    for name in ("processes", "main_mb", "workers_mb", "handles", "disk_kb", "temporary", "cases"):
        values = [float(getattr(one, name)) for one in samples]
        print(f"{name:>12}  {draw(values)}  {values[0]:,.0f} to {values[-1]:,.0f}, at most {max(values):,.0f}")


def main(words: Sequence[str], interval: float = 10.0) -> int:
    """Run a campaign with these options, and return 1 if something grows or is left, or the status of a failed run."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", epilog="Other options are those of `fuzz run`.")
    parser.add_argument("--kill", type=float, default=0.0, metavar="SECONDS", help="kill a process every so often")
    parser.add_argument("--out", type=Path, default=Path("fuzz-out/soak"), metavar="DIR", help="default: %(default)s")
    own, options = parser.parse_known_args(words)
    command = [sys.executable, "-m", "fuzz", "run", *options, "--out", str(own.out)]
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        with subprocess.Popen(command, env=os.environ | {"TMPDIR": folder}) as process:
            samples = watch(process, own.out, Path(folder), interval, own.kill)
        left = list_files(Path(folder))
    if process.returncode == USAGE:
        return USAGE
    (own.out / "soak.json").write_text(json.dumps([asdict(one) for one in samples], indent=1) + "\n")
    show(samples)
    growth = [*find_growth(samples), *(f"{path} is left" for path in left)]
    for line in growth:
        print(line)
    return process.returncode if process.returncode not in (0, 1) else int(bool(growth))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
