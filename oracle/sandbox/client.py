"""Client of the fork server: worker handles in the parent, with connection, watchdog and crash report."""

from __future__ import annotations

import fcntl
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from oracle.sandbox import progress
from oracle.sandbox.confinement import make_cache_variables
from oracle.sandbox.crash import Death, explain
from oracle.sandbox.folders import Folder
from oracle.sandbox.forkserver import FORK, FORKED, REPORT, REQUEST, Readiness
from oracle.sandbox.messages import Foreign, Inbox, decode
from oracle.sandbox.worker import Preparation

_PREPARING = 300.0  # seconds for imports, on a busy machine
_FORKING = 60.0  # seconds for a fork, on a busy machine
_DYING = 5.0  # seconds for a process to end that has closed its link, or was told to
_DUMPING = 0.3  # seconds for a stack to be written before the worker is killed
_IDLE = 1.0  # seconds that a step has waited, not for a processor, until another worker may have its place
_UNWATCHED = 1.0  # seconds between two looks at a worker that count, at most: the machine may have been paused
_TAIL = 16_000  # bytes of what a worker wrote that are read after its death
_MOST = 1 << 20  # bytes that a worker may have written before they are dropped, when it gets items
_FLOOD = 64 << 20  # the same while it works
_TICK = os.sysconf("SC_CLK_TCK")

# One thread in each worker: parallelism is several workers. Quiet: what a worker writes is read only after its death.
_ENVIRONMENT = {
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
    "PYTHONHASHSEED": "0",
    "PYTHONUNBUFFERED": "1",
}


@dataclass(frozen=True)
class Interpreter:
    """A Python for the fork server and its workers: `paths` come before its own packages, `fallbacks` after them."""

    python: str
    paths: tuple[str, ...] = ()
    fallbacks: tuple[str, ...] = ()


def occupy_standard_descriptors() -> None:
    """Open the null device in place of standard input, output and error, if they are closed: no other file may have
    their numbers, which programs that are started replace.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # has the smallest free number


class SandboxError(RuntimeError):
    """The sandbox does not work: workers or the fork server end before they have done anything."""


class PreparationError(SandboxError):
    """The fork server ended while preparing: something that it imported ended it."""


class Unconfined(SandboxError):
    """Calls would run as root, and could remove the files of this machine."""


class ForkServerDied(SandboxError):
    """The fork server has ended, and all workers with it."""


class Worker:
    """A forked process, as seen by the parent."""

    def __init__(self, server: ForkServerClient, pid: int, link: Connection, marker: int, output: int) -> None:
        self.pid = pid
        self.link = link
        self.answered = 0
        self.leases = 0
        self.growth = 0
        self.risky = False
        self._server = server
        self._marker = progress.ProgressMarker(marker)
        os.close(marker)
        self._output = output
        self._inbox = Inbox(link.fileno())
        self._overrun = self._breach = ""
        self._is_stopped = False
        self.is_idle = False
        self._dumped = self._begun = self._watched = self._begun_cpu = 0.0
        self._restart(0)

    def send(self, function: str, items: Sequence[Any]) -> bool:
        """Send items to the worker. Return False if it is dead."""
        self._restart(self._marker.read().steps)
        self._shorten_output(_MOST)
        try:
            self.link.send_bytes(pickle.dumps((function, items)))
        except OSError:
            return False
        return True

    def receive(self) -> tuple[Any] | None:
        """Return the next item's result, once it has come. Raises EOFError or OSError if the worker has died, or if
        what it sends is no result: it is killed.
        """
        try:
            data = self._inbox.receive()
            if data is None:
                return None
            result, growth = decode(data)
            self.growth = int(growth)
        except (Foreign, TypeError, ValueError) as error:
            self._breach = f"wrote into the connection of its process: {error}"
            self.kill()
            raise EOFError from None
        self.answered += 1
        return (result,)

    def watch(self, seconds: float, patience: float) -> None:
        """Kill the worker if its current step has taken more CPU time than `seconds`, or more wall time than
        `patience`, not counting time in which it was ready to run and other processes ran, or nobody could watch.
        """
        self._shorten_output(_FLOOD)
        now = time.monotonic()
        self._begun += max(0.0, now - self._watched - _UNWATCHED)
        self._watched = now
        if self._dumped:
            if now - self._dumped > _DUMPING:
                self._server.kill(self.pid, signal.SIGKILL)
            return
        seen = self._marker.read()
        if seen.steps != self._steps:
            self._restart(seen.steps)
            return
        spent = self._cpu_seconds() - self._begun_cpu
        self.is_idle = now - self._begun >= _IDLE and self._waited(now) - spent >= _IDLE
        if spent >= seconds * seen.allowance:
            self._overrun = f"more than {seconds * seen.allowance:g} s of CPU time"
        elif now - self._begun >= patience * seen.allowance and self._waited(now) >= patience * seen.allowance:
            self._is_stopped = self._read_status()[:1] in (["T"], ["t"])
            what = "was stopped" if self._is_stopped else "waited"
            self._overrun = f"{what} for more than {patience * seen.allowance:g} s"
        if self._overrun:
            self._dumped = now
            self._server.kill(self.pid, signal.SIGUSR1)

    def death(self, item: Any) -> Death:
        """Return how the worker died. A worker that has only closed its connection is killed."""
        status = self._server.status(self.pid)
        size = os.fstat(self._output).st_size
        text = os.pread(self._output, _TAIL, max(0, size - _TAIL)).decode(errors="replace")
        kind, detail = ("crash", self._breach) if self._breach else explain(status, text, self._overrun)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        killed = killed and not (self._overrun or self._breach)
        killed = killed or self._is_stopped
        seen = self._marker.read()
        death = Death(kind, item, detail, seen.text, text, killed)
        if seen.steps == 0 and not killed:
            raise SandboxError(f"a worker died before its first item: {kind}, {death.detail}\n{death.tail}")
        return death

    def kill(self) -> None:
        """Kill the worker, whatever it is doing."""
        self._server.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Close the connection and free the shared memory. An idle worker exits when its connection is closed."""
        self._server.forget(self.pid)
        self.link.close()
        self._marker.close()
        os.close(self._output)

    def _shorten_output(self, most: int) -> None:
        """Drop what the worker has written if it is more than `most` bytes: it is kept in memory."""
        if os.fstat(self._output).st_size > most:
            os.ftruncate(self._output, 0)

    def _restart(self, steps: int) -> None:
        self._steps = steps
        self.is_idle = False
        self._begun = self._watched = time.monotonic()
        self._begun_cpu = self._cpu_seconds()
        self._begun_ready = _ready_seconds(self.pid)

    def _waited(self, now: float) -> float:
        """Return the wall time of the current step in which no thread was waiting for a processor."""
        return now - self._begun - (_ready_seconds(self.pid) - self._begun_ready)

    def _cpu_seconds(self) -> float:
        fields = self._read_status()
        return (int(fields[11]) + int(fields[12])) / _TICK if fields else 0.0

    def _read_status(self) -> list[str]:
        """Return what the kernel says of the process, from its state on; nothing if it is no more."""
        try:
            return Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            return []


class ForkServerClient:
    """Connection to the fork server, which runs in a temporary folder with its workers."""

    def __init__(
        self,
        preparation: Preparation,
        environment: Mapping[str, str] | None = None,
        interpreter: Interpreter | None = None,
    ) -> None:
        self._preparation = preparation
        paths = tuple(str(Path(entry).absolute()) for entry in sys.path)
        self._interpreter = interpreter or Interpreter(sys.executable, paths)
        self._environment = _ENVIRONMENT if environment is None else environment
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._statuses: dict[int, int] = {}
        self._workers: set[int] = set()  # those whose end the fork server has not reported
        self._forgotten: set[int] = set()  # those of them whose status nobody will ask for
        self._folder: Folder | None = None

    def open(self) -> None:
        """Start the fork server. Raises what preparing raised. If preparing started threads, workers prepare
        themselves.
        """
        readiness = self._start()
        if readiness.error is None and readiness.threads > 1 and self._preparation.function:
            self.close()
            self._preparation = replace(self._preparation, late=True)
            readiness = self._start()
        if readiness.error is None and readiness.threads > 1:
            readiness = Readiness(SandboxError(f"importing {self._preparation.modules} started threads"), "", 1)
        if readiness.error is not None:
            self.close()
            readiness.error.add_note(readiness.trace)
            raise readiness.error

    def _start(self) -> Readiness:
        occupy_standard_descriptors()
        parent, child = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._folder = Folder()
        self._process = self._launch(child.fileno(), self._folder.path)
        child.close()
        parent.settimeout(_PREPARING)
        self._control = parent
        data = pickle.dumps(replace(self._preparation, folder=self._folder.path))
        try:
            parent.sendall(f"{len(data):<64}".encode())
            parent.sendall(data)
            readiness = decode(self._read(int(self._read(64))))
            if not isinstance(readiness, Readiness):
                raise Foreign(f"{type(readiness).__name__} is no report")
            return readiness
        except (OSError, SandboxError, ValueError):
            ending = self._describe_end()
            self.close()
            raise PreparationError(f"the process that imports {self._preparation.label} {ending}") from None

    def _launch(self, descriptor: int, folder: str) -> subprocess.Popen[bytes]:
        """Start an interpreter in `folder` that serves on the socket `descriptor`."""
        path, last = os.pathsep.join(self._interpreter.paths), [*self._interpreter.fallbacks]
        code = f"import sys; sys.path += {last}; "
        code += f"from oracle.sandbox.forkserver import serve; serve({descriptor}, {os.getpid()})"
        return subprocess.Popen(
            [self._interpreter.python, "-P", "-c", code],  # files that a call writes must not be importable
            cwd=folder,
            pass_fds=[descriptor],
            env={**make_cache_variables(), **os.environ, **self._environment, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _read(self, size: int) -> bytes:
        assert self._control is not None
        data = bytearray()
        while len(data) < size:
            try:
                part = self._control.recv(size - len(data))
            except ConnectionError:
                part = b""
            if not part:
                raise ForkServerDied("the fork server has died")
            data += part
        return bytes(data)

    def _describe_end(self) -> str:
        """Return how the fork server ended while preparing."""
        assert self._process is not None
        try:
            status = self._process.wait(_DYING)
        except subprocess.TimeoutExpired:
            return f"did not come to an end within {_PREPARING:g} s"
        return f"was killed by {signal.Signals(-status).name}" if status < 0 else f"exited with status {status}"

    def fork_worker(self) -> Worker:
        """Fork a new worker."""
        assert self._control is not None
        parent, child = socket.socketpair()
        marker, output = progress.make_memory(), os.memfd_create("output")
        _append(output)
        try:
            socket.send_fds(self._control, [REQUEST.pack(FORK, 0)], [child.fileno(), marker, output])
        except OSError:
            parent.close()
            os.close(marker)
            os.close(output)
            raise ForkServerDied("the fork server has died") from None
        finally:
            child.close()
        pid = self._await_fork()
        return Worker(self, pid, Connection(parent.detach()), marker, output)

    def _await_fork(self) -> int:
        assert self._control is not None
        self._control.settimeout(_FORKING)
        try:
            happened, pid = self._receive_report()
            while happened != FORKED:
                happened, pid = self._receive_report()
        except TimeoutError:
            raise ForkServerDied(f"the fork server did not answer for {_FORKING:g} s") from None
        self._control.settimeout(_PREPARING)
        return pid

    def kill(self, pid: int, signum: int) -> None:
        """Send a signal to a worker, if it is alive: only the fork server can know."""
        assert self._control is not None
        try:
            self._control.sendall(REQUEST.pack(signum, pid))
        except OSError:
            raise ForkServerDied("the fork server has died") from None

    def status(self, pid: int) -> int:
        """Return the wait status of a worker. A live one that has closed its connection is killed."""
        assert self._control is not None
        self._control.settimeout(_DYING)
        try:
            while pid not in self._statuses:
                self._receive_report()
        except TimeoutError:
            self.kill(pid, signal.SIGKILL)
            self._control.settimeout(_FORKING)
            try:
                while pid not in self._statuses:
                    self._receive_report()
            except TimeoutError:
                raise ForkServerDied(f"the fork server did not answer for {_FORKING:g} s") from None
        self._control.settimeout(_PREPARING)
        return self._statuses.pop(pid)

    def _receive_report(self) -> tuple[int, int]:
        happened, pid, status = REPORT.unpack(self._read(REPORT.size))
        if happened == FORKED:
            self._workers.add(pid)
        else:
            self._workers.discard(pid)
            if pid in self._forgotten:
                self._forgotten.discard(pid)
            else:
                self._statuses[pid] = status
        return happened, pid

    def forget(self, pid: int) -> None:
        """Keep no status of a worker: there may be another one of its number."""
        self._statuses.pop(pid, None)
        if pid in self._workers:
            self._forgotten.add(pid)

    def close(self) -> None:
        """End the fork server, and all workers with it."""
        if self._control is not None:
            with suppress(OSError):
                self._control.shutdown(socket.SHUT_WR)
        if self._process is not None:
            try:
                self._process.wait(_DYING)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            if self._process.returncode and self._control is not None:
                self._kill_workers(self._control)
            self._process = None
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._folder is not None:
            self._folder.remove()
            self._folder = None
        for entries in (self._workers, self._forgotten, self._statuses):
            entries.clear()

    def _kill_workers(self, control: socket.socket) -> None:
        """Kill what the workers started of a fork server that could not do it; they themselves end with it."""
        control.setblocking(False)
        with suppress(OSError, SandboxError):
            while True:  # until its last report
                self._receive_report()
        for pid in self._workers:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)


def _ready_seconds(pid: int) -> float:
    """Return for how long the threads of a process have been ready to run while other processes ran."""
    total = 0
    for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            total += int(path.read_text(encoding="utf-8").split()[1])
        except (OSError, IndexError):  # the thread has ended, or the kernel does not count
            continue
    return total / 1e9


def _append(descriptor: int) -> None:
    fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) | os.O_APPEND)
