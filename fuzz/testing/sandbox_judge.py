"""Judging cases in a sandbox that the caller opens, with differences as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from fuzz.differences import parse_step
from oracle import Case, Subject, judge, load_subject
from oracle.harness import Death, Failure, Lease, Sandbox


@dataclass(frozen=True)
class Found:
    """A difference: the case, its kind, the modes, and a description."""

    case: Case
    kind: str
    modes: tuple[str, ...]
    detail: str

    def __str__(self) -> str:
        return f"{self.kind} in {', '.join(self.modes)}: {self.case}: {self.detail}"


class SandboxJudge:
    """Judges cases in a sandbox, in which crashes, hangs and exhausted memory are differences, too."""

    def __init__(self, sandbox: Sandbox, modes: Sequence[str] = ("eager",)) -> None:
        self._sandbox = sandbox
        self._modes = tuple(modes)
        self._indices = count()

    def __call__(self, case: Case) -> list[Found]:
        return self.judge_all([case])[0]

    def judge_all(self, cases: Iterable[Case]) -> list[list[Found]]:
        """Return the differences of each case, all judged in one lease."""
        cases_judged = list(cases)
        items = [(case.json(), self._modes) for case in cases_judged]
        replies = self._sandbox.run([Lease(next(self._indices), "fuzz.testing.sandbox_judge:judge_in_worker", items)])
        results = [result for reply in replies for result in reply.results]
        return [self._understood(case, result) for case, result in zip(cases_judged, results, strict=True)]

    def _understood(self, case: Case, result: Any) -> list[Found]:
        if isinstance(result, Death):
            is_of_subject = parse_step(result.step) is not None  # and not of NumPy, or of a comparison
            return [Found(case, result.kind, self._modes, result.detail)] if is_of_subject else []
        if isinstance(result, Failure):
            raise RuntimeError(f"the oracle failed on {case}: {result}")
        return [Found(case, kind, modes, detail) for kind, modes, detail in result]


def prepare(subject: str) -> Subject:
    """Load the subject; `Sandbox` calls it first on behalf of `SandboxJudge`."""
    return load_subject(subject)


def judge_in_worker(subject: Subject, item: tuple[str, Sequence[str]]) -> list[tuple[str, tuple[str, ...], str]]:
    """Judge one case, and return its differences as plain data."""
    text, modes = item
    verdict = judge(Case.from_json(text), modes, subject)
    return [(found.kind, found.modes, found.detail) for found in verdict.list_errors()]
