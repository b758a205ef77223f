"""Text, element by element."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, traced

NAMES = sorted(np.strings.__all__)
WORDS = np.array([["hello", " x ", "aaa"], ["\u00e9t\u00e9 Ab", "", "-5"]], "U12")
BYTES = np.array([b"hello", b" a,b ", b""], "S12")
EAGER = ("eager",)
BOTH = ("eager", "graph")


def test_every_name_is_here_with_its_signature():
    assert len(NAMES) == 46
    for name in NAMES:
        expected = inspect.signature(getattr(np.strings, name)).parameters.values()
        actual = inspect.signature(getattr(tfnp.strings, name)).parameters.values()
        assert [(p.name, p.kind, p.default) for p in expected] == [(p.name, p.kind, p.default) for p in actual], name


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ["upper", "lower", "swapcase", "capitalize", "title", "strip", "lstrip", "rstrip"])
def test_cases_and_white_space(name):
    for text in (WORDS, WORDS[0, 0], BYTES, np.array(["\u01c5a", "I'm A", "\u00df", "\u2167", "\u2003x\u00a0"], "U12")):
        agree(f"strings.{name}", text, modes=EAGER)
    agree(f"strings.{name}", WORDS, modes=("graph",))
    for other in (np.arange(3), 1.5, None):
        agree(f"strings.{name}", other, modes=EAGER)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("is") or name == "str_len"])
def test_qualities(name):
    rare = np.array(["\u01c5a", "\u2167", "\u0661\u00b2", "\u00bd", "A B", "A b", "aB", "\t ", "\U0001d7d9", "12"])
    for text in (WORDS, rare, rare[0]):
        agree(f"strings.{name}", text, modes=EAGER)
    agree(f"strings.{name}", rare, modes=("graph",))
    out = np.zeros(10, bool if name != "str_len" else int)
    agree(f"strings.{name}", rare, out=out, where=np.arange(10) > 3, modes=EAGER)
    agree(f"strings.{name}", 1.5, modes=EAGER)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "add"])
def test_pairs(name):
    agree(f"strings.{name}", WORDS, np.array(["hello", "\u00e9", "aa"], "U12"), modes=BOTH)
    agree(f"strings.{name}", BYTES, BYTES[:1], modes=EAGER)
    agree(f"strings.{name}", np.arange(3), 1.0, modes=EAGER)
    agree(f"strings.{name}", WORDS, 1, modes=EAGER)
    agree(f"strings.{name}", WORDS, WORDS[:, :2], modes=EAGER)


def test_text_goes_where_it_is_to_go():
    out = tf.Variable(["", "", "z"])
    assert tfnp.strings.add(["a", "b", "c"], "x", out=out, where=[True, True, False]) is out
    assert out.numpy().tolist() == [b"ax", b"bx", b"z"]
    with pytest.raises(TypeError):
        tfnp.strings.add(["a"], "x", out=tf.Variable([1.0]))


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["find", "rfind", "count", "startswith", "endswith", "index", "rindex"])
def test_searches(name):
    text = np.array(["abababa", "aaaa", "", "\u00e9a"], "U12")
    for sought in ("aba", np.array(["a", "aa", "", "\u00e9"], "U12")):
        for bounds in ((), (-3, -1), (5, 3), (np.array([0, 1, 2, -1]), 4)):
            agree(f"strings.{name}", text, sought, *bounds, modes=EAGER)
    agree(f"strings.{name}", text[:2], "a", np.array([0, 1]), modes=("graph",))
    for wrong in ((1,), ("a", 1.5), ("a", None), ("a", 0, "b")):
        agree(f"strings.{name}", text, *wrong, modes=EAGER)


def test_what_is_not_there_is_an_error_when_a_graph_runs():
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.function(lambda a: tfnp.strings.index(a, "z"), autograph=False)(tf.constant(["a"]))


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["center", "ljust", "rjust"])
def test_fields(name):
    for width in (8, np.array([3, 12, -1]), 2.0, True):
        agree(f"strings.{name}", WORDS, width, modes=EAGER)
    for fill in ("*", "\u00e9", np.array(["a", "b", "c"]), "ab", "", 1):
        agree(f"strings.{name}", WORDS, 7, fill, modes=EAGER)
    agree(f"strings.{name}", WORDS, 7, "*", modes=("graph",))
    agree(f"strings.{name}", 1.5, 3, modes=EAGER)


@pytest.mark.parametrize("name", ["center", "ljust", "rjust", "zfill"])
def test_a_field_is_no_wider_than_numpys_text(name):
    pad = getattr(tfnp.strings, name)
    for width in (2**29, 2**62):
        with pytest.raises(TypeError):
            getattr(np.strings, name)("a", width)
        with pytest.raises(TypeError, match="width must be at most 536870911 characters"):
            pad("a", width)
        with pytest.raises(tf.errors.InvalidArgumentError, match="width must be at most"):
            tf.function(pad)(tf.constant(["a"]), tf.constant(width, tf.int64))


@pytest.mark.full
def test_noughts_tabs_and_repetition():
    signed = np.array(["-5", "+", "12", "", "--1"], "U9")
    for count in (4, np.array([2, 3, 0, -1, 5]), 1.5):
        agree("strings.zfill", signed, count, modes=EAGER)
        agree("strings.multiply", signed, count, modes=EAGER)
        agree("strings.expandtabs", np.array(["a\tb", "\t", "ab\t\nc\td", "abc\t", ""], "U9"), count, modes=EAGER)
    for name in ("zfill", "multiply", "expandtabs"):
        agree(f"strings.{name}", signed, 3, modes=("graph",))


@pytest.mark.full
def test_replacement():
    text = np.array(["abababa", "aaaa", "", "\u00e9a"], "U12")
    for old, new in (("a", "XY"), ("aba", "-"), ("", "."), ("aa", ""), (np.array(["b", "a", "", "\u00e9"]), "xx")):
        for count in (-1, np.array([0, 1, 2, -1])):
            agree("strings.replace", text, old, new, count, modes=EAGER)
    agree("strings.replace", text, "a", 1, modes=EAGER)
    agree("strings.replace", text, "ab", "xyz", modes=("graph",))


@pytest.mark.parametrize("chars", ["a", "", "x e\u00e9", np.array(["h", "x", "a"]), 1])
def test_stripping(chars):
    for name in ("strip", "lstrip", "rstrip"):
        agree(f"strings.{name}", WORDS, chars, modes=EAGER)


@pytest.mark.full
def test_parts():
    for name in ("partition", "rpartition"):
        for sep in ("a", "aa", "l", "zz", np.array(["l", "x", "a"], "U12"), "", 1):
            agree(f"strings.{name}", WORDS, sep, modes=EAGER)
        agree(f"strings.{name}", WORDS, "l", modes=("graph",))
    for bounds in ((2,), (None,), (1, 3), (-2, None), (None, None, -1), (5, 0, -2), (-1, -9, -1), (0, 9, 2), (0, 1, 0)):
        agree("strings.slice", WORDS, *bounds, modes=EAGER)
    agree("strings.slice", WORDS, np.array([0, 1, -1]), None, np.array([1, 2, -1]), modes=BOTH)


def test_codecs_tables_and_formats():
    for encoding in (None, "utf-8", "latin-1", "ascii", "bogus"):
        agree("strings.encode", WORDS, encoding, modes=EAGER)
        agree("strings.decode", BYTES, encoding, modes=EAGER)
    agree("strings.encode", WORDS, "ascii", "replace", modes=BOTH)
    agree("strings.translate", WORDS, "x" * 300, modes=BOTH)
    agree("strings.translate", BYTES, bytes(range(1, 256)) + b"!", modes=EAGER)
    agree("strings.mod", np.array(["%d", "<%3d>"]), np.array([3, 4]), modes=BOTH)
    agree("strings.mod", np.array("%s%%"), "a", modes=EAGER)
    agree("strings.mod", np.array("none"), 1, modes=EAGER)


@pytest.mark.full
def test_unknown_shapes():
    for rank in (True, False):
        assert traced(lambda a: tfnp.strings.find(a, "l"), WORDS, rank=rank).numpy().tolist() == [[2, -1, -1], [-1] * 3]


def test_xla_says_that_it_has_no_text():
    with pytest.raises(TypeError, match="XLA has no text"):
        tf.function(tfnp.strings.upper, jit_compile=True)(tf.constant(["a"]))


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("name", "options"), [("replace", ("a", "b")), ("expandtabs", ()), ("multiply", (3,)), ("zfill", (3,))]
)
@pytest.mark.parametrize("compiled", [False, True])
def test_no_text_at_all(name, options, compiled):
    function = getattr(tfnp.strings, name)
    result = (tf.function(function) if compiled else function)(tf.constant([], tf.string), *options)
    assert (result.shape, result.dtype) == ((0,), tf.string)


def test_repetition_is_by_doubling():
    text, counts = np.array(["ab", "", "x"]), np.array([1001, 2**40, -1])
    for repeat in (tfnp.strings.multiply, tf.function(tfnp.strings.multiply), tfnp.multiply):
        assert repeat(text, counts).numpy().tolist() == [b"ab" * 1001, b"", b""]
    for count in (2**31, 2**62):
        with pytest.raises(OverflowError, match="string multiply"):
            tfnp.strings.multiply("a", count)
