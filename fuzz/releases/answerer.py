"""A library in another environment that answers calls, in a sandbox."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from fuzz.releases.environments import Unavailable
from fuzz.releases.interpreters import link_packages
from oracle import Case, Outcome
from oracle.harness import (
    Death,
    Failure,
    Interpreter,
    Lease,
    Limits,
    Sandbox,
    SandboxError,
    UnknownSubject,
    decode_outcome,
)

NEEDED = ("ml_dtypes", "mpmath")
"""What the packages of this project import beside NumPy, where they answer only."""

LIMITS = Limits(seconds=20.0, patience=40.0, memory_bytes=6 << 30)


@dataclass(frozen=True)
class ReleaseAnswer:
    """Outcome of a call in one environment, with the categories and texts of its warnings."""

    outcome: Outcome
    warnings: tuple[tuple[str, str], ...] = ()


class Answerer:
    """Context manager of a sandbox in the environment of an interpreter, with a library as the subject.

    Nothing is imported from the current directory, which may be that of the library's sources.
    """

    def __init__(self, python: Path, subject: str) -> None:
        self.python, self.subject = python, subject
        harness = link_packages(python.parents[1] / "harness").absolute()
        self._sandbox = Sandbox(
            1,
            "fuzz.releases.answering:prepare",
            {"subject": subject},
            modules=(),
            limits=LIMITS,
            interpreter=Interpreter(str(python), (str(harness),)),
        )
        self.names: tuple[str, ...] = ()
        self.public: tuple[str, ...] = ()
        self.versions: dict[str, str] = {}

    def __enter__(self) -> Answerer:
        try:
            self._sandbox.open()
            found = self._call("describe", "")
            if not isinstance(found, dict):
                raise SandboxError(found.detail if isinstance(found, Death) else found.trace)
        except (SandboxError, UnknownSubject) as error:
            self._sandbox.close()
            raise Unavailable(f"{self.subject} cannot be judged in {self.python}: {error}") from None
        self.names, self.public, self.versions = found["names"], found["public"], found["versions"]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._sandbox.close()

    def ask(self, case: Case) -> ReleaseAnswer:
        """Return the answer to a case; a crash or a hang is one, too."""
        found = self._call("answer", case.json())
        if isinstance(found, Death):
            return ReleaseAnswer(Outcome(kind="hang" if found.kind == "hang" else "crash"))
        if isinstance(found, Failure):
            raise RuntimeError(f"{case} cannot be judged in {self.python}: {found.trace}")
        data, warnings = found
        try:
            return ReleaseAnswer(decode_outcome(data), warnings)
        except ValueError:  # of more elements than are read
            return ReleaseAnswer(Outcome(kind="unsupported"), warnings)

    def _call(self, function: str, item: Any) -> Any:
        (reply,) = self._sandbox.run([Lease(0, f"fuzz.releases.answering:{function}", [item], confirm=False)])
        return reply.results[0]
