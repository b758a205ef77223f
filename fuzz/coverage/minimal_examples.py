"""Minimal examples of the differences that a coverage has met: of each name the worst are reduced, the others shown as
they were drawn.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fuzz.coverage.name_coverage import Coverage
from fuzz.differences import Difference, choose_cheapest, rank_cost
from fuzz.engine.case_judge import BUDGETS
from fuzz.shrink.shrinker import reduce_case
from fuzz.triage.element_diff import SHOWN
from fuzz.triage.leased_reduction import find_same
from fuzz.triage.root_cause import split_detail
from fuzz.triage.severity import classify_finding, rank_severity
from oracle import Case, Outcome
from oracle.harness import Lease, Sandbox, make_line

REDUCED = 2  # differences of a name, the worst first
CANDIDATES = 100  # of a reduction
LONGEST = 200  # characters of a call and of an answer
LONGEST_CASE = 2000  # characters of a case that is kept: a longer one is not reduced

FORMS = frozenset({"dtype", "structure", "static shape"})
"""The kinds of answers with the right values in another form."""

WRONG, WRONG_AT_EDGES, OTHER_FORM, RAISES, OTHER_ERRORS = range(5)
"""How severe an example is: as `rank_severity` has it, but that another form is less than another value."""


@dataclass(frozen=True)
class MinimalExample:
    """A difference with the class of its call; `is_reduced` unless there was no time."""

    difference: Difference
    call_class: str
    is_reduced: bool = False

    @property
    def severity(self) -> int:
        """How severe it is: one of WRONG, WRONG_AT_EDGES, OTHER_FORM, RAISES, OTHER_ERRORS."""
        rank, _ = rank_severity({"kind": self.difference.kind, "call_class": self.call_class})
        if rank > WRONG_AT_EDGES:
            return rank + 1
        return OTHER_FORM if self.difference.kind in FORMS else rank

    def data(self) -> dict[str, Any]:
        """Return it as JSON-serializable data: the call and both answers as texts, and a short case as JSON."""
        found = self.difference
        expected, actual = describe_answers(found)
        return {
            "kind": found.kind,
            "symptom": found.symptom,
            "call_class": self.call_class,
            "modes": list(found.modes),
            "call": shorten(str(found.minimal)),
            "expected": expected,
            "actual": actual,
            "reduced": self.is_reduced,
            "case": found.case if len(found.case) <= LONGEST_CASE else "",
        }


def find_examples(
    sandbox: Sandbox, coverage: Coverage, is_over: Callable[[], bool] = lambda: False
) -> dict[str, list[MinimalExample]]:
    """Return by name an example of each difference, the worst first. Those that do not recur when they are to be
    reduced are left out, so that a name may have none.
    """
    found = {row.name: _sort(map(make_example, row.differences.values())) for row in coverage.rows}
    found = {name: examples for name, examples in found.items() if examples}
    tasks = [
        (name, one) for turn in range(REDUCED) for name, examples in found.items() for one in examples[turn : turn + 1]
    ]
    quick = [task for task in tasks if not task[1].difference.fatal]
    reduced: dict[str, dict[MinimalExample, MinimalExample | None]] = {}
    for (name, one), other in _reduce_in_workers(sandbox, quick, is_over):
        reduced.setdefault(name, {})[one] = other
    for name, one in tasks:
        if one.difference.fatal and not is_over():
            reduced.setdefault(name, {})[one] = _reduce_death(sandbox, one, is_over)
    return {name: _sort(_replace(examples, reduced.get(name, {}))) for name, examples in found.items()}


def make_example(difference: Difference, *, is_reduced: bool = False) -> MinimalExample:
    """Return an example with the class of its call."""
    return MinimalExample(
        difference, classify_finding(difference.kind, difference.minimal, difference.symptom), is_reduced
    )


def _sort(examples: Any) -> list[MinimalExample]:
    return sorted(examples, key=lambda one: (one.severity, len(one.difference.case)))


def _replace(
    examples: list[MinimalExample], reduced: Mapping[MinimalExample, MinimalExample | None]
) -> Iterator[MinimalExample]:
    """Yield the examples, each reduced if it was, and one of each kind and symptom."""
    seen = set()
    for one in examples:
        now = reduced.get(one, one)
        if now is not None and (key := (now.difference.kind, now.difference.symptom)) not in seen:
            seen.add(key)
            yield now


Task = tuple[str, MinimalExample]


def _reduce_in_workers(
    sandbox: Sandbox, tasks: list[Task], is_over: Callable[[], bool]
) -> Iterator[tuple[Task, MinimalExample | None]]:
    """Yield the tasks that were done in time, with the reduced examples; None for one that does not recur."""
    waiting = deque(enumerate(tasks))
    while (waiting or sandbox.busy) and not is_over():
        while waiting and sandbox.free > 0:
            index, (_, one) = waiting.popleft()
            task = (one.difference, one.difference.modes, False, CANDIDATES)
            sandbox.submit(Lease(index, "fuzz.engine.tasks:reduce_difference", [task], confirm=False))
        for reply in sandbox.wait(1.0):
            yield from _read_reduction(tasks[reply.index], reply.results[0])
    if sandbox.busy:
        sandbox.cut()


def _read_reduction(task: Task, result: Any) -> Iterator[tuple[Task, MinimalExample | None]]:
    """Yield the task with its result, unless the worker died or failed: then the example stays as it is."""
    if isinstance(result, tuple):
        seen = task[1].difference.modes
        minimal: Difference | None = result[0]
        if minimal is None:
            yield task, None
        else:
            modes = tuple(sorted({*minimal.modes, *seen}, key=rank_cost))
            yield task, make_example(replace(minimal, modes=modes), is_reduced=True)


def _reduce_death(sandbox: Sandbox, example: MinimalExample, is_over: Callable[[], bool]) -> MinimalExample | None:
    """Reduce a call that ends its worker: each candidate has a lease of its own."""
    difference = example.difference
    mode = choose_cheapest(difference.modes)

    def ask(function: str, task: Any) -> Any:
        lease = Lease(0, f"fuzz.engine.tasks:{function}", [task], confirm=False, risky=True)
        (reply,) = sandbox.run([lease])
        return reply.results[0]

    def still_dies(candidate: Case) -> bool:
        if is_over():
            return False
        return find_same(ask("judge_case", (candidate.json(), (mode,))), difference) is not None

    def answer(case: Case) -> Outcome:
        result = ask("answer_case", case.json())
        return result if isinstance(result, Outcome) else Outcome(kind=getattr(result, "kind", "crash"))

    case = difference.minimal
    if not still_dies(case):
        return example if is_over() else None
    minimal = reduce_case(case, still_dies, BUDGETS.get(difference.kind, CANDIDATES), answer)
    return make_example(replace(difference, case=minimal.json()), is_reduced=True)


def describe_answers(difference: Difference) -> tuple[str, str]:
    """Return NumPy's answer and the subject's as texts of a line: whole, if they are small."""
    if not difference.outputs:
        _, expected, actual = split_detail(difference.detail)
        return shorten(expected), shorten(actual or difference.kind)
    outputs = json.loads(difference.outputs)
    return shorten(format_answer(outputs["expected"])), shorten(format_answer(outputs["actual"]))


def format_answer(form: Mapping[str, Any]) -> str:
    """Return a text of an answer as `describe_outputs` has it: "[1.0, nan] float64 (2,)", "(1.0 float64, 2 int64)"."""
    if form["form"] in ("array", "scalar"):
        return _format_array(form)
    if "items" in form:
        items = ", ".join(
            f"{one['key']}: {format_answer(one)}" if "key" in one else format_answer(one) for one in form["items"]
        )
        return {"list": "[%s]", "dict": "{%s}"}.get(form["form"], "(%s)") % items
    return str(form["text"])


def _format_array(form: Mapping[str, Any]) -> str:
    elements, shape, dtype = form.get("elements", ()), form["shape"], form["dtype"]
    if not shape:
        return f"{elements[0] if elements else '?'} {dtype}"
    first = min(form.get("differs") or [0]) - form["start"]
    begin = max(0, first - 2) if len(elements) > 8 else 0
    shown = [*(["..."] if begin or form["start"] else []), *elements[begin : begin + 8]]
    shown += ["..."] if form["start"] + min(begin + 8, SHOWN) < form["size"] else []
    told = f" of shape ({', '.join(map(str, shape))})" if len(shape) > 1 or not form["size"] else ""
    return f"[{', '.join(shown)}] {dtype}{told}"


def shorten(text: str) -> str:
    """Return the text on one line, of LONGEST characters at most."""
    text = make_line(" ".join(text.split()))
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
