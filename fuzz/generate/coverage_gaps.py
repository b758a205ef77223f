"""Gaps in argument coverage: classes of arguments that NumPy accepts for a parameter, but the generator never draws.

No list says which classes a parameter can have. A class that was never drawn is planted into calls that NumPy accepts;
if NumPy accepts one of those, too, the parameter can have it. Of a number this says nothing if no answer depends on it:
`array_str` takes a negative precision for integers, which have no digits to round, and for no others.
"""

from __future__ import annotations

import inspect
import itertools
import time
import warnings
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import Parameter
from typing import Any

import numpy as np

from fuzz.generate.argument_classes import MATRIX_PLANTS, PLANTS, array_classes
from fuzz.generate.argument_coverage import (
    BY_KEYWORD,
    BY_POSITION,
    METHOD_OWNER,
    RESULT,
    VARIED,
    Depth,
    bind,
    classify_answered,
    is_random,
    takes_matrices,
)
from fuzz.generate.arrays import kind
from fuzz.generate.calls import draw_case
from fuzz.generate.choices import SeedChoices
from fuzz.generate.constraints import SQUARING
from fuzz.generate.signatures import parameters_of
from oracle import Case, run_numpy
from oracle.harness import destinations, encode_outcome, step, topic_of

DRAWS = 1000
MOST_DRAWS = 5000  # calls of a name in which a class is looked for that few of the first calls could have had
ENOUGH = 500  # arguments that could be of a class: where it is missing among fewer, it may be rare and not missing
FEWEST = 200  # valid calls that must give a parameter before its gaps are reported
USUAL = 100  # arrays, or numbers, among those: fewer are invalid by design, or are too few to be of every class
USUAL_OF_LONG = 500
HOSTS = 8  # valid calls in which a class is planted
FEWEST_TAKEN = 3  # NumPy must accept this many of those, and half of them: it accepts some calls by accident
MOST_GROWTH = 4  # factor on the elements that a call reads, beyond which it is not cheap
MOST_SECONDS = 0.002
LONG = ("65 to 1,000 elements", "past 1,000 elements")
COSTLY = ("Polynomials", "Universal function methods")
"""Topics in which no long array is asked for: the time that most of their functions take grows with the square."""

ENDLESS = ("Linear algebra", "Polynomials")
"""Topics in which nothing is planted that is infinite, or whose square is: LAPACK may look for its singular values
forever.
"""

SPECIAL = ("nan", "all nan", "infinity", "-infinity", "negative zero", "positive zero", "subnormal", "large")
OF_NUMBERS = (*SPECIAL, "zero", "fractional", "negative", "ties", "sorted")
"""Classes of the numbers in an array. An `out` has none of them if the call overwrites all of it."""

PLAIN = ("Random sampling",)
"""Topics in which numbers are parameters of distributions: of special ones NumPy may draw forever (zipf, vonmises)."""

KNOWN = {
    ("ndarray.tobytes", "self"): "a tensor has one layout, and what is asked for is the bytes of one",
    ("ndarray.view", "self"): "the same",
    ("random.Generator.permuted", "x"): "without an axis, elements are permuted as they lie in memory",
    ("unpackbits", "a"): "of an empty array NumPy 2.4 unpacks whatever lay in memory",
    ("meshgrid", "xi"): "a result has as many elements as the arguments multiplied",
    ("tile", "reps"): "each repetition is a dim",
    ("linalg.tensorsolve", "a"): "any shape will do that can be reshaped to a square matrix",
    ("linalg.tensorsolve", "b"): "the same, to its rows",
    ("searchsorted", "sorter"): "the indices that sort an array occur once each",
    ("polydiv", "u"): "meant for vectors: NumPy checks no rank",
}
"""Parameters that nothing is said about, and why."""

SCALARS = {
    "Python 0.0": 0.0,
    "Python -0.0": -0.0,
    "Python int": 1,
    "NumPy scalar": np.float64(0.5),
    "negative scalar": -1,
}


@dataclass(frozen=True)
class Gap:
    """A class that was never drawn for a parameter, with a call that shows that NumPy accepts it."""

    name: str
    parameter: str
    missing: str
    witness: str
    among: int = ENOUGH
    """The number of arguments that could be of the class."""

    def __str__(self) -> str:
        return f"{self.name}: {self.parameter} never had {self.missing!r}, as in {self.witness}"


@dataclass
class Sample:
    """The calls of a name that NumPy accepts, the number of calls drawn, and their argument coverage."""

    name: str
    drawn: int
    calls: list[Case]
    depth: Depth


@dataclass(frozen=True)
class Sounding:
    """The argument coverage of a name, and its gaps."""

    name: str
    drawn: int
    depth: Depth
    gaps: tuple[Gap, ...]


def sound(bench: Any, task: tuple[str, Container[str]]) -> Sounding:
    """Draw calls of a name and look for gaps, without the steps in `task` in which NumPy hangs or crashes. Runs in a
    worker.

    More calls are drawn while a class is missing among fewer than `ENOUGH` arguments.
    """
    name, excluded = task
    drawn = sample(name, excluded=excluded)
    found = tuple(gaps(drawn, excluded))
    while drawn.drawn < MOST_DRAWS and any(gap.among < ENOUGH for gap in found):
        extend(drawn, DRAWS, excluded)
        found = tuple(gaps(drawn, excluded))
    return Sounding(name, drawn.drawn, drawn.depth, found)


def sample(name: str, draws: int = DRAWS, excluded: Container[str] = ()) -> Sample:
    """Draw calls of a name from the first seeds, and classify the arguments of those that NumPy accepts."""
    found = Sample(name, 0, [], Depth())
    extend(found, draws, excluded)
    return found


def extend(found: Sample, draws: int, excluded: Container[str] = ()) -> None:
    """Add calls from the next seeds to a sample."""
    name, first = found.name, found.drawn
    with quiet():
        for seed in range(first, first + draws):
            if f"{name} {seed}" in excluded:
                continue
            step(f"{name} {seed}")
            case = draw_case(SeedChoices(seed), name)
            answer = run_numpy(case)
            if answer.ok:
                found.calls.append(case)
                found.depth.add(classify_answered(case, answer.value))
    found.drawn += draws


@contextmanager
def quiet() -> Iterator[None]:
    """Context manager without NumPy's warnings."""
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        yield


def gaps(drawn: Sample, excluded: Container[str] = ()) -> Iterator[Gap]:
    """Yield the classes that parameters of a name can have and never had."""
    with quiet():
        for parameter, count in drawn.depth.given.items():
            if count >= FEWEST and parameter in parameters_of(drawn.name) and (drawn.name, parameter) not in KNOWN:
                yield from _gaps_of(drawn, parameter, excluded)
    results = drawn.depth.classes.get(RESULT, Counter())
    if is_random(drawn.name) and "size" in parameters_of(drawn.name) and VARIED not in results:
        yield Gap(drawn.name, RESULT, VARIED, "any call with a size")


def _gaps_of(drawn: Sample, parameter: str, excluded: Container[str]) -> Iterator[Gap]:
    had = drawn.depth.classes[parameter]
    hosts = [case for case in drawn.calls if parameter in bind(case)]
    for missing, among, candidates in _plants(drawn.name, parameter, hosts, had):
        tried = list(itertools.islice(candidates, HOSTS))
        taken = [(host, case) for host, case in tried if _is_taken(case, missing, excluded)]
        is_ignored = missing in SCALARS and all(itertools.starmap(_have_same_answers, taken))
        if len(taken) >= max(FEWEST_TAKEN, len(tried) / 2) and not is_ignored:
            yield Gap(drawn.name, parameter, missing, str(taken[0][1])[:200], among)


Planted = Iterator[tuple[Case, Case]]
"""Calls, each with the same call in which a class is planted."""


def _plants(
    name: str, parameter: str, hosts: Sequence[Case], had: Mapping[str, int]
) -> Iterator[tuple[str, int, Planted]]:
    """Yield each class that never occurred, how many arguments could have been of it, and calls to plant it in."""
    for missing, (fitting, _) in (plants := _array_plants(name, parameter, had)).items():
        among = sum(had[f"dtype kind {one}"] for one in fitting)
        if missing not in had and among >= USUAL:
            yield missing, among, _with_arrays(hosts, parameter, missing, plants)
    among = had["Python float"] + had["Python int"]
    if among >= USUAL:
        floats = had["Python float"] >= USUAL
        for missing, value in SCALARS.items():
            if missing not in had and (floats or not isinstance(value, float)):
                numbers = (case for case in hosts if _is_number(case, parameter))
                yield missing, among, ((case, replace(case, parameter, value)) for case in numbers)
    for missing, rewrite in ((BY_KEYWORD, by_keyword), (BY_POSITION, by_position)):
        if missing not in had and parameter != METHOD_OWNER:
            rewritten = ((case, rewrite(case, parameter)) for case in hosts)
            yield missing, len(hosts), ((case, found) for case, found in rewritten if found is not None)


def _array_plants(name: str, parameter: str, had: Mapping[str, int]) -> dict[str, tuple[str, Any]]:
    """Return the classes of arrays that may be planted for a parameter."""
    plants = PLANTS | (MATRIX_PLANTS if takes_matrices(name) else {})
    left_out: set[str] = set()
    if topic_of(name) in ENDLESS:
        left_out.update(key for key in plants if "infinity" in key or key == "large")
    if topic_of(name) in PLAIN:
        left_out.update(SPECIAL)
    if topic_of(name) in COSTLY or SQUARING.search(name) or had["array"] < USUAL_OF_LONG:
        left_out.update(LONG)
    if parameter == "out" and "where" not in parameters_of(name):
        left_out.update(OF_NUMBERS)
    return {key: plant for key, plant in plants.items() if key not in left_out}


def _have_same_answers(case: Case, planted: Case) -> bool:
    try:
        return encode_outcome(run_numpy(case)) == encode_outcome(run_numpy(planted))
    except TypeError:  # an answer of objects that cannot be encoded
        return False


def _is_number(case: Case, parameter: str) -> bool:
    value = bind(case)[parameter].values[0]
    return isinstance(value, int | float) and not isinstance(value, bool)


def _with_arrays(hosts: Sequence[Case], parameter: str, missing: str, plants: Mapping[str, tuple[str, Any]]) -> Planted:
    fitting, plant = plants[missing]
    for case in hosts:
        value = bind(case)[parameter].values[0]
        if not isinstance(value, np.ndarray) or not value.size or kind(value.dtype) not in fitting:
            continue
        if missing == "read-only" and any(array is value for array in destinations(case)):
            continue
        try:
            planted = plant(value.astype(value.dtype.newbyteorder("=")))
        except (ValueError, IndexError, TypeError, OverflowError):
            continue
        if missing in array_classes(planted, is_matrix=takes_matrices(case.name)):
            yield case, replace(case, parameter, planted)


def _is_taken(case: Case, missing: str, excluded: Container[str]) -> bool:
    """Return whether NumPy accepts the case; checked cheaply if its size is the point."""
    text = f"{case.name} with {missing}"
    if text in excluded:
        return False
    step(text)
    begun = time.process_time()
    answer = run_numpy(case)
    seconds = time.process_time() - begun
    elements = _elements(answer.value)
    if not answer.ok or not elements:
        return answer.ok and missing == "empty"
    read = sum(array.size for array in case.arrays())
    return missing not in LONG or (elements <= MOST_GROWTH * read and seconds < MOST_SECONDS)


def _elements(value: Any) -> int:
    if isinstance(value, list | tuple):
        return 8 * len(value) + sum(map(_elements, value))
    return value.size if isinstance(value, np.ndarray) else 1


def replace(case: Case, parameter: str, value: Any) -> Case:
    """Return the call with another argument for a parameter that it gives."""
    if parameter in case.kwargs:
        return Case(case.name, case.args, {**case.kwargs, parameter: value})
    index = list(parameters_of(case.name)).index(parameter)
    return Case(case.name, (*case.args[:index], value, *case.args[index + 1 :]), case.kwargs)


def by_keyword(case: Case, parameter: str) -> Case | None:
    """Return the call with this argument and those after it by keyword; None if the signature does not allow it."""
    parameters = parameters_of(case.name)
    names = list(parameters)
    index = names.index(parameter)
    kinds = {parameters[name].kind for name in names[index : len(case.args)]}
    if parameter in case.kwargs or kinds != {Parameter.POSITIONAL_OR_KEYWORD}:
        return None
    return Case(
        case.name, case.args[:index], dict(zip(names[index:], case.args[index:], strict=False)) | dict(case.kwargs)
    )


def by_position(case: Case, parameter: str) -> Case | None:
    """Return the call with this argument by position, after defaults as needed; None if that is impossible."""
    parameters = parameters_of(case.name)
    names = list(parameters)
    index = names.index(parameter)
    if parameter not in case.kwargs or parameters[parameter].kind is not Parameter.POSITIONAL_OR_KEYWORD:
        return None
    args, kwargs = list(case.args), dict(case.kwargs)
    for name in names[len(args) : index + 1]:
        value = kwargs.pop(name, parameters[name].default)
        if value is inspect.Parameter.empty or value is np._NoValue or parameters[name].kind not in (0, 1):
            return None
        args.append(value)
    return Case(case.name, tuple(args), kwargs)
