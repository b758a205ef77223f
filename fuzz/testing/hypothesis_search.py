"""The simplest disagreement of one function: Hypothesis generates and shrinks calls, the oracle judges them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.strategies import SearchStrategy

from fuzz.strategies import calls
from oracle import Case, Death, Failure, Lease, Sandbox, Subject, judge, load_subject

PROFILE = "search"
EXAMPLES = 200

# Compiling for the first time takes a second, after which the same takes a millisecond: no deadline can be right.
settings.register_profile(
    PROFILE,
    deadline=None,
    database=None,
    derandomize=True,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example),
    print_blob=False,
    report_multiple_bugs=True,
)


@dataclass(frozen=True)
class Found:
    """A disagreement: the case, its kind, the modes, and a description."""

    case: Case
    kind: str
    modes: tuple[str, ...]
    detail: str

    def __str__(self) -> str:
        return f"{self.kind} in {', '.join(self.modes)}: {self.case}: {self.detail}"


Judge = Callable[[Case], Sequence[Found]]


class Shown(Exception):
    """Exception that carries a disagreement through Hypothesis, which shrinks each exception class by itself."""

    def __init__(self, found: Found) -> None:
        super().__init__(str(found))
        self.found = found


@cache
def exception_for(kind: str) -> type[Shown]:
    """Return the exception class of a kind."""
    return type(kind.title().replace(" ", ""), (Shown,), {"__module__": __name__})


def smallest(name: str, judge: Judge, examples: int = EXAMPLES, seed: int | None = None) -> list[Found]:
    """Return the simplest case found for each kind of disagreement that `judge` reports.

    The same arguments give the same result on every machine; another `seed` searches elsewhere.
    """
    return smallest_of(calls(name), judge, examples, seed)


def smallest_of(
    strategy: SearchStrategy[Case], judge: Judge, examples: int = EXAMPLES, seed: int | None = None
) -> list[Found]:
    """Return the simplest case found for each kind of disagreement, from any strategy of cases.

    Hypothesis ends soon after a first failure, so the search is repeated, without the kinds found so far, until it
    finds none.
    """
    known: dict[str, Found] = {}
    while new := _search(strategy, judge, examples, seed, frozenset(known)):
        known.update((found.kind, found) for found in new)
    return list(known.values())


def _search(
    strategy: SearchStrategy[Case], judge: Judge, examples: int, seed: int | None, known: frozenset[str]
) -> list[Found]:
    def probe(case: Case) -> None:
        for found in judge(case):
            if found.kind not in known:
                raise exception_for(found.kind)(found)

    test = given(strategy)(probe)
    if seed is not None:
        test = seeded(seed)(test)
    test = settings(settings.get_profile(PROFILE), max_examples=examples)(test)
    try:
        test()
    except Shown as shown:
        return [shown.found]
    except BaseExceptionGroup as group:
        return [shown.found for shown in group.exceptions if isinstance(shown, Shown)]
    return []


class SandboxJudge:
    """Judges cases in a sandbox, in which crashes, hangs and exhausted memory are disagreements, too."""

    def __init__(self, sandbox: Sandbox, modes: Sequence[str] = ("eager",)) -> None:
        self._sandbox = sandbox
        self._modes = tuple(modes)
        self._indices = count()

    def __call__(self, case: Case) -> list[Found]:
        return self.judge_all([case])[0]

    def judge_all(self, cases: Iterable[Case]) -> list[list[Found]]:
        """Return the disagreements of each case, all judged in one lease."""
        cases_judged = list(cases)
        items = [(case.json(), self._modes) for case in cases_judged]
        replies = self._sandbox.run(
            [Lease(next(self._indices), "fuzz.testing.hypothesis_search:judge_in_worker", items)]
        )
        results = [result for reply in replies for result in reply.results]
        return [self._understood(case, result) for case, result in zip(cases_judged, results, strict=True)]

    def _understood(self, case: Case, result: Any) -> list[Found]:
        if isinstance(result, Death):
            return [Found(case, result.kind, self._modes, result.detail)]
        if isinstance(result, Failure):
            raise RuntimeError(f"the oracle failed on {case}: {result}")
        return [Found(case, kind, modes, detail) for kind, modes, detail in result]


def prepare(subject: str) -> Subject:
    """Load the subject; `Sandbox` calls it first on behalf of `SandboxJudge`."""
    return load_subject(subject)


def judge_in_worker(subject: Subject, item: tuple[str, Sequence[str]]) -> list[tuple[str, tuple[str, ...], str]]:
    """Judge one case, and return its disagreements as plain data."""
    text, modes = item
    verdict = judge(Case.from_json(text), modes, subject)
    return [(found.kind, found.modes, found.detail) for found in verdict.disagreements()]
