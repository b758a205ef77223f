"""The tasks of workers that judge calls of NumPy's API: judge an item, reduce a difference, write a script. They take
and return plain data.
"""

from __future__ import annotations

import importlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter
from typing import Any

import fuzz.adapters  # noqa: F401 - registers the adapters under the names of their libraries
from fuzz.differences import (
    CHEAPEST_MODE,
    UNSTABLE,
    Difference,
    Reduced,
    choose_cheapest,
    label_mode,
    rank_cost,
)
from fuzz.engine.core_seconds import Stopwatch, count_phases
from fuzz.engine.drawing import NO_PROGRAMS, ProgramSource, draw
from fuzz.engine.feedback import hash_answers, hash_structure
from fuzz.engine.item_results import ItemResult, Survey
from fuzz.engine.missing_parameters import draw_call, inspect_parameters, join_parameters
from fuzz.engine.scheduler import SIBLINGS, Item
from fuzz.generate.argument_coverage import classify_answered, list_forms
from fuzz.generate.array_likes import ONLY_ARRAYS
from fuzz.generate.calls import draw_case
from fuzz.generate.choices import SeedChoices
from fuzz.generate.signatures import given
from fuzz.repro.runner import run_source
from fuzz.repro.script import write_repro
from fuzz.shrink.shrinker import reduce_case
from fuzz.triage.element_diff import describe_outputs
from fuzz.triage.symptom import find_symptom
from oracle import Case, Mode, Outcome, Subject, Verdict, load_subject
from oracle.harness import (
    PREFIX,
    UnknownSubject,
    check_offered,
    configure_devices,
    distribution_cases,
    find_fault,
    find_mode,
    find_op,
    find_stale,
    is_of_ops,
    judge_siblings,
    library_of,
    list_devices,
    needed_devices,
    run_reference,
    step,
    take_times,
)

MEMORY_BUDGET = 2  # candidates of a reduction for which TensorFlow waits ten seconds each
PATIENCE, PATIENCE_WITH_COMPILERS = 20.0, 5.0  # the latter if each candidate is compiled
PATIENCE_OF_NODES = 4.0  # times that of a call, because nodes run one by one
CHEAPEST, REPEATED = CHEAPEST_MODE, 3  # the most frequent mode; one item in so many checks repeatability in it
OWN = "tfnp"
EVERY_DEVICE = ("CPU:0", "GPU:0")  # the first GPU stands for all
SAMPLED = 8  # one item in so many classifies the arguments of its first call


@dataclass
class WorkerContext:
    """Context of a worker for every task: the subject, the devices, and the names that the subject has, for programs.

    `setup`, "module:function", is called first in each worker; `trouble` says how that failed. `seen` holds the kinds
    of differences that this worker has judged twice. `modes` may need devices of their own.
    """

    subject: Subject
    devices: tuple[str, ...]
    names: tuple[str, ...] = ()
    setup: str = ""
    trouble: str = ""
    seen: set[tuple[str, ...]] = field(default_factory=set)
    modes: tuple[str, ...] = ()
    never: dict[str, tuple[str, ...]] | None = None
    known: dict[str, bool] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Return whether the subject has a name, its own or re-exported."""
        if name not in self.known:
            self.known[name] = self.subject.has(name)
        return self.known[name]

    @property
    def has_any_size(self) -> bool:
        """Whether what the subject compiles for a call serves arrays of other sizes."""
        return self.subject.adapter is not None and self.subject.adapter.sizes

    def find_program_source(self) -> ProgramSource:
        return ProgramSource(self.names, self.find_never(), self.has, self.subject.has_views)

    def find_never(self) -> dict[str, tuple[str, ...]]:
        """Return, by name, the parameters that are never given to the subject's functions."""
        if self.never is None:
            self.never = join_parameters(*inspect_parameters(self.subject, self.names))
        return self.never


class UnknownSetup(ValueError):
    """The setup function does not exist, or fails."""


def prepare(
    subject: str,
    devices: Sequence[str],
    names: Sequence[str] = (),
    setup: str = "",
    modes: Sequence[str] = (),
    exact_errors: bool = False,
) -> WorkerContext:
    """Load the subject, and whatever drawing cases needs. Runs in the fork server: nothing here may start a runtime."""
    loaded = load_subject(subject)
    loaded.exact_errors = exact_errors
    if setup:
        find_setup(setup)
    present = _find_present(loaded, names)
    for name in present:
        try:
            draw_case(SeedChoices(0), name)
        except Exception:  # noqa: BLE001 - this only warms caches: a worker that fails to draw says so
            pass
    return WorkerContext(loaded, tuple(devices), present, setup, modes=tuple(modes))


def _find_present(subject: Subject, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that the subject has, and does not merely re-export from NumPy.

    Raises UnknownSubject if looking one up raises anything.
    """
    try:
        return tuple(name for name in names if subject.has(name) and not subject.reexports(name))
    except BaseException as error:
        raise UnknownSubject(f"{subject.name} cannot be inspected: {type(error).__name__}: {error}") from error


def find_setup(path: str) -> Callable[[], Any]:
    """Return the function that "module:function" names. Raises UnknownSetup."""
    module, _, name = path.partition(":")
    try:
        found = attrgetter(name)(importlib.import_module(module))
    except BaseException as error:  # noqa: BLE001 - a module may raise whatever it likes
        raise UnknownSetup(f"no --setup {path}: {type(error).__name__}: {error}") from None
    if not callable(found):
        raise UnknownSetup(f"no --setup {path}: it is a {type(found).__name__}, not a function")
    return found


def start(bench: WorkerContext) -> WorkerContext:
    """Configure the devices and set up the subject, in each worker. No devices means all."""
    if bench.subject.takes_tensors:
        configure_devices(needed_devices(bench.modes, bench.devices or EVERY_DEVICE))
    if bench.setup:
        try:
            find_setup(bench.setup)()
        except BaseException as error:  # noqa: BLE001 - whoever looks at the subject first says so
            return replace(bench, trouble=f"--setup {bench.setup}: {type(error).__name__}: {error}")
    return bench


def survey(bench: WorkerContext, task: tuple[Sequence[str], bool]) -> Survey:
    """Return which of some names the subject has, the devices, and the allowances that are out of date. The task also
    says whether functions are called to find out which parameters they lack.

    Allowances only for our own library: how another one behaves says nothing about ours.
    """
    names, tries = task
    if bench.trouble:
        raise UnknownSetup(bench.trouble)
    present = _find_present(bench.subject, names)
    step("looking for stale allowances", 6.0)
    complaints = find_stale(bench.subject) if bench.subject.name == OWN else []
    reexported = tuple(name for name in names if bench.subject.reexports(name))
    missing, withheld = inspect_parameters(bench.subject, present, tries)
    adapter = bench.subject.adapter
    if adapter is None:
        devices = _select_devices(bench) if bench.subject.takes_tensors else ["CPU:0"]
        own = bench.subject.modes
        found = Survey(present, tuple(devices), tuple(complaints), missing, own)
    else:
        devices = _select_devices(bench) if bench.subject.takes_tensors else library_of(bench.subject).devices()
        found = Survey(
            present, tuple(devices), (), missing, adapter.default_modes, adapter.reasons, True, adapter.siblings
        )
    if adapter is not None and bench.subject.is_inferred:
        there, back = (text.format("...") for text in (adapter.from_numpy, adapter.to_numpy))
        gives_arrays = any(ONLY_ARRAYS in parameters for parameters in withheld.values())
        others = "; it takes no numbers or lists for arrays, and is given arrays" if gives_arrays else ""
        found = replace(found, converted=f"has arrays of its own, made by {there} and read by {back}{others}")
    return replace(found, reexported=reexported, withheld=withheld, has_views=bench.subject.has_views, is_tried=tries)


def find_modes(bench: WorkerContext, asked: Sequence[str]) -> tuple[str, ...]:
    """Return the subject's own default modes; empty if they are those of libraries of tensors. Raises ModeNotOffered
    for one of those asked for that it does not have.
    """
    check_offered([Mode.parse(mode).name for mode in asked], bench.subject)
    return bench.subject.modes


def _select_devices(bench: WorkerContext) -> list[str]:
    """Return the devices that cases run on: not those that only some modes need, unless they were asked for."""
    asked = bench.devices or EVERY_DEVICE
    own = set(needed_devices(bench.modes, asked)) - set(asked)
    return [device for device in list_devices() if device not in own]


def draw_missing(bench: WorkerContext, task: tuple[str, str, Sequence[str], bool]) -> str | None:
    """Return a call, as JSON, that gives a parameter which the subject lacks, and no other that it lacks."""
    step("reference")
    case = draw_call(*task)
    return case.json() if case is not None else None


def draw_item(bench: WorkerContext, task: tuple[Item, int | None]) -> str | None:
    """Return the case of an item's sibling, as JSON; None for no sibling, or if the case has no JSON."""
    item, sibling = task
    if sibling is None:
        return None
    step("drawing")
    source = bench.find_program_source() if item.program else NO_PROGRAMS
    case = draw(item, sibling, source, any_size=bench.has_any_size)
    try:
        return case.json()
    except (TypeError, ValueError):
        return None


def judge_item(bench: WorkerContext, item: Item) -> ItemResult:
    """Draw the item's siblings and judge them in each of its modes."""
    watch = Stopwatch()
    step("drawing")
    source = bench.find_program_source() if item.program else NO_PROGRAMS
    find = partial(draw, item, source=source, any_size=bench.has_any_size)
    cases = [find(sibling) for sibling in range(min(item.siblings, SIBLINGS))]
    if item.siblings > SIBLINGS and not cases[0].arrays():
        cases = cases[:1]  # they have no other values, and each would be compiled
    elif item.siblings > SIBLINGS and (bench.has_any_size or is_of_ops(cases[0]) or _share_work(cases)):
        cases += [find(sibling) for sibling in range(SIBLINGS, item.siblings)]
    result = ItemResult(item.index, item.name, len(cases), features=hash_structure(cases[0]), given=given(cases[0]))
    result.forms = frozenset() if is_of_ops(cases[0]) else list_forms(cases[0])
    result.drawn = item.siblings
    seen: dict[tuple[int, str, str], Difference] = {}
    expected: list[Outcome] = []
    for mode, siblings in item.runs:
        twice = mode != CHEAPEST or item.index % REPEATED == 0
        cold = item.cold and not result.runs
        verdicts = _judge_steadily(bench, item, cases[:siblings], mode, twice, cold, expected)
        expected = [verdict.expected for verdict in verdicts] if is_of_ops(cases[0]) else []
        for sibling, verdict in enumerate(verdicts):
            _take(result, seen, item, sibling, verdict)
        result.runs[mode] = len(verdicts)
        result.cases = max(result.runs.values())
        result.features |= hash_answers(verdicts, mode)
        result.seconds[mode] = watch.lap()  # reading clocks is slow: once for each mode; the first has the drawing
        result.spent[mode] = count_phases(take_times())
        if result.depth is None and verdicts[0].expected.ok and not item.program and item.seed % SAMPLED == 0:
            result.depth = classify_answered(cases[0], verdicts[0].expected.value)
        result.valid = max(result.valid, sum(verdict.expected.ok for verdict in verdicts))
        _take_answers(result, mode, verdicts)
        if any(verdict.exhausted for verdict in verdicts):
            break
    if item.samples and CHEAPEST in result.runs:
        _judge_samples(bench, result, seen, item)
    if item.cold and item.runs:
        first = item.runs[0][0]
        seen = {key: replace(one, cold=one.kind == UNSTABLE and first in one.modes) for key, one in seen.items()}
    result.differences = _merge_equal(seen.values())
    return result


def _share_work(cases: Sequence[Case]) -> bool:
    """Return whether siblings differ from one another, and can share a compiled function.

    They differ if they contain arrays. They can share if NumPy's results have one shape, even where shapes depend on
    values.
    """
    if not any(array.size for array in cases[0].arrays()):
        return False
    step("reference")
    outcomes = [run_reference(case) for case in cases]
    return all(outcome.ok for outcome in outcomes) and len({_find_shapes(outcome.value) for outcome in outcomes}) == 1


def _find_shapes(value: Any) -> Any:
    """Return the shapes of the arrays in a result, nested as they are."""
    return tuple(map(_find_shapes, value)) if isinstance(value, (list, tuple)) else getattr(value, "shape", ())


def _judge_steadily(
    bench: WorkerContext,
    item: Item,
    cases: Sequence[Case],
    mode: str,
    twice: bool,
    cold: bool,
    expected: Sequence[Outcome],
) -> list[Verdict]:
    """Judge the cases; judge them again if a deviation is of a kind that this worker has not seen for the name.
    `expected` are the outcomes of the first cases that those of the mode are compared with, if they are known.

    The second judgement counts, since it does not depend on what this process did before. A difference between both is
    reported where it is reproducible: in the first mode of items that are `cold`. Of an item with many cases only one
    is judged unless that is answered: a subject that compiles may reject the call each time.
    """
    judge = partial(
        judge_siblings,
        modes=[mode],
        subject=bench.subject,
        twice=twice,
        if_answered=len(cases) > SIBLINGS,
        expected=expected,
    )
    first = judge(cases)
    seen = {(bench.subject.name, *one.group_key) for verdict in first for one in make_differences(verdict)}
    is_new = cold or not seen <= bench.seen
    if not is_new or item.name.startswith("random.") or any(verdict.exhausted for verdict in first):
        return first
    bench.seen |= seen
    again = judge(cases)
    if cold:
        for one, second in zip(first, again, strict=False):
            _add_unsteady(one, second)
    return again


def _add_unsteady(first: Verdict, second: Verdict) -> None:
    """Add to the second verdict that it differs from the first, if so, and how the first one put it."""
    kinds = [{difference.kind for difference in verdict.deviations} for verdict in (first, second)]
    if kinds[0] == kinds[1]:
        return
    shown = next((found for found in first.deviations if found.kind == UNSTABLE), None)
    if shown is None:
        texts = [", ".join(sorted(one)) or "agrees" for one in kinds]
        told = (first.deviations or second.deviations)[0]
        shown = replace(told, kind=UNSTABLE, detail=f"{texts[0]} at first, {texts[1]} the next time: {told.detail}")
    second.deviations = [*(one for one in second.deviations if one.kind != UNSTABLE), shown]


def _judge_samples(
    bench: WorkerContext, result: ItemResult, seen: dict[tuple[int, str, str], Difference], item: Item
) -> None:
    """Judge large samples of a random function, with fixed seeds where possible, by moments and distribution."""
    for number, case in enumerate(distribution_cases(item.name), max(SIBLINGS, item.siblings)):
        (verdict,) = judge_siblings([case], [CHEAPEST], bench.subject, twice=False)
        _take(result, seen, item, number, verdict)
        result.runs[CHEAPEST] += 1
        result.valid += verdict.expected.ok


def _take_answers(result: ItemResult, mode: str, verdicts: Sequence[Verdict]) -> None:
    """Count the valid calls in a mode, and note whether one of them was answered by a value that could be judged."""
    outcomes = [
        (verdict, outcome)
        for verdict in verdicts
        if verdict.expected.ok
        for outcome in verdict.outcomes.values()
        if outcome.kind != "unsupported"
    ]
    result.asked[mode] += len(outcomes)
    if any(verdict.has_judged(key) for verdict in verdicts for key in verdict.outcomes):
        result.answered += (mode,)
    elif outcomes and not any(outcome.ok for _, outcome in outcomes):
        verdict, outcome = outcomes[0]
        result.unanswered[mode] = (verdict.case.json(), str(outcome.error or outcome.kind))


def _take(
    result: ItemResult, seen: dict[tuple[int, str, str], Difference], item: Item, sibling: int, verdict: Verdict
) -> None:
    result.allowed.update({(entry.allowance, label_mode(entry.mode)) for entry in verdict.allowed})
    result.undecided.update((reason, label_mode(mode)) for mode, reason in verdict.undecided.items())
    result.unsupported.update(
        label_mode(mode) for mode, outcome in verdict.outcomes.items() if outcome.kind == "unsupported"
    )
    for fault in verdict.harness_faults:
        result.harness_faults.add_raised(fault)
    if verdict.differs:
        for found in make_differences(verdict, item.index, sibling):
            key = (sibling, found.kind, found.case)
            earlier = seen.get(key, found)
            seen[key] = replace(earlier, modes=tuple(sorted({*earlier.modes, *found.modes}, key=rank_cost)))


def make_differences(verdict: Verdict, index: int = 0, sibling: int = 0) -> list[Difference]:
    """Return the differences of a verdict and of its parts. A mode on the first CPU is labelled without its device."""
    found = _make_differences_of(verdict, index, sibling) if verdict.deviations else []
    return found + [one for part in verdict.parts for one in _make_differences_of(part, index, sibling)]


def _make_differences_of(verdict: Verdict, index: int, sibling: int) -> list[Difference]:
    """Return the differences of a verdict but those of its parts."""
    found: list[Difference] = []
    text = ""
    for error in replace(verdict, parts=[]).list_errors():
        kind = error.kind
        shown = next(str(entry.mode) for entry in verdict.deviations if entry.kind == kind)
        modes = {label_mode(str(entry.mode)) for entry in verdict.deviations if entry.kind == kind}
        text = text or verdict.case.json()
        found.append(
            Difference(
                index,
                sibling,
                name_case(verdict.case),
                kind,
                tuple(sorted(modes, key=rank_cost)),
                error.dtype,
                error.detail,
                text,
                attribution=error.attribution,
                outputs=json.dumps(describe_outputs(verdict, shown)),
                message=_find_message(verdict, kind),
                symptom=find_symptom(
                    kind,
                    error.detail,
                    verdict.expected,
                    verdict.outcomes[shown],
                    verdict.case.name,
                    verdict.case,
                ),
            )
        )
    return found


def name_case(case: Case) -> str:
    """Return the name of what a case calls last; of a gradient of ops, that of the op differentiated."""
    return PREFIX + find_op(case) if is_of_ops(case) else case.name


def _find_message(verdict: Verdict, kind: str) -> str:
    """Return the whole message of the error that the subject raised, in the first mode with this kind of difference."""
    mode = next(str(entry.mode) for entry in verdict.deviations if entry.kind == kind)
    error = verdict.outcomes[mode].error if mode in verdict.outcomes else None
    return error.full_message if error is not None and "error" in kind else ""


def _merge_equal(differences: Iterable[Difference]) -> list[Difference]:
    """Return the first difference of each kind, with how many there were."""
    first: dict[tuple[str, ...], Difference] = {}
    times: Counter[tuple[str, ...]] = Counter()
    for difference in differences:
        first.setdefault(difference.group_key, difference)
        times[difference.group_key] += 1
    return [replace(difference, times=times[key]) for key, difference in first.items()]


def reduce_difference(bench: WorkerContext, task: tuple[Difference, tuple[str, ...], bool, int]) -> Reduced:
    """Reduce the case in the cheapest mode that failed, then judge the minimal case in some modes, or in no other. Of a
    program in eager mode the call that differs is reduced, if it differs by itself.

    The first judgement in a process may show what no later one does. A difference that does not recur at first is
    judged once more; in a `fresh` worker every difference is judged twice, which shows nondeterminism. `most` is the
    largest number of candidates; 0 for what the kind or the mode allows.
    """
    difference, modes, fresh, most = task
    watch = Stopwatch()
    mode = choose_cheapest(difference.modes)
    seen: dict[str, list[Difference]] = {}

    def look(candidate: Case, *modes: str) -> list[Difference]:
        return make_differences(
            judge_siblings([candidate], modes, bench.subject)[0], difference.index, difference.sibling
        )

    case, exhausts = Case.from_json(difference.case), difference.kind == "memory"
    target, unstable = (difference, None) if exhausts else _look_twice(difference, partial(look, case, mode), fresh)
    if target is None:
        return None, unstable
    if not exhausts and (faulty := find_faulty_call(case, target.kind, mode, bench.subject)) is not None:
        alike = [found for found in look(faulty, mode) if found.kind == target.kind]
        case, target = (faulty, alike[0]) if alike else (case, target)
    resembles = target.resembles

    adapter = bench.subject.adapter
    patience = PATIENCE_WITH_COMPILERS if adapter is not None and adapter.siblings else PATIENCE

    def still_fails(candidate: Case) -> bool:
        if watch.elapsed > patience:
            return False
        alike = [found for found in look(candidate, mode) if resembles(found)]
        if alike:
            seen[candidate.json()] = alike
        return bool(alike)

    budget = MEMORY_BUDGET if exhausts else find_mode(mode.partition("@")[0]).budget
    minimal = reduce_case(case, still_fails, min(most or budget, budget))
    alike = seen.get(minimal.json(), [target])
    if modes and not exhausts:
        alike = [found for found in look(minimal, *modes) if resembles(found)] or alike
    return alike[0], unstable


def attribute_difference(bench: WorkerContext, task: tuple[Difference, tuple[str, ...]]) -> Difference:
    """Return the difference of a minimal case with all modes that show it, and with the node at fault."""
    difference, modes = task
    if difference.kind == "memory":
        return difference
    judged = judge_siblings([Case.from_json(difference.case)], modes, bench.subject)[0]
    alike = [
        found for found in make_differences(judged, difference.index, difference.sibling) if found.resembles(difference)
    ]
    return _attribute_fault(alike[0] if alike else difference, bench.subject)


def find_faulty_call(case: Case, kind: str, mode: str, subject: Subject) -> Case | None:
    """Return the call of a program at which a difference of this kind shows, on the subject's own operands; None of a
    single call, or where no call is known.
    """
    if len(case.calls()) < 2:
        return None
    differences = judge_siblings([case], [mode], subject)[0].deviations
    return next((each.step for each in differences if each.kind == kind and each.step is not None), None)


def _attribute_fault(difference: Difference, subject: Subject) -> Difference:
    """Return the difference with its attribution extended by the node at fault, or by the library's Python code."""
    step("node", PATIENCE_OF_NODES)
    fault = find_fault(Case.from_json(difference.case), difference.kind, difference.modes, subject)
    return replace(difference, attribution="; ".join(filter(None, (difference.attribution, fault))))


def _look_twice(
    difference: Difference, look: Callable[[], list[Difference]], fresh: bool
) -> tuple[Difference | None, Difference | None]:
    """Return the difference as it recurs, or None, and one of nondeterminism if a fresh process answers otherwise at
    first.
    """
    cold = look()
    target = difference.among(cold)
    if target is not None and (not fresh or difference.kind == UNSTABLE or difference.name.startswith("random.")):
        return target, None
    warm = look()
    target = difference.among(warm)
    if not fresh or {found.kind for found in cold} == {found.kind for found in warm}:
        return target, None
    shown = next((found for found in cold if found.kind == UNSTABLE), None)
    if shown is None:
        kinds = [", ".join(sorted(found.kind for found in run)) or "agrees" for run in (cold, warm)]
        detail = f"{kinds[0]} at first, {kinds[1]} the next time: {(cold or warm)[0].detail}"
        shown = replace((cold or warm)[0], kind=UNSTABLE, detail=detail)
    return target, replace(shown, cold=True, times=0)


def answer_case(bench: WorkerContext, text: str) -> Outcome:
    """Return NumPy's outcome of a case; that of eager mode of a program of ops."""
    step("reference")
    return run_reference(Case.from_json(text))


def write_script(bench: WorkerContext, seen: Difference) -> str:
    """Return the source of a script that shows the difference. It runs NumPy to write down what it expects."""
    step("reference")
    subject = bench.subject
    return write_repro(seen, subject.name, bench.setup, subject.takes_tensors, subject.adapter)


def judge_case(bench: WorkerContext, task: tuple[str, tuple[str, ...]]) -> list[Difference]:
    """Judge one case in some modes."""
    text, modes = task
    return make_differences(judge_siblings([Case.from_json(text)], modes, bench.subject)[0])


def has_judged(bench: WorkerContext, task: tuple[str, str]) -> bool:
    """Return whether a mode answers a case by a value that can be judged."""
    text, mode = task
    (verdict,) = judge_siblings([Case.from_json(text)], [mode], bench.subject, twice=False)
    return any(map(verdict.has_judged, verdict.outcomes))


def run_script(bench: WorkerContext, source: str) -> int:
    """Run a script as the main program of this process, which must be a fresh worker. Return its exit status."""
    return run_source(source)
