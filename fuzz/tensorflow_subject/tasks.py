"""The tasks of workers that judge programs of TensorFlow's ops: draw and judge a round, reduce a difference, write a
script. They take and return plain data.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from fuzz.differences import DEATHS, Difference, Reduced, choose_cheapest, label_mode, rank_cost
from fuzz.engine.tallies import Survey, Tally
from fuzz.repro.program_script import write_program_script
from fuzz.repro.runner import run_source
from fuzz.shrink.shrinker import reduce_case
from fuzz.tensorflow_subject.generation import Drawn, Halted, draw_program
from fuzz.tensorflow_subject.program_kinds import PROGRAM_KINDS, find_program_kind, find_turn
from fuzz.tensorflow_subject.schedule import Round
from fuzz.triage.element_diff import describe_arrays
from oracle.harness import (
    WAYS,
    Answer,
    Constant,
    Examination,
    OpDeviation,
    Posed,
    Program,
    ProgramDifference,
    Session,
    answers_of,
    configure_devices,
    difference_like,
    dtype_classes,
    examine_program,
    examine_programs,
    expression,
    list_devices,
    make_scope,
    name_node,
    name_passes,
    prepare_tensorflow,
    run_beginning,
    start_tensorflow,
    step,
)

EAGER, GRAPH, XLA = WAYS
BUDGETS = {EAGER: 100, GRAPH: 50, XLA: 16}  # programs that a reduction may try, by mode
PATIENCE = {EAGER: 2.0, GRAPH: 3.0, XLA: 4.0}  # CPU seconds past which it takes none
PATIENCE_OF_NODES = 4.0  # times that of a step
EVERY_DEVICE = ("CPU:0", "GPU:0")  # the first GPU stands for all


@dataclass(frozen=True)
class OpsContext:
    """Context of a worker: the devices, all if there are none."""

    devices: tuple[str, ...] = ()


def prepare(subject: str, devices: Sequence[str] = (), **_: Any) -> OpsContext:
    """Import TensorFlow, in the fork server."""
    prepare_tensorflow()
    return OpsContext(tuple(devices))


def start(bench: OpsContext) -> OpsContext:
    """Do nothing: scripts start TensorFlow themselves."""
    return bench


@cache
def begin(bench: OpsContext) -> None:
    """Start TensorFlow, once in each process."""
    configure_devices(bench.devices or EVERY_DEVICE)
    start_tensorflow()


def survey(bench: OpsContext, task: tuple[Sequence[str], bool]) -> Survey:
    """Return the ops, all of which TensorFlow has, the devices, the modes, and the number of cases of an item."""
    names, _ = task
    begin(bench)
    siblings = sum(program_kind.siblings for program_kind in PROGRAM_KINDS)
    return Survey(tuple(names), tuple(list_devices()), modes=WAYS, siblings=siblings)


def find_modes(bench: OpsContext, asked: Sequence[str]) -> tuple[str, ...]:
    """Return the modes that programs are run in."""
    return WAYS


def draw_item(bench: OpsContext, task: tuple[Round, int | None]) -> None:
    """Return nothing: drawing a program runs its steps."""


def judge_item(bench: OpsContext, item: Round) -> tuple[Tally, ...]:
    """Draw the programs of a round and judge them; draw only the one that has ended its worker, if the round says
    so.
    """
    begin(bench)
    if item.ending is not None:
        return (_draw_died(item),)
    tallies: list[Tally] = []
    drawn: list[tuple[Tally, int, Drawn]] = []
    for number in item.numbers:
        begun = time.process_time()
        program = _draw(item, number)
        tally = _make_tally(item, number, len(program.siblings) if program is not None else 0)
        tally.seconds[EAGER] = time.process_time() - begun
        tallies.append(tally)
        if program is not None:
            drawn.append((tally, number, program))
    seen: dict[tuple[str, ...], Difference] = {}
    for device, ways in _group_by_device(item.modes).items():
        posed = [
            Posed(one.program, one.siblings, _choose_ways(one, number, ways, device, item)) for _, number, one in drawn
        ]
        with make_scope(device)():
            examinations = examine_programs(posed)
        for (tally, number, _), examination in zip(drawn, examinations, strict=True):
            _add_examination(tally, examination, device)
            for difference in examination.differences:
                _add_difference(seen, _make_difference(difference, device, item.index, number))
    for tally in tallies:
        number = item.numbers[tallies.index(tally)]
        tally.differences = [one for one in seen.values() if one.sibling == number]
    return tuple(tallies)


def _draw(item: Round, number: int, halt: int = -1) -> Drawn | None:
    return draw_program(
        item.seed,
        number,
        Session,
        lambda text: step(f"{text} of {number}"),
        halt=halt,
        selected=item.selected,
        resting=item.resting,
    )


def _make_tally(item: Round, number: int, cases: int) -> Tally:
    name = find_turn(item.seed, number, item.selected).op
    drawn = find_program_kind(number)[0].siblings
    return Tally(item.index, name, cases, items=int(number % len(PROGRAM_KINDS) == 0), drawn=drawn)


def _group_by_device(modes: Sequence[str]) -> dict[str, list[str]]:
    """Return the modes by device, as their labels name it."""
    groups: dict[str, list[str]] = {}
    for mode in modes:
        way, _, device = mode.partition("@")
        groups.setdefault(device or "CPU:0", []).append(way)
    return groups


def _label(way: str, device: str) -> str:
    return label_mode(f"{way}@{device}")


def _choose_ways(drawn: Drawn, number: int, ways: Sequence[str], device: str, item: Round) -> tuple[str, ...]:
    """Return the modes for a program: those of its kind in which its ops end no process, and graphs only if there is
    something to rewrite.
    """
    program = drawn.program
    has_constant = any(isinstance(value, Constant) for one in program.steps for value in one.values())
    chosen = []
    for way in ways:
        is_crashing = any(one.is_in(program.ops, _label(way, device)) for one in item.crashing)
        if way not in drawn.program_kind.ways or is_crashing:
            continue
        if way == GRAPH and len(program.steps) == 1 and not has_constant and number % 4:
            continue
        chosen.append(way)
    return tuple(chosen)


def _add_examination(tally: Tally, examination: Examination, device: str) -> None:
    """Add to a program's tally how it was judged on a device."""
    for way, runs in examination.ran.items():
        label = _label(way, device)
        tally.runs[label] = tally.asked[label] = runs
        tally.answered += (label,) if runs else ()
        tally.valid = max(tally.valid, runs)
    for way, seconds in examination.seconds.items():
        tally.seconds[_label(way, device)] = tally.seconds.get(_label(way, device), 0.0) + seconds
    for way, reasons in examination.declared.items():
        tally.allowed.update({(reason, _label(way, device)): count for reason, count in reasons.items()})


def _make_difference(difference: ProgramDifference, device: str, index: int = 0, sibling: int = 0) -> Difference:
    deviation, modes = difference.deviation, (_label(difference.way, device),)
    text = difference.program.json()
    found = Difference(index, sibling, difference.op, deviation.kind, modes, difference.dtype, deviation.detail, text)
    return replace(found, symptom=deviation.symptom)


def _add_difference(seen: dict[tuple[str, ...], Difference], difference: Difference) -> None:
    """Add a difference; one that another device shows as well has its modes."""
    way = difference.modes[0].partition("@")[0]
    key = (str(difference.sibling), way, difference.name, difference.kind, difference.symptom)
    if key in seen:
        difference = replace(seen[key], modes=(*seen[key].modes, *difference.modes))
    seen[key] = difference


def _draw_died(item: Round) -> Tally:
    """Return the tally of a program that has ended its worker, with the difference of that; without one, if it is drawn
    otherwise now.
    """
    assert item.ending is not None
    (number,), words = item.numbers, item.ending.step.split()
    halt = int(words[1]) if words[0] == "draw" else -1
    device = next(iter(_group_by_device(item.modes)))
    try:
        drawn = _draw(item, number, halt)
        program = drawn.program.with_inputs(drawn.siblings[int(words[1])]) if drawn is not None else None
    except Halted as halted:
        program = halted.program
    tally = _make_tally(item, number, find_program_kind(number)[0].siblings)
    if program is not None:
        mode = _label(EAGER if halt >= 0 else words[0], device)
        identity = (item.index, number, program.name, item.ending.kind, (mode,), dtype_classes(program))
        tally.differences = [Difference(*identity, item.ending.detail, program.json(), fatal=True)]
    return tally


def judge_case(bench: OpsContext, task: tuple[str, tuple[str, ...]]) -> list[Difference]:
    """Judge one program in some modes."""
    begin(bench)
    text, modes = task
    program = Program.from_json(text)
    seen: dict[tuple[str, ...], Difference] = {}
    for device, ways in _group_by_device(modes).items():
        with make_scope(device)():
            found = examine_program(program, [program.inputs], tuple(dict.fromkeys((EAGER, *ways))))
        for difference in found.differences:
            if difference.way in ways:
                _add_difference(seen, _make_difference(difference, device))
    return list(seen.values())


def answer_case(bench: OpsContext, text: str) -> list[tuple[np.ndarray, ...]]:
    """Return the results of all steps of a program but the last, which may end its process, in eager mode; of fewer, if
    one raises.
    """
    begin(bench)
    return run_beginning(Program.from_json(text))


def reduce_difference(bench: OpsContext, task: tuple[Difference, tuple[str, ...], bool, int]) -> Reduced:
    """Reduce the program in the cheapest mode that failed, and return the difference of the minimal one, with its
    attribution. `most` is the largest number of candidates; 0 for what the mode allows.
    """
    begin(bench)
    difference, modes, _, most = task
    begun = time.process_time()
    mode = choose_cheapest(difference.modes)
    way, _, device = mode.partition("@")

    def look(candidate: Program) -> ProgramDifference | None:
        return _find_again(candidate, way, difference)

    def still_fails(candidate: Program) -> bool:
        return time.process_time() - begun <= PATIENCE[way] and look(candidate) is not None

    with make_scope(device or "CPU:0")():
        program = Program.from_json(difference.case)
        original = look(program)
        if original is None:
            return None, None
        minimal = reduce_case(program, still_fails, min(most or BUDGETS[way], BUDGETS[way]), run_beginning)
        last = look(minimal) or original
        if not modes:
            return _make_difference(last, device or "CPU:0", difference.index), None
        found = _describe(last, mode, modes)
    shown = _find_devices(last, way, modes, found.modes)
    found = replace(found, modes=shown, index=difference.index, sibling=difference.sibling, times=difference.times)
    return found, None


def _find_again(program: Program, way: str, difference: Difference) -> ProgramDifference | None:
    """Return what a program shows, if that is of the same sort as a difference, and of the same op."""
    found = difference_like(program, way, OpDeviation(difference.kind, difference.symptom, ""))
    return found if found is not None and (program.gradient or found.op == difference.name) else None


def _describe(difference: ProgramDifference, mode: str, modes: Sequence[str]) -> Difference:
    """Return the difference of a minimal program, with the answers of all modes, and the op, the Grappler pass and the
    node at fault.
    """
    program, way, deviation = difference.program, difference.way, difference.deviation
    device = mode.partition("@")[2] or "CPU:0"
    answers = answers_of(program)
    values = {one: answer.values for one, answer in answers.items()}
    output, expected = deviation.output, difference.expected
    groups = _group_answers(answers, output, expected)
    reference = expected if expected is not None else _select(values[EAGER], output)
    actual = _select(values[way], output)
    alike = [one for group in groups if way in group for one in group if one in WAYS]
    costlier = [one for one in alike if rank_cost(one) >= rank_cost(way) and _label(one, device) in modes]
    shown = "" if reference is None or actual is None else describe_arrays(mode, reference, actual, groups)
    passes = name_passes(difference) if way == GRAPH else ()
    node, op = "", difference.op
    if way != EAGER and deviation.kind in ("value", "shape"):
        step("node", PATIENCE_OF_NODES)
        node, of_node = name_node(program, way)
        op = of_node if of_node and (program.gradient or way == GRAPH) else op
    by = f", by {' or '.join(passes)}" if passes else ""
    return replace(
        _make_difference(difference, device),
        name=op,
        modes=tuple(_label(one, device) for one in dict.fromkeys((way, *costlier))),
        attribution=f"tf.{op} in {way}{by}{f', node {node}' if node else ''}",
        outputs=json.dumps(shown) if shown else "",
    )


def _find_devices(
    difference: ProgramDifference, way: str, modes: Sequence[str], shown: Sequence[str]
) -> tuple[str, ...]:
    """Return the modes that show a difference, with the same one on other devices."""
    found = list(shown)
    for mode in modes:
        other, _, device = mode.partition("@")
        if other == way and mode not in found:
            with make_scope(device or "CPU:0")():
                alike = difference_like(difference.program, way, difference.deviation)
            found += [mode] if alike is not None else []
    return tuple(sorted(found, key=rank_cost))


def _select(values: Sequence[np.ndarray], output: int) -> np.ndarray | None:
    return values[output] if len(values) > output else None


def _group_answers(answers: dict[str, Answer], output: int, expected: np.ndarray | None) -> list[list[str]]:
    """Return the modes, and NumPy if it has the op, grouped by equal answers, bit by bit."""
    groups: dict[bytes, list[str]] = {}
    if expected is not None:
        groups[_encode_bits(expected)] = ["NumPy"]
    for way, answer in answers.items():
        value = _select(answer.values, output)
        groups.setdefault(_encode_bits(value) if value is not None else answer.error.encode(), []).append(way)
    return list(groups.values())


def _encode_bits(array: np.ndarray) -> bytes:
    return f"{array.dtype}{array.shape}".encode() + array.tobytes()


def write_script(bench: OpsContext, seen: Difference) -> str | tuple[str, ...]:
    """Return the source of a script that shows the difference; or of several to try, of which later ones repeat what a
    process may remember. A program that ends its process is not run.
    """
    program = Program.from_json(seen.case)
    way, _, device = choose_cheapest(seen.modes).partition("@")
    title = f"{expression(program)} ({way}): {seen.detail}"
    if seen.kind in DEATHS:
        return write_program_script(program, way, seen.kind, title, device=device)
    begin(bench)
    with make_scope(device or "CPU:0")():
        found = difference_like(program, way, OpDeviation(seen.kind, seen.symptom, ""))
    if found is None:
        return write_program_script(program, way, seen.kind, title, device=device)
    write = partial(
        write_program_script,
        program,
        way,
        seen.kind,
        title,
        tolerance=found.tolerance,
        signs=seen.symptom == "sign of zero" or way == GRAPH,
        expected=found.expected,
        output=found.deviation.output,
        device=device,
    )
    twin = make_equal_twin(program)
    return write() if twin is None else (write(), write(before=twin))


def make_equal_twin(program: Program) -> Program | None:
    """Return the program with the signs of Python zeros flipped, which caches take for the same; None if it has no such
    zero.
    """
    is_zero = [isinstance(value, float) and value == 0 for one in program.steps for value in one.values()]
    if not any(is_zero):
        return None

    def turned(value: Any) -> Any:
        return -value if isinstance(value, float) and value == 0 else value

    return replace(program, steps=tuple(one.map(turned) for one in program.steps))


def run_script(bench: OpsContext, source: str) -> int:
    """Run a script as the main program of this process, which must be a fresh worker. Return its exit status."""
    return run_source(source)
