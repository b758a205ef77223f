"""What a case keeps: everything, on the way through JSON, through a copy and through Python source."""

from __future__ import annotations

import json
import re

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from numpy.lib.stride_tricks import sliding_window_view

from oracle import Case
from oracle.case import source
from oracle.case.model import CODECS
from oracle.harness import decode, encode, laid_out
from tests.oracle.arguments import ARGUMENTS, arrays, cases

SETTINGS = settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def same(left, right, layout=True, payload=True):
    """Whether two arguments could not be told apart."""
    assert type(left) is type(right), (left, right)
    if isinstance(left, np.ndarray):
        assert left.dtype == right.dtype
        assert left.shape == right.shape
        if layout and left.size:
            assert left.flags.c_contiguous or left.strides == right.strides
            assert left.flags.aligned == right.flags.aligned
            assert left.flags.writeable == right.flags.writeable
        assert same_elements(left, right, payload)
    elif isinstance(left, np.generic):
        assert left.dtype == right.dtype
        assert same_elements(np.asarray(left), np.asarray(right), payload)
    elif isinstance(left, Case):
        assert left.name == right.name
        same(left.args, right.args, layout, payload)
        same(dict(sorted(left.kwargs.items())), dict(sorted(right.kwargs.items())), layout, payload)
    elif isinstance(left, list | tuple):
        assert len(left) == len(right)
        for one, other in zip(left, right, strict=True):
            same(one, other, layout, payload)
    elif isinstance(left, dict):
        same(list(left.items()), list(right.items()), layout, payload)
    elif isinstance(left, float):
        assert same_elements(np.array(left), np.array(right), payload)
    elif isinstance(left, complex):
        same([left.real, left.imag], [right.real, right.imag], layout, payload)
    else:
        assert left == right
    return True


def same_elements(left, right, payload):
    """Bit for bit; without `payload`, but for that of NaN. Six bytes of a longdouble's sixteen are arbitrary."""
    if left.dtype.char in "gG":
        return np.array_equal(left, right, equal_nan=True)
    if payload or left.dtype.kind not in "fcV":
        return left.tobytes() == right.tobytes()
    if left.dtype.kind == "c":
        return same_elements(left.real, right.real, payload) and same_elements(left.imag, right.imag, payload)
    return np.array_equal(left, right, equal_nan=True) and (np.signbit(left) == np.signbit(right)).all()


@pytest.mark.full
@SETTINGS
@given(cases())
def test_json_keeps_everything(case):
    text = case.json()
    back = Case.from_json(text)
    assert same(case, back)
    assert back.json() == text
    assert back.id == case.id
    assert "\n" not in text


@pytest.mark.full
@SETTINGS
@given(cases())
def test_fresh_arguments_are_equal_and_elsewhere(case):
    fresh = case.fresh()
    assert same(case, fresh)
    assert fresh.json() == case.json()
    for old, new in zip(case.arrays(), fresh.arrays(), strict=True):
        assert not np.shares_memory(old, new)


@pytest.mark.full
@SETTINGS
@given(arrays())
def test_source_of_an_array_makes_it_again(array):
    made = eval(source.array(array), {"np": np, "ml_dtypes": ml_dtypes})
    assert same(array, made, layout=False, payload=False)


@pytest.mark.full
@SETTINGS
@given(ARGUMENTS)
def test_source_of_an_argument_makes_it_again(argument):
    kept = json.dumps(encode(Case("add", (argument,)), CODECS)["args"])
    if '"case"' in kept or '"same"' in kept:
        return
    assert same(eval(source.value(argument), {"np": np, "ml_dtypes": ml_dtypes}), argument, layout=False, payload=False)


@pytest.mark.parametrize(
    "scalar",
    [
        np.datetime64("2024-02-29"),
        np.datetime64("2024-02-29T12", "3h"),
        np.datetime64("NaT"),
        np.datetime64("NaT", "us"),
        np.timedelta64(3, "us"),
        np.timedelta64(3),
        np.timedelta64("NaT", "D"),
        np.longdouble(1) / 3,
        np.clongdouble(1j) / 3,
        np.float16(0.1),
        np.complex64(complex(0.1, -np.inf)),
        np.str_("a'b"),
        np.bytes_(b"\0a"),
        np.bytes_(b""),
        np.bool(True),
        ml_dtypes.bfloat16(0.1),
    ],
    ids=repr,
)
def test_source_of_a_scalar_makes_it_again(scalar):
    assert same(eval(source.value(scalar), {"np": np, "ml_dtypes": ml_dtypes}), scalar, payload=False)
    assert same(decode(encode(scalar)), scalar)


SIGNS = {"f8": 0xFFF8 << 48, "f4": 0xFFC0 << 16, "f2": 0xFE00, "bfloat16": 0xFFC0}


@pytest.mark.parametrize("name", SIGNS)
@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize("order", ["=", ">"])
def test_json_keeps_sign_and_payload_of_nan(name, more, order):
    dtype = np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else order + name)
    bits = np.array([SIGNS[name] + more, 0], f"u{dtype.itemsize}").astype(f"{dtype.byteorder}u{dtype.itemsize}")
    array = bits.view(dtype)
    back = Case.from_json(Case("copysign", (array, array[0])).json())
    assert same(back.args, (array, array[0]))
    if name in ("f4", "f8"):
        pairs = array.view(np.dtype(f"{order}c{2 * dtype.itemsize}"))
        assert same(Case.from_json(Case("conj", (pairs, pairs[0])).json()).args, (pairs, pairs[0]))
    if name == "f8":
        assert same(decode(encode([float(array[0]), complex(1, array[0])])), [float(array[0]), complex(1, array[0])])


def test_nan_of_older_files_is_the_usual_one():
    assert encode(float("nan")) == {"float": "nan"}
    old = {"array": "<f4", "shape": [2], "values": ["nan", "-inf"]}
    assert decode(old).tobytes() == np.array([np.nan, -np.inf], np.float32).tobytes()


@pytest.mark.parametrize("text", ["nan(0x7f800000)", "nan(0x17fc00000)", "nan(7fc00000)", "nan(0x7fc00001", "nan()"])
def test_other_bits_are_no_nan(text):
    with pytest.raises(ValueError, match=r"nan|invalid literal"):
        decode({"array": "<f4", "shape": [1], "values": [text]})


@pytest.mark.parametrize(
    "layout",
    [
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(6.0).reshape(2, 3)[::-1, ::2],
        np.arange(24).reshape(2, 3, 4).transpose(2, 0, 1),
        np.broadcast_to(np.float32(3), (2, 3)),
        np.broadcast_to(np.arange(3), (2, 3)),
        sliding_window_view(np.arange(6.0), 3),
        sliding_window_view(np.arange(12).reshape(2, 6), 3, -1)[:, 1:, ::2],
    ],
    ids=["fortran", "reversed and stepped", "transposed", "one element", "one row", "windows", "parts of windows"],
)
def test_source_of_an_array_lays_it_out_alike(layout):
    made = eval(source.array(layout), {"np": np})
    assert made.strides == layout.strides
    assert (made == layout).all()
    (read,) = Case.from_json(Case("copy", (layout,)).json()).args
    assert read.strides == layout.strides
    assert (read == layout).all()


def test_source_of_an_array_that_is_mostly_gaps_has_the_elements_only():
    sparse = laid_out(np.array([[1, 2], [3, 4]], np.int8), (1 << 25, 3))
    assert source.array(sparse) == "np.array([[1, 2], [3, 4]], np.int8)"
    assert len(str(Case("abs", (np.arange(4000.0)[::50],)))) < 1000


def test_one_array_twice_is_one_array():
    array = np.arange(3)
    case = Case("add", (array, [array]), {"out": array, "a": array})
    for copy in (Case.from_json(case.json()), case.fresh()):
        first = copy.args[0]
        assert copy.args[1][0] is first
        assert copy.kwargs["out"] is first
        assert copy.kwargs["a"] is first
    assert len(case.arrays()) == 1


def test_one_call_twice_is_one_call():
    inner = Case("exp", (np.arange(3.0),))
    case = Case("add", (inner, Case("negative", (inner,))))
    for copy in (Case.from_json(case.json()), case.fresh()):
        assert copy.args[1].args[0] is copy.args[0]
    assert [call.name for call in case.calls()] == ["exp", "negative", "add"]
    apart = Case("add", (inner, Case("negative", (Case("exp", inner.args),))))
    assert apart.id != case.id


def test_look_alikes_are_told_apart():
    alike = [
        1,
        True,
        1.0,
        np.int64(1),
        np.bool(True),
        np.array(1),
        np.float64(1),
        1 + 0j,
        np.array([1]),
        [1],
        (1,),
        "1",
    ]
    assert len({Case("abs", (value,)).id for value in alike}) == len(alike)
    assert Case("abs", (0.0,)).id != Case("abs", (-0.0,)).id


@pytest.mark.parametrize(
    ("case", "source"),
    [
        (Case("pi"), "np.pi"),
        (Case("True_"), "np.True_"),
        (Case("polynomial.hermite.hermone"), "np.polynomial.hermite.hermone"),
        (Case("ndarray.T", (np.array([1.5], np.float32),)), "np.array([1.5], np.float32).T"),
        (Case("ndarray.reshape", (np.array([1]), -1)), "np.array([1], np.int64).reshape(-1)"),
        (Case("ndarray.__bool__", (0,)), "(0).__bool__()"),
        (Case("ndarray.__abs__", (-1.5,)), "(-1.5).__abs__()"),
        (Case("ndarray.sum", (), {"axis": 0}), "np.ndarray.sum(axis=0)"),
        (Case("add", (Case("exp", (0.5,)), np.float32(0.1))), "np.add(np.exp(0.5), np.float32(0.1))"),
        (Case("random.default_rng"), "np.random.default_rng()"),
        (Case("full", ((2,), -0.0), {"dtype": np.float32}), "np.full((2,), -0.0, dtype=np.float32)"),
    ],
)
def test_a_case_reads_as_typed(case, source):
    assert str(case) == source
    of_a_library = re.sub(r"\bnp\.(?!array|float32|int64)", "tfnp.", source)
    assert case.typed("tfnp") == of_a_library


@pytest.mark.parametrize(
    "value",
    [len, np.array([None]), object(), {1, 2}, np.array([(1, 2)], [("a", int), ("b", int)]), np.array(["a"], "T")],
)
def test_what_cannot_be_kept_is_refused(value):
    with pytest.raises(TypeError, match="a case cannot hold"):
        Case("add", (value,)).json()
