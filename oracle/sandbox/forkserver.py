"""Fork server: the process that workers are forked from, which has imported everything and started no runtime.

Importing TensorFlow takes seconds, forking a process that has imported it takes hundredths of one. But a fork of a
process with a started runtime, or a second thread, hangs. So this process prepares, counts its threads, and then only
forks, signals and reaps on request. It ends when its parent does, and its workers end with it.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import os
import pickle
import resource
import selectors
import signal
import socket
import struct
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from oracle.reference.display import format_object, make_line, make_lines
from oracle.sandbox.folders import hold, remove_tree
from oracle.sandbox.messages import decode, encode
from oracle.sandbox.worker import Preparation, enter_folder, work

REPORT = struct.Struct("<qqq")  # what happened, to whom, with what status
FORKED, DEAD = 1, 2
REQUEST = struct.Struct("<qq")  # the signal to send, or FORK; to whom
FORK = 0
_SET_PARENT_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36
_MOST_ROUNDS = 1000  # of killing what dead workers have started, while that starts more


@dataclass(frozen=True)
class Readiness:
    """The fork server's report after preparing: an error, or its number of threads."""

    error: BaseException | None
    trace: str
    threads: int


def die_with_parent(parent: int, *, enabled: bool = True) -> None:
    """Have the kernel kill this process when its parent ends, however that happens; or not, if not `enabled`."""
    ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL if enabled else 0)
    if os.getppid() != parent:
        os._exit(1)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends, also of those in a session of their own."""
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def list_children() -> list[int]:
    """Return the process ids of this process's children."""
    parent, children = str(os.getpid()), []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with suppress(OSError), open(f"/proc/{entry}/stat", "rb") as file:
                if file.read().rpartition(b")")[2].split()[1].decode() == parent:
                    children.append(int(entry))
    return children


def serve(descriptor: int, parent: int) -> NoReturn:
    """Run the fork server; `descriptor` is a socket to the parent."""
    die_with_parent(parent)
    adopt_orphans()
    control = socket.socket(fileno=descriptor)
    size = int(control.recv(64))
    preparation = _receive(control, size)
    enter_folder(Path(preparation.folder))
    hold(preparation.folder)
    readiness, context = _prepare(preparation)
    _send(control, readiness)
    if readiness.error is not None:
        os._exit(1)
    # From now on the socket's end is the sign. The kernel's would come when the parent's thread ends that started us.
    die_with_parent(parent, enabled=False)
    gc.collect()
    gc.freeze()
    ForkServer(control, preparation, context).run()


def _prepare(preparation: Preparation) -> tuple[Readiness, Any]:
    context, error, trace = None, None, ""
    try:
        for module in preparation.modules:
            importlib.import_module(module)
        if not preparation.late:
            context = preparation.context()
    except BaseException as raised:  # noqa: BLE001 - whatever it is, the parent must hear of it
        error, trace = _portable(raised), traceback.format_exc()
    return Readiness(error, make_lines(trace), len(os.listdir("/proc/self/task"))), context


def _portable(error: BaseException) -> BaseException:
    try:
        decode(encode(error))
    except Exception:  # noqa: BLE001 - any failure means that it does not travel
        return RuntimeError(make_line(f"{type(error).__name__}: {format_object(error, str)}"))
    return error


def _receive(control: socket.socket, size: int) -> Any:
    data = bytearray()
    while len(data) < size:
        part = control.recv(size - len(data))
        if not part:
            os._exit(0)
        data += part
    return pickle.loads(bytes(data))


def _send(control: socket.socket, value: Any) -> None:
    data = encode(value)
    control.sendall(f"{len(data):<64}".encode())
    control.sendall(data)


class ForkServer:
    """The loop of the fork server: fork, signal and reap workers on request."""

    def __init__(self, control: socket.socket, preparation: Preparation, context: Any) -> None:
        self._control = control
        self._preparation = preparation
        self._context = context
        self._workers: set[int] = set()
        self._base = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()  # noqa: SIM115

    def run(self) -> NoReturn:
        """Serve until the parent is gone."""
        awake, wake = os.pipe()
        os.set_blocking(awake, False)
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        selector = selectors.EpollSelector()
        selector.register(self._control, selectors.EVENT_READ)
        selector.register(awake, selectors.EVENT_READ)
        inherited = (awake, wake, selector.fileno(), self._control.fileno())
        while True:
            ready = {key.fileobj for key, _ in selector.select()}
            if awake in ready:
                os.read(awake, 4096)
            try:
                if self._control in ready:
                    self._obey(inherited)
                self._reap()
            except ConnectionError:  # the parent has ended; if it had not read a report, its socket is reset
                self._end()

    def _obey(self, inherited: Sequence[int]) -> None:
        data, descriptors, _, _ = socket.recv_fds(self._control, REQUEST.size, 3)
        if len(data) < REQUEST.size:
            self._end()
        request, pid = REQUEST.unpack(data)
        if request != FORK:
            if pid in self._workers:
                os.kill(pid, request)
            return
        server = os.getpid()
        pid = os.fork()
        if pid == 0:
            self._become_worker(server, inherited, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        self._workers.add(pid)
        self._control.sendall(REPORT.pack(FORKED, pid, 0))

    def _end(self) -> NoReturn:
        """Kill the workers and what they started, remove the folder, and exit."""
        for pid in self._workers:
            os.kill(pid, signal.SIGKILL)
        for pid in self._workers:
            with suppress(ChildProcessError):
                os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
                _bury(pid)  # one that still lives could write to the folder while it is removed
        self._workers.clear()
        self._kill_orphans()
        remove_tree(self._preparation.folder)
        os._exit(0)

    def _reap(self) -> None:
        while self._workers:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None:
                return
            if ended.si_pid not in self._workers:
                os.waitpid(ended.si_pid, 0)
                continue
            pid, status = ended.si_pid, _bury(ended.si_pid)
            self._workers.discard(pid)
            self._kill_orphans()
            self._control.sendall(REPORT.pack(DEAD, pid, status))
            remove_tree(str(self._preparation.find_worker_folder(pid)))

    def _kill_orphans(self) -> None:
        """Kill what dead workers have started and what that has: a worker keeps its own orphans, so that a child of
        this process that is no worker was started by one that is dead. It may hold the worker's connection open.
        """
        for _ in range(_MOST_ROUNDS):
            orphans = [pid for pid in list_children() if pid not in self._workers]
            if not orphans:
                return
            for pid in orphans:
                with suppress(ProcessLookupError, ChildProcessError):
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)

    def _become_worker(self, server: int, inherited: Sequence[int], descriptors: Sequence[int]) -> NoReturn:
        try:
            die_with_parent(server)
            adopt_orphans()
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for descriptor in inherited:
                os.close(descriptor)
            limit = self._base + self._preparation.memory_bytes
            work(self._preparation, self._context, limit, *descriptors)
        except BaseException:  # noqa: BLE001 - nothing may return into the fork server's own loop
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(1)


def _bury(pid: int) -> int:
    """Return the wait status of a worker that has ended, and kill the processes that it started and that live on."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)  # nobody else has its number before it was waited for
    return os.waitpid(pid, 0)[1]
