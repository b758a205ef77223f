"""Judging single cases in a sandbox, where a crash does no harm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any

from fuzz.differences import DEATHS, Difference, choose_cheapest, label_mode, parse_step, rank_cost
from fuzz.engine.dispatcher import TASKS
from fuzz.engine.domain import Unusable
from fuzz.engine.domains import check_modes, check_options
from fuzz.engine.missing_parameters import find_surplus, inspect_parameters, join_parameters
from fuzz.engine.tasks import OWN, WorkerContext
from fuzz.releases.interpreters import find_interpreter
from fuzz.shrink.shrinker import reduce_case
from fuzz.triage.records import Record, decide_status
from oracle import Case, Mode, Outcome
from oracle.harness import Death, Failure, Lease, Limits, Reply, Sandbox, dtype_class

BUDGET, BUDGETS = (
    400,
    {"crash": 60, "hang": 12, "memory": 6},
)  # candidates of a reduction, by kind: deaths are expensive


MODES = ("eager", "graph", "xla")
"""Those of a subject that has no default of its own."""


class JudgeDied(RuntimeError):
    """A worker has ended in a step in which the subject does not run."""


@dataclass(frozen=True)
class Parameters:
    """The parameters of NumPy's that a function of the subject lacks, and all that are never given to it."""

    missing: tuple[str, ...]
    never: tuple[str, ...]


class CaseJudge:
    """Context manager around a sandbox that judges cases against one subject.

    Without `modes` they are the subject's own default, which is known once the sandbox is open. For `exact_errors` see
    `oracle.Subject`.
    """

    def __init__(
        self,
        subject: str | None,
        modes: Sequence[str] | None,
        devices: Sequence[str] = ("CPU:0",),
        setup: str | None = None,
        limits: Limits | None = None,
        *,
        exact_errors: bool = False,
        interpreter: str = "",
    ) -> None:
        self.subject = subject or OWN
        self._is_unasked, self._devices = modes is None, tuple(devices)
        check_modes(self.subject, modes or ())
        check_options(self.subject, ("setup",) if setup else ())
        self.modes = self._label(modes or MODES)
        arguments = {
            "subject": self.subject,
            "devices": tuple(devices),
            "names": (),
            "setup": setup or "",
            "modes": modes or MODES,
            "exact_errors": exact_errors,
        }
        self._sandbox = Sandbox(
            1,
            f"{TASKS}:prepare",
            arguments,
            start=f"{TASKS}:start",
            limits=limits,
            modules=(),
            interpreter=find_interpreter(interpreter),
        )
        self._asked = 0

    def __enter__(self) -> CaseJudge:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._sandbox.close()

    def open(self) -> None:
        """Load the subject. Raises what loading it raises, and Unusable for a mode that it does not have."""
        self._sandbox.open()
        try:
            own = check_modes_found(self._ask("find_modes", () if self._is_unasked else self.modes))
        except Unusable:
            self._sandbox.close()
            raise
        if self._is_unasked:
            self.modes = self._label(own or MODES)

    def close(self) -> None:
        """End all processes."""
        self._sandbox.close()

    def look(self, names: Sequence[str]) -> dict[str, Parameters]:
        """Return the names that the subject itself defines, each with the parameters that are not given to it.

        Raises RuntimeError if looking at the subject ends the process.
        """
        result = self._call("fuzz.engine.case_judge:look_at", (names, True))
        if isinstance(result, Death):  # perhaps of a call that tried a parameter
            result = self._call("fuzz.engine.case_judge:look_at", (names, False))
        if not isinstance(result, dict):
            raise RuntimeError(f"{self.subject} cannot be inspected: {getattr(result, 'trace', result)}")
        return result

    def answer(self, case: Case) -> Any:
        """Return NumPy's outcome; a crash of NumPy is an outcome, too. Of a program, return the results of its first
        steps.
        """
        result = self._ask("answer_case", case.json())
        return result if isinstance(result, Outcome | list) else Outcome()

    def reduce(self, case: Case, difference: Difference, budget: int | None = None) -> tuple[Case, Difference]:
        """Return the smallest case found with the same difference, and its difference in every mode."""
        mode = choose_cheapest(difference.modes)

        def still_fails(candidate: Case) -> bool:
            try:
                return _find_alike(self.judge(candidate, [mode]), difference) is not None
            except JudgeDied:
                return False

        minimal = reduce_case(case, still_fails, budget or BUDGETS.get(difference.kind, BUDGET), self.answer)
        return minimal, _find_alike(self.judge(minimal), difference) or difference

    def reproduces(self, source: str) -> bool:
        """Return whether a script, run in a fresh process, shows its difference."""
        return self._ask("run_script", source, fresh=True) == 1

    def judge(self, case: Case, modes: Sequence[str] | None = None) -> list[Difference]:
        """Return the differences of a case. Each mode is judged by itself, so that a crash in one leaves the
        others. Raises JudgeDied if a worker ends while it runs NumPy, or compares: the subject is not at fault.
        """
        merged: dict[tuple[str, str], Difference] = {}
        for mode in modes or self.modes:
            for difference in self._judge_in(case, mode):
                key = (difference.kind, difference.detail if difference.kind in DEATHS else "")
                earlier = merged.get(key)
                seen = {mode} if earlier is None else {*earlier.modes, mode}
                merged[key] = replace(earlier or difference, modes=tuple(sorted(seen, key=rank_cost)))
        return list(merged.values())

    def rejudge(self, record: Record, modes: Sequence[str] = ()) -> Record:
        """Return a record with its status, judged in these modes, by default in its own, or in all if it has none; not
        in those in which it is slow.
        """
        asked = (
            modes or [mode for mode in record.modes if mode in self.modes] or (not record.is_fixed and self.modes) or ()
        )
        judged = [mode for mode in asked if mode not in record.slow]
        if not judged:
            return decide_status(record, None)
        try:
            seen = [one for case in record.cases for one in self.judge(case, judged)]
        except JudgeDied as error:
            return decide_status(record, None, trouble=str(error))
        return decide_status(record, seen, judged)

    def find_not_judged(self, cases: Iterable[Case]) -> tuple[str, ...]:
        """Return the modes that answer none of these cases by a value that can be judged."""
        texts = [case.json() for case in cases]
        return tuple(mode for mode in self.modes if not any(self._has_judged(text, mode) for text in texts))

    def _has_judged(self, text: str, mode: str) -> bool:
        return self._ask("has_judged", (text, mode)) is True

    def write_script(self, difference: Difference, case: Case) -> str:
        """Return the source of a script that shows the difference in this case.

        It is made in a worker, because it needs NumPy's answer.
        """
        source = self._ask("write_script", replace(difference, case=case.json()))
        source = source[0] if isinstance(source, tuple) else source
        if not isinstance(source, str):
            raise RuntimeError(f"no script for {case}: {getattr(source, 'trace', source)}")
        return source

    def _label(self, modes: Sequence[str]) -> tuple[str, ...]:
        return tuple(label_mode(str(Mode(mode, device))) for device in self._devices for mode in modes)

    def _judge_in(self, case: Case, mode: str) -> list[Difference]:
        return read_differences(self._ask("judge_case", (case.json(), (mode,))), case, mode)

    def _ask(self, function: str, item: Any, *, fresh: bool = False) -> Any:
        return self._call(f"{TASKS}:{function}", item, fresh=fresh)

    def _call(self, function: str, item: Any, *, fresh: bool = False) -> Any:
        self._asked += 1
        (reply,) = self._sandbox.run([Lease(self._asked, function, [item], confirm=False, fresh=fresh)])
        return reply.results[0]


def describe_failure(failure: Failure) -> str:
    """Return the message of the exception that a task of a worker raised."""
    return failure.trace.strip().rpartition("\n")[2].partition(": ")[2]


def check_modes_found(result: Any) -> tuple[str, ...]:
    """Return the modes that a worker found. Raises Unusable for one that was asked for and that the subject lacks."""
    if isinstance(result, Failure):
        raise Unusable(describe_failure(result))
    return result if isinstance(result, tuple) else ()


def read_differences(result: Any, case: Case, mode: str) -> list[Difference]:
    """Return the differences that a worker found in a mode; it may have died of one. Raises JudgeDied if NumPy or a
    comparison ended it, RuntimeError if the harness failed.
    """
    if isinstance(result, Death) and parse_step(result.step) is not None:
        dtype = dtype_class(case)
        return [Difference(0, 0, case.name, result.kind, (mode,), dtype, result.detail, case.json(), fatal=True)]
    if isinstance(result, Death):
        raise JudgeDied(f"the case cannot be judged: {result.kind} in {result.step}: {result.detail}")
    if not isinstance(result, list):
        raise RuntimeError(f"the case cannot be judged: {getattr(result, 'trace', result)}")
    return result


def read_known(asked: Sequence[tuple[Case, str, Sequence[Reply]]]) -> list[Difference] | None:
    """Return what the cases of a known finding show now; None if that is not known."""
    found: list[Difference] = []
    for case, mode, replies in asked:
        try:
            found += read_differences(replies[0].results[0], case, mode)
        except (IndexError, RuntimeError):
            return None
    return found if asked else None


def look_at(bench: WorkerContext, task: tuple[Sequence[str], bool]) -> dict[str, Parameters]:
    """Return which of some names the subject itself defines, each with the parameters that it lacks, and with all that
    are never given to it. The task also says whether functions are called to find that out. Runs in a worker.
    """
    names, tries = task
    present = [name for name in names if bench.subject.has(name) and not bench.subject.reexports(name)]
    missing, withheld = inspect_parameters(bench.subject, present, tries)
    surplus = {name: find_surplus(name, bench.subject.find(name)) for name in present}
    never = join_parameters(missing, surplus, withheld)
    return {name: Parameters(missing.get(name, ()), never[name]) for name in present}


def _find_alike(differences: Sequence[Difference], difference: Difference) -> Difference | None:
    return next((one for one in differences if one.resembles(difference)), None)
