"""Outcomes as JSON: what the judge reads of them survives, and a file is only data."""

from __future__ import annotations

import json
import random
import zlib

import ml_dtypes
import numpy as np
import pytest

from fuzz.generate.calls import draw_case, generated_names
from fuzz.generate.choices import SeedChoices
from oracle import Mode, Outcome, run_numpy
from oracle.case.decoding import Undecodable
from oracle.corpus.outcome_encoding import LIMITS, decode_outcome, encode_outcome
from oracle.corpus.records import ON_ARRAYS, ON_TENSORS, judge_alone, summarize
from oracle.equality.finite_differences import Differences, Slopes
from oracle.execution.convert import Foreign
from oracle.execution.executors import have_same_bits
from oracle.invariants import promises_values
from oracle.reference.display import flatten
from oracle.reference.outcome import Raised
from oracle.verdict import count_bytes
from tests.oracle.corpus_recording import find_unfitness
from tests.oracle.corrupted import ERRORS, OBJECTS, STRUCTURED, Point, corrupt
from tests.tables import check_each

pytestmark = pytest.mark.filterwarnings("ignore")

ODD_NAN = np.array([0x7FF8000000000001, 0xFFF8000000000000], np.uint64).view(np.float64)
VALUES = [
    *(
        None,
        True,
        0,
        -(2**70),
        10**5000,
        1.5,
        -0.0,
        float("inf"),
        complex(-0.0, np.nan),
        "a\udcff",
        b"\xff",
        ...,
        slice(1),
    ),
    *([], (), {}, [1, (2.0, [None])], {"a": np.ones(2), "b": {1: 2}}, Point(1, np.zeros(2)), np.linalg.eig(np.eye(2))),
    *(np.float32(0.1), np.bytes_(b""), np.str_("a"), np.longdouble(1) / 3, np.datetime64("nat", "s"), np.void(b"abc")),
    *(np.ndarray((2,), "U0"), np.ndarray((2, 3), "S0"), np.zeros((0,)), np.zeros((2, 0), "S3")),
    *(ODD_NAN, np.zeros((2, 0), "U3"), np.array(["é", ""]), np.array([b"a\0b"]), np.ones((2, 3), ">f8")),
    *(np.array([0.1, np.nan], ml_dtypes.bfloat16), np.array([1 + 2j, np.nan], np.complex64), np.ones(3, np.longdouble)),
    *(np.array(["a", "long"], "T"), np.array([None, [1], 10**400], object), np.array((1, [2.0, 3.0]), STRUCTURED)),
    *(np.zeros((2, 2), STRUCTURED), np.zeros(2, STRUCTURED)[0], STRUCTURED, np.dtype(">f4"), np.dtype("M8[us]")),
    *(
        float,
        np.float64,
        np.ndarray,
        np.sum,
        np.add,
        Foreign("tf.float32"),
        Foreign("Box", np.ones(2)),
        Slopes((1.0, np.nan), (2.0, 0.5)),
    ),
    Slopes((1.0,), (2.0,), ("along a direction",), (1,), Differences((1.0, 2.0), (0.1, np.inf), (True, False)), "nan"),
    *(np.finfo(np.float16), np.iinfo(np.int8), np.random.default_rng(3), np.random.Generator(np.random.MT19937(1))),
]
SUBCLASSES = [
    np.ma.array([1.0, 2.0], mask=[True, False]),
    np.ones((1, 2)).view(np.matrix),
    np.zeros(2).view(np.recarray),
]
FAULTY = {
    "no object": [],
    "an unknown key": {"results": [None], "verdict": 1},
    "an unknown kind": {"kind": "fine"},
    "an unknown phase": {"phase": "later"},
    "too many results": {"results": [None, {"tuple": []}, {"tuple": []}, None]},
    "arrays that are no tuple": {"results": [None, [1]]},
    "an index that is none": {"changed": ["a"]},
    "an error without a message": {"error": {"name": "ValueError", "bases": []}},
    "an error of other bases": {"error": {"name": "E", "bases": ["SystemExit"], "message": ""}},
    "bases that are lists": {"error": {"name": "E", "bases": [[]], "message": ""}},
    "fields that are code": {"results": [{"named": "P", "names": ["x=print(1)"], "items": [1]}]},
    "a name that is code": {"results": [{"named": "P(); print(1)", "names": ["x"], "items": [1]}]},
    "no named tuple of NumPy's": {"results": [{"named": "P", "names": ["x"], "items": [1], "is_numpys": True}]},
    "NumPy's with other fields": {"results": [{"named": "EigResult", "names": ["x"], "items": [1], "is_numpys": True}]},
    "more fields than items": {"results": [{"named": "P", "names": ["x", "y"], "items": [1]}]},
    "elements of another dtype": {"results": [{"elements": "f8", "shape": [1], "items": [1]}]},
    "fewer elements than the shape says": {"results": [{"elements": "O", "shape": [1 << 40], "items": [1]}]},
    "a mask that is none": {"results": [{"class": "MaskedArray", "of": 1, "mask": "a"}]},
    "an unknown class of arrays": {"results": [{"class": "memmap", "of": [1]}]},
    "a field of objects": {"results": [{"fields": [["a", "|O", [], 0]], "itemsize": 8, "raw": "00" * 8}]},
    "a field outside the item": {"results": [{"fields": [["a", "<f8", [], 800]], "itemsize": 8, "raw": "00" * 8}]},
    "an enormous item": {"results": [{"fields": [["a", "<f8", [], 0]], "itemsize": 1 << 50, "raw": ""}]},
    "limits of no dtype": {"results": [{"limits": "float", "attributes": {"dict": []}}]},
    "an unknown generator": {"results": [{"generator": "os.system", "state": None}]},
    "a state that is none": {"results": [{"generator": "PCG64", "state": {"dict": []}}]},
    "an object without a name": {"results": [{"object": 1}]},
    "a text that is none": {"results": [{"object": "a", "text": [1]}]},
    "an unknown key of an object": {"results": [{"object": "a", "code": "print(1)"}]},
}


def send(outcome):
    """The outcome that is read from what was written."""
    return decode_outcome(json.loads(json.dumps(encode_outcome(outcome))))


def test_a_value_is_the_same_again():
    check_each(VALUES, check_value)


def check_value(value):
    outcome = Outcome(value)
    again = send(outcome)
    assert type(again.value).__name__ == type(value).__name__
    if isinstance(value, Slopes | Foreign):
        assert repr(again.value) == repr(value)
        assert have_same_bits(getattr(again.value, "elements", None), getattr(value, "elements", None))
    elif type(value) is Point or type(value).__name__ in ("finfo", "iinfo"):
        assert encode_outcome(again) == encode_outcome(outcome)
    else:
        assert have_same_bits(again.value, value)


def test_encoding_again_gives_the_same():
    check_each([*(make() for make in OBJECTS), *SUBCLASSES, *VALUES], check_steadiness)


def check_steadiness(value):
    written = encode_outcome(Outcome(value))
    assert encode_outcome(decode_outcome(written)) == written


def test_everything_beside_the_value_survives():
    shared = np.arange(3.0)[::-1]
    whole = Outcome(
        shared,
        Raised("E", ("ValueError",), "first", "first\nsecond"),
        "error",
        "trace",
        (shared,),
        (0, 2),
        "a",
        (shared,),
    )
    again = send(whole)
    assert (again.error, again.kind, again.phase, again.changed, again.unkept) == (
        whole.error,
        "error",
        "trace",
        (0, 2),
        "a",
    )
    assert again.error.full_message == "first\nsecond"
    assert all(have_same_bits(one, shared) for one in (again.value, *again.after, *again.others))


def test_errors_survive():
    for make in ERRORS:
        outcome = Outcome.raised(make(), "trace")
        assert send(outcome) == outcome


@pytest.mark.parametrize("fault", FAULTY)
def test_what_no_encoder_writes_is_rejected(fault):
    with pytest.raises(Undecodable):
        decode_outcome(FAULTY[fault])


def test_what_cannot_be_encoded_is_said():
    with pytest.raises(TypeError, match="int4"):
        encode_outcome(Outcome(np.ones(2, ml_dtypes.int4)))


def draw_answers(first, count):
    """Yield so many drawn cases of every name in turn, with NumPy's answers and random choices."""
    names = generated_names()
    for number in range(first, first + count):
        name = names[number * 7 % len(names)]
        seed = zlib.crc32(f"encoding {name} {number}".encode())
        case = draw_case(SeedChoices(seed), name)
        expected = run_numpy(case)
        is_small = count_bytes(expected) < LIMITS.elements and len(flatten(expected.value)) < LIMITS.arguments
        if is_small and not find_unfitness(case, expected):
            yield case, expected, random.Random(seed)


def check_answers(first, count):
    for case, expected, rng in draw_answers(first, count):
        again = send(expected)
        assert again.error == expected.error, case
        if type(expected.value).__name__ in ("finfo", "iinfo"):
            assert encode_outcome(again) == encode_outcome(expected), case
        elif promises_values(case):  # `empty` makes booleans of any byte
            assert have_same_bits((again.value, again.after), (expected.value, expected.after)), case
        wrong, mode, subject = corrupt(rng, expected, case), Mode("graph"), rng.choice([ON_TENSORS, ON_ARRAYS])
        decoded = summarize(judge_alone(case, mode, subject, send(wrong)))
        assert decoded == summarize(judge_alone(case, mode, subject, wrong)), case


def test_drawn_answers_are_the_same_and_judged_alike():
    check_answers(0, 300)


@pytest.mark.full
@pytest.mark.parametrize("part", range(1, 10))
def test_many_drawn_answers_are_the_same_and_judged_alike(part):
    check_answers(part * 1000, 1000)
