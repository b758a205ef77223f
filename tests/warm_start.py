"""Start processes by forking: one for each pytest worker has imported what all of them import.

A sandbox starts an interpreter that imports the harness and often TensorFlow, which takes one to five seconds of CPU
time; more than a hundred tests open one. So do programs that need a TensorFlow whose runtime has not started. Tests of
what an import does, and those of the command line in a process of its own, start interpreters as ever.
"""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from oracle.sandbox import forkserver
from oracle.sandbox.client import _ENVIRONMENT, ForkServerClient

ROOT = Path(__file__).parents[1]
IMPORTED = ("tensorflow", "tfnp", "fuzz.engine.tasks", "fuzz.mutants.subjects")
LONGEST = 1 << 20  # bytes of a request
SAME = ("PYTHONHASHSEED", "TF_CPP_MIN_LOG_LEVEL")  # environment that is read while an interpreter starts or imports

launch_cold = ForkServerClient._launch
MOST_DESCRIPTORS = 2  # of a request


class WarmProcess:
    """A process that was forked; what `ForkServerClient` asks of a `subprocess.Popen`."""

    def __init__(self, start: WarmStart, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._start = start
        self._descriptor = os.pidfd_open(pid)

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit status. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._descriptor], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a forked process", timeout or 0)
            os.close(self._descriptor)
            self.returncode = os.waitstatus_to_exitcode(self._start.ask({"wait": self.pid}))
        return self.returncode

    def kill(self) -> None:
        """Kill it, if it still lives: it is nobody else's number before it was waited for."""
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)


class WarmStart:
    """Client of the process that forks the others. It starts with the first, and ends with this process."""

    def __init__(self) -> None:
        self._control: socket.socket | None = None
        self._environment: dict[str, str] = {}
        self._lock = threading.Lock()

    def launch(self, client: ForkServerClient, descriptor: int, folder: str) -> Any:
        """Do what `ForkServerClient._launch` does, but fork where that starts an interpreter."""
        environment = {**os.environ, **client._environment}
        if self._control is None:
            self._open(environment)
        is_another = client._interpreter.python != sys.executable
        if is_another or any(environment.get(key) != self._environment.get(key) for key in SAME):
            return launch_cold(client, descriptor, folder)
        return self._fork(environment, folder, descriptor)

    def run(
        self, code: str, *arguments: str, cwd: str | Path = ROOT, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a program as `python -c` does, in an interpreter that has imported TensorFlow and started nothing."""
        environment = {**os.environ, **environment}
        if self._control is None:
            self._open({**environment, **_ENVIRONMENT})
        output, errors = os.memfd_create("output"), os.memfd_create("errors")
        process = self._fork(environment, str(cwd), output, errors, code=code, arguments=arguments)
        status = process.wait()
        texts = [os.pread(one, os.fstat(one).st_size, 0).decode() for one in (output, errors)]
        os.close(output)
        os.close(errors)
        return subprocess.CompletedProcess(code, status, *texts)

    def _fork(self, environment: dict[str, str], folder: str, *descriptors: int, **others: Any) -> WarmProcess:
        path = [str(Path(entry).absolute()) for entry in sys.path]
        request = {"environment": environment, "path": path, "folder": folder, **others}
        return WarmProcess(self, self.ask(request, *descriptors))

    def ask(self, request: dict[str, Any], *descriptors: int) -> int:
        """Send a request, and return the answer."""
        assert self._control is not None
        with self._lock:
            socket.send_fds(self._control, [pickle.dumps(request)], descriptors)
            return pickle.loads(self._control.recv(LONGEST))

    def _open(self, environment: dict[str, str]) -> None:
        self._control, child = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._environment = environment
        path = os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)
        code = f"from tests.warm_start import serve; serve({child.fileno()})"
        subprocess.Popen(
            [sys.executable, "-P", "-c", code],
            cwd=ROOT,
            pass_fds=[child.fileno()],
            env={**environment, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        child.close()


warm_start = WarmStart()
"""This process's."""


def launch_warm(client: ForkServerClient, descriptor: int, folder: str) -> Any:
    """Stand in for `ForkServerClient._launch`."""
    return warm_start.launch(client, descriptor, folder)


def serve(descriptor: int) -> NoReturn:
    """Fork a process for each request, until the one who asks is gone."""
    control = socket.socket(fileno=descriptor)
    for module in IMPORTED:
        importlib.import_module(module)
    gc.collect()
    gc.freeze()
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, LONGEST, MOST_DESCRIPTORS)
        if not data:
            os._exit(0)
        request = pickle.loads(data)
        if "wait" in request:
            control.send(pickle.dumps(os.waitpid(request["wait"], 0)[1]))
            continue
        server = os.getpid()
        pid = os.fork()
        if pid == 0:
            control.close()
            _become(server, request, *descriptors)
        for one in descriptors:
            os.close(one)
        control.send(pickle.dumps(pid))


def _become(parent: int, request: dict[str, Any], *descriptors: int) -> NoReturn:
    """Be a new interpreter's process: a fork server, or one that runs a program."""
    try:
        os.setsid()
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environment"])
        sys.path[:] = dict.fromkeys(request["path"])
        importlib.invalidate_caches()
        if "code" in request:
            _run(request["code"], request["arguments"], *descriptors)
        forkserver.serve(*descriptors, parent)
    finally:
        os._exit(1)


def _run(code: str, arguments: Sequence[str], output: int, errors: int) -> NoReturn:
    os.dup2(output, 1)
    os.dup2(errors, 2)
    sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115 - open until the process ends
    sys.argv = ["-c", *arguments]
    main = ModuleType("__main__")
    sys.modules["__main__"] = main
    status = 0
    try:
        exec(compile(code, "<string>", "exec"), main.__dict__)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:  # noqa: BLE001 - reports it and ends, as an interpreter does
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
