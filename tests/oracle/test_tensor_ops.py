"""Programs of TensorFlow's ops as cases: there and back, what is refused, how they read, and how they run."""

from __future__ import annotations

import json

import numpy as np
import pytest
import tensorflow as tf

from oracle.case.decoding import Undecodable
from oracle.case.model import Case
from oracle.case.tensor_ops import FAMILY_OF, GRADIENT, OPS, SEVERAL
from oracle.case.tensor_source import write_function, write_tensor
from oracle.execution.modes import run_case
from oracle.modes import OF_OPS, Mode
from oracle.reference.bfloat16 import BFLOAT16
from oracle.subject import load_tensorflow


def make_constant(number, dtype="float32"):
    constant = np.array(number, dtype)
    constant.flags.writeable = False
    return constant


def take(owner, index):
    return Case("tf.Tensor.__getitem__", (owner, index))


SPECIAL = np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324, 1e308])
QUOTIENT = Case("tf.math.divide", (SPECIAL, make_constant(2e38, "float64")))
REVERSED = take(Case("tf.cast", (QUOTIENT, np.dtype("float32"))), (slice(None, None, -1), None, Ellipsis))
CHOSEN = Case(
    "tf.where",
    (
        np.array([True, False]),
        np.array([1 + 2j, complex(np.nan, -0.0)], np.complex64),
        Case("tf.concat", ([REVERSED, REVERSED],), {"axis": 0}),
    ),
)
PROGRAM = take(take(Case("tf.math.top_k", (CHOSEN,)), 1), 0)


def test_a_program_comes_back_bit_by_bit():
    back = Case.from_json(PROGRAM.json())
    assert back.json() == PROGRAM.json()
    assert [array.tobytes() for array in back.arrays()] == [array.tobytes() for array in PROGRAM.arrays()]
    assert [array.flags.writeable for array in back.arrays()] == [array.flags.writeable for array in PROGRAM.arrays()]
    assert [call.name for call in back.calls()] == [call.name for call in PROGRAM.calls()]


ARRAY = {"array": "<f8", "shape": [1], "values": ["0x1p+0"]}


def abs_of(*args, op="tf.math.abs", **kwargs):
    return {"case": op, "args": list(args), "kwargs": kwargs}


def nest(value, depth):
    return value if not depth else abs_of(nest(value, depth - 1))


@pytest.mark.parametrize(
    "data",
    [
        abs_of(ARRAY, op="tf.io.read_file"),
        abs_of(ARRAY, op="tf.raw_ops.ReadFile"),
        abs_of(ARRAY, op="tf.__builtins__"),
        abs_of(ARRAY, op="tf.Tensor.__getitem__"),
        abs_of(ARRAY, op="math.abs"),
        abs_of(abs_of(ARRAY, op="sin")),
        abs_of(abs_of(ARRAY), op="sin"),
        abs_of(abs_of(ARRAY, op="last")),
        abs_of(abs_of(ARRAY), abs_of(ARRAY), op="program"),
        abs_of(abs_of(abs_of(ARRAY), op="tf.gradient")),
        abs_of(ARRAY, op="tf.gradient"),
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
        abs_of(abs_of(ARRAY, op="tf.unique"), {"slice": [None, None, None]}, op="tf.Tensor.__getitem__"),
        abs_of(abs_of(ARRAY, op="tf.unique")),
        abs_of(ARRAY, {"slice": [ARRAY, None, None]}, op="tf.Tensor.__getitem__"),
        abs_of(ARRAY, ARRAY, op="tf.Tensor.__getitem__"),
        nest(ARRAY, 33),
        nest(ARRAY, 65),
    ],
)
def test_what_is_no_program_is_refused(data):
    assert Case.from_json(json.dumps(abs_of(ARRAY))).name == "tf.math.abs"
    with pytest.raises(Undecodable) as caught:
        Case.from_json(json.dumps(data))
    assert "\n" not in str(caught.value)


def test_a_text_that_looks_like_an_op_is_no_program():
    assert Case.from_json(Case("sin", ('"case": "tf.',)).json()).name == "sin"


def test_a_function_has_a_line_for_each_call():
    chosen = take(take(Case("tf.math.top_k", (np.ones(2), 1)), 1), (-1, None))
    assert write_function(Case("tf.cast", (chosen, BFLOAT16))) == [
        "def f(a):",
        "    s1 = tf.math.top_k(a, 1)",
        "    s2 = s1[1]",
        "    s3 = s2[-1, None]",
        "    return tf.cast(s3, tf.bfloat16)",
    ]


def test_a_case_tells_of_small_inputs_and_of_the_form_of_large_ones():
    case = Case("tf.math.add", (np.array([1, 2]), np.zeros(9, np.float32)))
    assert str(case) == "tf.math.add(a, b), a = tf.constant([1, 2], tf.int64), b: float32[9]"
    slope = Case(GRADIENT, (Case("tf.math.exp", (np.array([1.0]),)),))
    assert str(slope) == "the gradient of tf.math.exp(a), a = tf.constant([1.0], tf.float64)"


def test_the_vocabulary_is_closed():
    assert FAMILY_OF.keys() == OPS
    assert SEVERAL <= OPS
    assert not any(word in name for name in OPS for word in ("file", "save", "Variable", "function", "io.", "data."))
    names = [name for name in OPS if not load_tensorflow().has(f"tf.{name}")]
    assert names == []


@pytest.mark.parametrize("mode", OF_OPS)
def test_programs_run_in_every_mode(mode):
    loop = Case("tf.map_fn", (), {"fn": "tf.math.square", "elems": np.array([3.0, 4.0])})
    least = take(Case("tf.math.top_k", (Case("tf.math.negative", (loop,)), 2)), 0)
    cases = [take(least, -1), Case(GRADIENT, (Case("tf.math.square", (np.array([3.0]),)),))]
    assert [np.asarray(run_case(Mode(mode), case, load_tensorflow()).value).tolist() for case in cases] == [
        -16,
        [[6.0]],
    ]


def test_constants_of_the_graph_are_folded_and_inputs_are_not():
    by_input, by_constant = (
        Case("tf.math.divide", (np.array([1e38], np.float32), divisor))
        for divisor in (np.array(2e38, np.float32), make_constant(2e38))
    )
    graphs = [run_case(Mode("graph"), case, load_tensorflow()).value.tolist() for case in (by_input, by_constant)]
    assert graphs == [[0.5], [0.0]]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(), (2,), (1,)])
def test_the_source_of_a_negative_zero_is_one_after_a_zero_of_its_dtype(dtype, shape):
    tf.convert_to_tensor(0.0, dtype)
    source = write_tensor(np.full(shape, -0.0, tf.as_dtype(dtype).as_numpy_dtype))
    assert np.signbit(eval(source, {"tf": tf}).numpy()).all()
