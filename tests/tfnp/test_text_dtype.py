"""Text is a dtype: what NumPy's functions of arrays of anything do with it, in eager mode and in graphs."""

from __future__ import annotations

import io
from functools import partial

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, traced

MODES = ("eager", "graph", "graph_dims", "graph_rank")
WORDS = np.array(["b", "", "zz", "a", "aaaaaaab", "aaaaaaa", "\u00e9", "b", "\uffee", "\U00010000", "Z"])
GRID = np.array([["b", "a", "b"], ["a", "", "b"], ["b", "a", "b"]])


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("name", "args", "kwargs"),
    [
        ("sort", (WORDS,), {}),
        pytest.param(*("sort", (GRID,), {"axis": 0}), marks=pytest.mark.full),
        pytest.param(*("argsort", (GRID,), {"axis": 1}), marks=pytest.mark.full),
        pytest.param(*("lexsort", ((WORDS, WORDS[::-1]),), {}), marks=pytest.mark.full),
        pytest.param(*("partition", (WORDS, 3), {}), marks=pytest.mark.full),
        ("unique", (WORDS,), {"return_index": True, "return_inverse": True, "return_counts": True}),
        ("unique", (GRID,), {"axis": 0, "return_counts": True}),
        ("isin", (GRID, np.array(["a", "q"])), {}),
        pytest.param(*("isin", (WORDS, 1), {}), marks=pytest.mark.full),
        pytest.param(*("union1d", (WORDS, GRID), {}), marks=pytest.mark.full),
        pytest.param(*("intersect1d", (WORDS, GRID), {"return_indices": True}), marks=pytest.mark.full),
        pytest.param(*("setdiff1d", (WORDS, GRID), {}), marks=pytest.mark.full),
        pytest.param(*("setxor1d", (WORDS, GRID), {}), marks=pytest.mark.full),
        ("searchsorted", (np.sort(WORDS), GRID), {"side": "right"}),
        ("argmax", (GRID,), {"axis": 1}),
        pytest.param(*("argmin", (WORDS,), {}), marks=pytest.mark.full),
        ("less", (GRID, GRID[:, :1]), {}),
        pytest.param(*("greater_equal", (WORDS, "a"), {}), marks=pytest.mark.full),
        ("equal", (WORDS, WORDS[::-1]), {}),
        ("not_equal", (GRID, GRID[0]), {}),
        ("add", (GRID, "!"), {}),
        ("where", (GRID == "a", GRID, "q"), {}),
        pytest.param(*("where", (GRID == "a", GRID, np.arange(3.0)), {}), marks=pytest.mark.full),
        ("nonzero", (GRID,), {}),
        ("any", (GRID,), {"axis": 0}),
        ("all", (GRID,), {"axis": 1}),
        ("count_nonzero", (GRID,), {"axis": 0}),
        ("logical_and", (GRID, GRID.T), {}),
        ("concatenate", ([WORDS, np.array([1.5, 2, np.nan]), np.array([True])],), {}),
        ("stack", ([GRID, GRID],), {"axis": 1}),
        ("take", (GRID, np.array([0, 2])), {"axis": 1}),
        ("pad", (GRID, 1), {}),
        ("pad", (GRID, ((1, 0), (0, 2))), {"mode": "reflect"}),
        ("tile", (GRID, 2), {}),
        ("repeat", (GRID, 2), {"axis": 0}),
        ("roll", (GRID, 1), {}),
        ("diag", (WORDS,), {"k": 1}),
        ("tril", (GRID,), {}),
        ("insert", (WORDS, 1, "q"), {}),
        ("append", (WORDS, 5), {}),
        ("select", ([GRID == "a"], [GRID], ""), {}),
        ("choose", (np.array([0, 1, 1]), GRID[:2]), {}),
        ("choose", (np.array([0, 1, 1]), "abc"), {}),
        ("array_equal", (GRID, GRID.copy()), {}),
        ("array_equal", (GRID, GRID.copy()), {"equal_nan": True}),
        ("array_equal", (GRID, np.zeros((3, 3))), {}),
        ("full", ((2, 2), "abc"), {}),
        ("zeros_like", (GRID,), {}),
        ("ones_like", (GRID,), {}),
        ("ndarray.tolist", (np.array(["a", "\u00e9"]),), {}),
    ],
)  # fmt: skip
def test_functions_of_text_agree_with_numpy(name, args, kwargs):
    modes = {"ndarray.tolist": MODES[:1], "choose": MODES[:2]}.get(name, MODES[:3])
    agree(name, *args, modes=modes, **kwargs)


@pytest.mark.full
@pytest.mark.parametrize(("name", "args"), [("sort", (WORDS,)), ("add", (GRID, "!")), ("max", (GRID,))])
def test_the_rank_may_be_unknown(name, args):
    agree(name, *args, modes=("graph_rank",))


@pytest.mark.parametrize("name", ["zeros", "ones", "empty", "identity"])
@pytest.mark.parametrize("dtype", [str, "U", np.dtypes.StringDType(), tf.string])
def test_dtypes_of_text_make_text(name, dtype):
    result = getattr(tfnp, name)(2, dtype=dtype)
    assert result.dtype == tf.string
    np.testing.assert_array_equal(result.numpy().astype(str), getattr(np, name)(2, dtype=str))


FLOATS = np.array([0.0, -0.0, 1.0, 0.1, 1 / 3, 1e-4, 9.99e-5, 123456.5, 1e15, 1e16, 2.5e-7, np.nan, np.inf, -np.inf])


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "values",
    [
        *[FLOATS.astype(dtype) for dtype in (np.float32, np.float64)],
        FLOATS[:6].astype(np.float16),
        np.array([1 + 2j, -0.0 - 1j, 2j, complex(np.nan, np.inf), 1e16 + 0.5j]),
        np.array([[True, False]]),
        np.array([-5, 2**62]),
        np.array([2**64 - 1], np.uint64),
    ],
    ids=lambda values: values.dtype.name,
)
def test_numbers_are_written_as_numpy_writes_them(values):
    agree("ndarray.astype", values, np.dtype(np.str_), modes=MODES)


def test_the_fewest_digits_are_written_in_a_graph_too():
    rng = np.random.default_rng(0)
    for dtype in (np.float32, np.float64):
        values = (rng.standard_normal(500) * 10.0 ** rng.integers(-12, 18, 500)).astype(dtype)
        written = traced(lambda x: tfnp.astype(x, str), values)
        assert written.numpy().astype(str).tolist() == values.astype(str).tolist()


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("strings", "dtype"),
    [
        (["1", " 12 ", "-3", "+4", "1_0_0"], np.int64),
        (["255", "0"], np.uint8),
        (["18446744073709551615"], np.uint64),
        (["1.5", "nan", " inf ", "1e3", "-Infinity", ".5"], np.float32),
        (["1.5", "1e-300"], np.float64),
        (["1+2j", "3", "(1-2.5e3j)", "j", "-j", "2.5j", "1e-3-1e+3j"], np.complex128),
        (["", "a", "False", "0"], np.bool_),
    ],
)
def test_text_is_read_as_numbers(strings, dtype):
    agree("ndarray.astype", np.array(strings), np.dtype(dtype), modes=MODES)


@pytest.mark.parametrize(
    ("strings", "dtype", "error"),
    [
        *[("x", int, ValueError), ("1.5", int, ValueError), ("300", np.uint8, OverflowError)],
        *[("one", float, ValueError), ("", float, ValueError), ("", complex, ValueError), (" ", complex, ValueError)],
    ],
)
def test_what_is_no_number_raises_numpys_error(strings, dtype, error):
    with pytest.raises(error):
        np.array([strings]).astype(dtype)
    with pytest.raises(error):
        tfnp.astype(tf.constant([strings]), dtype)
    with pytest.raises((error, tf.errors.InvalidArgumentError)):
        traced(lambda text: tfnp.astype(text, dtype), np.array([strings], object))


def test_bfloat16_is_read_as_other_floats() -> None:
    np.testing.assert_array_equal(tfnp.astype(tf.constant(["1.5", "1_0"]), tfnp.bfloat16), [1.5, 10])
    for text in ("", "x"):
        with pytest.raises(ValueError, match="could not convert string to float"):
            tfnp.astype(tf.constant(text), tfnp.bfloat16)


def test_the_order_is_that_of_code_points_and_of_bytes_that_are_no_text():
    points = ["", "\0", "a", "a\0", "a\0\0", "a\1", "aaaaaaa", "aaaaaaa\0", "aaaaaaaa", "\x7f", "\u0080", "\uffff"]
    strings = [point.encode() for point in [*points, "\U00010000"]] + [b"\xff", b"\xff\xff"]
    shuffled = np.random.default_rng(0).permutation(np.array(strings, object))
    assert tfnp.sort(tf.constant(shuffled)).numpy().tolist() == sorted(strings)
    assert tfnp.sort(tf.constant(["x" * 100 + end for end in "cab"])).numpy()[0] == b"x" * 100 + b"a"


def test_long_equal_beginnings_cost_no_memory():
    """Strings are compared piece by piece: one of a million bytes among a thousand does not pad the others."""
    strings = tf.constant(["y" * 1_000_000, *map(str, range(1000))])
    assert tfnp.argmax(strings) == 0


def test_sums_products_and_extremes_are_those_of_string_dtype():
    wide = GRID.astype(np.dtypes.StringDType())
    text = tf.constant(GRID)
    for name in ("max", "min", "sum"):
        for axis in (0, 1):
            expected = getattr(np, name)(wide, axis=axis)
            assert getattr(tfnp, name)(text, axis=axis).numpy().astype(str).tolist() == expected.tolist(), name
    assert tfnp.multiply(text, [2, 0, 1]).numpy().astype(str).tolist() == (wide * np.array([2, 0, 1])).tolist()
    assert tfnp.maximum(text, "a").numpy().astype(str).tolist() == np.maximum(wide, np.array("a", wide.dtype)).tolist()
    assert tfnp.cumsum(text, axis=1).numpy().astype(str).tolist() == np.cumsum(wide, axis=1).tolist()
    with pytest.raises(ValueError, match="zero-size"):
        tfnp.max(tfnp.zeros(0, str))


def test_repeating_text_more_often_than_memory_holds_is_refused():
    with pytest.raises(OverflowError, match="string multiply"):
        tfnp.multiply("a", [2**32 - 1])


def _tell(values):
    return tf.constant(tfnp.isrealobj(values[0]))


def test_the_dtype_is_told_without_a_tensor():
    for value in ("a", [b"a"], None, slice(None), np.longdouble(1), [1j, 2]):
        told = tf.function(partial(_tell, [value]), jit_compile=True, autograph=False)()
        assert told.numpy() == np.isrealobj(value) != tfnp.iscomplexobj(value), value
    assert tfnp.iscomplexobj([tf.constant(1j), 2])


def test_operators_are_numpys():
    text = tf.constant(["b", "a"])
    with tfnp.numpy_behavior():
        assert (text == "a").tolist() == [False, True]
        assert (text == ["b", "b"]).tolist() == [True, False]
        assert (text == 1).tolist() == [False, False]
        assert (text != np.arange(2)).tolist() == [True, True]
        assert (text < "b").tolist() == [False, True]
        assert (text + "!").tolist() == ["b!", "a!"]
        assert ("!" + text).tolist() == ["!b", "!a"]
        assert (text * 2).tolist() == (2 * text).tolist() == ["bb", "aa"]
        assert text[::-1].tolist() == text[[1, 0]].tolist() == text[text < "z"][::-1].tolist() == ["a", "b"]
        assert text[0].item() == "b"
        assert text.max().item() == "b"
        assert text.dtype.kind == "T"
        assert text.dtype == tf.string
        for wrong in (lambda: text - 1, lambda: text < 1, lambda: -text, lambda: text + 1):
            with pytest.raises(TypeError, match="StringDType"):
                wrong()


def test_a_variable_of_text_is_written():
    variable = tf.Variable(["a", "b", "c"])
    tfnp.copyto(variable, ["x", "yy", "zzzz"], where=[True, False, True])
    tfnp.put(variable, [1], "long")
    assert variable.numpy().tolist() == [b"x", b"long", b"zzzz"]
    tfnp.add(variable, "!", out=variable)
    with tfnp.numpy_behavior():
        variable[0] = "first"
        variable[1:] = ["p", "q"]
        variable[variable == "q"] = "r"
        variable += "."
        assert variable.tolist() == ["first.", "p.", "r."]
        variable.sort()
        assert variable.tolist() == ["first.", "p.", "r."]


def test_arrays_of_objects_that_are_text_are_text():
    text = tf.constant(["a", "\u00e9"])
    assert tfnp.asarray(text.numpy()).dtype == tf.string
    assert tfnp.equal(text.numpy(), np.array(["a", "x"], object)).numpy().tolist() == [True, False]
    assert tfnp.array([b"\xff"]).numpy().tolist() == [b"\xff"]
    with tfnp.numpy_behavior():
        assert tfnp.array([b"\xff", b"a"]).tolist() == ["\udcff", "a"]
    with pytest.raises(TypeError, match="object"):
        tfnp.array(np.array(["a", None], object))


def test_dtypes_are_answered():
    text, dtype = tf.constant(["a"]), np.dtypes.StringDType()
    assert tfnp.result_type(text) == tfnp.result_type(text, np.int8) == tfnp.promote_types(tf.string, "f4") == dtype
    assert tfnp.can_cast(np.int8, tf.string)
    assert not tfnp.can_cast(text.dtype, np.int8)
    with pytest.raises(TypeError, match="no common dtype"):
        tfnp.where([True], text, 1)


@pytest.mark.parametrize(
    "function",
    [
        tfnp.sort, tfnp.unique, tfnp.any, tfnp.ravel, tfnp.strings.upper,
        lambda x: tfnp.equal(x, "a"), lambda x: tfnp.add(x, "a"), lambda x: tfnp.less(x, "a"),
        lambda x: tfnp.multiply(x, 2), lambda x: tfnp.astype(x, int), lambda x: tfnp.zeros(2, str),
        lambda x: tfnp.astype(tfnp.arange(2), str),
    ],
)  # fmt: skip
def test_xla_is_told_at_trace(function):
    with pytest.raises(TypeError, match="XLA has no text"):
        tf.function(function, jit_compile=True, autograph=False)(tf.constant(["a"]))


@pytest.mark.parametrize(
    "call",
    [
        tfnp.mean, tfnp.std, tfnp.median, tfnp.prod, tfnp.diff, tfnp.sqrt, tfnp.round, tfnp.bincount, tfnp.cov,
        tfnp.fft.fft, tfnp.vander, tfnp.linalg.norm, tfnp.histogram, tfnp.i0, tfnp.unwrap, tfnp.nanmax,
        lambda x: tfnp.dot(x, x), lambda x: tfnp.einsum("i,i", x, x), lambda x: tfnp.percentile(x, 50),
        lambda x: tfnp.interp(x, [1.0], [1.0]), lambda x: tfnp.convolve(x, x), lambda x: tfnp.isclose(x, x),
    ],
)  # fmt: skip
@pytest.mark.parametrize("graph", [False, True])
def test_what_stays_refused_names_text(call, graph):
    function = tf.function(call, autograph=False) if graph else call
    with pytest.raises(TypeError, match=r"text|StringDType|ufunc|integer|isfinite"):
        function(tf.constant(["a", "b"]))


def test_files_hold_text():
    text = tfnp.array(["ab", "\u00e9"])
    saved, written = io.BytesIO(), io.StringIO()
    tfnp.save(saved, text)
    saved.seek(0)
    assert tfnp.load(saved).numpy().tolist() == text.numpy().tolist()
    tfnp.savetxt(written, text, fmt="%s")
    assert written.getvalue() == "ab\n\u00e9\n"
    for dtype in (str, "U1", np.dtypes.StringDType(), tf.string):  # of StringDType NumPy's own loadtxt dies
        found = tfnp.loadtxt(io.StringIO("a b\nc long"), dtype=dtype)
        assert found.numpy().tolist() == [[b"a", b"b"], [b"c", b"long"]]
    assert tfnp.genfromtxt(io.StringIO("a b\nc long"), dtype=str).numpy()[1, 1] == b"long"
    assert tfnp.fromiter(["a", "bbb"], str).numpy().tolist() == [b"a", b"bbb"]
    assert tfnp.frombuffer(b"abcdef", "S3").numpy().tolist() == [b"abc", b"def"]


@pytest.mark.parametrize(
    "call",
    [
        lambda text: text.view("i8"), lambda text: tfnp.arange(2).view(str), lambda text: text.tobytes(),
        lambda text: tfnp.frombuffer(b"abcdef" * 8, str), lambda text: tfnp.frombuffer(b"a" * 16, tf.string),
        lambda text: tfnp.frombuffer(b"a" * 16, np.dtypes.StringDType()),
    ],
)  # fmt: skip
def test_text_has_no_bytes_in_memory(call):
    with tfnp.numpy_behavior(), pytest.raises(TypeError, match="width"):
        call(tf.constant(["ab", "c"]))


@pytest.mark.parametrize("mode", ["all", "safe", "off"])
def test_other_promotions_take_text(mode):
    with tfnp.numpy_behavior(dtype_conversion_mode=mode):
        text = tfnp.array(["b", "a"])
        assert (text + "!").tolist() == ["b!", "a!"]
        assert (text * 2).tolist() == ["bb", "aa"]
        assert tfnp.concatenate([tfnp.sort(text), text]).tolist() == ["a", "b", "b", "a"]
        with pytest.raises(TypeError, match="no common dtype"):
            tfnp.concatenate([text, [1]])


def test_numpys_assertions_compare_text():
    tfnp.testing.assert_array_equal(tf.constant(["a", "\u00e9"]), ["a", "\u00e9"])
    tfnp.testing.assert_equal(tf.constant("a"), "a")
    with pytest.raises(AssertionError):
        tfnp.testing.assert_array_equal(tf.constant(["a"]), ["b"])
