"""Running a script as a program of its own, many times over, without importing TensorFlow each time.

A fork server imports what scripts import and starts no runtime; each script then runs in a fork of it, as the
program (`__main__`), exactly as published. Where there is none, a new interpreter runs the script.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

ENVIRONMENT = {"TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONFAULTHANDLER": ""}
SERVER = """
import importlib, json, os, resource, runpy, signal, sys, time, traceback
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ImportError:
        pass
answers = os.fdopen(os.dup(1), "w", buffering=1)
answers.write("ready\\n")
for line in sys.stdin:
    path, output, seconds, memory = json.loads(line)
    child = os.fork()
    if not child:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(1, 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory:
            pages = int(open("/proc/self/statm").read().split()[0])
            resource.setrlimit(resource.RLIMIT_AS, (memory + pages * resource.getpagesize(), resource.RLIM_INFINITY))
        status = 70
        try:
            sys.argv = [path]
            runpy.run_path(path, run_name="__main__")
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush(), sys.stderr.flush()
            os._exit(status)
    deadline, late, status = time.monotonic() + seconds, False, None
    while status is None:
        pid, ended = os.waitpid(child, os.WNOHANG)
        if pid:
            status = ended
        elif time.monotonic() > deadline:
            late = True
            os.killpg(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
        else:
            time.sleep(0.005)
    answers.write(json.dumps([status, late]) + "\\n")
"""
UNCAUGHT = 70


@dataclass(frozen=True)
class Ending:
    """How a script ended: its exit status, or the signal that killed it, and what it printed."""

    status: int
    signal: str | None
    late: bool
    output: str

    @property
    def uncaught(self) -> bool:
        """Whether an exception that the script does not handle ended it."""
        return self.status == UNCAUGHT or (
            self.status == 1 and "\nTraceback (most recent call last)" in f"\n{self.output}"
        )


def rerun(
    path: Path, seconds: float, modules: tuple[str, ...] = ("numpy", "tensorflow"), memory_bytes: int = 0
) -> Ending:
    """Run the script in a fork of the server for these modules. It may reserve so many bytes beyond what it is born
    with; 0 is no limit.
    """
    return _fork_server(modules).run(path, seconds, memory_bytes)


def run_afresh(path: Path, seconds: float) -> Ending:
    """Run the script in a new interpreter."""
    try:
        done = subprocess.run(
            [sys.executable, str(path)],
            env=os.environ | ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return Ending(-signal.SIGKILL, "SIGKILL", True, (error.stdout or b"").decode(errors="replace"))
    killed = signal.Signals(-done.returncode).name if done.returncode < 0 else None
    return Ending(done.returncode, killed, False, done.stdout.decode(errors="replace"))


class ForkServer:
    """A fork server: the process whose forks run scripts. Not for several threads at once."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER, *modules],
            env=os.environ | ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        atexit.register(self.close)
        self._read()

    def run(self, path: Path, seconds: float, memory_bytes: int = 0) -> Ending:
        """Run one script."""
        assert self.process.stdin is not None
        with tempfile.NamedTemporaryFile(prefix="repro-", suffix=".txt") as output:
            self.process.stdin.write(json.dumps([str(path.resolve()), output.name, seconds, memory_bytes]) + "\n")
            self.process.stdin.flush()
            status, late = json.loads(self._read())
            text = Path(output.name).read_text(errors="replace")
        killed = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else None
        return Ending(os.waitstatus_to_exitcode(status), killed, late, text)

    def _read(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the process that runs scripts has ended")
        return line

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.kill()
        self.process.wait()


@lru_cache(maxsize=4)
def _fork_server(modules: tuple[str, ...]) -> ForkServer:
    return ForkServer(modules)
