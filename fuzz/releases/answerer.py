"""A process in another environment that answers calls, and is started anew when a call kills it."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from fuzz.releases.environments import Unavailable
from fuzz.releases.interpreters import link_packages
from oracle import Case, Outcome
from oracle.harness import decode_outcome

NEEDED = ("ml_dtypes", "mpmath")
"""What the packages of this project import beside NumPy, where they answer only."""

STARTING, ANSWERING, ENDING = 300.0, 20.0, 5.0  # seconds


@dataclass(frozen=True)
class Answer:
    """Outcome of a call in one environment, with the categories and texts of its warnings, and its seconds."""

    outcome: Outcome
    warnings: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0


class Answerer:
    """A process of an interpreter, with a library as the subject."""

    def __init__(self, python: Path, subject: str) -> None:
        self.python, self.subject = python, subject
        self.names: tuple[str, ...] = ()
        self.public: tuple[str, ...] = ()
        self.versions: dict[str, str] = {}

    def __enter__(self) -> Answerer:
        self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def ask(self, case: Case) -> Answer:
        """Return the answer to a case; a crash or a hang is one, too."""
        with suppress(BrokenPipeError):
            assert self._process.stdin is not None
            self._process.stdin.write(case.json() + "\n")
            self._process.stdin.flush()
        try:
            line = self._lines.get(timeout=ANSWERING)
        except queue.Empty:
            self._restart()
            return Answer(Outcome(kind="hang"))
        if not line:
            self._restart()
            return Answer(Outcome(kind="crash"))
        data = json.loads(line)
        told = tuple((category, text) for category, text in data["warnings"])
        try:
            outcome = decode_outcome(data["outcome"])
        except ValueError:  # of more elements than are read
            outcome = Outcome(kind="unsupported")
        return Answer(outcome, told, data["seconds"])

    def _start(self) -> None:
        command = [str(self.python), "-m", "fuzz.releases.answering", self.subject]
        environment = os.environ | {
            "PYTHONPATH": str(link_packages(self.python.parents[1] / "harness")),
            "TF_CPP_MIN_LOG_LEVEL": "3",
        }
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._errors: list[str] = []
        threading.Thread(target=self._read, args=(self._process, self._lines), daemon=True).start()
        listener = threading.Thread(target=self._listen, args=(self._process, self._errors), daemon=True)
        listener.start()
        try:
            first = self._lines.get(timeout=STARTING)
        except queue.Empty:
            first = ""
        if not first:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(ENDING)
            listener.join(ENDING)
            self._stop()
            last = next((line.strip() for line in reversed(self._errors) if line.strip()), "it told nothing")
            raise Unavailable(f"{self.subject} cannot be judged in {self.python}: {last}")
        data: dict[str, Any] = json.loads(first)
        self.names, self.public, self.versions = tuple(data["names"]), tuple(data["public"]), data["versions"]

    @staticmethod
    def _read(process: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        lines.put("")  # it has ended

    @staticmethod
    def _listen(process: subprocess.Popen[str], errors: list[str]) -> None:
        assert process.stderr is not None
        for line in process.stderr:
            errors.append(line)
            del errors[:-50]

    def _restart(self) -> None:
        self._stop()
        self._start()

    def _stop(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()  # what the others still hold is read by threads, which then end
