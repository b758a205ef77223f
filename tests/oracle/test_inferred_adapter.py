"""Libraries with arrays of their own and no adapter: one is inferred from a conversion there and back."""

from __future__ import annotations

import numpy as np
import pytest

from oracle import Case, Mode, judge, load_subject
from oracle.execution.modes import run_case
from oracle.harness import library_of

LIBRARY = """
import numpy as np

class Base:
    def __init__(self, data):
        self.data = data

    @property
    def shape(self):
        return self.data.shape

class Array(Base):
    def {method}(self, dtype=None, copy=None):
        return {result}

def {converter}(array):
    return Array(np.asarray(array))

def negative(x):
    if not isinstance(x, Base):
        raise TypeError("x is no array of this library")
    return Array(np.negative(x.data))

float64 = np.float64
"""


@pytest.fixture
def make_library(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)

    def make(name, converter="asarray", method="to_numpy", result="self.data", more=""):
        source = LIBRARY.format(converter=converter, method=method, result=result) + more
        (tmp_path / f"{name}.py").write_text(source)
        return load_subject(name)

    return make


@pytest.mark.parametrize(
    ("converter", "method", "to_numpy"),
    [
        ("asarray", "to_numpy", "np.asarray({}.to_numpy())"),
        ("from_numpy", "todense", "np.asarray({}.todense())"),
        ("array", "__array__", "np.asarray({})"),
    ],
)
def test_arrays_are_converted_by_the_librarys_own_functions(make_library, converter, method, to_numpy):
    subject = make_library(f"boxes_by_{converter}", converter, method)
    adapter = subject.adapter
    assert adapter.from_numpy == f"xp.{converter}({{}})"
    assert adapter.to_numpy == to_numpy
    assert library_of(subject).classes.__name__ == "Base"
    outcome = run_case(Mode("eager"), Case("negative", (np.array([1.0, 2.0]),)), subject)
    assert outcome.value.tolist() == [-1.0, -2.0]


@pytest.mark.parametrize("result", ["None", "self.data.astype(object)", "self.data + 1", "1 / 0"])
def test_none_is_inferred_where_nothing_gives_the_array_back(make_library, result):
    name = f"boxes_one_way_{abs(hash(result))}"
    assert make_library(name, "asarray", "to_numpy", result).adapter is None


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nfrom numpy import asarray\n",
        "import numpy as np\ndef asarray(a):\n    return np.asarray(a)\n",
        "def asarray(a):\n    raise ValueError(a)\n",
        "def asarray(a):\n    return list(a)\n",
        "asarray = 3\n",
    ],
)
def test_none_is_inferred_for_a_library_of_other_arrays(tmp_path, monkeypatch, source):
    name = f"no_boxes_{abs(hash(source))}"
    (tmp_path / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    assert load_subject(name).adapter is None


def test_an_array_class_that_is_not_tensorflows_makes_no_library_of_tensors(make_library):
    subject = make_library("boxes_with_a_class", more="\nndarray = Array\n")
    assert not subject.takes_tensors
    assert subject.adapter is not None


def test_dtypes_that_are_objects_of_the_librarys_are_by_design(make_library):
    more = "\nclass Float64:\n    pass\n\nfloat64 = Float64()\nArray.dtype = float64\n"
    more += "result_type = lambda *arrays: float64\nnonzero = lambda x: float64\n"
    subject = make_library("boxes_of_other_dtypes", more=more)
    assert (subject.adapter.dtype, subject.adapter.scalars) == ("xp.{}", False)
    row = np.array([1.0, 2.0])
    verdict = judge(Case("result_type", (row,)), ["eager"], subject)
    assert not verdict.deviations
    assert verdict.allowed
    assert judge(Case("nonzero", (row,)), ["eager"], subject).deviations


def test_what_the_library_makes_no_array_of_is_unsupported(make_library):
    more = "\n_asarray = asarray\nasarray = lambda a: _asarray(a) if np.ndim(a) else a[()]\n"
    subject = make_library("boxes_with_axes", more=more)
    assert run_case(Mode("eager"), Case("negative", (np.array([1.0]),)), subject).ok
    assert run_case(Mode("eager"), Case("negative", (np.array(1.0),)), subject).kind == "unsupported"
