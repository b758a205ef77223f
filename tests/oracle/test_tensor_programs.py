"""Programs of TensorFlow's ops as data: there and back, what is refused, and how they read."""

from __future__ import annotations

import json

import numpy as np
import pytest

from oracle.case.model import Case
from oracle.harness import (
    OPS,
    Constant,
    Function,
    Input,
    Program,
    ProgramDType,
    Result,
    Step,
    Subscript,
    Undecodable,
    expression,
    function_source,
    read_case,
)
from oracle.reference.bfloat16 import BFLOAT16
from oracle.tensor_programs.numeric import find_deviation
from oracle.tensor_programs.reference import compute_expected
from oracle.tensor_programs.vocabulary import FAMILY_OF, SEVERAL

SPECIAL = np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324, 1e308])
PROGRAM = Program(
    (SPECIAL, np.array([True, False]), np.array([1 + 2j, complex(np.nan, -0.0)], np.complex64)),
    (
        Step("math.divide", (Input(0), Constant(np.array(2e38)))),
        Step("cast", (Result(0), ProgramDType("float32"))),
        Step("getitem", (Result(1), Subscript((slice(None, None, -1), None, Ellipsis)))),
        Step("concat", ([Result(2), Result(2)],), {"axis": 0}),
        Step("where", (Input(1), Input(2), Result(3))),
        Step("math.top_k", (Result(4),)),
        Step("getitem", (Result(5, 1), Subscript((0,)))),
    ),
)


def test_a_program_comes_back_bit_by_bit():
    back = Program.from_json(PROGRAM.json())
    assert back.json() == PROGRAM.json()
    assert sorted(array.tobytes() for array in back.inputs) == sorted(array.tobytes() for array in PROGRAM.inputs)
    assert back.ops == PROGRAM.ops


@pytest.mark.parametrize("name", ["bfloat16", "float16", "uint64", "int8", "complex128"])
def test_every_dtype_comes_back(name):
    dtype = BFLOAT16 if name == "bfloat16" else np.dtype(name)
    program = Program((np.arange(4).astype(dtype).reshape(2, 2),), (Step("identity", (Input(0),)),))
    (array,) = Program.from_json(program.json()).inputs
    assert array.dtype == dtype
    assert array.tobytes() == program.inputs[0].tobytes()


ARRAY = {"array": "<f8", "shape": [1], "values": ["0x1p+0"]}


def abs_of(*args, op="tf.math.abs", **kwargs):
    return {"case": op, "args": list(args), "kwargs": kwargs}


def nest(value, depth):
    return value if not depth else abs_of(nest(value, depth - 1))


@pytest.mark.parametrize(
    "data",
    [
        ARRAY,
        abs_of(ARRAY, op="tf.io.read_file"),
        abs_of(ARRAY, op="tf.raw_ops.ReadFile"),
        abs_of(ARRAY, op="tf.__builtins__"),
        abs_of(ARRAY, op="tf.getitem"),
        abs_of(ARRAY, op="math.abs"),
        abs_of(ARRAY, op="sin"),
        abs_of(abs_of(ARRAY, op="sin")),
        abs_of(abs_of(ARRAY, op="last")),
        abs_of(abs_of(ARRAY, op="tf.gradient")),
        abs_of(ARRAY, op="ndarray.__getitem__"),
        abs_of(ARRAY, "/etc/passwd"),
        abs_of(ARRAY, "tf.io.read_file"),
        abs_of(ARRAY, "tf.map_fn"),
        abs_of(ARRAY, "math.exp"),
        abs_of(ARRAY, {"same": 9}),
        abs_of(ARRAY, {"dtype": "|O"}),
        abs_of(ARRAY, {"dtype": ">f8"}),
        abs_of(ARRAY, {"function": "sin"}),
        abs_of(ARRAY, {"lambda": 1}),
        abs_of(ARRAY, {"tuple": [1]}),
        abs_of({**ARRAY, "shape": [10**9]}),
        abs_of({"array": "<U1", "shape": [1], "values": ["a"]}),
        abs_of(abs_of(abs_of(ARRAY), op="tf.unique"), {"slice": [None, None, None]}, op="ndarray.__getitem__"),
        abs_of(abs_of(ARRAY, op="tf.unique"), 0, op="ndarray.__getitem__"),
        abs_of(ARRAY, {"slice": [ARRAY, None, None]}, op="ndarray.__getitem__"),
        abs_of(ARRAY, ARRAY, op="ndarray.__getitem__"),
        nest(ARRAY, 33),
        nest(ARRAY, 65),
    ],
)
def test_what_is_no_program_is_refused(data):
    assert Program.from_json(json.dumps(abs_of(ARRAY))).ops == ("math.abs",)
    with pytest.raises(Undecodable):
        Program.from_json(json.dumps(data))


def test_a_program_is_no_call_of_numpy():
    """Neither is read as the other, and no case has calls of both."""
    assert isinstance(read_case(PROGRAM.json()), Program)
    assert isinstance(read_case(Case("sin", ('"case": "tf.',)).json()), Case)
    for data in (abs_of(abs_of(ARRAY, op="sin")), abs_of(abs_of(ARRAY), op="sin")):
        for read in (read_case, Case.from_json, Program.from_json):
            with pytest.raises(Undecodable):
                read(json.dumps(data))


def test_a_program_reads_as_source():
    program = Program((np.array([1.0, np.nan], np.float32),), (
        Step("math.less", (Input(0), Constant(np.array(0, np.float32)))),
        Step("math.logical_not", (Result(0),)),
    ))  # fmt: skip
    assert expression(program) == "tf.math.logical_not(tf.math.less(a, tf.constant(0.0, tf.float32)))"


def test_a_function_has_a_line_for_each_step():
    program = Program((np.ones(3), np.ones(2)), (
        Step("math.top_k", (Input(1), 1)),
        Step("getitem", (Result(0, 1), Subscript((-1, None)))),
        Step("cast", (Result(1), ProgramDType("bfloat16"))),
    ))  # fmt: skip
    assert function_source(program) == [
        "def f(a, b):",
        "    s1 = tf.math.top_k(b, 1)",
        "    s2 = s1[1]",
        "    s3 = s2[-1, None]",
        "    return tf.cast(s3, tf.bfloat16)",
    ]


def test_a_loop_comes_back_and_reads_as_source():
    program = Program((np.ones(2, np.float32),), (Step("scan", (Function("math.add"), Input(0))),))
    assert Program.from_json(program.json()).json() == program.json()
    assert expression(program) == "tf.scan(tf.math.add, a)"


def test_a_statement_tells_of_small_inputs_and_of_the_form_of_large_ones():
    program = Program((np.array([1, 2]), np.zeros(9, np.float32)), (Step("math.add", (Input(0), Input(1))),))
    assert str(program) == "tf.math.add(a, b), a = tf.constant([1, 2], tf.int64), b: float32[9]"
    slope = Program((np.array([1.0]),), (Step("math.exp", (Input(0),)),), gradient=True)
    assert str(slope) == "the gradient of tf.math.exp(a), a = tf.constant([1.0], tf.float64)"


def test_what_no_step_needs_goes():
    steps = (Step("math.exp", (Input(0),)), Step("math.sin", (Input(1),)), Step("math.abs", (Result(1),)))
    program = Program((np.zeros(1), np.ones(2)), steps).without_unused()
    assert program.ops == ("math.sin", "math.abs")
    assert [array.size for array in program.inputs] == [2]
    assert list(program.steps[1].values()) == [Result(0)]


def test_the_vocabulary_is_closed():
    assert FAMILY_OF.keys() == OPS
    assert SEVERAL <= OPS
    assert not any(word in name for name in OPS for word in ("file", "save", "Variable", "function", "io.", "data."))


@pytest.mark.parametrize(
    ("expected", "actual", "symptom"),
    [
        ([1.0], [np.nan], "nan for a number"),
        ([np.nan], [1.0], "a number for nan"),
        ([np.inf], [1.0], "a number for an infinity"),
        ([0.0], [-0.0], "sign of zero"),
        ([1.0], [0.0], "zero for a number"),
        ([1.0], [1.0 + 2**-52], "rounding"),
        ([1.0], [1.0 + 2**-45], "inaccurate"),
        ([1.0], [2.0], "another number"),
        ([1], [2], "another integer"),
        ([True], [False], "another bool"),
        ([[1.0]], [1.0], "shape"),
    ],
)
def test_deviations_have_names(expected, actual, symptom):
    assert find_deviation(np.array(expected), np.array(actual)).symptom == symptom
    assert find_deviation(np.array(expected), np.array(expected)) is None


def test_subnormal_numbers_may_be_zeros_but_zeros_keep_their_sign():
    assert find_deviation(np.array([1e-310]), np.array([0.0])) is None
    assert find_deviation(np.array([1e-310]), np.array([0.0]), flushes=False) is not None
    assert find_deviation(np.array([0.0]), np.array([-0.0])) is not None


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (Step("math.floordiv", (np.array([np.inf, -1.0]), np.array([1.0, np.inf]))), [np.nan, -1.0]),
        (Step("math.argmax", (np.array([1.0, np.nan, 3.0]), 0)), 1),
        (Step("sort", (np.array([2.0, np.nan, 1.0]),)), [1.0, 2.0, np.nan]),
        (Step("math.erf", (np.array([np.inf]),)), [1.0]),
        (Step("math.segment_max", (np.array([np.nan, 1.0, 2.0]), np.array([0, 0, 1]))), [np.nan, 2.0]),
        (Step("math.digamma", (np.array([1.0]),)), [-0.5772156649015329]),
        (Step("einsum", ("...ij,...ij->...", np.array([[1.0, 2]]), np.array([[3.0, np.inf]]))), np.inf),
        (Step("tensordot", (np.array([[1.0, 2], [3, 4]]), np.array([[1.0, 0], [0, 1]]), 2)), 5.0),
        (Step("linalg.matvec", (np.array([[1.0, 2], [3, 4]]), np.array([1.0, 1]))), [3.0, 7.0]),
    ],
)
def test_references_say_what_an_op_should_give(step, expected):
    (found,) = compute_expected(step, step.args, step.kwargs, [np.asarray(expected).dtype])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "step",
    [
        Step("cast", (np.array([np.nan, 1e20]), ProgramDType("int32"))),
        Step("bitwise.left_shift", (np.array([1]), np.array([64]))),
        Step("math.multiply", (np.array([complex(np.inf, 0)]), np.array([1j]))),
        Step("math.lgamma", (np.array([-1.5]),)),
        Step("reshape", (np.zeros(2), [2])),
    ],
)
def test_references_keep_silent_where_nothing_is_defined(step):
    assert compute_expected(step, step.args, step.kwargs, [np.dtype(float)]) is None
