"""Worker loop: one lease after another; each item's result is sent as soon as it is done."""

from __future__ import annotations

import errno
import faulthandler
import importlib
import os
import pickle
import resource
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

from oracle.reference.display import make_lines
from oracle.sandbox import progress
from oracle.sandbox.confinement import confine
from oracle.sandbox.crash import describe_escape
from oracle.sandbox.messages import encode, send


@dataclass(frozen=True)
class Preparation:
    """Preparation of workers: once before they are forked, or, if `late`, in each worker.

    They run in `folder`, which is removed when the last process that could write there has ended. Each worker has a
    folder of its own in there, for its working directory and temporary files, which is removed when it has ended.
    """

    function: str
    arguments: dict[str, Any] = field(default_factory=dict)
    modules: Sequence[str] = ()
    start: str = ""
    memory_bytes: int = 4 << 30
    late: bool = False
    folder: str = ""

    @property
    def label(self) -> str:
        """Return what is prepared, for messages: the subject, if there is one."""
        return str(self.arguments.get("subject") or ", ".join(self.modules) or self.function)

    def find_worker_folder(self, pid: int) -> Path:
        """Return the folder of a worker. Its name is short: a socket in a temporary directory has 107 bytes at most."""
        return Path(self.folder, str(pid))

    def context(self) -> Any:
        """Return the result of the prepare function: the first argument of every function that workers run."""
        return load_function(self.function)(**self.arguments) if self.function else None


@dataclass(frozen=True)
class Failure:
    """Result of an item whose function raised: a mistake in the function, not a death. `trace` is made printable."""

    item: Any
    trace: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "trace", make_lines(self.trace))


@dataclass(frozen=True)
class Exhausted:
    """Result of an item whose function raised MemoryError or ResourceExhaustedError. `step` is the last that it
    began.
    """

    detail: str
    step: str


@dataclass(frozen=True)
class Escaped:
    """Result of an item whose function raised something other than an Exception, such as SystemExit."""

    detail: str
    step: str
    trace: str


def work(preparation: Preparation, context: Any, limit: int, connection: int, marker: int, output: int) -> NoReturn:
    """Run leases that arrive on `connection` until it is closed."""
    for descriptor in (connection, marker):
        os.set_inheritable(descriptor, False)  # a program that a call starts must not keep them open
    _detach(output)
    enter_folder(preparation.find_worker_folder(os.getpid()))
    confine(os.getcwd())
    progress.keep(marker)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limit_memory(limit)
    if preparation.late:
        context = preparation.context()
    if preparation.start:
        context = load_function(preparation.start)(context)
    link, first, state = Connection(connection), resident_bytes(), ProcessState.read()
    while True:
        try:
            function, items = pickle.loads(link.recv_bytes())
        except EOFError:
            os._exit(0)
        _answer(link, context, function, items, first, state)


def limit_memory(limit: int) -> None:
    """Limit the address space, as far as the hard limit that this process was started with allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


SPARE = 64
"""How many descriptors calls may leave open before their worker is replaced."""


@dataclass
class ProcessState:
    """The state of a process that a call may change, and the next one would see. `descriptor` is the smallest free one
    after the first item, by which libraries have opened what they need.
    """

    folder: str
    environment: dict[str, str]
    umask: int
    signals: frozenset[Any]
    path: tuple[str, ...]
    recursion: int
    descriptor: int | None = None

    @classmethod
    def read(cls) -> ProcessState:
        """Return the state of this process."""
        umask = os.umask(0)
        os.umask(umask)
        signals = frozenset(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
        return cls(os.getcwd(), dict(os.environ), umask, signals, tuple(sys.path), sys.getrecursionlimit())

    def restore(self) -> None:
        """Make the state of this process what it was. Raises OSError if that cannot be done."""
        os.chdir(self.folder)
        os.umask(self.umask)
        signal.pthread_sigmask(signal.SIG_SETMASK, self.signals)
        for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
            signal.setitimer(timer, 0)
        if dict(os.environ) != self.environment:
            os.environ.clear()
            os.environ.update(self.environment)
        if tuple(sys.path) != self.path:
            sys.path[:] = self.path
        if sys.getrecursionlimit() != self.recursion:
            sys.setrecursionlimit(self.recursion)
        tempfile.tempdir = None
        free = find_free_descriptor()
        self.descriptor = free if self.descriptor is None else self.descriptor
        if free > self.descriptor + SPARE:
            raise OSError(errno.EMFILE, "calls have left too many descriptors open")


def find_free_descriptor() -> int:
    """Return the smallest number that no descriptor has. Raises OSError if there can be no other."""
    descriptor = os.dup(1)
    os.close(descriptor)
    return descriptor


def enter_folder(folder: Path) -> None:
    """Make a folder this process's working directory, and where it and what it starts make temporary files.

    Libraries remove some of those only when the interpreter ends, as AutoGraph does the modules that it writes, or not
    if the process is killed. If the disk is full, the folder of all workers remains.
    """
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return
    os.chdir(folder)
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None  # the directory that was asked for before


def load_function(path: str) -> Callable[..., Any]:
    """Return the function that "module:function" names."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


def _detach(output: int) -> None:
    """Leave the terminal's session, so that its interrupts reach the parent only, and redirect output."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    text = {"encoding": "utf-8", "errors": "backslashreplace", "buffering": 1, "closefd": False}
    sys.stdout, sys.stderr = (open(descriptor, "w", **text) for descriptor in (1, 2))  # noqa: SIM115
    faulthandler.enable(file=2, all_threads=False)
    faulthandler.register(signal.SIGUSR1, file=2, all_threads=False)
    try:
        Path("/proc/self/oom_score_adj").write_text(
            "900"
        )  # if the machine runs out of memory, a worker is killed first
    except OSError:
        pass


def _answer(
    link: Connection, context: Any, function: str, items: Sequence[Any], first: int, state: ProcessState
) -> None:
    """Answer each item. The process's state is restored after each; where that fails, the growth is SPENT."""
    process = os.getpid()
    for item in items:
        progress.take_times()  # those of the item before, and of waiting
        progress.step("beginning")
        try:
            result = copy_context().run(_run, function, context, item)
        except Exception as error:  # noqa: BLE001 - the item's function decides what it raises
            exhausted = isinstance(error, MemoryError) or type(error).__name__ == "ResourceExhaustedError"
            message = f"{type(error).__name__}: {error}"
            result = Exhausted(message, progress.last_step()) if exhausted else _failure(item)
        except BaseException as error:  # noqa: BLE001 - nothing here is interrupted: a call has raised it
            result = Escaped(describe_escape(error), progress.last_step(), traceback.format_exc())
        if os.getpid() != process:  # the call has made this process, and returned in both
            os._exit(0)
        try:
            state.restore()
            growth = resident_bytes() - first
        except OSError:
            growth = SPENT
        try:
            data = encode((result, growth))
        except Exception:  # noqa: BLE001 - pickling raises whatever the object likes
            data = encode((_failure(item), 0))
        send(link.fileno(), data)


SPENT = 1 << 62
"""The growth in bytes, in place of the real one, of a worker that cannot go on: it is replaced before the next item."""


def _run(function: str, context: Any, item: Any) -> Any:
    """Run a function on an item, in a context of its own: there NumPy keeps how it treats floating-point errors."""
    with warnings.catch_warnings():
        return load_function(function)(context, item)


def _failure(item: Any) -> Failure:
    return Failure(item, traceback.format_exc())


def resident_bytes() -> int:
    """Return the anonymous resident memory of this process, including what it inherited from the fork server."""
    with open(
        "/proc/self/statm", "rb", buffering=0
    ) as file:  # after every item: a path's method takes ten times longer
        _, resident, file_backed, *_ = file.read().split()
    return (int(resident) - int(file_backed)) * resource.getpagesize()
