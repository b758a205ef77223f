"""Which modules can be judged, and what is found in them."""

from __future__ import annotations

from contextlib import contextmanager
from types import ModuleType

import numpy as np
import pytest

from oracle import Subject, load_subject
from oracle.harness import UnknownSubject


def test_methods_and_attributes_are_functions_of_an_array():
    subject = load_subject("numpy")
    array = np.arange(6).reshape(2, 3)
    assert subject.find("ndarray.T")(array).shape == (3, 2)
    assert subject.find("ndarray.reshape")(array, -1).shape == (6,)
    assert subject.find("ndarray.__getitem__")(array, (0, 1)) == 1
    assert not subject.has("ndarray.nothing")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("tfpn", "did you mean tfnp?"),
        ("nunpy", "numpy"),
        ("tensorflow_nothing", "no module"),
        ("numpy.nothing", "numpy"),
    ],
)
def test_an_unknown_subject_is_told_its_neighbours(name, hint):
    with pytest.raises(UnknownSubject, match=hint):
        load_subject(name)


def test_what_is_no_module_is_no_subject():
    with pytest.raises(UnknownSubject, match="no module"):
        load_subject("numpy.pi")


def test_methods_are_lent_for_a_while():
    lent = []

    class Tensor:
        @property
        def shape(self):
            return (3,)

    @contextmanager
    def numpy_behavior():
        Tensor.sum = lambda self: "sum"
        lent.append(True)
        yield
        del Tensor.sum

    module = ModuleType("lender")
    module.ndarray, module.numpy_behavior = Tensor, numpy_behavior
    subject = Subject("lender", module)
    assert subject.has("ndarray.sum")
    assert lent
    assert not hasattr(Tensor, "sum")
    with subject.numpy_behavior():
        assert subject.find("ndarray.sum")(Tensor()) == "sum"


OF_ARRAYS = "import numpy\n\ndef double(a):\n    return numpy.add(a, a)\n"
OF_TENSORS = "import tensorflow as tf\n\ndef double(a):\n    return tf.add(a, a)\n"


@pytest.mark.parametrize(("source", "takes_tensors"), [(OF_ARRAYS, False), (OF_TENSORS, True)])
@pytest.mark.parametrize("facade", [False, True])
def test_a_module_without_an_array_class_takes_tensors_if_it_imports_tensorflow(
    tmp_path, monkeypatch, source, takes_tensors, facade
):
    name = f"doubling_{takes_tensors}_{facade}".lower()
    (tmp_path / f"{name}_own.py").write_text(source)
    (tmp_path / f"{name}.py").write_text(f"from {name}_own import double\n" if facade else source)
    monkeypatch.syspath_prepend(tmp_path)
    assert load_subject(name).takes_tensors is takes_tensors


def test_a_package_that_imports_tensorflow_anywhere_takes_tensors(tmp_path, monkeypatch):
    package = tmp_path / "doubling_package"
    package.mkdir()
    (package / "backend.py").write_text("import tensorflow\n\nadd = tensorflow.add\n")
    (package / "__init__.py").write_text(
        "from doubling_package import backend\n\ndef double(a):\n    return backend.add(a, a)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert load_subject("doubling_package").takes_tensors


def test_an_adapter_says_whether_its_library_takes_tensors():
    assert load_subject("array_api_strict").takes_tensors is False
    assert load_subject("keras.ops").takes_tensors is True


IMPORTING = """
import itertools, random
import numpy as np
from numpy import ndarray
from functools import partial
from hypothesis.extra.numpy import from_dtype as array
from math import floor, sqrt
from operator import add
from statistics import median

flip = partial(np.flip)
multiply = np.frompyfunc(lambda x, y: x * y, 2, 1)
divide = None

def roll(a, shift, axis=None):
    return np.roll(a, shift, axis)
"""


def test_what_a_module_has_from_other_packages_is_re_exported(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "importing.py").write_text(IMPORTING)
    subject = load_subject("importing")
    for name in ("floor", "sqrt", "add", "median", "random", "random.choice", "random.random", "array"):
        assert subject.reexports(name), name
    for name in ("roll", "flip", "multiply", "multiply.reduce"):
        assert subject.has(name), name
        assert not subject.reexports(name), name


def test_what_a_module_lists_is_its_own(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "listing.py").write_text(f"__all__ = ['sqrt', 'random', 'ndarray']\n{IMPORTING}")
    subject = load_subject("listing")
    assert not subject.reexports("sqrt")
    assert not subject.reexports("random.choice")
    assert subject.reexports("floor")
    assert subject.reexports("ndarray.sort")  # NumPy's own


def test_a_private_module_beside_the_subject_is_its_own(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "_beside_impl.py").write_text("def roll(a, shift, axis=None): ...")
    (tmp_path / "beside.py").write_text("from numpy import ndarray\nfrom _beside_impl import roll")
    assert not load_subject("beside").reexports("roll")


def test_an_attribute_that_is_no_function_is_missing(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "lacking.py").write_text(f"{IMPORTING}\npi = 3.0")
    subject = load_subject("lacking")
    assert not subject.has("divide")
    assert subject.has("pi")
    with pytest.raises(AttributeError, match="divide of lacking is NoneType, not a function"):
        subject.find("divide")
