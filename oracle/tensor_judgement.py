"""Judging programs of TensorFlow's ops: each mode against eager, each eager step against NumPy."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from oracle.execution.tensor_nodes import NodeRun, find_node, to_arrays
from oracle.execution.tensor_programs import (
    EAGER,
    GRAPH,
    XLA,
    Answer,
    Session,
    find_passes,
    run_program,
)
from oracle.sandbox.progress import step as announce_step
from oracle.tensor_programs.model import Program
from oracle.tensor_programs.numeric import EPSILON, OpDeviation, find_deviation, is_inexact
from oracle.tensor_programs.parts import Values, fill_operands, force, isolate, shift_steps, take_prefix
from oracle.tensor_programs.reference import compute_expected, has_subnormals, largest
from oracle.tensor_programs.steps import Constant, Step
from oracle.tensor_programs.tolerances import NO_SIGNS, tolerance_of
from oracle.tensor_programs.vocabulary import CONDITIONED, EXACT, FAMILY_OF, NORMWISE, SUM
from oracle.tensor_rounding import explains_rounding

WAYS = (EAGER, GRAPH, XLA)

_UNSUPPORTED = re.compile(
    r"No registered|not support|unsupported|[Uu]nimplemented|[Ii]nvalid type|compile-time constant|not implemented|"
    r"could not be compiled|must be a constant|Detected unsupported|No OpKernel|not yet supported|only supports|"
    r"must be known|fully defined|statically|must be statically|unknown shape|unknown rank|static shape|"
    r"dynamic|Dynamic|No gradient|must have a known|bounded"
)
_STEEPEST = 1e3  # the size of inputs and results of which differences are taken
_SLOPES = 6  # elements of an input by which they are
_STEEP = frozenset({
    "math.floordiv", "math.floormod", "math.floor", "math.ceil", "math.round", "math.rint", "math.truncatemod", "cast",
    "math.sign", "raw_ops.Mod", "linalg.qr", "linalg.lu", "linalg.svd", "saturate_cast", "bitcast",
})  # fmt: skip
"""Ops whose slope is not what differences tell: steps, and factors that are not unique."""
_TRAVELLED = 256.0  # units in the last place that roundings of several steps may add up to
_SLOPE_SLACK = 256.0  # times the rounding of the largest element by which the others of a slope may be off
_MOST_EXPLAINED = 2  # deviations of one program that rounding explains, after which no more are looked into


@dataclass(frozen=True)
class ProgramDifference:
    """A deviation: the program that shows it on its own inputs, the faulty mode, and the op at fault."""

    program: Program
    way: str
    deviation: OpDeviation
    op: str
    tolerance: tuple[float, float] = (0.0, 0.0)
    expected: np.ndarray | None = None

    @property
    def dtype(self) -> str:
        """The dtype class of the inputs and constants."""
        return dtype_classes(self.program)


@dataclass(frozen=True)
class Posed:
    """A program, the sets of inputs to run it on, and the modes."""

    program: Program
    siblings: Sequence[Sequence[np.ndarray]]
    ways: Sequence[str]


@dataclass
class Examination:
    """The judgement of a program: differences, accepted differences by mode and reason, and seconds by mode."""

    valid: bool = True
    differences: list[ProgramDifference] = field(default_factory=list)
    declared: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    seconds: Counter[str] = field(default_factory=Counter)
    ran: Counter[str] = field(default_factory=Counter)


def dtype_class_of(dtype: np.dtype) -> str:
    """Return the class of a dtype: bool, int, uint, half, float or complex."""
    classes = {"b": "bool", "i": "int", "u": "uint", "c": "complex"}
    return classes.get(dtype.kind) or ("half" if dtype.itemsize == 2 else "float")


def dtype_classes(program: Program) -> str:
    """Return the dtype classes of a program's inputs, or of its constants if it has no inputs."""
    arrays = list(program.inputs) or [
        value.array for step in program.steps for value in step.values() if isinstance(value, Constant)
    ]
    return "+".join(sorted({dtype_class_of(array.dtype) for array in arrays})) or "none"


def examine_program(program: Program, siblings: Sequence[Sequence[np.ndarray]], ways: Sequence[str]) -> Examination:
    """Judge a program on several sets of inputs."""
    return examine_programs([Posed(program, siblings, ways)])[0]


def examine_programs(posed: Sequence[Posed]) -> list[Examination]:
    """Judge programs, each on several sets of inputs; XLA compiles all of them together, if it can."""
    examinations, compiled = [], []
    for one in posed:
        examination, runs = _examine_without_xla(one)
        examinations.append(examination)
        if runs and XLA in one.ways:
            compiled.append((one.program, runs, examination))
    if not compiled:
        return examinations
    begun = time.process_time()
    together = [one for one in compiled if not one[0].gradient]
    answers = _compile_together([(program, runs) for program, runs, _ in together]) if len(together) > 1 else None
    answer_of = {id(one[2]): answer for one, answer in zip(together, answers, strict=True)} if answers else {}
    for program, runs, examination in compiled:
        difference = _against_eager(program, runs, XLA, examination, answer_of.get(id(examination)))
        examination.differences += [difference] if difference is not None else []
        examination.ran[XLA] += len(runs)
    compiled[0][2].seconds[XLA] += time.process_time() - begun  # type: ignore[assignment] # a Counter of seconds, which typeshed types as one of ints
    return examinations


def _examine_without_xla(posed: Posed) -> tuple[Examination, list[Run]]:
    """Judge eager and graph mode, and return eager's results as well."""
    program, examination = posed.program, Examination()
    begun = time.process_time()
    runs: list[Run] = []
    for number, inputs in enumerate(posed.siblings):
        announce_step(f"{EAGER} {number}")
        results = run_steps(program, inputs)
        if results is not None:
            runs.append((inputs, results))
    examination.seconds[EAGER] += time.process_time() - begun  # type: ignore[assignment] # a Counter of seconds, which typeshed types as one of ints
    examination.ran[EAGER] += len(runs)
    if not runs:
        examination.valid = False
        return examination, runs
    if program.gradient:
        runs = _gradients(program, runs)
        examination.differences += _against_differences(program, runs)
    else:
        announce_step("reference")
        examination.differences += _against_references(program, runs, examination.declared[EAGER])
    if runs and GRAPH in posed.ways:
        begun = time.process_time()
        difference = _against_eager(program, runs, GRAPH, examination)
        blamed = {one.op for one in examination.differences}  # a wrong eager result may differ in a graph
        examination.differences += [difference] if difference is not None and difference.op not in blamed else []
        examination.seconds[GRAPH] += time.process_time() - begun  # type: ignore[assignment] # a Counter of seconds, which typeshed types as one of ints
        examination.ran[GRAPH] += len(runs)
    return examination, runs


def _compile_together(posed: Sequence[tuple[Program, Sequence[Run]]]) -> list[list[Answer]] | None:
    """Return XLA's answers to several programs compiled as one function; None if that fails."""
    steps: list[Step] = []
    ends, counts = [], []
    arrays: list[np.ndarray] = []
    for program, runs in posed:
        steps += shift_steps(program, len(arrays), len(steps))
        ends.append(len(steps) - 1)
        counts.append(len(runs[0][1][-1]))
        arrays += program.inputs
    most = max(len(runs) for _, runs in posed)
    siblings = [[array for _, runs in posed for array in runs[min(i, len(runs) - 1)][0]] for i in range(most)]
    answers = run_program(Program(tuple(arrays), tuple(steps)), siblings, XLA, results_of=ends)
    if any(answer.is_error for answer in answers):
        return None
    split: list[list[Answer]] = []
    begin = 0
    for (_, runs), count in zip(posed, counts, strict=True):
        part_ = slice(begin, begin + count)
        split.append([Answer(answer.values[part_], static=answer.static[part_]) for answer in answers[: len(runs)]])
        begin += count
    return split


Run = tuple[Sequence[np.ndarray], Values]


def run_steps(program: Program, inputs: Sequence[np.ndarray]) -> Values | None:
    """Return the results of every step in eager mode; None if one raises."""
    results = _run_until_error(program.steps, inputs)
    return results if len(results) == len(program.steps) else None


def _run_until_error(steps: Sequence[Step], inputs: Sequence[np.ndarray]) -> Values:
    session, results = Session(inputs), []
    for step in steps:
        values = session.run(step)
        if isinstance(values, Answer):
            break
        results.append(values)
    return results


def _gradients(program: Program, runs: Sequence[Run]) -> list[Run]:
    """Return the runs with the gradient in place of the last result."""
    made = []
    for inputs, results in runs:
        answer = run_program(program, [inputs], EAGER)[0]
        if not answer.is_error:
            made.append((inputs, [*results[:-1], answer.values]))
    return made


def _against_differences(program: Program, runs: Sequence[Run]) -> list[ProgramDifference]:
    """Return a difference of each gradient that is not as finite differences say, where all step sizes agree."""
    if not _STEEP.isdisjoint(program.ops):
        return []
    for inputs, results in runs:
        indices = [i for i, array in enumerate(inputs) if array.dtype in (np.float32, np.float64)]
        for output, (i, slope) in enumerate(zip(indices, results[-1], strict=False)):
            if not np.isfinite(inputs[i]).all() or largest(inputs[i]) > _STEEPEST:
                continue
            for index in range(min(slope.size, _SLOPES)):
                expected, actual = _slope(program, inputs, i, index), float(slope.flat[index])
                if expected is None or abs(actual - expected) <= 0.1 * max(1.0, abs(expected)):
                    continue
                detail = f"expected about {expected:.4g} by differences, got {actual:.4g}"
                symptom = "nan for a slope" if np.isnan(actual) else "another slope"
                deviation = OpDeviation("gradient", symptom, detail, output, index)
                reference = np.where(np.arange(slope.size) == index, expected, np.ravel(slope)).reshape(slope.shape)
                posed, tolerance = program.with_inputs(inputs), (0.0, 0.05 * max(1.0, abs(expected)))
                return [
                    ProgramDifference(
                        posed, EAGER, deviation, program.ops[-1], tolerance, reference.astype(slope.dtype)
                    )
                ]
    return []


def _slope(program: Program, inputs: Sequence[np.ndarray], position: int, index: int) -> float | None:
    """Return the derivative of the sum of a program's result by one element; None where finite differences disagree."""
    sums = {}
    for width in (-(2.0**-4), -(2.0**-6), 0.0, 2.0**-6, 2.0**-4):
        moved = inputs[position].copy()
        moved.flat[index] += width
        results = run_steps(program, [moved if i == position else array for i, array in enumerate(inputs)])
        sums[width] = float(np.sum(results[-1][0], dtype=np.float64)) if results else np.nan
        if not abs(sums[width]) < _STEEPEST:
            return None
    slopes = [(sums[width] - sums[0.0]) / width for width in sums if width]
    slopes.append((sums[2.0**-6] - sums[-(2.0**-6)]) * 2.0**5)
    if max(slopes) - min(slopes) > 0.2 * max(1.0, abs(slopes[-1])):
        return None
    return slopes[-1]


def _against_references(program: Program, runs: Sequence[Run], declared: Counter[str]) -> list[ProgramDifference]:
    """Return a difference of each eager step that NumPy or mpmath contradicts."""
    differences: dict[int, ProgramDifference] = {}
    for inputs, results in runs:
        for index, step in enumerate(program.steps):
            if index in differences:
                continue
            posed = fill_operands(step, inputs, results)
            deviation = judge_step(posed, results[index], declared)
            if deviation is not None:
                differences[index] = _difference_of_step(
                    isolate(program, index, inputs, results), EAGER, deviation, posed, results[index]
                )
    return list(differences.values())


def _difference_of_step(
    program: Program, way: str, deviation: OpDeviation, posed: Step, values: tuple[np.ndarray, ...]
) -> ProgramDifference:
    """Return the difference of a single step, with its tolerance and the expected result."""
    tolerance = tolerance_of(posed, list(posed.values()), values[deviation.output])
    expected = None
    if way == EAGER:
        references = compute_expected(posed, posed.args, posed.kwargs, [value.dtype for value in values])
        expected = references[deviation.output] if references else None
    return ProgramDifference(program, way, deviation, posed.op, (tolerance.ulps, tolerance.slack), expected)


def judge_step(posed: Step, values: tuple[np.ndarray, ...], declared: Counter[str]) -> OpDeviation | None:
    """Return the deviation of a step's results from NumPy's or mpmath's; None if they agree."""
    operands = list(posed.values())
    expected = compute_expected(posed, posed.args, posed.kwargs, [value.dtype for value in values])
    if expected is None:
        return None
    for output, (reference, actual) in enumerate(zip(expected, values, strict=False)):
        tolerance = tolerance_of(posed, operands, actual)
        deviation = find_deviation(reference, actual, tolerance.ulps, tolerance.slack, signs=tolerance.signs)
        if deviation is None:
            continue
        reason = tolerance.declared or ("subnormal" if has_subnormals(reference) else "")
        if reason:
            declared[reason] += 1
            continue
        return replace(deviation, output=output)
    return None


def _against_eager(
    program: Program, runs: Sequence[Run], way: str, examination: Examination, answers: Sequence[Answer] | None = None
) -> ProgramDifference | None:
    """Return the first deviation of a mode from eager that neither a tolerance nor an accepted difference explains."""
    if answers is None:
        answers = run_program(program, [inputs for inputs, _ in runs], way)
    ulps = _TRAVELLED if way == XLA and len(program.steps) > 1 else 0.0
    explained = 0
    for (inputs, results), answer in zip(runs, answers, strict=True):
        deviation = depart(results[-1], answer, way, ulps)
        if deviation is None:
            continue
        if deviation.symptom == "sign of zero" and results[-1][deviation.output].dtype.kind == "c":
            examination.declared[way]["complex-zero"] += 1
            continue
        posed = program.with_inputs(inputs)
        if deviation.kind == "spurious error":
            if _UNSUPPORTED.search(answer.message) and way == XLA:
                examination.declared[way]["unsupported"] += 1
                return None
            return _blame_beginning(posed, results, way, deviation)
        difference = (
            _blame_graph(posed, results, deviation, examination)
            if way == GRAPH
            else _blame_xla(posed, results, deviation, answer, examination)
        )
        if difference is not None:
            return difference
        explained += len(program.steps) > 1
        if explained >= _MOST_EXPLAINED:
            return None
    return None


def _blame_beginning(program: Program, results: Values, way: str, deviation: OpDeviation) -> ProgramDifference:
    """Return the difference of the shortest prefix of the program that departs in the same way: its last op is at
    fault.
    """
    for index in range(0 if program.gradient else len(program.steps) - 1):
        part = take_prefix(program, index)
        first = depart(results[index], run_program(part, [part.inputs], way)[0], way, _TRAVELLED)
        if first is not None and first.kind == deviation.kind:
            return ProgramDifference(part, way, first, program.ops[index])
    return ProgramDifference(program, way, deviation, program.ops[-1])


def depart(expected: tuple[np.ndarray, ...], answer: Answer, way: str, ulps: float = 0.0) -> OpDeviation | None:
    """Return the deviation of an answer from eager's results. In a graph, which runs the same kernels, every bit
    counts.
    """
    if answer.is_error:
        return OpDeviation(
            "spurious error", f"{answer.error}", f"expected a result, got {answer.error}: {answer.message}"
        )
    sign = None
    for output, (left, right) in enumerate(zip(expected, answer.values, strict=False)):
        deviation = find_deviation(left, right, ulps, flushes=way == XLA)
        if deviation is not None and deviation.symptom != "sign of zero":
            return replace(deviation, output=output)
        if deviation is not None and sign is None:
            sign = replace(deviation, output=output)
    if sign is not None:
        return sign
    for output, (shape, value) in enumerate(zip(answer.static, answer.values, strict=False)):
        if shape is not None and not _fits(shape, value.shape):
            return OpDeviation("static shape", "static shape", f"traced as {shape}, got {value.shape}", output)
    return None


def _fits(static: Sequence[int | None], shape: Sequence[int]) -> bool:
    return len(static) == len(shape) and all(one in (None, other) for one, other in zip(static, shape, strict=True))


def _blame_graph(
    program: Program, results: Values, deviation: OpDeviation, examination: Examination
) -> ProgramDifference | None:
    """Return the difference of the shortest prefix for which the graph departs from eager; None if only rounding
    differs in an op that may be computed in another way.
    """
    if program.gradient:
        if deviation.symptom == "rounding":
            examination.declared[GRAPH]["rewritten"] += 1
            return None
        return ProgramDifference(program, GRAPH, deviation, program.steps[-1].op)
    for index in range(len(program.steps) - 1):
        part = take_prefix(program, index)
        answer = run_program(part, [part.inputs], GRAPH)[0]
        first = depart(results[index], answer, GRAPH)
        if first is not None and first.kind != "spurious error":
            return _unless_rewritten(
                ProgramDifference(part, GRAPH, first, program.steps[index].op), program, results, index, examination
            )
    return _unless_rewritten(
        ProgramDifference(program, GRAPH, deviation, program.steps[-1].op),
        program,
        results,
        len(program.steps) - 1,
        examination,
    )


def _unless_rewritten(
    difference: ProgramDifference, program: Program, results: Values, index: int, examination: Examination
) -> ProgramDifference | None:
    """Return the difference of a graph's deviation in a step; None if the step is not correctly rounded, and the
    graph's result is as close as another way of computing it may be.
    """
    deviation = difference.deviation
    if deviation.symptom not in ("rounding", "inaccurate") or FAMILY_OF[difference.op] == EXACT:
        return difference
    posed = fill_operands(program.steps[index], program.inputs, results)
    expected = results[index][deviation.output]
    tolerance = tolerance_of(posed, list(posed.values()), expected)
    if deviation.ulps > tolerance.ulps:
        return difference
    examination.declared[GRAPH]["rewritten"] += 1
    return None


def _blame_xla(
    program: Program, results: Values, deviation: OpDeviation, answer: Answer, examination: Examination
) -> ProgramDifference | None:
    """Return the difference of the first step that XLA computes differently from eager's operands, or of the whole
    program.
    """
    inputs = program.inputs
    if program.gradient:
        expected = results[-1][deviation.output]
        slack = _SLOPE_SLACK * EPSILON[expected.dtype] * largest(expected)
        if find_deviation(expected, answer.values[deviation.output], _TRAVELLED, slack) is None:
            examination.declared[XLA]["ill-conditioned"] += 1
            return None
        if _is_slope_noise(deviation) or _first_declared(program, results, examination.declared[XLA]):
            return None
        if deviation.symptom == "an infinity for an infinity" and _has_tie_of_zeros(program, results):
            examination.declared[XLA]["tie-of-zeros"] += 1
            return None
        return ProgramDifference(program, XLA, deviation, program.ops[-1])
    grouped = [answer.values]
    if len(program.steps) > 1:
        forced = force(program, inputs, results)
        alone = run_program(forced, [forced.inputs], XLA, results_of=range(len(forced.steps)))[0]
        if alone.is_error:
            return _blame_composition(program, results, deviation, answer, examination)
        flat = iter(alone.values)
        grouped = [tuple(next(flat) for _ in group) for group in results]
    for index, (step, values, group) in enumerate(zip(program.steps, results, grouped, strict=True)):
        posed = fill_operands(step, inputs, results)
        first = compare_step(posed, values, group, examination.declared[XLA])
        if first is None:
            continue
        if judge_step(posed, values, Counter()) is not None and judge_step(posed, group, Counter()) is None:
            examination.declared[XLA]["another-way"] += 1
            return None  # eager is at fault, which is reported already
        return _difference_of_step(isolate(program, index, inputs, results), XLA, first, posed, values)
    return _blame_composition(program, results, deviation, answer, examination)


def compare_step(
    posed: Step, expected: tuple[np.ndarray, ...], actual: tuple[np.ndarray, ...], declared: Counter[str]
) -> OpDeviation | None:
    """Return the deviation of a step's results from eager's; None if they agree, or the difference is accepted."""
    operands = list(posed.values())
    for output, (left, right) in enumerate(zip(expected, actual, strict=True)):
        tolerance = tolerance_of(posed, operands, left)
        deviation = find_deviation(left, right, tolerance.ulps, tolerance.slack, signs=tolerance.signs)
        if deviation is None:
            continue
        reason = tolerance.declared or ("overflow-in-between" if _both_overflow(posed, left, right, deviation) else "")
        if reason and deviation.kind == "value":
            declared[reason] += 1
            continue
        return replace(deviation, output=output)
    return None


def _both_overflow(posed: Step, left: np.ndarray, right: np.ndarray, deviation: OpDeviation) -> bool:
    """Return whether two sums of finite numbers both overflow: then the order of summation decides the result."""
    if FAMILY_OF[posed.op] not in (SUM, NORMWISE, CONDITIONED) or deviation.index < 0:
        return False
    finite_inputs = [value for value in posed.values() if isinstance(value, np.ndarray) and is_inexact(value.dtype)]
    ends = [np.ravel(array)[deviation.index] for array in (left, right)]
    return all(np.isfinite(array).all() for array in finite_inputs) and not any(np.isfinite(end) for end in ends)


def _overflows_twice(program: Program, expected: np.ndarray, answer: Answer, deviation: OpDeviation) -> bool:
    """Return whether a program with a sum overflows in both modes from finite inputs."""
    ends = [np.ravel(array)[deviation.index] for array in (expected, answer.values[deviation.output])]
    finite_inputs = [array for array in program.inputs if is_inexact(array.dtype)]
    sums = any(FAMILY_OF[op] in (SUM, NORMWISE, CONDITIONED) for op in program.ops)
    return (
        sums and all(np.isfinite(array).all() for array in finite_inputs) and not any(np.isfinite(end) for end in ends)
    )


def _blame_composition(
    program: Program, results: Values, deviation: OpDeviation, answer: Answer, examination: Examination
) -> ProgramDifference | None:
    """Return the difference of the program if each step by itself is right; None if rounding or an accepted difference
    explains it.
    """
    if len(program.steps) == 1:
        return None  # within its tolerance it agrees
    if deviation.kind == "value" and _first_declared(program, results, examination.declared[XLA]):
        return None
    if deviation.kind == "value" and _overflows_twice(program, results[-1][deviation.output], answer, deviation):
        examination.declared[XLA]["overflow-in-between"] += 1
        return None
    if deviation.kind in ("value", "shape") and explains_rounding(program, deviation, answer):
        examination.declared[XLA]["ill-conditioned"] += 1
        return None
    if deviation.kind != "value":
        return _blame_beginning(program, results, XLA, deviation)
    return ProgramDifference(program, XLA, deviation, program.ops[-1])


def _first_declared(program: Program, results: Values, declared: Counter[str]) -> bool:
    """Return whether a step does something that is not compared, and count it."""
    for index, step in enumerate(program.steps):
        posed = fill_operands(step, program.inputs, results)
        shown = results[index] if len(program.steps) > index + 1 or not program.gradient else ()
        reasons = [tolerance_of(posed, list(posed.values()), value).declared for value in shown or program.inputs]
        reason = next((reason for reason in reasons if reason), "")
        if reason:
            declared[reason] += 1
            return True
    return False


def _has_tie_of_zeros(program: Program, results: Values) -> bool:
    """Return whether a step that ignores the sign of zero returns a zero: later slopes may be its reciprocal."""
    return any(
        step.op in NO_SIGNS and any(array.size and not np.all(array) for array in group)
        for step, group in zip(program.steps[:-1], results, strict=False)
    )


def _is_slope_noise(deviation: OpDeviation) -> bool:
    """Return whether two gradients differ by rounding only."""
    return deviation.symptom in ("rounding", "inaccurate", "sign of zero", "a number for zero", "zero for a number")


def name_passes(difference: ProgramDifference) -> tuple[str, ...]:
    """Return the Grappler passes without which the graph agrees with eager."""
    program = difference.program
    expected = run_program(program, [program.inputs], EAGER)[0]

    def agrees(answer: Answer) -> bool:
        return depart(expected.values, answer, GRAPH) is None

    return find_passes(program, program.inputs, agrees)


def name_node(program: Program, way: str) -> tuple[str, str]:
    """Return the type of the first node of the traced program that departs, and its op. Both are empty if none does by
    itself: then the composition or the library's Python code is at fault.
    """
    if way == EAGER:
        return "", ""

    def agrees(run: NodeRun, others: Sequence[Any]) -> bool:
        ulps = 0.0 if way == GRAPH else _TRAVELLED
        pairs = zip(to_arrays(run.outputs), to_arrays(others), strict=True)
        return all(find_deviation(one, other, ulps, flushes=way == XLA) is None for one, other in pairs)

    node, step = find_node(program, way, agrees)
    return node, program.ops[step] if step >= 0 else ""


def answers_of(program: Program) -> dict[str, Answer]:
    """Return each mode's answer to a program on its own inputs."""
    return {way: run_program(program, [program.inputs], way)[0] for way in WAYS}


def run_beginning(program: Program) -> Values:
    """Return the results of all steps but the last in eager mode; of fewer, if one raises."""
    return _run_until_error(program.steps[:-1], program.inputs)


def difference_like(program: Program, way: str, deviation: OpDeviation) -> ProgramDifference | None:
    """Return the difference that the program shows on its own inputs in a mode, if it is of the same sort as a
    deviation.
    """
    examination = examine_program(program, [program.inputs], (EAGER, way))
    alike = [one for one in examination.differences if one.way == way and one.deviation.kind == deviation.kind]
    return next((one for one in alike if one.deviation.symptom == deviation.symptom), None)
