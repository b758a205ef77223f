"""Outcomes, values or errors, in NumPy's terms; and running a case in NumPy."""

from __future__ import annotations

import builtins
import re
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.case.vocabulary import CALLABLE, LAST, PROGRAM, function_name, numpy_attribute, return_results
from oracle.inventory import FACTS
from oracle.reference import bfloat16
from oracle.reference.display import make_line, make_printable
from oracle.reference.memory_safety import is_memory_unsafe
from oracle.reference.polynomials import spell
from oracle.signatures import inspect_signature
from oracle.subject import attribute_of_first

PUBLIC_BASES = {
    name: getattr(builtins, name)
    for name in (
        *("ArithmeticError", "AssertionError", "AttributeError", "BufferError", "EOFError", "FloatingPointError"),
        *("ImportError", "IndexError", "KeyError", "MemoryError", "NameError", "NotImplementedError"),
        *("OSError", "OverflowError", "RecursionError", "RuntimeError", "StopIteration", "TypeError"),
        *("UnicodeError", "ValueError", "ZeroDivisionError"),
    )
} | {
    "AxisError": np.exceptions.AxisError,
    "DTypePromotionError": np.exceptions.DTypePromotionError,
    "LinAlgError": np.linalg.LinAlgError,
}
"""The classes by which a user of NumPy would catch an error."""


NOISE = re.compile(
    r"(?: at)? 0x[0-9a-fA-F]{4,}|\{\{[^}]*\}\}\s*| \[Op:\w*\](?: name:.*)?|(?<=__inference_)\w+(?:\[[^\]]*\])?"
)
"""What differs from run to run in a message, or names TensorFlow's own nodes."""


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception: its class, its public base classes, and the first line of its message.

    `full_message` is the whole message, if it is longer.
    """

    name: str
    bases: tuple[str, ...]
    message: str
    full_message: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.name}: {self.message}" if self.message else self.name

    @classmethod
    def of(cls, exception: BaseException) -> Raised:
        """Return an exception as data."""
        line, full = _first_line(exception), _full_message(exception)
        kind: Any = type(exception)
        return cls(make_line(kind.__name__, LONGEST_NAME), _bases(kind), line, full if full != line else "")


@dataclass(slots=True)
class Outcome:
    """The outcome of a case.

    `value` is a tree of tuples, lists and dicts of arrays, NumPy scalars and Python objects. `kind` is "ok", "error",
    "crash", "hang", "memory", or "unsupported" if the mode makes no sense for the case. `phase` says whether an error
    came at trace time or at run time. `after` holds the arrays that the case wrote to; `changed` the indices of other
    arrays of the case that changed; `unkept` names a static shape or dtype that the result lacks; `others` holds the
    results of further replicas; `unlike` says how gradients of a loaded call differ from those before it was saved;
    `looped` names an op that `tf.vectorized_map` runs in a loop. `steps` are the calls of a program, each with the
    subject's own operands and its own outcome, where they were recorded: see `oracle.execution.steps`.
    """

    value: Any = None
    error: Raised | None = None
    kind: str = "ok"
    phase: str = "run"
    after: tuple[np.ndarray, ...] = ()
    changed: tuple[int, ...] = ()
    unkept: str = ""
    others: tuple[Any, ...] = ()
    unlike: str = ""
    looped: str = ""
    steps: tuple[tuple[Case, Outcome], ...] = ()

    @classmethod
    def raised(cls, exception: BaseException, phase: str = "run") -> Outcome:
        """Return the outcome of a call that raised."""
        error = Raised.of(exception)
        out_of_memory = isinstance(exception, MemoryError) or error.name == "ResourceExhaustedError"
        return cls(error=error, kind="memory" if out_of_memory else "error", phase=phase)

    @property
    def ok(self) -> bool:
        return self.kind == "ok"


READERS_OF_LAYOUT = FACTS["numpy"]["readers_of_layout"]
"""Functions that look at where elements lie: whether `order="A"` reads by columns, whether `copy=False` can be had; or
say in what byte order they do; and `choose`, which writes to an `out=` as if it lay by rows, be it past its ends.
"""


READERS_OF_SCALARS = FACTS["numpy"]["readers_of_scalars"]
"""Functions that take an array without dimensions for a Python number, of more digits than the element that it holds:
a tensor without dimensions is what NumPy's scalar is elsewhere.
"""

TELLERS_OF_SCALARS = FACTS["numpy"]["tellers_of_scalars"]
"""Functions that tell NumPy's scalars from arrays without dimensions, and so from what a tensor's calls hand on."""


def copy_for_numpy(case: Case) -> Case:
    """Return the case with copies of its arrays, as NumPy runs it.

    Where a call depends on memory layout, arrays are in C order and native byte order, as the elements of all tensors
    are.
    """
    if not depends_on_layout(case):
        return case.fresh()
    as_scalars = case.name in READERS_OF_SCALARS
    return case.map_arrays(lambda array: _as_a_tensor_holds_it(array, as_scalars))


def depends_on_layout(case: Case) -> bool:
    """Return whether a call of the case looks at memory layout."""
    if not case.is_nested():
        return case.name in READERS_OF_LAYOUT
    return not READERS_OF_LAYOUT.isdisjoint([call.name for call in case.calls()])


def _as_a_tensor_holds_it(array: np.ndarray, as_scalars: bool) -> Any:
    """Return an array in C order and native byte order, with text of minimal width; 0-d arrays as scalars if
    `as_scalars`.
    """
    width = max([1, *map(len, array.ravel().tolist())]) if array.dtype.kind == "U" else 0
    native = array.dtype if array.dtype.kind == "T" else array.dtype.newbyteorder("=")
    dtype = np.dtype(f"U{width}") if width else native
    copy = np.array(array, dtype, order="C")
    return copy[()] if as_scalars else copy


def run_numpy(case: Case, find: Callable[[str], Any] | None = None, apply: Apply | None = None) -> Outcome:
    """Return NumPy's outcome of the case, ignoring warnings. `find` may look up functions elsewhere, and `apply` make
    the calls. There is none if NumPy would read or write outside its arrays.
    """
    if is_memory_unsafe(case):
        return Outcome(kind="unsupported")
    fresh = copy_for_numpy(case)
    look_up = find or find_in_numpy
    return run_copied(fresh, adapt_to_bfloat16(look_up) if bfloat16.concerns(fresh) else look_up, apply)


def run_copied(case: Case, find: Callable[[str], Any], apply: Apply | None = None) -> Outcome:
    """Return NumPy's outcome of a case that is safe, whose arrays nobody else has, and for whose dtypes `find` is."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value = evaluate(case, find, None, make_converter(case.name), apply=apply)
        except bfloat16.NoAnswer:
            return Outcome(kind="unsupported")
        except Exception as exception:  # noqa: BLE001 - whatever NumPy raises is the answer
            return Outcome.raised(exception)
    return Outcome(value, after=tuple(destinations(case)))


def adapt_to_bfloat16(find: Callable[[str], Any]) -> Callable[[str], Any]:
    """Wrap `find` so that the functions it returns support bfloat16."""

    def look_up(name: str) -> Any:
        function = find(name)
        return bfloat16.adapt(name, function, find_in_numpy(name)) if callable(function) else function

    return look_up


def make_converter(name: str) -> Callable[[Any], Any]:
    """Return a converter of inner results for the outermost call: NumPy distinguishes scalars and 0-d arrays, tensors
    do not.
    """
    if name in TELLERS_OF_SCALARS or name.startswith("ndarray."):
        return lambda value: np.asarray(value) if isinstance(value, np.generic) else value
    if name in READERS_OF_SCALARS:
        return lambda value: value[()] if isinstance(value, np.ndarray) else value
    return _itself


@lru_cache(maxsize=4096)
def find_in_numpy(name: str) -> Any:
    """Return NumPy's object for a dotted name. Raises AttributeError for a name that no case may have."""
    value = numpy_attribute(name)
    return attribute_of_first(name) if name.startswith("ndarray.") else value


for _name in CALLABLE:  # before a subject is imported, which may put functions of its own where NumPy has others
    with suppress(AttributeError):
        find_in_numpy(_name)


Apply = Callable[[Case, Any, list[Any], dict[str, Any]], Any]
"""Makes a call of a program: of the case, the function, and its arguments."""


def evaluate(
    case: Case,
    find: Callable[[str], Any],
    of_array: Callable[[np.ndarray], Any] | None,
    of_result: Callable[[Any], Any] | None = None,
    of_other: Callable[[Any], Any] | None = None,
    apply: Apply | None = None,
) -> Any:
    """Call the function that `find` returns on the arguments. A case that occurs twice is called once.

    `of_array` converts each array, `of_result` the result of an inner call, `of_other` any other argument. `apply`
    makes each call, given the case, the function and its arguments.
    """
    results: dict[int, Any] = {}

    def build(value: Any) -> Any:
        kind = type(value)
        if kind is np.ndarray:
            return value if of_array is None else of_array(value)
        if kind is list:
            return [build(item) for item in value]
        if kind is tuple:
            return tuple([build(item) for item in value])
        if kind is dict:
            return {key: build(item) for key, item in value.items()}
        if kind is Case:
            key = id(value)
            if key not in results:
                result = call(value)
                results[key] = result if of_result is None else of_result(result)
            return results[key]
        if of_other is not None and (path := numpy_path(value)) is None:
            return of_other(value)
        if kind in PASSED_ON:
            return value
        path = numpy_path(value)
        return value if path is None else find(path)

    def call(case: Case) -> Any:
        if case.name == LAST:
            return [build(arg) for arg in case.args][-1]
        if case.name == PROGRAM:
            return return_results(*map(build, case.args))
        function = find(case.name)
        if not callable(function):
            return function
        args, kwargs = [build(arg) for arg in case.args], {key: build(arg) for key, arg in case.kwargs.items()}
        return function(*args, **kwargs) if apply is None else apply(case, function, args, kwargs)

    result = call(case)
    return result if isinstance(result, np.ndarray | np.generic) else spell(result)


PASSED_ON = frozenset(
    {int, float, bool, complex, str, bytes, type(None), slice, type(...), type, *np.sctypeDict.values()}
)
"""Classes of arguments that every subject is given as they are."""


def numpy_path(value: Any) -> str | None:
    """Return the dotted name of a function of NumPy's; None for anything else."""
    if not callable(value) or isinstance(value, type):
        return None
    return function_name(value)


def destinations(case: Case) -> list[np.ndarray]:
    """Return the arrays that the case writes to, in order of appearance: `out=`, and what `copyto` and others fill."""
    arrays: list[np.ndarray] = []
    if not case.kwargs and not case.is_nested() and not _may_write(case.name, len(case.args)):
        return arrays
    for call in case.calls():
        for value in _find_outputs(call):
            if type(value) is np.ndarray and not any(value is earlier for earlier in arrays):
                arrays.append(value)
    return arrays


def owners(case: Case) -> list[np.ndarray]:
    """Return the arrays whose attributes or methods the case uses: on a NumPy array they would be NumPy's own."""
    calls = (call for call in case.calls() if call.name.startswith("ndarray.") and call.args)
    return [call.args[0] for call in calls if type(call.args[0]) is np.ndarray]


@lru_cache(maxsize=4096)
def _may_write(name: str, count: int) -> bool:
    position, out = output_positions(name)
    return (position is not None and count > position) or (out is not None and count > out)


def _find_outputs(call: Case) -> list[Any]:
    position, count = output_positions(call.name)
    values = [call.args[position]] if position is not None and len(call.args) > position else []
    values += [call.kwargs[name] for name in OUTPUT_PARAMETERS.get(call.name, ()) if name in call.kwargs]
    out = call.args[count:] if count is not None and len(call.args) > count else [call.kwargs.get("out")]
    for value in out:
        values += value if type(value) is tuple else [value]
    return values


def overlaps(calls: Iterable[Case]) -> bool:
    """Return whether one of the calls writes two results to one array: NumPy does not promise which one remains."""
    for call in calls:
        ids = [id(value) for value in _find_outputs(call) if type(value) is np.ndarray]
        if len(ids) != len(set(ids)):
            return True
    return False


WRITING_FIRST = FACTS["numpy"]["written_first"]
"""Functions that write to their first argument."""


def _name_outputs() -> dict[str, tuple[str, ...]]:
    """Return, by function, the first parameter if the function writes to it, where NumPy has a signature."""
    named = {name: inspect_signature(attrgetter(name)(np)) for name in WRITING_FIRST if not name.startswith("ndarray.")}
    parameters: dict[str, tuple[str, ...]] = {name: (next(iter(called.parameters)),) for name, called in named.items()}
    return parameters | {"random.Generator.shuffle": ("x",)}


OUTPUT_PARAMETERS = _name_outputs()
"""The names of the parameters that functions write to, beside `out`."""


@lru_cache(maxsize=4096)
def output_positions(name: str) -> tuple[int | None, int | None]:
    """Return the positions of the argument that the function always writes to, and of its `out=`."""
    first = 0 if name in WRITING_FIRST or name.endswith(".at") else 1 if name == "random.Generator.shuffle" else None
    count = ufunc_inputs(name)
    if count is not None:
        return first, count
    try:
        parameters = list(inspect_signature(attrgetter(name)(np)).parameters.values())
    except (AttributeError, TypeError, ValueError):
        return first, None
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return first, positional.index("out") if "out" in positional else None


def bind_arguments(case: Case, *, programs: bool = False) -> dict[str, Any]:
    """Return a call's arguments by parameter, with defaults; empty if NumPy has no signature for it.

    A method has the parameters of the function of its name. For a program the result is empty, or with `programs` that
    of its outermost call.
    """
    if not programs and len(case.calls()) > 1:
        return {}
    try:
        bound = inspect_signature(find_in_numpy(case.name.removeprefix("ndarray."))).bind(*case.args, **case.kwargs)
    except (AttributeError, TypeError, ValueError):
        return {}
    bound.apply_defaults()
    return bound.arguments


def may_overwrite(case: Case) -> bool:
    """Return whether a call of the case allows NumPy to overwrite its inputs."""
    return any(_allows_overwriting(call) for call in case.calls())


def _allows_overwriting(call: Case) -> bool:
    arguments = bind_arguments(call, programs=True)
    return bool(arguments.get("overwrite_input")) or (call.name == "nan_to_num" and not arguments.get("copy", True))


@lru_cache(maxsize=4096)
def ufunc_inputs(name: str) -> int | None:
    """Return the number of inputs of a ufunc, after which positional arguments are outputs."""
    try:
        ufunc = attrgetter(name.removesuffix(".outer"))(np)
    except AttributeError:
        return None
    return ufunc.nin if isinstance(ufunc, np.ufunc) else None


def _itself(array: np.ndarray) -> np.ndarray:
    return array


@lru_cache(maxsize=1024)
def _bases(kind: type[BaseException]) -> tuple[str, ...]:
    return tuple([name for name, base in PUBLIC_BASES.items() if issubclass(kind, base)])


def _first_line(exception: BaseException) -> str:
    """Return the informative line of a message; for an error in a graph, the one after where the node was defined."""
    try:
        text = make_printable(str(exception))
    except Exception as error:  # noqa: BLE001 - a message that cannot be had is no reason to lose the error
        return f"(its message raises {type(error).__name__})"
    first, *others = [line.strip() for line in NOISE.sub("", text.strip()).strip().split("\n")] or [""]
    if first == GRAPH_ERROR:
        told = [line for line in others if line and not line.startswith(NOT_TOLD) and "root error" not in line]
        first = f"{GRAPH_ERROR} {told[0]}" if told else first
    return first[:300]


def _full_message(exception: BaseException) -> str:
    """Return the message without what varies between runs: addresses, names of nodes, positions in source files."""
    try:
        text = make_printable(str(exception))
    except Exception:  # noqa: BLE001 - a message that cannot be had is no reason to lose the error
        return ""
    lines = [line.strip() for line in NOISE.sub("", text).strip().split("\n")]
    return "\n".join(line for line in lines if not line.startswith(NOT_TOLD))[:LONGEST_MESSAGE]


LONGEST_MESSAGE = 4000
LONGEST_NAME = 200
GRAPH_ERROR = "Graph execution error:"
NOT_TOLD = ("[[", "Detected at", "File ", "<stack traces", "0 successful", "0 derived")
