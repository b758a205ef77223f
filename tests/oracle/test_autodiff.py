"""Derivatives by tapes and in forward mode against finite differences, and against one another."""

from __future__ import annotations

import numpy as np
import pytest

from oracle import Case, judge
from oracle.equality.finite_differences import _spread, find_unlike
from tests.oracle.made import judged, kinds, made, status

tf = pytest.importorskip("tensorflow")
MODES = pytest.mark.parametrize("mode", ["gradient", "gradient_graph", "gradient_while", "gradient_xla"])
X = np.array([0.3, -1.2, 0.7])
PI = np.pi


def titled(value):
    """A test's name: the same in every process, which the address of a function is not."""
    return value.__name__ if callable(value) else str(value)


@tf.custom_gradient
def sin_downhill(x):
    return tf.sin(x), lambda upstream: -upstream * tf.cos(x)


@tf.custom_gradient
def sin_almost(x):
    return tf.sin(x), lambda upstream: upstream * tf.cos(x) * 1.001


@tf.custom_gradient
def sin_once(x):
    return tf.sin(x), lambda upstream: upstream * tf.stop_gradient(tf.cos(x))


@tf.custom_gradient
def sin_without(x):
    def refuse(upstream):
        raise LookupError("no gradient defined")

    return tf.sin(x), refuse


def sinc_unsafe(x):
    return tf.where(x == 0, tf.ones_like(x), tf.sin(PI * x) / (PI * x))


def sinc(x):
    safe = tf.where(x == 0, tf.ones_like(x), PI * x)
    return tf.where(x == 0, 1 - (PI * x) ** 2 / 6, tf.sin(safe) / safe)


@MODES
class TestFound:
    @pytest.mark.sample(4)
    @pytest.mark.parametrize("faulty", [sin_downhill, sin_almost, sin_without])
    def test_a_wrong_or_missing_gradient(self, mode, faulty):
        assert kinds(mode, Case("sin", (X,)), sin=faulty) == ["gradient"]

    def test_one_that_is_not_finite_where_the_slope_is(self, mode):
        assert kinds(mode, Case("sinc", (np.array([0.0, 0.5]),)), sinc=sinc_unsafe) == ["gradient"]

    def test_a_constant_in_place_of_a_function(self, mode):
        assert kinds(mode, Case("sin", (X,)), sin=lambda x: tf.stop_gradient(tf.sin(x))) == ["gradient"]


@tf.custom_gradient
def sin_of_singles_downhill(x):
    sign = -1 if x.dtype in (tf.float32, tf.complex64) else 1
    return tf.sin(x), lambda upstream: sign * upstream * tf.math.conj(tf.cos(x))


@tf.custom_gradient
def sin_of_doubles_alone(x):
    return tf.sin(x), lambda upstream: tf.cast(upstream, tf.float64) * tf.cast(tf.cos(x), tf.float64)


SINGLE = X.astype(np.float32)
DERIVED = pytest.mark.parametrize(
    "mode", ["gradient", "gradient_graph", "gradient_while", "gradient_xla", "jvp", "hvp"]
)


class TestSinglePrecision:
    @MODES
    @pytest.mark.sample(4)
    @pytest.mark.parametrize("array", [SINGLE, SINGLE.astype(np.complex64)], ids=str)
    def test_a_wrong_gradient_is_found(self, mode, array):
        assert kinds(mode, Case("sin", (array,)), sin=sin_of_singles_downhill) == ["gradient"]
        assert kinds(mode, Case("sin", (X,)), sin=sin_of_singles_downhill) == []

    @pytest.mark.sample(2)
    @MODES
    def test_a_gradient_of_another_dtype_is_found(self, mode):
        assert kinds(mode, Case("sin", (SINGLE,)), sin=sin_of_doubles_alone) == ["gradient"]

    @DERIVED
    @pytest.mark.sample(11)
    @pytest.mark.parametrize(
        ("case", "function"),
        [
            (Case("sin", (SINGLE,)), tf.sin),
            (Case("sin", (SINGLE + np.complex64(1j),)), tf.sin),
            (Case("sum", (SINGLE,)), tf.reduce_sum),
            (Case("exp", (SINGLE * 3,)), tf.exp),
            (Case("multiply", (SINGLE, SINGLE[:1])), tf.multiply),
        ],
        ids=titled,
    )
    def test_a_right_one_is_not(self, mode, case, function):
        assert judged(mode, case, **{case.name: function}) == ("ok", [])

    def test_where_rounding_decides_nothing_is_concluded(self):
        case = Case("tan", (np.array([np.pi / 2 - 1e-3], np.float32),))
        assert kinds("gradient", case, tan=tf.tan) == []


@MODES
class TestSilent:
    @pytest.mark.sample(4)
    @pytest.mark.parametrize(
        ("case", "function"),
        [
            (Case("sin", (X,)), tf.sin),
            (Case("sin", (X + 1j,)), tf.sin),
            (Case("sinc", (np.array([0.0, 0.5]),)), sinc),
            (Case("multiply", (X, X[:1])), tf.multiply),
            (Case("multiply", (X, np.array([2, 3, 4]))), lambda x, y: x * tf.cast(y, x.dtype)),
            (Case("abs", (X + 1j,)), tf.abs),
            (Case("floor", (X,)), tf.floor),
            (Case("where", (np.zeros(3), 2.0, X)), lambda c, x, y: tf.where(c != 0, tf.constant(x, y.dtype), y)),
            (Case("sort", (X,)), tf.sort),
        ],
        ids=titled,
    )
    def test_where_the_tape_is_right(self, mode, case, function):
        assert kinds(mode, case, **{case.name: function}) == []

    @pytest.mark.sample(6)
    @pytest.mark.parametrize(
        ("case", "function"),
        [
            (Case("abs", (np.array([0.0, 1.0]),)), lambda x: tf.where(x >= 0, x, -x)),
            (Case("sqrt", (np.array([0.0, 1.0]),)), tf.sqrt),
            (Case("maximum", (X, X)), tf.maximum),
            (Case("std", (np.ones(3),)), tf.math.reduce_std),
            (Case("rint", (np.array([0.5, 1.0]),)), tf.round),
            (Case("floor", (np.array([1e15]),)), tf.floor),
            (Case("reciprocal", (np.array([0.0, 1e-9]),)), lambda x: 1 / x),
            (Case("linalg.inv", (np.array([[1.0, 1.0], [1.0, 1 + 1e-9]]),)), tf.linalg.inv),
            (Case("fmod", (np.array(65504.0), 3.0)), tf.math.floormod),
            (Case("floor_divide", (np.array(0.0), -6e-64)), tf.math.floordiv),
            (
                Case("remainder", (np.array(9e18), np.array(True))),
                lambda x, y: tf.math.floormod(x, tf.cast(y, x.dtype)),
            ),
            (Case("multiply", (np.array(0.0), np.array([2.0]).astype(">f8"))), tf.multiply),
            (Case("multiply", (np.array(1.0), np.float32([1e-40]))), lambda x, y: tf.zeros_like(y, x.dtype) * x),
        ],
        ids=titled,
    )
    def test_at_kinks_jumps_and_poles(self, mode, case, function):
        assert kinds(mode, case, **{case.name.replace(".", "__"): function}) == []

    @pytest.mark.parametrize(
        "case",
        [
            Case("sin", (X.astype(np.float16),)),
            Case("sin", (np.array([np.nan, 1.0]),)),
            Case("sin", (np.array([2e-308, 1.0]),)),
            Case("sin", (np.zeros(0),)),
            Case("sin", (X,), {"out": np.zeros(3)}),
            Case("argsort", (X,)),
        ],
        ids=titled,
    )
    def test_where_there_is_nothing_to_ask(self, mode, case):
        assert status(mode, case, sin=sin_downhill, argsort=tf.argsort) == "unsupported"

    def test_a_call_that_fails_without_a_tape(self, mode):
        def sin(x):
            raise ValueError("no")

        assert status(mode, Case("sin", (X,)), sin=sin) == "unsupported"


def test_a_slope_that_turns_at_a_kink_has_no_slope():
    x = np.array([0.0, 1.0])
    case = Case("multiply", (x, Case("abs", (x,))))
    right = {"multiply": tf.multiply, "abs": lambda x: tf.where(x >= 0, x, -x)}
    assert kinds("gradient", case, **right) == []
    assert kinds("gradient", Case("square", (x,)), square=lambda x: x * tf.stop_gradient(2 * x) - x * x) == ["gradient"]


@pytest.mark.parametrize("mode", ["gradient", "gradient_graph", "jvp"])
def test_a_kink_that_is_straight_along_each_direction_has_no_slope(mode):
    """The median of equal elements moves with the middle one, whichever that is."""
    assert kinds(mode, Case("median", (np.full(3, 2.0),)), median=lambda x: tf.sort(x)[1]) == []
    apart = Case("median", (np.array([1.0, 2.0, 3.0]),))
    assert kinds(mode, apart, median=lambda x: tf.sort(x)[1]) == []
    assert kinds(mode, apart, median=lambda x: 2 * tf.sort(x)[1]) == ["gradient"]


def test_the_slope_of_a_slope():
    assert kinds("gradient", Case("sin", (X,)), sin=sin_once) == ["gradient"]
    assert kinds("gradient", Case("exp", (X,)), exp=tf.exp) == []


class TestPrograms:
    """A gradient is taken through all calls of a program."""

    program = Case("sum", (Case("exp", (Case("sin", (X,)),)),))

    @pytest.mark.sample(2)
    @MODES
    def test_an_inner_call_with_a_wrong_gradient_is_found(self, mode):
        assert kinds(mode, self.program, sin=sin_downhill, exp=tf.exp, sum=tf.reduce_sum) == ["gradient"]

    def test_a_result_that_two_calls_take_counts_twice(self):
        inner = Case("sin", (X,))
        program = Case("multiply", (inner, inner))
        once = {"sin": tf.sin, "multiply": lambda x, y: x * tf.stop_gradient(y)}
        assert kinds("gradient", program, sin=tf.sin, multiply=tf.multiply) == []
        assert kinds("gradient", program, **once) == ["gradient"]

    def test_what_a_program_writes_to_has_no_slope(self):
        written = Case("last", (Case("copyto", (X, X + 1)), X))
        assert status("gradient", Case("sin", (written,)), sin=tf.sin, copyto=lambda v, x: v.assign(x)) == "unsupported"


def test_no_number_has_no_spread():
    """What a sawtooth is given may be complex alone."""
    assert _spread(Case("remainder", (np.array([1.0 + 2.0j]), np.array([3.0 + 1.0j])))) == 1.0


def test_a_complex_number_is_nan_as_a_whole():
    numbers = [np.array([complex(np.nan, part), 1j]) for part in (0, np.nan)]
    assert find_unlike(numbers[:1], numbers[1:], list) == find_unlike(numbers[1:], numbers[:1], list) == ""
    assert "element 2" in find_unlike([numbers[0] * 1j], [np.array([complex(np.nan, 0), 2j])], lambda: [[numbers[0]]])


def is_inside(x, graph):
    """Whether a graph of this class is being traced: the body of a loop, or a branch of it."""
    return type(getattr(tf.identity(x), "graph", None)).__name__ == graph


class TestForwardMode:
    """Forward mode is judged by the finite differences that judge tapes."""

    @pytest.mark.parametrize(
        ("case", "function"),
        [
            (Case("sin", (X,)), tf.sin),
            (Case("sin", (X + 1j,)), tf.sin),
            (Case("abs", (X + 1j,)), tf.abs),
            (Case("multiply", (X, X[:1])), tf.multiply),
            (Case("floor", (X,)), tf.floor),
            (Case("abs", (np.array([0.0, 1.0]),)), tf.abs),
        ],
        ids=titled,
    )
    @pytest.mark.parametrize("mode", ["jvp", "hvp"])
    def test_a_right_one_agrees(self, mode, case, function):
        assert judged(mode, case, **{case.name: function}) == ("ok", [])

    def test_none_where_the_slope_is_not_zero_is_found(self):
        case, constant = Case("sin", (X,)), made(sin=lambda x: tf.stop_gradient(tf.sin(x)))
        (difference,) = judge(case, ["jvp"], constant).deviations
        assert difference.kind == "gradient"
        assert difference.detail.startswith("the slope of forward mode along a random direction is 0, that of NumPy's")
        assert kinds("jvp", Case("floor", (X,)), floor=lambda x: tf.stop_gradient(tf.floor(x))) == []

    @pytest.mark.parametrize("faulty", [sin_downhill, sin_almost, sin_without])
    def test_a_wrong_gradient_is_wrong_in_forward_mode(self, faulty):
        """Eagerly, TensorFlow differentiates what a function with a gradient of its own has called."""
        assert kinds("jvp", Case("sin", (X,)), sin=tf.function(faulty)) == ["gradient"]

    def test_what_is_lost_on_the_way_to_the_second_order_is_found(self):
        assert kinds("hvp", Case("sin", (X,)), sin=sin_once) == ["gradient"]

    def test_the_second_order_is_that_of_the_subjects_own_gradient(self):
        assert kinds("hvp", Case("sin", (X,)), sin=sin_downhill) == []

    def test_a_second_order_that_raises_is_found(self):
        @tf.custom_gradient
        def sin(x):
            @tf.custom_gradient
            def slope(x):
                def refuse(upstream):
                    raise LookupError("no gradient defined")

                return tf.cos(x), refuse

            return tf.sin(x), lambda upstream: upstream * slope(x)

        (difference,) = judge(Case("sin", (X,)), ["hvp"], made(sin=tf.function(sin))).deviations
        assert difference.kind == "gradient"
        assert "LookupError" in difference.detail

    def test_a_gradient_that_raises_by_itself_is_not_the_second_orders(self):
        assert status("hvp", Case("sin", (X,)), sin=tf.function(sin_without)) == "unsupported"


class TestLoops:
    """The gradient in a loop and in a branch is that of the call by itself."""

    @pytest.mark.parametrize("graph", ["WhileBodyFuncGraph", "CondBranchFuncGraph"])
    def test_a_gradient_that_is_wrong_there_alone_is_found(self, graph):
        def sin(x):
            return sin_downhill(x) if is_inside(x, graph) else tf.sin(x)

        assert kinds("gradient_graph", Case("sin", (X,)), sin=sin) == []
        (difference,) = judge(Case("sin", (X,)), ["gradient_while"], made(sin=sin)).deviations
        inside = "in a branch of a loop" if graph.startswith("Cond") else "in a loop"
        assert difference.detail.startswith(f"the tape's slope {inside} along")

    def test_a_gradient_that_cannot_be_traced_there_is_found(self):
        def sin(x):
            return sin_without(x) if is_inside(x, "WhileBodyFuncGraph") else tf.sin(x)

        assert kinds("gradient_while", Case("sin", (X,)), sin=sin) == ["gradient"]

    def test_siblings_have_their_own_variables(self):
        siblings = [Case("square", (X * k,)) for k in (1, 2, -1)]
        assert kinds("gradient_while", *siblings, square=tf.square) == []


def rises_in_graphs(x):
    """The value of abs, with another slope at zero in graphs."""
    return tf.abs(x) if tf.executing_eagerly() else tf.where(x >= 0, x, -x)


@pytest.mark.parametrize("mode", ["gradient_graph", "gradient_while", "gradient_xla"])
class TestKinks:
    """Where finite differences conclude nothing, gradients of all modes are that of an eager tape."""

    @pytest.mark.parametrize(
        ("case", "function"),
        [
            (Case("abs", (np.array([0.0, 1.0]),)), rises_in_graphs),
            (
                Case("sqrt", (np.array([0.0, 1.0]),)),
                lambda x: tf.sqrt(x) if tf.executing_eagerly() else tf.where(x == 0, x, tf.sqrt(tf.maximum(x, 0.1))),
            ),
            (
                Case("abs", (np.array([0.0, 1.0]),)),
                lambda x: tf.abs(x) if tf.executing_eagerly() else tf.sqrt(x * x),
            ),
            (
                Case("reciprocal", (np.array([np.inf, 1.0]),)),
                lambda x: 1 / x if tf.executing_eagerly() else x / (x * x),
            ),
        ],
        ids=["kink", "edge of the domain", "nan", "infinity"],
    )
    @pytest.mark.sample(5)
    def test_another_gradient_than_in_eager_mode_is_found(self, mode, case, function):
        (difference,) = judge(case, [mode], made(**{case.name: function})).deviations
        assert difference.kind == "gradient"
        assert "in eager mode" in difference.detail

    def test_results_whose_shape_depends_on_values_are_not_compared(self, mode):
        case = Case("trim_zeros", (np.array([1.0, 0.0]),))

        def trim(x):
            return x[:1] if tf.executing_eagerly() else 2 * x[:1]

        assert kinds(mode, case, trim_zeros=trim) == []
