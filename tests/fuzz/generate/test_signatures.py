"""Which of NumPy's parameters a call gives, and whether another function has the same."""

from __future__ import annotations

import inspect
from operator import attrgetter

import numpy as np
import pytest

from fuzz.generate import signatures
from fuzz.generate.array_likes import list_array_likes
from fuzz.generate.calls import find_plan
from fuzz.generate.signatures import by_keyword, find_callable, given, parameters_of, signature_change, takes_all
from oracle import Case
from oracle.harness import NAMES
from tests.fuzz.test_coverage import sum_as_numpy

X = np.zeros(2)


@pytest.mark.parametrize(
    ("case", "names"),
    [
        (Case("sum", (X,)), "a"),
        (Case("sum", (X, 0), {"keepdims": True}), "a axis keepdims"),
        (Case("add", (X, X, X), {"casting": "no"}), "x1 x2 out casting"),
        (Case("meshgrid", (X, X), {"indexing": "ij"}), "xi indexing"),
        (Case("pad", (X, 1), {"constant_values": 2}), "array pad_width kwargs"),
        (Case("add.reduce", (X,), {"keepdims": True}), "array kwargs"),
        (Case("ndarray.sort", (X,), {"kind": "stable"}), "self kind"),
        (Case("fromstring", ("1 2",), {"sep": " "}), "string sep"),
        (Case("pi"), ""),
    ],
    ids=str,
)
def test_a_call_gives_parameters_by_place_and_by_name(case, names):
    assert given(case) == set(names.split())


def test_a_signature_is_the_one_by_which_numpy_can_be_called():
    assert list(inspect.signature(find_callable("fromstring")).parameters) == [
        "string",
        "dtype",
        "count",
        "sep",
        "like",
    ]
    with pytest.raises(TypeError):
        inspect.signature(find_callable("unique_all")).bind(x=[1])
    with pytest.raises(TypeError):
        np.unique_all(x=[1])
    assert inspect.signature(find_callable("where")).bind([True]).args == ([True],)


def test_what_is_no_function_has_none():
    assert not parameters_of("pi")
    assert list(parameters_of("roll")) == ["a", "shift", "axis"]


@pytest.mark.parametrize(
    ("name", "function", "change"),
    [
        ("sum", sum_as_numpy, ""),
        ("sum", lambda a, axis=None: None, "lacks dtype, out, keepdims, initial, where"),
        ("roll", lambda a, shift, axis=None: None, ""),
        ("roll", lambda a, shift, axis=0: None, "axis defaults to 0, not None"),
        ("roll", lambda a, shift, axis: None, "axis defaults to nothing, not None"),
        ("roll", lambda shift, a, axis=None: None, "parameters in another order"),
        ("roll", lambda a, shift, axis=None, name=None: None, "adds name"),
        ("roll", lambda a, /, shift, axis=None: None, "a is positional-only, not positional or keyword"),
        ("pi", 3.14, None),
    ],
)
def test_signatures_are_compared_by_names_order_kinds_and_defaults(name, function, change):
    assert signature_change(getattr(np, name), function) == change


@pytest.mark.parametrize(
    ("name", "function", "takes"),
    [
        ("roll", lambda a, shift, axis=None, *, size=None: None, True),
        ("roll", lambda a, shift, axis=None, size=None: None, False),
        ("roll", lambda a, shift, axis=None, *, size: None, False),
        ("roll", lambda a, shift, axis=0, *, size=None: None, False),
        ("roll", lambda a, shift, *, axis=None: None, False),
        ("add.reduce", lambda array, /, axis=0, dtype=None, out=None, *, keepdims=False: None, True),
        ("add.reduce", lambda array, /, axis=0, dtype=None, out=None, keepdims=False: None, True),
        ("add.reduce", lambda array, /, axis=0, dtype=None, out=None, *, keepdims: None, False),
        ("add.reduce", lambda array, /, axis=0, dtype=None, out=None: None, False),
    ],
)
def test_a_signature_is_extended_by_keywords_that_nobody_has_to_give(name, function, takes):
    assert takes_all(attrgetter(name)(np), function) is takes


def test_numpy_has_its_own_signatures():
    changes = {name: signature_change(getattr(np, name), getattr(np, name)) for name in NAMES if "." not in name}
    assert not [name for name, change in changes.items() if change]
    assert sum(change == "" for change in changes.values()) > 300


@pytest.mark.parametrize(
    ("case", "shown"),
    [
        (Case("sum", (1, 0)), "np.sum(a=1, axis=0)"),
        (Case("sum", (1,), {"axis": 0}), "np.sum(a=1, axis=0)"),
        (Case("add", (1, 2), {"dtype": "f4"}), "np.add(1, 2, dtype='f4')"),
        (Case("where", (True, 1, 2)), "np.where(True, 1, 2)"),
        (Case("broadcast_arrays", (1, 2)), "np.broadcast_arrays(1, 2)"),
        (Case("sum", (1, 0, None, None, False, 0, True, 5)), "np.sum(1, 0, None, None, False, 0, True, 5)"),
        (Case("sum", (1, 0), {"a": 1}), "np.sum(1, 0, a=1)"),
    ],
)
def test_arguments_are_given_by_keyword_where_numpy_takes_them_so(case, shown):
    assert str(by_keyword(case)) == shown


def test_what_a_method_belongs_to_is_not_passed_by_keyword() -> None:
    generator = Case("random.default_rng", (1,))
    case = by_keyword(Case("random.Generator.zipf", (generator, 2.0, 3)))
    assert (case.args, case.kwargs) == ((generator,), {"a": 2.0, "size": 3})
    assert Case.from_json(case.json()).json() == case.json()


@pytest.mark.parametrize(
    "name",
    [
        "lib._npyio_impl.os.system",
        "ctypeslib.ctypes.CDLL",
        "testing",
        "f2py",
        "load",
        "fromfile",
        "memmap",
        "__class__",
        "",
    ],
)
def test_a_name_that_numpys_inventory_lacks_is_looked_up_nowhere(name, monkeypatch):
    """It may come from a file, and an attribute may be a module that is imported when it is asked for."""
    monkeypatch.setattr(signatures, "np", None)
    monkeypatch.setattr(signatures, "attrgetter", None)
    for find in (signatures.find_object, signatures.find_callable, find_plan, list_array_likes):
        with pytest.raises(ValueError, match="is none of NumPy's names"):
            find(name)
