"""A day of a campaign in two minutes: all that happens to one on a machine happens in turn, and nothing is lost by it.

The times of its limits, leases and checkpoints are a tenth of the usual ones. Its subject leaves memory, files and
processes behind. What it says at the end is compared with a run of the same cases that nobody disturbs.
"""

from __future__ import annotations

import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fuzz.engine.recovery import read_run
from fuzz.repro.runner import run_afresh
from fuzz.repro.script import shows
from tests.soak import list_descendants

ROOT = Path(__file__).parents[1]
SUBJECT = "planted_day"
MORE = 4000  # cases that are judged after the day, at least
SCALE = 0.1
PATIENCE = 30.0 * SCALE
FULL = 512  # bytes, beyond which no file can be written
DAY = 86_400.0
UNCOMPARED = {
    "versions",
    "seconds",
    "seconds_of",
    "cases_per_core_second",
    "core_seconds",
    "core_seconds_by_name",
    "spent",
    "work",
}
KEPT = ("cases", "repros")
SOON = 120.0  # seconds for anything to happen on a busy machine

PROGRAM = """
import datetime, signal, sys, time
from pathlib import Path

signal.signal(signal.SIGINT, signal.default_int_handler)  # those who run tests in the background ignore it
read_time, moved = time.time, Path(sys.argv.pop(1))
move = lambda: float(moved.read_text() or 0)

class Moved(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + datetime.timedelta(seconds=move())

datetime.datetime = Moved
time.time = lambda: read_time() + move()
time.time_ns = lambda: int(time.time() * 1e9)
from fuzz.__main__ import main
sys.exit(main())
"""
"""The command line of the fuzzer on a machine whose clock is as many seconds fast as a file says."""


class Run:
    """A campaign in a process of its own, and what it says."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.directory, self.clock = folder, folder / "run", folder / "clock"
        self.temporary = folder / "tmp"
        self.temporary.mkdir(parents=True, exist_ok=True)
        self.clock.touch()
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(self.clock), "run", *options, "--subject", SUBJECT, "--jobs", "2"],
            cwd=folder,
            env=os.environ | {"TMPDIR": str(self.temporary), "COLUMNS": "160"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True)
        self._reader.start()

    @property
    def text(self) -> str:
        return "".join(self.lines)

    @property
    def below(self) -> list[int]:
        """The fork server, and the processes below it."""
        return list_descendants(self.process.pid)[1:]

    def count(self) -> int:
        """Return how many cases the checkpoint has, which is always one."""
        path = self.directory / "state.json"
        return sum(json.loads(path.read_text())["counts"]["cases"].values()) if path.exists() else 0

    def await_cases(self, more: int = 1) -> None:
        """Wait until checkpoints have so many more cases."""
        before = self.count()
        self.wait_until(lambda: self.count() >= before + more)

    def wait_until(self, happened: Callable[[], object]) -> None:
        end = time.monotonic() + SOON
        while not happened():
            assert self.process.poll() is None, self.text
            assert time.monotonic() < end, self.text
            time.sleep(0.02)

    def end(self) -> int:
        """Wait for the end of the run, and return its exit status."""
        status = self.process.wait(timeout=5 * SOON)
        self._reader.join()
        return status


def send(number: int, *pids: int) -> None:
    """Send a signal to processes, those of them that live."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def list_judging(run: Run) -> list[int]:
    """Return the workers: the children of the fork server. There is one, soon."""
    found: list[int] = []

    def look() -> list[int]:
        server, *below = run.below or [0]
        found[:] = [pid for pid in below if pid in find_children(server)]
        return found

    run.wait_until(look)
    return found


def find_children(pid: int) -> set[int]:
    try:
        return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    except OSError:
        return set()


def kill_workers_one_by_one(run: Run) -> None:
    """Kill workers, but none so soon that it could be the second that dies of the same case, which is a finding."""
    for _ in range(6):
        send(signal.SIGKILL, random.choice(list_judging(run)))
        run.await_cases(50)
        time.sleep(1.0)


def kill_all_workers_at_once(run: Run) -> None:
    send(signal.SIGKILL, *list_judging(run))


def kill_the_fork_server(run: Run) -> None:
    send(signal.SIGKILL, run.below[0])
    run.wait_until(lambda: "the fork server has died: it is started again" in run.text)


def stop_a_worker(run: Run) -> None:
    """Stop workers, each until it has been so beyond its limit while it judged a case, or did not judge any."""
    while "was stopped for more than" not in run.text:
        stopped = list_judging(run)
        send(signal.SIGSTOP, *stopped)
        time.sleep(4 * PATIENCE)
        send(signal.SIGCONT, *stopped)


def stop_everything(run: Run) -> None:
    """Stop the run, as if the machine were paused."""
    pids = [run.process.pid, *run.below]
    send(signal.SIGSTOP, *pids)
    time.sleep(3 * PATIENCE)
    send(signal.SIGCONT, *pids)


def fill_the_disk(run: Run) -> None:
    """Have every file of the run's own process end after some bytes, as on a disk that fills up, and then make room."""
    before = resource.prlimit(run.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(run.process.pid, resource.RLIMIT_FSIZE, (FULL, before[1]))
    run.wait_until(lambda: re.search(r"trouble: .* cannot be written .*: the run continues in memory", run.text))
    time.sleep(5.0)
    resource.prlimit(run.process.pid, resource.RLIMIT_FSIZE, before)


def kill_everything(run: Run) -> None:
    """Kill all processes at once, as where a job of continuous integration is cancelled. What starts next cleans up."""
    everything = [run.process.pid, *run.below]
    send(signal.SIGSTOP, *everything)
    send(signal.SIGKILL, *everything)


def set_the_clock_forward(run: Run) -> None:
    run.clock.write_text(str(DAY))


def set_the_clock_back(run: Run) -> None:
    run.clock.write_text(str(-DAY))


TROUBLES = (
    kill_workers_one_by_one,
    kill_all_workers_at_once,
    set_the_clock_forward,
    stop_a_worker,
    kill_the_fork_server,
    fill_the_disk,
    set_the_clock_back,
    stop_everything,
)


@contextmanager
def begin(folder: Path, *options: str) -> Iterator[Run]:
    """Begin a run, which ends with the test."""
    run = Run(folder, *options)
    try:
        yield run
    finally:
        run.process.kill()  # its fork server ends with it, and removes what it left
        run.end()


def await_nothing_left(run: Run) -> None:
    """Wait until a run that has ended has neither processes nor temporary files: a killed one's end a little later."""
    end = time.monotonic() + SOON
    while left := [*list_processes(run.temporary), *run.temporary.iterdir()]:
        assert time.monotonic() < end, left
        time.sleep(0.1)


def list_processes(folder: Path) -> Iterator[int]:
    """Return the processes that make temporary files somewhere in a folder."""
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"TMPDIR={folder}".encode() in path.read_bytes():
                yield int(path.parent.name)


def read_contents(directory: Path) -> dict[str, object]:
    """Return what a run found and counted, without what the clock says, and the commit that somebody may have made."""
    files = {path.relative_to(directory): path.read_text() for path in directory.rglob("*") if path.is_file()}
    contents: dict[str, object] = {str(name): text for name, text in files.items() if name.parts[0] in KEPT}
    contents["findings"] = (directory / "findings.jsonl").read_text()
    state, summary = (json.loads((directory / name).read_text()) for name in ("state.json", "summary.json"))
    for name, counts in (("summary", summary), ("counts", state["counts"])):
        contents |= {f"{name}: {key}": value for key, value in counts.items() if key not in UNCOMPARED}
    return contents


def check_reports(directory: Path) -> None:
    """Check that the files of a run are complete, and that the planted fault has a script that shows it."""
    summary = json.loads((directory / "summary.json").read_text())
    assert not summary["broken"]
    assert not summary["failures"]
    assert (directory / "report.html").read_text().rstrip().endswith("</html>")
    junit = ElementTree.parse(directory / "junit.xml").getroot()
    assert [case.attrib["name"] for case in junit.iter("testcase") if case.find("failure") is not None]
    assert not list(directory.rglob(".*")), "a file that was being written"
    findings = [one for one in read_run(directory).findings if (one.name, one.kind) == ("cumsum", "value")]
    assert all(finding.reproduced for finding in findings)
    (script,) = [path for one in findings if "cumsum(0)" in (path := directory / one.repro).read_text()]
    assert shows(run_afresh(script, SOON), "value")


@pytest.mark.full
def test_a_day_loses_nothing_counts_nothing_twice_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (ROOT, ROOT / "tests/fuzz"))))
    options = ["--modes", "eager", "--seed", "5", "--schedule", "short", "--time-scale", str(SCALE), "--out", "run"]
    disturbed, undisturbed = tmp_path / "disturbed", tmp_path / "undisturbed"
    with begin(disturbed, *options, "--time", "1d") as run:
        run.wait_until(lambda: "found f-" in run.text)
        for trouble in TROUBLES:
            trouble(run)
            run.await_cases(100)
        run.process.kill()
    await_nothing_left(run)
    with begin(disturbed, "--resume", "run") as run:
        run.await_cases(100)
        kill_everything(run)
    with begin(disturbed, "--resume", "run") as run:
        run.await_cases(100)
        run.process.send_signal(signal.SIGINT)
        assert run.end() == 130, run.text
    await_nothing_left(run)
    cases = ["--cases", str(run.count() + MORE)]
    with begin(disturbed, "--resume", "run", *cases) as run:
        assert run.end() == 1, run.text
    with begin(undisturbed, *options, *cases) as other:
        assert other.end() == 1, other.text
    for one in (run, other):
        await_nothing_left(one)
        check_reports(one.directory)
    assert read_contents(run.directory) == read_contents(other.directory)
