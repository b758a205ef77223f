"""The tasks of workers: draw and judge programs, reduce departures, and run scripts."""

from __future__ import annotations

import contextlib
import io
import time
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import numpy as np

from fuzz.tensorflow_subject.generation import Drawn, Halted, draw_program
from fuzz.tensorflow_subject.scripts import write_script
from fuzz.tensorflow_subject.shrinking import minimise, propose_smaller
from oracle import (
    WAYS,
    Constant,
    Departure,
    Posed,
    Program,
    Session,
    Sighting,
    answers_of,
    decode_program,
    dtype_classes,
    encode_program,
    examine_program,
    examine_programs,
    expression,
    isolate_steps,
    name_node,
    name_passes,
    prepare_tensorflow,
    sighting_like,
    start_tensorflow,
    statement,
    step,
)

EVALUATIONS = {"eager": 100, "graph": 50, "xla": 16}
SECONDS = {"eager": 2.0, "graph": 3.0, "xla": 4.0}
MOST_SHOWN = 24  # stored elements of an output


@dataclass(frozen=True)
class Item:
    """Programs to draw: their indices, the modes, and the ops to draw from if not all. `deadly` ops are not run under
    XLA, `resting` ones not at all.
    """

    seed: int
    indices: tuple[int, ...]
    ways: tuple[str, ...]
    selected: tuple[str, ...] = ()
    deadly: frozenset[str] = frozenset()
    resting: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Seen:
    """A sighting as plain data."""

    index: int
    program: str
    way: str
    kind: str
    symptom: str
    detail: str
    op: str
    ops: tuple[str, ...]
    dtype: str

    @property
    def prekey(self) -> tuple[str, ...]:
        """The key that sightings share if they are probably one finding."""
        return (self.way, self.kind, self.symptom, self.op, self.dtype)


@dataclass
class Explored:
    """The result of an item."""

    index: int
    ops: tuple[str, ...] = ()
    valid: bool = False
    seen: list[Seen] = field(default_factory=list)
    declared: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    ran: dict[str, int] = field(default_factory=dict)
    cases: int = 0


@dataclass(frozen=True)
class Found:
    """A reduced finding: `ops` are those of the minimal program, `passes` the Grappler passes without which it
    disappears.
    """

    program: str
    source: str
    way: str
    kind: str
    symptom: str
    detail: str
    op: str
    ops: tuple[str, ...]
    dtype: str
    passes: tuple[str, ...]
    agreement: list[list[str]]
    expected: Any
    actual: Any
    script: str
    reduced: bool
    node: str = ""
    seconds: float = 0.0
    remembering: str = ""


def prepare() -> None:
    """Import TensorFlow, in the fork server."""
    prepare_tensorflow()


def start(context: None) -> None:
    """Do nothing: running a script forks, which a process that has started TensorFlow must not do."""


@cache
def begin() -> None:
    """Start TensorFlow, once in each process."""
    start_tensorflow()


def explore(context: None, item: Item) -> list[Explored]:
    """Draw the programs of an item and judge them."""
    begin()
    explored, posed = [], []
    for index in item.indices:
        begun = time.process_time()
        drawn = draw_program(
            item.seed, index, Session, partial(_announce, index), selected=item.selected, resting=item.resting
        )
        explored.append(Explored(index, seconds={"draw": time.process_time() - begun}))
        if drawn is not None:
            explored[-1].ops, explored[-1].cases = drawn.program.ops, len(drawn.siblings)
            posed.append(
                (explored[-1], Posed(drawn.program, drawn.siblings, _ways(drawn, index, item.ways, item.deadly)))
            )
    for (entry, _), found in zip(posed, examine_programs([one for _, one in posed]), strict=True):
        entry.valid, entry.declared, entry.ran = found.valid, dict(found.declared), dict(found.ran)
        entry.seen = [_seen(entry.index, sighting) for sighting in found.sightings]
        entry.seconds |= found.seconds
    return explored


def _announce(index: int, text: str) -> None:
    step(f"{text} of {index}")


def redraw(context: None, item: tuple[Item, int]) -> list[str]:
    """Return the programs of an item with one index, one for each sibling; or, if a step must not be run, the program
    up to and including that step.
    """
    begin()
    one, halt = item
    try:
        drawn = draw_program(one.seed, one.indices[0], Session, halt=halt, selected=one.selected, resting=one.resting)
    except Halted as halted:
        return [encode_program(halted.program)]
    return [encode_program(drawn.program.with_inputs(inputs)) for inputs in drawn.siblings] if drawn else []


def attempt(context: None, item: tuple[str, str]) -> list[Seen]:
    """Judge a program, which may end this process, in eager mode and one other mode."""
    begin()
    text, way = item
    program = decode_program(text)
    found = examine_program(program, [program.inputs], tuple(dict.fromkeys((WAYS[0], way))))
    return [_seen(0, sighting) for sighting in found.sightings]


def parts(context: None, item: tuple[str, str]) -> list[str]:
    """Return each step as a program of its own, on its eager operands. The last step of a program that ends the process
    in eager mode is not run.
    """
    begin()
    text, way = item
    program = decode_program(text)
    return [encode_program(part) for part in isolate_steps(program, runs_last=way != WAYS[0])]


def prefixes(context: None, item: str) -> list[str]:
    """Return the program up to each step, the shortest first, without running anything."""
    program = decode_program(item)
    heads = [replace(program, steps=program.steps[: end + 1]).without_unused() for end in range(len(program.steps))]
    return [encode_program(head) for head in heads]


def reductions(context: None, item: str) -> list[str]:
    """Return smaller programs than one that must not be run."""
    return [encode_program(program) for program in propose_smaller(decode_program(item))]


def pursue(context: None, item: tuple[Seen, bool]) -> Found | None:
    """Reduce a sighting, and return the finding with its attribution; None if the sighting does not recur."""
    begin()
    begun = time.process_time()
    seen, reduces = item
    program = decode_program(seen.program)
    original = _again(program, seen)
    if original is None:
        return None

    def shows(candidate: Program) -> bool:
        return _again(candidate, seen) is not None

    smallest = program
    if reduces:
        smallest = minimise(program, shows, EVALUATIONS[seen.way], SECONDS[seen.way])
    sighting = _again(smallest, seen)
    if sighting is None:
        smallest, sighting = program, original
    return replace(_found(smallest, sighting, reduces), seconds=time.process_time() - begun)


def attribute(context: None, found: Found) -> Found:
    """Return the finding with the node at fault, and with its op if that is not the last step's. XLA may end the
    process.
    """
    begin()
    step("node", 4.0)
    program = decode_program(found.program)
    node, op = name_node(program, found.way)
    is_of_op = bool(op) and (program.gradient or found.way == "graph")
    return replace(found, node=node, op=op if is_of_op else found.op)


def describe_death(context: None, item: tuple[str, str, str, str, bool]) -> Found:
    """Return the finding for a program that ends its process, without running it. `item` holds JSON, mode, kind, detail
    and a flag.
    """
    text, way, kind, detail, reduced = item
    program = decode_program(text)
    title = f"{expression(program)}: {kind} ({way}; {detail})"
    script = write_script(program, way, kind, title)
    ops = program.ops
    return Found(
        text, statement(program), way, kind, kind, detail, ops[-1], ops, dtype_classes(program), (), [], None, None,
        script, reduced,
    )  # fmt: skip


def run_script(context: None, source: str) -> tuple[int, str]:
    """Run a script as a program, and return its exit status and its output."""
    output = io.StringIO()
    status = 0
    try:
        with contextlib.redirect_stdout(output):
            exec(compile(source, "repro.py", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except Exception as error:  # noqa: BLE001 - the script calls a library under test, which may raise anything
        return 70, f"{type(error).__name__}: {error}"
    return status, output.getvalue()


def _ways(drawn: Drawn, index: int, ways: tuple[str, ...], deadly: frozenset[str]) -> tuple[str, ...]:
    """Return the modes for a program: graph only if there is something to rewrite, XLA only if no op is deadly."""
    program = drawn.program
    has_constant = any(isinstance(value, Constant) for one in program.steps for value in one.values())
    chosen = []
    for way in ways:
        if way not in drawn.lane.ways or (way == "xla" and deadly & set(program.ops)):
            continue
        if way == "graph" and len(program.steps) == 1 and not has_constant and index % 4:
            continue
        chosen.append(way)
    return tuple(chosen)


def _seen(index: int, sighting: Sighting) -> Seen:
    departure = sighting.departure
    return Seen(
        index,
        encode_program(sighting.program),
        sighting.way,
        departure.kind,
        departure.symptom,
        departure.detail,
        sighting.op,
        sighting.program.ops,
        sighting.dtype,
    )


def _again(program: Program, seen: Seen) -> Sighting | None:
    sighting = sighting_like(program, seen.way, Departure(seen.kind, seen.symptom, ""))
    return sighting if sighting is not None and (program.gradient or sighting.op == seen.op) else None


def _found(program: Program, sighting: Sighting, reduced: bool) -> Found:
    departure = sighting.departure
    passes = name_passes(sighting) if sighting.way == "graph" else ()
    answers = answers_of(program)
    expected = sighting.expected
    groups = _agreement(answers, departure.output, expected)
    eager = answers["eager"].values
    shown = expected if expected is not None else eager[departure.output] if len(eager) > departure.output else None
    actual = answers[sighting.way].values
    got = actual[departure.output] if len(actual) > departure.output else None
    title = f"{expression(program)} ({sighting.way}): {departure.detail}"
    script = partial(
        write_script,
        program,
        sighting.way,
        departure.kind,
        title,
        tolerance=sighting.tolerance,
        signs=departure.symptom == "sign of zero" or sighting.way == "graph",
        expected=expected,
        output=departure.output,
    )
    twin = make_equal_twin(program)
    return Found(
        encode_program(program),
        statement(program),
        sighting.way,
        departure.kind,
        departure.symptom,
        departure.detail,
        sighting.op,
        program.ops,
        sighting.dtype,
        passes,
        groups,
        _shown(shown, got),
        _shown(got, shown),
        script(),
        reduced,
        remembering=script(before=twin) if twin is not None else "",
    )


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


def _agreement(answers: dict[str, Any], output: int, expected: np.ndarray | None) -> list[list[str]]:
    """Return the modes, and NumPy if it has the op, grouped by equal answers, bit by bit."""
    groups: dict[bytes, list[str]] = {}
    if expected is not None:
        groups[_key(expected)] = ["NumPy"]
    for way, answer in answers.items():
        given = _key(answer.values[output]) if len(answer.values) > output else answer.error.encode()
        groups.setdefault(given, []).append(way)
    return list(groups.values())


def _key(array: np.ndarray) -> bytes:
    return f"{array.dtype}{array.shape}".encode() + array.tobytes()


def _shown(array: np.ndarray | None, other: np.ndarray | None) -> Any:
    """Return the first elements of an output as findings have them, and which of them differ from the other output."""
    if array is None:
        return None
    flat = np.ravel(array)[:MOST_SHOWN]
    shown = {
        "form": "array" if array.ndim else "scalar",
        "dtype": str(array.dtype),
        "shape": list(array.shape),
        "size": int(array.size),
        "start": 0,
        "elements": [str(x) for x in flat],
    }
    if other is not None and other.shape == array.shape:
        pairs = zip(flat, np.ravel(other), strict=False)
        shown["differs"] = [i for i, (one, two) in enumerate(pairs) if one.tobytes() != two.tobytes()]
    return shown
