"""Subclasses of `ndarray`: views, results, overrides and pickles, as NumPy has them."""

from __future__ import annotations

import copy
import ctypes
import pickle
import warnings

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np
from tfnp.numpy import functions


def define_classes(np):
    """Return classes that keep an attribute, that wrap results, and that override ufuncs."""

    class Tagged(np.ndarray):
        def __new__(cls, values, tag):
            array = np.asarray(values).view(cls)
            array.tag = tag
            return array

        def __array_finalize__(self, array):
            self.tag = getattr(array, "tag", "none")

        def __reduce__(self):
            function, arguments, state = super().__reduce__()
            return function, arguments, (*state, self.tag)

        def __setstate__(self, state):
            super().__setstate__(state[:-1])
            self.tag = state[-1] * 2

        def __rmul__(self, other):
            return self.view(np.ndarray).__rmul__(other).view(Tagged)

    class Wrapping(np.ndarray):
        def mean(self, axis=None, out=None, **kwargs):
            return "mean", super().view(np.ndarray).mean(axis=axis).tolist()

        def __array_wrap__(self, array, context=None, return_scalar=False):
            return ("wrapped", None if context is None else context[0].__name__, array.tolist(), return_scalar)

    class Overriding(np.ndarray):
        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            if any(isinstance(value, str) for value in inputs):
                return NotImplemented
            values = [value.view(np.ndarray) if isinstance(value, Overriding) else value for value in inputs]
            if kwargs.get("out"):
                kwargs["out"] = tuple(out.view(np.ndarray) for out in kwargs["out"])
            return ufunc.__name__, method, super().__array_ufunc__(ufunc, method, *values, **kwargs).tolist()

    return Tagged, Wrapping, Overriding


CLASSES = {np: define_classes(np), numpy: define_classes(numpy)}


class Pickled:
    """The classes that are pickled, by the name of their module of arrays."""


for namespace, (tagged, *_) in CLASSES.items():
    attribute = namespace.__name__.replace(".", "_")
    tagged.__qualname__ = f"Pickled.{attribute}"
    setattr(Pickled, attribute, tagged)
EXPRESSIONS = """
x[1:]
x[[0, 1]]
x[0].T
x.reshape(4)
x.T.reshape(4)
x.T.ravel()
x + 1
1 - x
np.ones((2, 2)) @ x
x > 1
-x
divmod(x, 2)
np.sin(x)
np.modf(x)
np.add(x, x, where=x > 1, out=np.zeros((2, 2)))
np.add.reduce(x)
np.multiply.outer(x, x)
x.sum()
x.mean(axis=0)
np.max(x)
x.argmax()
np.mean(w)
np.mean(w, axis=0)
np.sin(x[0, :1].reshape(()))
x[0, :1].reshape(()) * 2
np.ones(2) * x
x.cumsum()
x.clip(0.0, 1.0)
pickle.loads(pickle.dumps(x))
x.copy()
copy.deepcopy(x)
x.astype(int)
x.flat[1:]
np.asarray(x)
np.asanyarray(x)
np.array(x)
np.array(x, subok=True)
np.zeros_like(x)
np.concatenate([x, x])
np.where(x > 1, x, 0)
x.__iadd__(1)
x.view(np.ndarray)
repr(x)
w + 1
np.sin(w)
w.sum()
o + 1
1 - o
-o
o > o
np.ones(2) + o
np.hypot(3.0, o)
np.add.reduce(o)
o.__imul__(2)
o + "text"
""".strip().splitlines()


def describe(value):
    """Return what can be compared of a value of either NumPy."""
    if isinstance(value, tuple | list):
        return type(value).__name__, [describe(item) for item in value]
    values = value.tolist() if isinstance(value, numpy.ndarray | numpy.generic | np.ndarray) else value
    return type(value).__name__, getattr(value, "tag", None), values


def evaluate(namespace, expression):
    tagged, wrapping, overriding = CLASSES[namespace]
    x = tagged([[1.0, 2.0], [3.5, -1.0]], "a")
    names = {"np": namespace, "copy": copy, "pickle": pickle, "x": x, "w": namespace.ones(2).view(wrapping)}
    try:
        return describe(eval(expression, {**names, "o": namespace.ones(2).view(overriding)}))
    except Exception as error:  # noqa: BLE001 - its class is compared
        return type(error)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_has_numpys_class(expression):
    assert evaluate(np, expression) == evaluate(numpy, expression)


ARGUMENTS = [(), (1,), (0,), ((2, 2),), ([0, 1],), (0.0, 1.0), (2, 0), ("f8",), ([1, 2, 3], [1, 2, 3])]
OTHERS = ("unique_all", "unique_counts", "unique_inverse")
"""Functions of which NumPy returns the values alone as arrays of the subclass; here they are plain, too."""


def test_a_function_returns_numpys_class(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # some write a file
    different = []
    for name in sorted(set(functions.__all__) - set(OTHERS)):
        for arguments in ARGUMENTS:
            classes = []
            for namespace in (numpy, np):
                x = CLASSES[namespace][0]([[1.0, 2.0], [3.0, 5.0]], "a")
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        result = getattr(namespace, name)(x, *arguments)
                except Exception:  # noqa: BLE001 - other arguments are tried
                    break
                results = result if isinstance(result, tuple | list) else [result]
                classes.append(
                    [type(item).__name__ for item in results if type(item).__name__ in ("ndarray", "Tagged")]
                )
            if len(classes) == 2:
                different += [(name, arguments, *classes)] * (classes[0] != classes[1])
                break
    assert different == []


def test_the_address_is_that_of_the_shared_memory():
    x = np.array([1.0, 2.0])
    address = x.ctypes
    address.data_as(ctypes.POINTER(ctypes.c_double))[1] = 7.0
    assert x[1] == 7.0
    assert x.__array_interface__["data"][0] == address.data


def test_unary_operators_of_scalars_in_a_graph_need_no_subclass():
    class Named(np.ndarray):
        pass

    assert type(-np.ones(2).view(Named)) is Named
    traced = tf.function(lambda x: (-x.sum(), ~(x.sum() > 0), abs(x[0])), autograph=False)
    assert [value.tolist() for value in traced(np.array([-1.0, -2.0]))] == [3.0, True, 1.0]
