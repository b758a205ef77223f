"""Running a script as a program, many times over, without importing TensorFlow each time.

Each script runs in a new worker of a sandbox, whose fork server has imported what scripts import and has started no
runtime. It runs as `__main__`, exactly as published. `run_afresh` uses a new interpreter instead.
"""

from __future__ import annotations

import atexit
import os
import re
import runpy
import signal
import subprocess
import sys
import tempfile
import traceback
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Any

from fuzz.repro.source import check_source
from oracle.harness import Death, Lease, Limits, Sandbox, SandboxError, run_program

ENVIRONMENT = {"TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONFAULTHANDLER": "", "PYTHONIOENCODING": "utf-8:backslashreplace"}
FORKABLE = ENVIRONMENT | {"OPENBLAS_NUM_THREADS": "1"}  # it starts its threads when NumPy is imported
UNCAUGHT = 70
MOST_PRINTED = 1 << 20  # bytes
UNLIMITED = 1 << 46  # bytes, more than any machine can address
# NumPy writes the stack on the same line where a module was compiled for NumPy 1, which is a warning.
_TRACEBACK = re.compile(r"^Traceback \(most recent call last\):$", re.MULTILINE)
_ENDED = re.compile(r"(?P<signal>SIG[A-Z0-9]+)|exited with status (?P<status>\d+)")


@dataclass(frozen=True)
class Ending:
    """The end of a script: its exit status, or the signal that killed it, and what it printed."""

    status: int
    signal: str | None
    late: bool
    output: str

    @property
    def uncaught(self) -> bool:
        """Whether an exception that the script does not handle ended it."""
        return self.status == UNCAUGHT or (self.status == 1 and _TRACEBACK.search(self.output) is not None)

    @property
    def last_line(self) -> str:
        """The last line that it printed."""
        return next((line.strip() for line in reversed(self.output.splitlines()) if line.strip()), "no output")


def rerun(
    path: Path, seconds: float, modules: tuple[str, ...] = ("numpy", "tensorflow"), memory_bytes: int = 0
) -> Ending:
    """Run the script in a new worker that has imported these modules.

    It may reserve `memory_bytes` beyond what it starts with; 0 is no limit.
    """
    sandbox = _open_sandbox(modules, memory_bytes or UNLIMITED)
    limits = Limits(seconds=inf, patience=seconds)
    lease = Lease(0, "fuzz.repro.runner:run_in_worker", [str(path.resolve())], confirm=False, fresh=True, limits=limits)
    (reply,) = sandbox.run([lease])
    result = reply.results[0]
    if isinstance(result, Death):
        return describe_ending(result, result.tail)
    return describe_ending(*result) if isinstance(result, tuple) else describe_ending(result, "")


def run_in_worker(_: Any, path: str) -> tuple[int, str]:
    """Run a script as the main program of this process, a fresh worker. Return its exit status and what it printed."""
    status = execute(path)
    return status, os.pread(1, MOST_PRINTED, 0).decode(errors="replace")


def execute(path: Path | str) -> int:
    """Run a script as the main program of this process, which cannot be used afterwards. Return its exit status."""
    sys.argv = [str(path)]
    try:
        runpy.run_path(str(path), run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - a script may raise whatever it likes
        traceback.print_exc()
        return UNCAUGHT
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def run_source(source: str) -> int:
    """Run a script as the main program of this process, which must be a fresh worker. Return its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "repro.py")
        path.write_text(source, encoding="utf-8")
        return execute(path)


def describe_ending(result: Any, output: str) -> Ending:
    """Return how a script ended, from its exit status or the death of its worker."""
    if not isinstance(result, Death):
        return Ending(result if isinstance(result, int) else UNCAUGHT, None, False, output)
    if result.kind == "hang":
        return Ending(-signal.SIGKILL, "SIGKILL", True, output)
    how = _ENDED.match(result.detail)
    if how is None:
        return Ending(UNCAUGHT, None, False, output)
    if how["signal"]:
        return Ending(-signal.Signals[how["signal"]], how["signal"], False, output)
    return Ending(int(how["status"]), None, False, output)


def run_afresh(path: Path, seconds: float, interpreter: str = sys.executable) -> Ending:
    """Run the script in a new process of an interpreter, by default this one, and remove its temporary files. One that
    is no Python is not run.
    """
    try:
        check_source(path.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError) as error:
        return Ending(UNCAUGHT, None, False, str(error))
    try:
        with tempfile.TemporaryDirectory(prefix="repro-", ignore_cleanup_errors=True) as folder:
            environment = os.environ | ENVIRONMENT | {"TMPDIR": folder}
            done = run_program([interpreter, str(path)], seconds, environment=environment, is_merged=True)
    except subprocess.TimeoutExpired as error:
        return Ending(-signal.SIGKILL, "SIGKILL", True, error.output)
    killed = signal.Signals(-done.returncode).name if done.returncode < 0 else None
    return Ending(done.returncode, killed, False, done.stdout)


@lru_cache(maxsize=4)
def _open_sandbox(modules: tuple[str, ...], memory_bytes: int) -> Sandbox:
    """Open a sandbox for scripts, with one worker at a time, that stays open until this process ends.

    Scripts run with the libraries' default number of threads. Modules whose import starts a thread are not imported in
    advance.
    """
    installed = tuple(name for name in modules if find_spec(name) is not None)
    limits = Limits(memory_bytes=memory_bytes)
    sandbox = Sandbox(1, limits=limits, modules=installed, environment=FORKABLE)
    try:
        sandbox.open()
    except SandboxError:
        sandbox = Sandbox(1, limits=limits, modules=(), environment=FORKABLE)
        sandbox.open()
    atexit.register(sandbox.close)
    return sandbox
