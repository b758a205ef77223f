"""Findings that no single case shows: parameters that a function lacks, and names that never answered a call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from fuzz.engine.dispatcher import Dispatcher
from fuzz.engine.missing_parameters import make_finding
from fuzz.engine.summary import Counts
from fuzz.triage.ledger import Finding
from oracle import Case, Outcome
from oracle.harness import Death, Reply, dtype_class

CALLS_UNANSWERED = 8  # valid calls after which a name should have answered one in a mode
DRAWN_AT_ONCE = 64  # calls that a worker draws for missing parameters, at most


def list_unanswered(counts: Counts, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield a finding for each name and mode in which no valid call was answered by a value.

    There is none if allowances that may take every answer account for all of them, or if another finding does.
    """
    explained = {(finding.name, mode) for finding in findings for mode in finding.modes}
    for (name, mode), (index, text, error) in sorted(counts.unanswered.items()):
        asked = counts.asked[name][mode]
        if counts.answered[name][mode] or asked < CALLS_UNANSWERED or (name, mode) in explained:
            continue
        if counts.allows_all(name, mode):
            continue
        case = Case.from_json(text)
        detail = f"{asked} valid calls, none answered by a value: {error}"
        yield Finding(name, "never answered", (mode,), dtype_class(case, Outcome()), detail, case, index)


def ask_for_findings(
    dispatcher: Dispatcher,
    missing: Mapping[str, Sequence[str]],
    never: Mapping[str, Sequence[str]],
    modes: tuple[str, ...],
    enter: Callable[[Finding], None],
) -> None:
    """Have a call drawn for each missing parameter of each name, and `enter` a finding for it."""
    tasks = [
        (name, parameter, never[name])
        for name, parameters in missing.items()
        for parameter in parameters
        if not parameter.startswith("after ")
    ]
    for start in range(0, len(tasks), DRAWN_AT_ONCE):
        _ask_for_calls(dispatcher, tasks[start : start + DRAWN_AT_ONCE], modes, enter, reduced=True)


def _ask_for_calls(
    dispatcher: Dispatcher,
    tasks: Sequence[tuple[str, str, Sequence[str]]],
    modes: tuple[str, ...],
    enter: Callable[[Finding], None],
    *,
    reduced: bool,
) -> None:
    """Have calls drawn; again without reduction if NumPy crashes on a reduced one, as it does for some."""

    def then(reply: Reply) -> None:
        results = list(zip(tasks, reply.results, strict=True))
        for (name, parameter, _), text in results:
            if isinstance(text, str):
                enter(make_finding(name, parameter, modes, Case.from_json(text)))
        died = [task for task, result in results if isinstance(result, Death)]
        if died and reduced:
            _ask_for_calls(dispatcher, died, modes, enter, reduced=False)

    items = [(*task, reduced) for task in tasks]
    dispatcher.ask("draw_missing", items, then, confirm=False, risky=True)
