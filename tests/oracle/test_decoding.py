"""A case file is data: what it may name, how much it may hold, and what is said of one that is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from oracle import Case, run_numpy
from oracle.case.decoding import DecodingLimits, Undecodable, check_text
from oracle.case.layout import overlaps_itself
from oracle.case.model import CODECS
from oracle.case.vocabulary import TYPES, check_name, function_name, functions
from oracle.harness import LEFT_OUT, NAMES, decode, encode
from oracle.reference.outcome import find_in_numpy
from tests.oracle import malicious
from tests.tables import check_each


def told(text):
    with pytest.raises(ValueError, match=r"\A[^\n]+\Z") as refusal:
        Case.from_json(text)
    return str(refusal.value)


def test_a_harmful_text_is_refused_in_one_line():
    check_each(malicious.texts(), check_refusal)


def check_refusal(what):
    message = told(malicious.texts()[what])
    assert len(message) < 400
    assert message.isprintable()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (malicious.ARRAYS["4 GB of text"], "args[0]: an array of 4.0 GB; at most 64 MiB are decoded"),
        (malicious.ARRAYS["one missing side"], "args[0]: a shape with -1 and -1; from 0 to 524,288 are decoded"),
        (malicious.call(1, out={"type": "np.memmap"}), "args[0].kwargs['out']: unknown class 'np.memmap'"),
        (malicious.call(name="save"), "args[0]: 'save' is left out: reads or writes files and settings, which no case"),
        (malicious.call(name="addd"), "args[0]: NumPy has no 'addd'; did you mean add"),
        (malicious.call(name="add.__class__"), "args[0]: 'add.__class__' is no name of the inventory"),
        ({"function": "load"}, "args[0]: no function 'load' that an argument may be"),
        ({"int": "0x" + "f" * 9999}, "args[0]: an integer of 10,001 digits; at most 4,300 are decoded"),
        ([malicious.array(), {"same": 1}], "args[0]: no earlier array or call 1"),
        (malicious.shared(40), "args[0].args[0]"),
    ],
)
def test_a_refusal_names_the_part(value, message):
    assert told(json.dumps(malicious.call(value))).startswith(message)


def test_every_name_of_the_inventory_may_be_called_and_none_that_is_left_out():
    for name in NAMES:
        check_name(name)
    for name, reason in LEFT_OUT.items():
        with pytest.raises(ValueError, match="is left out: ") as refusal:
            check_name(name)
        assert reason in str(refusal.value)
    with pytest.raises(ValueError, match=r"'lib\._npyio_impl\.os\.system' is left out"):
        check_name("lib._npyio_impl.os.system")


def test_functions_and_classes_come_back():
    for name, function in functions().items():
        assert name in NAMES
        assert function_name(function) == name
        assert decode(encode(function)) is function or isinstance(function.__self__, np.ufunc)
    for kind in TYPES.values():
        assert decode(encode(kind)) is kind
    assert not {name for name in functions() if "_" in name.split(".")[-1][:1]}
    assert all(issubclass(kind, (np.generic, np.ndarray)) or kind.__module__ == "builtins" for kind in TYPES.values())


@pytest.mark.parametrize("value", [np.lib.stride_tricks.as_strided, np.load, np.matrix, np.memmap, np.record])
def test_what_could_not_come_back_is_not_written(value):
    with pytest.raises(TypeError, match="a case cannot hold"):
        encode(value)


def test_a_generator_is_what_makes_generators_gives():
    numbers = Case("random.Generator.normal", (Case("random.default_rng", (1,)), 2.0))
    assert Case.from_json(numbers.json()).json() == numbers.json()
    for function in (find_in_numpy("random.Generator.normal"), find_in_numpy("random.Generator.shuffle")):
        with pytest.raises(TypeError, match="needs a Generator, not a ndarray"):
            function(np.full(64, 0x41, np.uint64), "PWNED")
    drawn = run_numpy(numbers).value
    assert drawn == np.random.default_rng(1).normal(2.0)


def test_what_is_shared_counts_each_time():
    halves = malicious.shared(3)
    Case.from_json(json.dumps(halves))
    with pytest.raises(Undecodable, match="more than 20 arguments"):
        decode(halves, CODECS, DecodingLimits(arguments=20))


def test_a_text_is_measured_before_it_is_parsed():
    limits = DecodingLimits(text=100, arguments=5, elements=10)
    check_text("{}[],", limits)
    for text in ("{" * 20, "[" * 40, "," * 60, "a" * 101):
        with pytest.raises(Undecodable, match="at most"):
            check_text(text, limits)


@pytest.mark.full
def test_a_case_that_would_grow_past_the_limits_is_refused():
    values = ["1"] * 450_000
    text = json.dumps(malicious.call(malicious.array(shape=[len(values)], values=values)), separators=(",", ":"))
    assert len(text) < DecodingLimits().text
    assert "MiB of JSON; at most 8 MiB are decoded" in told(text)


def test_the_largest_arrays_that_are_drawn_fit():
    array = np.full(133_250, 1 / 3)
    text = Case("sort", (array,)).json()
    assert Case.from_json(text).json() == text


@pytest.mark.parametrize(
    ("shape", "strides", "overlaps"),
    [
        ((2, 3), (24, 8), False),
        ((2, 3), (8, 16), False),
        ((2, 3), (-24, -8), False),
        ((4, 3), (0, 8), False),
        ((1, 3), (1, 8), False),
        ((2, 3), (16, 8), False),
        ((2, 3), (12, 8), True),
        ((3,), (7,), True),
        ((), (), False),
        ((0, 3), (24, 8), False),
    ],
)
def test_overlaps(shape, strides, overlaps):
    assert overlaps_itself(shape, strides, 8) is overlaps
