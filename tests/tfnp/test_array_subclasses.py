"""Masked arrays, matrices, memory maps and other subclasses of np.ndarray: data, or a TypeError that says what to pass.

Calls are drawn as a campaign draws them, and made again with each array masked in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from fuzz.generate.calls import draw_case, generated_names
from fuzz.generate.choices import SeedChoices
from oracle import Case, run_numpy
from oracle.harness import encode_outcome

EXPLICIT = ("array", "asarray", "asarray_chkfinite", "ascontiguousarray", "asfortranarray", "copy")
"""Functions that NumPy documents to return a plain array, whatever subclass they are given."""
NUMPYS_OWN = {"isscalar", *(name for name in dir(np) if isinstance(getattr(np, name), type))}
"""Functions that are NumPy's, so that a masked array stays one."""
VARIABLES = ("copyto", "place", "put", "put_along_axis", "putmask", "fill_diagonal", "ndarray.put")
VARIABLES += ("ndarray.__setitem__",)
"""Functions that change their first argument."""
NAMES = [name for name in generated_names() if not name.endswith(".at") and not name.startswith("random.Generator")]
MODES = {"eager": {}, "graph": {}, "all": {"dtype_conversion_mode": "all"}}
GROUPS, SEEDS, CALLS = 24, 14, 2


def masked(array: Any, index: int = 0) -> np.ma.MaskedArray:
    """The array with one element masked."""
    mask = np.zeros(np.shape(array), bool)
    mask.flat[index] = True
    return np.ma.array(array, mask=mask)


def mask_each(value: Any) -> Iterator[Any]:
    """The argument with each of its arrays masked in turn."""
    if type(value) is np.ndarray and value.size and value.dtype.kind in "biufcU":
        yield masked(value)
    elif type(value) in (list, tuple):
        for index, item in enumerate(value):
            for one in mask_each(item):
                yield type(value)([*value[:index], one, *value[index + 1 :]])


def call(name: str, mode: str, arguments: dict[int | str, Any]) -> Any:
    args = [value for key, value in arguments.items() if isinstance(key, int)]
    kwargs = {key: value for key, value in arguments.items() if isinstance(key, str)}

    def run() -> Any:
        function = attrgetter(name.replace("ndarray", "Tensor"))(tf if name.startswith("ndarray.") else tfnp)
        first = [tfnp.asarray(args[0])] if name.startswith("ndarray.") else args[:1]
        return function(*first, *args[1:], **kwargs)

    if name in VARIABLES:
        args[0] = tf.Variable(args[0])
    return tf.function(run, autograph=False)() if mode == "graph" else run()


def draw_calls(name: str, mode: str) -> Iterator[dict[int | str, Any]]:
    """Calls that tfnp answers, with an array among the arguments."""
    for seed in range(SEEDS):
        case = draw_case(SeedChoices(seed), name)
        arguments: dict[int | str, Any] = dict(enumerate(case.args)) | case.kwargs
        arguments.pop("out", None)
        if any(isinstance(value, Case) for value in arguments.values()):
            continue
        if any(True for value in arguments.values() for _ in mask_each(value)):
            try:
                answer = call(name, mode, arguments)
            except Exception:  # noqa: BLE001 - not one that it answers
                continue
            if answer is not NotImplemented:
                yield arguments


def is_ignored(name: str, key: int | str, arguments: dict[int | str, Any], value: Any) -> bool:
    """Whether NumPy gives one answer whatever the masked array holds, as for `left` of `interp` with a period."""
    answers = [run_numpy(as_case(name, arguments | {key: fill_masked(value, number)})) for number in (0, 1, 2)]
    values = [str(encode_outcome(replace(answer, after=()))) for answer in answers]
    return all(answer.ok for answer in answers) and len(set(values)) == 1


def find_type_error(name: str, mode: str, arguments: dict[int | str, Any]) -> str | None:
    """The message of the TypeError that a call raises; None if it is answered."""
    try:
        call(name, mode, arguments)
    except TypeError as error:
        return str(error)
    return None


def as_case(name: str, arguments: dict[int | str, Any]) -> Case:
    args = [value for key, value in arguments.items() if isinstance(key, int)]
    return Case(name, args, {key: value for key, value in arguments.items() if isinstance(key, str)})


def fill_masked(value: Any, number: int) -> Any:
    """The argument with one number in all elements of each masked array."""
    if isinstance(value, np.ma.MaskedArray):
        return np.full(value.shape, number, value.dtype)
    return type(value)([fill_masked(item, number) for item in value]) if type(value) in (list, tuple) else value


@pytest.mark.sample(3)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("group", range(GROUPS))
@pytest.mark.filterwarnings("ignore")
def test_a_masked_element_is_never_taken_as_data(mode, group):
    checked = set()
    with tfnp.numpy_behavior(**MODES[mode]):
        for name in NAMES[group::GROUPS]:
            if name in EXPLICIT or name in NUMPYS_OWN:
                continue
            for arguments, _ in zip(draw_calls(name, mode), range(CALLS), strict=False):
                first = 1 if name.startswith("ndarray.") or name in VARIABLES else 0
                for key in list(arguments)[first:]:
                    for value in mask_each(arguments[key]):
                        message = find_type_error(name, mode, arguments | {key: value})
                        if message is None:
                            assert is_ignored(name, key, arguments, value), (name, key, arguments)
                        else:
                            assert "masked of" in message or "must be a tf.Variable" in message
                            checked.add(name)
    assert len(checked) > 10


SUMS = [lambda x, y: x + y, lambda x, y: y + x, lambda x, y: x @ y, lambda x, y: y @ x, lambda x, y: x**y]
COMPARISONS = [lambda x, y: x == y, lambda x, y: x != y, lambda x, y: x < y, lambda x, y: y in x]


@pytest.mark.parametrize("mode", ["eager", "graph", "all", "off"])
@pytest.mark.parametrize("operate", [*SUMS, *COMPARISONS], ids=range(len(SUMS) + len(COMPARISONS)))
def test_operators_refuse_what_a_tensor_would_lose(mode, operate):
    hidden = masked(np.ones(3))
    with tfnp.numpy_behavior(dtype_conversion_mode=mode if mode in ("all", "off") else "legacy"):
        for x in (tfnp.ones(3), tf.Variable(np.ones(3))):

            def run(x=x):
                with pytest.raises(TypeError, match="1 masked of 3"):
                    operate(x, hidden)
                return tf.constant(True)

            assert tf.function(run, autograph=False)() if mode == "graph" else run()


def test_indices_values_and_targets():
    index, values = masked([0, 1]), masked([1.0, 2.0])
    with tfnp.numpy_behavior():
        x, v = tfnp.ones(2), tf.Variable(np.ones(2))
        for operate in (
            lambda: x[index],
            lambda: x[masked([True, False])],
            lambda: x[[index]],
            lambda: x[index[0] :],
            lambda: x.at[index].set(1),
            lambda: x.at[[0, 1]].set(values),
            lambda: v.__setitem__(slice(None), values),
            lambda: v.__setitem__(index, 1),
            lambda: v.__iadd__(values),
            lambda: tfnp.add.at(v, [0, 1], values),
            lambda: tfnp.add.at(v, index, 1),
            lambda: tfnp.add(x, 1, where=masked([True, False])),
            lambda: tfnp.sum([x, values]),
            lambda: tfnp.stack((values, x)),
            lambda: tfnp.random.default_rng(0).normal(values),
            lambda: tfnp.random.default_rng(0).permutation(values),
            lambda: tfnp.random.default_rng(0).choice(2, p=values / 3),
            lambda: tfnp.jit(lambda x: x + 1)(values),
            lambda: tfnp.jit(lambda x: x["a"] + 1)({"a": values}),
            lambda: x + np.ma.masked,
        ):
            with pytest.raises(TypeError, match="masked of"):
                operate()
        with pytest.raises(TypeError, match=r"out must be a tf\.Variable"):
            tfnp.add(x, x, out=values)
        assert v.numpy().tolist() == [1, 1]


class Lazy:
    """An array that is read when it is needed, such as a variable of a file."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array


def test_objects_whose_array_is_masked():
    with pytest.raises(TypeError, match="1 masked of 3"):
        tfnp.sum(Lazy(masked(np.ones(3))))
    assert tfnp.sum(Lazy(np.ma.array([1.0, 2.0]))).numpy() == 3
    assert tfnp.sum(Lazy(np.ones(3))).numpy() == 3


def test_a_masked_array_that_hides_nothing_is_data():
    for x in (np.ma.array([1.0, 2.0]), np.ma.array([1.0, 2.0], mask=[False, False])):
        assert tfnp.sum(x).numpy() == 3
        assert tfnp.stack([x, x]).shape == (2, 2)
        with tfnp.numpy_behavior():
            assert (tfnp.ones(2) + x).numpy().tolist() == (x + tfnp.ones(2)).numpy().tolist() == [2, 3]


@pytest.mark.parametrize("name", EXPLICIT)
def test_functions_that_return_plain_arrays_take_the_elements_as_in_numpy(name):
    hidden, matrix = masked([1.0, 2.0]), np.asmatrix([[1.0, 2.0]])
    for mode in ("legacy", "all"):
        with tfnp.numpy_behavior(dtype_conversion_mode=mode):
            for x in (hidden, matrix):
                expected = getattr(np, name)(x)
                assert type(expected) is np.ndarray
                assert np.array_equal(getattr(tfnp, name)(x), expected)


def test_functions_that_keep_subclasses_in_numpy_refuse_them():
    hidden = masked([1.0, 2.0])
    for keep in (
        lambda np: np.asanyarray(hidden),
        lambda np: np.array(hidden, subok=True),
        lambda np: np.copy(hidden, subok=True),
        lambda np: np.require(hidden),
    ):
        assert isinstance(keep(np), np.ma.MaskedArray)
        with pytest.raises(TypeError, match="1 masked of 2"):
            keep(tfnp)
    assert np.array_equal(tfnp.require(hidden, requirements="E"), np.require(hidden, requirements="E"))


class Named(np.ndarray):
    """Carries an attribute only."""

    def __array_finalize__(self, parent):
        self.name = getattr(parent, "name", "")

    def __array_wrap__(self, array, context=None, return_scalar=False):
        return super().__array_wrap__(array, context, return_scalar)


class Quantity(np.ndarray):
    """Has a unit, as astropy's class."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        raise NotImplementedError


class Field(np.ndarray):
    """Calculates modulo 2."""

    def __add__(self, other):
        return (np.asarray(self) + np.asarray(other)) % 2


class Derived(Quantity):
    """Inherits what it overrides."""


@pytest.mark.parametrize("cls", [np.matrix, Quantity, Field, Derived])
def test_a_class_that_overrides_functions_or_arithmetic_is_refused(cls):
    x = np.ones((2, 2)).view(cls)
    with tfnp.numpy_behavior():
        y = tfnp.ones((2, 2))
        for operate in (lambda: tfnp.sum(x), lambda: y * x, lambda: tfnp.stack([x]), lambda: y == x):
            with pytest.raises(TypeError, match=rf"{cls.__name__} is a subclass of numpy.ndarray.*numpy\.asarray"):
                operate()
        assert tfnp.sum(np.asarray(x)).numpy() == tfnp.sum(tfnp.asarray(x)).numpy() == 4


def test_other_subclasses_are_data(tmp_path):
    mapped = np.memmap(tmp_path / "data", np.float64, "w+", shape=(3,))
    mapped[:] = 1
    for x in (mapped, np.ones(3).view(Named)):
        assert tfnp.sum(x).numpy() == 3
        with tfnp.numpy_behavior():
            assert (tfnp.ones(3) + x).numpy().tolist() == (x + tfnp.ones(3)).numpy().tolist() == [2, 2, 2]
            assert tfnp.ones(3)[x.astype(np.int64)].shape == (3,)


def test_a_conversion_of_tensorflow_has_precedence():
    class Convertible(Quantity):
        def __tf_tensor__(self, dtype=None, name=None):
            return tf.constant(7.0)

    x = np.ones(3).view(Convertible)
    with tfnp.numpy_behavior():
        assert tfnp.add(x, 1).numpy() == (tfnp.ones(()) + x).numpy() == 8
