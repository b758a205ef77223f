"""No result of `tfnp.numpy` is a tensor, and none an array of NumPy's own where a tensor can hold it.

Names are called as they are drawn. What no calls are drawn of, and the attributes and methods of objects that calls
return, are called with values of a pool: with those that NumPy takes.
"""

from __future__ import annotations

import io
import itertools
import types
import zlib
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import Any

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np
from fuzz.adapters import MUTABLE
from fuzz.generate.calls import draw_case, generated_names
from fuzz.generate.choices import SeedChoices
from oracle import Subject
from oracle.reference.outcome import copy_for_numpy, evaluate, find_in_numpy
from tests import tiers
from tests.tables import check_each
from tfnp._core import dtypes
from tfnp.numpy.arrays import Array

pytestmark = pytest.mark.filterwarnings("ignore")
with pytest.MonkeyPatch.context() as _patch:
    _patch.setenv("TFNP_NUMPY", "auto")  # which the adapter would set for the whole process
    SUBJECT = Subject("tfnp.numpy", adapter=MUTABLE)
DRAWS = 8 if tiers.is_full else 1

NAMESPACES = ("", "linalg", "fft", "random", "strings", "polynomial", "polynomial.polynomial", "lib.stride_tricks")
NAMESPACES += ("lib.scimath", "lib.mixins", "emath", "exceptions", "typing")

OWN_CLASSES = {"busdaycalendar", "SeedSequence"}
"""NumPy's classes of which the objects are NumPy's own, and so are their arrays: of dates, and read by code in C."""
ITEMS_OF_TEXT = {"nditer()"}
"""Text that is written to: no array shares memory of text."""
FILES_AND_SETTINGS = {"DataSource", "NpzFile", "test", "show_config", "show_runtime", "info", "help"}
FILES_AND_SETTINGS |= {"save", "savez", "savez_compressed", "savetxt", "tofile", "dump", "set_printoptions"}
FILES_AND_SETTINGS |= {"setbufsize", "seterr", "seterrcall", "printoptions", "setflags"}
"""Names that write files, or change settings of the process."""
PROTOCOLS = {"__array__", "__array_struct__", "__array_finalize__", "__reduce__", "__reduce_ex__", "__getstate__"}
PROTOCOLS |= {"__class__", "__new__", "__init__", "__init_subclass__", "__subclasshook__", "__setattr__", "__dir__"}
PROTOCOLS |= {"__delattr__", "__sizeof__", "__array_namespace__"}
"""Methods by which Python and NumPy ask for NumPy's memory or for classes."""
METHODS = ("__getitem__", "__iter__", "__next__", "__call__", "__add__", "__mul__", "__neg__", "__pow__", "__divmod__")
ENDS = (int, float, complex, str, bytes, type(None), numpy.generic, numpy.ndarray, numpy.dtype, types.ModuleType, type)
MOST_CALLS, MOST_DEPTH, MOST_ITEMS = 6, 2, 3


def make_pool(np: Any) -> list[Any]:
    numbers = np.array([[1.5, 2.0], [0.5, 3.0]])
    booleans, text = np.array([True, False, True]), np.array(["a", "b"])
    return [
        *(numbers, 1, np.array([1, 2, 3]), "f8", 0.5, [1.0, 2.0], (2,), booleans),
        *(lambda *args: args[0], text, np.float64(2)),
    ]


def find_leaks(value: Any, path: str = "") -> Iterator[str]:
    """Yield the paths of tensors, and of NumPy's arrays that tensors can hold, in a result."""
    if isinstance(value, Array):
        return
    if isinstance(value, tf.Tensor | tf.Variable | tf.TensorShape | tf.DType):
        yield f"{path}: {type(value).__name__}"
    elif type(value) is numpy.ndarray:
        is_text = value.dtype.kind in "US"
        if value.dtype.isnative and (is_text or (value.dtype.kind in "biufc" and dtypes.to_tf_dtype(value.dtype))):
            yield f"{path}: {value.dtype} of NumPy"
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from find_leaks(item, f"{path}[{key!r}]")
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            yield from find_leaks(item, f"{path}[{index}]")


def has_scalar_class(name: str) -> bool:
    """Return whether a name is NumPy's class of scalars, such as float64: of an array it makes one of NumPy's own."""
    value = find_in_numpy(name)
    return isinstance(value, type) and issubclass(value, numpy.generic)


@pytest.mark.parametrize("policy", ["auto", "tensorflow"])
def test_drawn_calls(policy):
    answered = set()

    def check(name):
        for draw in range(DRAWS):
            case = draw_case(SeedChoices(zlib.crc32(name.encode()) + draw), name)
            try:
                evaluate(copy_for_numpy(case), find_in_numpy, lambda array: array)
                result = evaluate(copy_for_numpy(case), SUBJECT.find, np.array)
            except Exception:  # noqa: BLE001 - errors are judged elsewhere
                continue
            answered.add(name)
            assert list(find_leaks(result)) == [], case

    names = [name for name in generated_names() if not has_scalar_class(name)]
    with np.calculate_with(policy), numpy.errstate(all="ignore"):
        check_each(tiers.sample(names, 400), check)
    assert len(answered) > (960 if tiers.is_full else 320)


def test_drawn_calls_in_graphs():
    def check(name):
        case = copy_for_numpy(draw_case(SeedChoices(zlib.crc32(name.encode())), name))
        arrays, leaks = case.arrays(), []

        def trace(tensors):
            inputs = {id(array): np.array(tensor) for array, tensor in zip(arrays, tensors, strict=True)}
            leaks.extend(find_leaks(evaluate(case, SUBJECT.find, lambda array: inputs[id(array)])))
            return 0

        try:
            evaluate(copy_for_numpy(case), find_in_numpy, lambda array: array)
            tf.function(trace, autograph=False).get_concrete_function([tf.constant(array) for array in arrays])
        except Exception:  # noqa: BLE001 - errors are judged elsewhere
            return
        assert leaks == [], case

    drawn = [name for name in generated_names() if not has_scalar_class(name)]
    with numpy.errstate(all="ignore"):
        check_each(tiers.sample(drawn, 40), check)


class Sweep:
    """Calls of names, and of what is found in the objects that they return."""

    def __init__(self) -> None:
        self.leaks: dict[str, str] = {}
        self.classes: set[type] = set()
        self.calls = 0

    def visit(self, path: str, expected: Any, actual: Any, depth: int = 0) -> None:
        is_function = isinstance(expected, type | types.FunctionType)
        if isinstance(expected, ENDS) and not is_function:
            self.note(path, actual)
        elif callable(expected):
            self.call(path, expected, actual, depth)
        else:
            self.look_into(path, expected, actual, depth)

    def note(self, path: str, actual: Any) -> None:
        for leak in find_leaks(actual):
            self.leaks[path] = leak

    def call(self, path: str, expected: Any, actual: Any, depth: int) -> None:
        answered = 0
        indices = itertools.chain([()], *(itertools.product(range(11), repeat=count) for count in (1, 2)))
        for chosen in indices:
            try:
                theirs = expected(*[make_pool(numpy)[index] for index in chosen])
                ours = actual(*[make_pool(np)[index] for index in chosen])
            except BaseException:  # noqa: BLE001 - errors are judged elsewhere
                continue
            if hasattr(theirs, "__next__") and not type(theirs).__module__.startswith("numpy"):
                theirs, ours = (list(itertools.islice(items, MOST_ITEMS)) for items in (theirs, ours))
            answered += 1
            self.note(f"{path}()", ours)
            self.look_into(f"{path}()", theirs, ours, depth)
            if answered == MOST_CALLS:
                break
        self.calls += answered

    def look_into(self, path: str, expected: Any, actual: Any, depth: int) -> None:
        if isinstance(expected, tuple | list):
            for one, other in zip(expected, actual, strict=False):
                self.look_into(path, one, other, depth)
            return
        cls = type(expected)
        is_end = isinstance(expected, ENDS) or depth > MOST_DEPTH or cls.__name__ in OWN_CLASSES
        if is_end or not cls.__module__.startswith("numpy") or cls in self.classes:
            return
        self.classes.add(cls)
        for name in dir(expected):
            if (name[0] != "_" or name in METHODS) and name not in FILES_AND_SETTINGS:
                self.visit_attribute(path, name, expected, actual, depth)

    def visit_attribute(self, path: str, name: str, expected: Any, actual: Any, depth: int) -> None:
        try:
            theirs, ours = getattr(expected, name), getattr(actual, name)
        except Exception:  # noqa: BLE001 - errors are judged elsewhere
            return
        self.visit(f"{path}.{name}", theirs, ours, depth + 1)


def list_names(namespace: str) -> Iterator[tuple[str, Any, Any]]:
    theirs, ours = numpy, np
    for part in filter(None, namespace.split(".")):
        theirs, ours = getattr(theirs, part), getattr(ours, part)
    for name in dir(theirs):
        expected = getattr(theirs, name)
        is_class_of_numpy = isinstance(expected, type) and issubclass(expected, numpy.generic | BaseException)
        if name[0] == "_" or name in FILES_AND_SETTINGS or isinstance(expected, types.ModuleType) or is_class_of_numpy:
            continue
        if hasattr(ours, name):
            yield f"{namespace}.{name}".strip("."), expected, getattr(ours, name)


@pytest.mark.parametrize("policy", ["auto", pytest.param("tensorflow", marks=pytest.mark.full)])
def test_objects_and_their_methods(policy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sweep = Sweep()
    expected, actual = make_pool(numpy)[0], make_pool(np)[0]
    with np.calculate_with(policy), numpy.errstate(all="ignore"), redirect_stdout(io.StringIO()):
        for namespace in NAMESPACES:
            for path, theirs, ours in list_names(namespace):
                sweep.visit(path, theirs, ours)
        for name in set(dir(expected)) - PROTOCOLS - FILES_AND_SETTINGS:
            sweep.visit_attribute("ndarray", name, expected, actual, 0)
    assert sweep.leaks.keys() <= ITEMS_OF_TEXT, sweep.leaks
    assert sweep.calls > 2000
    assert {numpy.random.PCG64, numpy.random.RandomState, numpy.poly1d, numpy.nditer} <= sweep.classes
