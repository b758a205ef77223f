"""What counts as a difference, and of which kind: NumPy with planted faults, and answers given outright."""

from __future__ import annotations

import numpy as np
import pytest

from oracle import Case, Mode, Outcome, compare_outcomes, run_numpy
from oracle.compare.structure import as_text
from oracle.harness import find_deviation
from oracle.invariants import promises_values
from tests.oracle.planted import answer, kinds, verdict

F = np.array([0.5, -1.25, 3.0], np.float32)
D = F.astype(np.float64)
TINY = np.array([5.8e-39], np.float32)
ZEROS = np.array([[0.0, 1e-45], [-0.0, 1.0]], np.float32)
UNEVEN = np.array([487.5, 489.5, 490.5])
SEVENS = np.full(300, 7)
DENSITIES = Case("histogram", (np.arange(2), 2), {"density": True, "weights": np.float32([1, 2**24])})


def test_integers_too_long_for_decimal_digits_are_compared():
    huge = np.array([10**5000], object)
    assert as_text(huge)[0] == as_text(huge.copy())[0] != as_text(huge + 1)[0]


@pytest.mark.sample(79)
@pytest.mark.parametrize(
    ("case", "value", "kind"),
    [
        (Case("add", (F, F)), F + F, None),
        (Case("add", (F, F)), (F + F).astype(np.float64), "dtype"),
        (Case("add", (F, F)), (F + F)[:2], "shape"),
        (Case("add", (F, F)), (F + F)[:, None], "shape"),
        (Case("add", (F, F)), [F + F], "shape"),
        (Case("add", (F, F)), np.nextafter(F + F, np.float32(9)), "value"),
        (Case("add", (np.int8(3), np.int8(4))), np.array(7, np.int8), None),
        (Case("sum", (np.arange(3),)), np.array(3), None),
        (Case("sum", (np.arange(3),)), 3, "structure"),
        (Case("ndim", (F,)), 1, None),
        (Case("ndim", (F,)), np.int64(1), None),
        (Case("ndim", (F,)), np.array(1), "structure"),
        (Case("shape", (F,)), (3,), None),
        (Case("shape", (F,)), [3], "structure"),
        (Case("shape", (F,)), np.array([3]), "structure"),
        (Case("isscalar", (3,)), True, None),
        (Case("isscalar", (3,)), 1, "structure"),
        (Case("isscalar", (3,)), False, "value"),
        (Case("allclose", (F, F)), np.array(True), None),
        (Case("allclose", (F, F)), np.array(False), "value"),
        (Case("allclose", (F, F)), True, None),
        (Case("iscomplexobj", (F,)), np.array(False), "structure"),
        (Case("split", (F, 3)), [F[:1], F[1:2], F[2:]], None),
        (Case("split", (F, 3)), (F[:1], F[1:2], F[2:]), "structure"),
        (Case("split", (F, 3)), [F[:1], F[1:2]], "shape"),
        (Case("split", (F, 3)), [F[:1], F[1:2], F[1:2]], "value"),
        (Case("meshgrid", (F,)), [F], "structure"),
        (Case("unique_counts", (np.array([1, 1]),)), (np.array([1]), np.array([2])), "structure"),
        (Case("result_type", (F,)), np.dtype(np.float32), None),
        (Case("result_type", (F,)), np.dtype(np.float64), "value"),
        (Case("result_type", (F,)), np.float32, "structure"),
        (Case("dtype", (">f4",)), np.dtype(">f4"), None),
        (Case("dtype", (">f4",)), np.dtype(">f8"), "value"),
        (Case("fill_diagonal", (np.eye(2), 3)), np.eye(2), "structure"),
        (Case("array_repr", (F,)), "array([ 0.5 , -1.25,  3.  ], dtype=float32)", None),
        (Case("array_repr", (F,)), "array", "value"),
        (Case("linalg.norm", (np.array([[1.0, 1], [9e18, 0]]), -2)), np.array(0.5), None),
        (Case("linalg.norm", (np.array([[1.0, 1], [9e18, 0]]), -2)), np.array(1e5), "value"),
        (Case("linalg.norm", (np.array([[1.0, 1], [9e18, 0]]), 2)), np.array(8e18), "value"),
        (Case("logical_xor", (np.array([-5e-324]), TINY)), np.array([True]), None),  # one dtype may be flushed alone
        (Case("logical_xor", (np.array([-1.0]), TINY)), np.array([True]), None),
        (Case("logical_xor", (np.array([-1.0]), F[:1])), np.array([True]), "value"),
        (Case("sum", (np.array([1e-40, 1e-38]),), {"dtype": np.float32}), np.float32(0), None),  # flushed as asked for
        (Case("sum", (np.array([1e-40, 1e-38]),), {"dtype": np.float64}), np.float64(0), "value"),
        (Case("sum", (np.array([1e-40, 2.0]),), {"dtype": np.float32}), np.float32(0), "value"),
        (Case("strings.mod", (np.array(["%%%s"]), b"x")), np.array([b"%x"], object), None),
        (Case("strings.mod", (np.array(["%%%s"]), b"x")), np.array([b"%y"], object), "value"),
        (Case("strings.mod", (np.array(["%%%s"]), "x")), np.array([b"%b'x'"], object), "value"),
        (Case("greater", (F, 0)), np.array([True, False, False]), "value"),
        (Case("array_repr", (Case("sort", (F,)),)), "array", "value"),
        (Case("sqrt", (np.array([4.0]),)), np.array([2.0000000000000004]), "value"),
        (Case("negative", (np.array([0.0]),)), np.array([0.0]), "value"),
        (Case("fmin.accumulate", (ZEROS,)), np.float32([[0, 0], [0, 0]]), None),  # a sign is open, and one is flushed
        (Case("fmin.accumulate", (ZEROS,)), np.float32([[0, 0], [0, 1]]), "value"),
        (Case("cumprod", (SEVENS,), {"dtype": complex}), np.cumprod(SEVENS * (1 + 0j)) * (1 + 2e-15), None),
        (Case("cumprod", (SEVENS,), {"dtype": complex}), np.cumprod(SEVENS * (1 + 0j)) * (1 + 2e-13), "value"),
        (Case("linalg.det", (np.array([[0, 0], [0, np.nan]]),)), np.array(np.nan), None),
        (Case("linalg.det", (np.array([[0, 0], [0, 1.0]]),)), np.array(np.nan), "value"),
        (Case("gradient", (SEVENS[:3], UNEVEN)), np.array([0, 3e-16, 0]), None),
        (Case("gradient", (SEVENS[:3], UNEVEN)), np.array([0, 3e-13, 0]), "value"),
        (Case("trapezoid", (np.arange(2.0), np.array([0, 9e18, 0, 0, 1]))), np.array(0.0), None),
        (Case("trapezoid", (np.arange(2.0), np.array([0, 9e8, 0, 0, 1]))), np.array(0.0), "value"),
        (Case("interp", (np.array([18]), np.array([6, 21]), [5, -1])), np.array([0.2]), None),
        (Case("interp", (np.array([18]), np.array([6, 21]), [5, -1])), np.array([0.2 + 1e-14]), "value"),
        (Case("corrcoef", (np.array([0, 2e-154]),)), np.array(np.nan), None),
        (Case("corrcoef", (np.array([0, 2e-150]),)), np.array(np.nan), "value"),
        (Case("corrcoef", (np.array([[0, 2e-154], [0, 1]]),)), np.array([[np.nan, np.nan], [np.nan, 1]]), None),
        (Case("corrcoef", (np.array([[0, 2e-154], [0, 1]]),)), np.array([[1, 1], [1, np.nan]]), "value"),
        (DENSITIES, (np.array([2, 2 * 2**24]) / (2**24 + 1), np.array([0, 0.5, 1])), None),
        (DENSITIES, (np.array([2, 2 * 2**24]) / (2**24 + 300), np.array([0, 0.5, 1])), "value"),
        (DENSITIES, (np.array([2, 2 * 2**24]) / (2**24 + 1), np.array([0, 0.4, 1])), "value"),
        (Case("strings.replace", (np.array("ab"), "a", "xyz")), np.array(b"xyzb", object), None),
        (Case("strings.replace", (np.array("ab"), "a", "xyz")), np.array(b"xyb", object), None),
        (Case("strings.replace", (np.array("ab"), "a", "xyz")), np.array(b"xyzz", object), "value"),
        (Case("strings.replace", (np.array("ab"), "a", np.array("xyz"))), np.array(b"xyb", object), "value"),
        (Case("strings.upper", (np.array(["ab", "c"]),)), np.array([b"AB", b"C"], object), None),
        (Case("strings.upper", (np.array(["ab", "c"]),)), np.array([b"AB", b"c"], object), "value"),
        (Case("strings.upper", (np.array([b"ab"]),)), np.array([b"AB"], object), None),
        (Case("reshape", (np.arange(2.0).astype(">f8"), (2, 1))), np.array([[0.0], [1.0]]), None),
        (Case("empty", ((2,),)), np.array([7.0, 8.0]), None),
        (Case("empty", ((2,),)), np.array([7.0, 8.0], np.float32), "dtype"),
        (Case("random.normal", (), {"size": 2}), np.array([0.7, -0.8]), None),
        (Case("random.normal", (), {"size": 2}), np.array([7.0]), "shape"),
    ],
    ids=str,
)
def test_an_answer(case, value, kind):
    assert answer(case, value) == ([] if kind is None else [kind])


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (ValueError("x"), []),
        (type("Private", (ValueError,), {})("x"), []),
        (TypeError("x"), []),
        (np.exceptions.AxisError(3), []),
        (np.linalg.LinAlgError("x"), []),
        (NotImplementedError("x"), []),
        (type("InvalidArgumentError", (Exception,), {})("x"), []),
        (RuntimeError("x"), ["different error"]),
        (AttributeError("x"), ["different error"]),
        (KeyError("x"), ["different error"]),
        (type("InternalError", (Exception,), {})("x"), ["different error"]),
        (MemoryError(), ["memory"]),
    ],
)
def test_an_invalid_call_may_raise_any_error_that_does_not_say_that_code_is_broken(raised, kind):
    def reshape(*args):
        raise raised

    assert kinds(Case("reshape", (F, (2, 2))), reshape=reshape) == kind


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (ValueError("x"), None),
        (type("Private", (ValueError,), {})("x"), None),
        (TypeError("x"), "different error"),
        (np.exceptions.AxisError(3), "different error"),
        (type("InvalidArgumentError", (Exception,), {})("x"), "different error"),
    ],
)
def test_exact_errors_are_of_the_classes_by_which_one_would_catch_numpys(raised, kind):
    case = Case("reshape", (F, (2, 2)))
    found = find_deviation(case, run_numpy(case), Outcome.raised(raised), Mode("eager"), exact_errors=True)
    assert (found and found.kind) == kind
    assert find_deviation(case, run_numpy(case), Outcome.raised(raised), Mode("graph"), exact_errors=True) is None


def refuse(kind):
    def raise_error(*args):
        raise kind("no")

    return raise_error


def test_an_accident_of_numpys_is_no_promise():
    case = Case("split", ([[1.0], [2.0]], 2))
    assert "has no attribute" in run_numpy(case).error.message
    assert kinds(case, split=lambda *args: [np.array([[1.0]]), np.array([[2.0]])]) == []
    assert kinds(case, split=refuse(ValueError)) == []
    assert kinds(case, split=refuse(RuntimeError)) == ["different error"]
    assert kinds(Case("split", (F, 2)), split=lambda *args: [F, F]) == ["missing error"]


def test_a_call_about_a_dtype_that_no_tensor_has_may_be_refused():
    def fail(*args, **kwargs):
        raise TypeError("no longdouble")

    assert kinds(Case("zeros", (2,), {"dtype": np.longdouble}), zeros=fail) == []
    assert kinds(Case("zeros", (2,), {"dtype": np.float32}), zeros=fail) == ["spurious error"]


class TestErrorsThatValuesDecide:
    indices = Case("take", (F, np.array([0, 7])))
    shapes = Case("take", (F, 7))
    inverse = Case("linalg.inv", (np.zeros((3, 3)),))

    def test_xla_cannot_raise_them(self):
        for case, value in ((self.indices, F), (self.inverse, np.full((3, 3), np.nan))):
            assert find_deviation(case, run_numpy(case), Outcome(value), Mode("xla")) is None
            for mode in ("eager", "graph"):
                assert find_deviation(case, run_numpy(case), Outcome(F), Mode(mode)).kind == "missing error"

    def test_what_is_known_before_running_is_raised_everywhere(self):
        for case in (self.shapes, Case("reshape", (F, (2, 2))), Case("take", (F, [0, 7]))):
            assert find_deviation(case, run_numpy(case), Outcome(F), Mode("xla")).kind == "missing error"

    def test_in_a_graph_they_may_be_tensorflows_own(self):
        own = Outcome.raised(type("InvalidArgumentError", (Exception,), {})("index out of range"))
        for mode, kind in (("graph", None), ("xla", None), ("eager", "different error")):
            found = find_deviation(self.indices, run_numpy(self.indices), own, Mode(mode), exact_errors=True)
            assert (found and found.kind) == kind


class TestFormsThatValuesDecide:
    failed = Outcome.raised(TypeError("the size of the result must be static: pass size="))

    @pytest.mark.parametrize(
        ("case", "modes"),
        [
            (Case("nonzero", (F,)), ["eager", "graph"]),
            (Case("repeat", (F, np.array([2, 1, 0]))), ["eager", "graph"]),
            (Case("array_split", (F, np.array(2))), ["eager"]),
            (Case("exp", (F,)), ["eager", "graph", "xla"]),
            (Case("repeat", (F, [2, 1, 0])), ["eager", "graph", "xla"]),
            (Case("insert", (F, np.array([True]), F)), ["eager", "graph"]),
            (Case("insert", (F, np.array([1, 1]), 5)), ["eager", "graph", "xla"]),
        ],
        ids=str,
    )
    def test_modes_that_must_know_them_may_refuse(self, case, modes):
        found = [
            mode for mode in ("eager", "graph", "xla") if find_deviation(case, run_numpy(case), self.failed, Mode(mode))
        ]
        assert found == modes


def test_outputs_are_compared():
    case = Case("add", (F, F), {"out": np.zeros(3, np.float32)})

    def add(x, y, out):
        return np.add(x, y)

    assert kinds(case, add=add) == ["value"]
    assert verdict(case, add=add).deviations[0].detail.startswith("out[0] at [0] expected 1.0, got 0.0")
    assert kinds(Case("copyto", (np.zeros(3), F)), copyto=lambda *args: None) == ["value"]


def test_a_changed_input_is_a_difference():
    def add(x, y):
        result = np.add(x, y)
        x += 1
        return result

    assert kinds(Case("add", (F.copy(), F.copy())), add=add) == ["inputs changed"]
    assert kinds(Case("add", (np.full(2, np.nan), D[:2]))) == []


def test_elements_that_numpy_leaves_uninitialised_are_not_compared():
    mask = np.array([True, False, True])
    case = Case("add", (F, F), {"where": mask})
    assert answer(case, np.where(mask, F + F, 99).astype(np.float32)) == []
    assert answer(case, np.where(mask, F + F + 1, 0).astype(np.float32)) == ["value"]
    outer = Case("add.outer", (F, F), {"where": mask})
    assert answer(outer, np.where(mask, np.add.outer(F, F), 99).astype(np.float32)) == []
    text = Case("strings.isdigit", (np.array(["1", "a", "2"]),), {"where": mask})
    assert answer(text, np.array([True, True, True])) == []
    assert answer(text, np.array([True, False, False])) == ["value"]
    kept = Case("add", (F, F), {"where": mask, "out": np.zeros(3, np.float32)})
    assert kinds(kept, add=lambda x, y, where, out: np.add(x, y, out=out)) == ["value"]
    assert answer(Case("sum", (F,), {"where": mask}), np.float32(7)) == ["value"]


@pytest.mark.parametrize("on_tensors", [True, False])
def test_text_of_numpys_arrays_has_a_width(on_tensors):
    case = Case("insert", (np.array(["a"]), 0, "xyz"))
    uncut = Outcome(np.array(["xyz", "a"]))
    found = compare_outcomes(case, run_numpy(case), uncut, Mode("eager"), on_tensors=on_tensors)
    assert [one.kind for one in found.deviations] == ([] if on_tensors else ["value"])


def test_subnormal_numbers_may_be_flushed_and_are_counted():
    tiny = np.array([1e-40, 1.0], np.float32)
    doubled = Case("multiply", (tiny, np.float32(2)))
    flushed = compare_outcomes(doubled, run_numpy(doubled), Outcome(np.array([0, 2], np.float32)), Mode("eager"))
    assert (flushed.deviations, flushed.allowed) == ([], [("subnormal.flushed", "value")])
    assert answer(Case("greater", (tiny, 0.0)), np.array([False, True])) == []
    assert answer(Case("nonzero", (tiny,)), (np.array([1]),)) == []
    assert answer(Case("greater", (tiny, 0.0)), np.array([True, False])) == ["value"]
    assert answer(doubled, np.array([0, 0], np.float32)) == ["value"]
    assert answer(Case("positive", (np.array([1e-7], np.float16),)), np.zeros(1, np.float16)) == ["value"]


def test_arrays_are_not_flushed():
    assert kinds(Case("negative", (np.array([1e-310]),)), negative=lambda x: np.array([-0.0])) == ["value"]


def test_places_and_counts_may_miss_what_is_flushed_and_nothing_else():
    tiny = np.array([6e-39, 1.2e-38, 1.0], np.float32)
    places = Case("argwhere", (tiny,))
    for found, kind in (([[1], [2]], None), ([[2]], None), ([[0]], "shape"), ([[0], [1]], "shape")):
        difference = find_deviation(places, run_numpy(places), Outcome(np.array(found)), Mode("eager"))
        assert (difference and difference.kind) == kind
    count = Case("count_nonzero", (tiny,))
    assert find_deviation(count, run_numpy(count), Outcome(np.array(2)), Mode("eager")) is None
    assert find_deviation(count, run_numpy(count), Outcome(np.array(0)), Mode("eager")).kind == "value"


def test_a_mode_without_meaning_is_no_difference():
    case = Case("exp", (F,))
    assert find_deviation(case, run_numpy(case), Outcome(kind="unsupported"), Mode("graph")) is None
    assert find_deviation(case, run_numpy(case), Outcome(kind="crash"), Mode("graph")).kind == "crash"
    assert find_deviation(case, Outcome(kind="unsupported"), Outcome(F), Mode("graph")) is None
    assert find_deviation(case, Outcome(kind="unsupported"), Outcome(kind="hang"), Mode("graph")).kind == "hang"


def test_the_detail_says_where_and_how_far():
    found = find_deviation(Case("sort", (D,)), Outcome(D), Outcome(D + np.array([0, 0, 1e-15])), Mode("eager"))
    assert found.detail == "at [2] expected 3.0, got 3.000000000000001 (2 ulp)"
    found = find_deviation(Case("sort", (D,)), Outcome((D, D)), Outcome((D, D + 1)), Mode("eager"))
    assert found.detail.startswith("result[1] at [0] expected 0.5, got 1.5")
    assert found.detail.endswith("; 3 of 3 elements")


def test_a_real_signal_made_of_no_coefficients_is_anything():
    case = Case("fft.irfft", (np.zeros(0),), {"n": 2})
    assert answer(case, np.array([5.0, -7.0])) == []
    assert answer(case, np.array([5.0])) == ["shape"]
    assert answer(Case("fft.irfft", (np.zeros(1),), {"n": 2}), np.array([5.0, -7.0])) == ["value"]


def test_integers_of_thousands_of_digits_are_shown_all_the_same():
    case, expected = Case("power", (10, 5000)), Outcome(np.array([10**5000], object))
    found = find_deviation(case, expected, Outcome(kind="memory"), Mode("eager"))
    assert "an integer of 16610 bits" in found.detail


def test_python_zeros_have_one_sign():
    case = Case("copysign", (np.ones(2), 0.0))
    expected, other = run_numpy(case), Outcome(-np.ones(2))
    for mode in ("eager", "graph"):
        assert find_deviation(case, expected, other, Mode(mode)).kind == "value"
    assert find_deviation(case, expected, Outcome(np.array([1.0, -1.0])), Mode("eager")).kind == "value"
    strong = Case("copysign", (np.ones(2), np.float64(0.0)))
    assert find_deviation(strong, expected, other, Mode("eager")).kind == "value"


def test_what_follows_from_a_subnormal_number_is_open():
    case = Case("arctan2.accumulate", (np.array([1e-300, 1e15, 0.0]),))
    expected = run_numpy(case)
    assert find_deviation(case, expected, Outcome(np.array([1e-300, 0.0, 0.0])), Mode("eager")) is None
    assert find_deviation(case, expected, Outcome(np.array([1e-200, 0.0, 0.0])), Mode("eager")).kind == "value"
    large = Case("arctan2.accumulate", (np.array([1e-100, 1e15, 0.0]),))
    assert find_deviation(large, run_numpy(large), Outcome(np.array([1e-100, 0.0, 0.0])), Mode("eager")).kind == "value"


def test_products_of_complex_numbers_are_open_only_where_they_overflow():
    for size, is_open in (1e308, True), (1.0, False):
        case = Case("poly", (np.array([size, 1j * size, 2 * size]),))
        expected = run_numpy(case)
        near = np.where(np.isfinite(expected.value), expected.value, np.nan) * (1 if is_open else 1 + 1e-6)
        assert (find_deviation(case, expected, Outcome(near), Mode("eager")) is None) is is_open


def test_what_is_asked_of_a_series_is_not_open():
    case = Case("polynomial.HermiteE.roots", (Case("polynomial.HermiteE", (np.array([1.0, 2.0, 0.5, 1.0]),)),))
    expected = run_numpy(case)
    for error, kind in ((1e-16, None), (1e-12, "value"), (0.1, "value")):
        found = find_deviation(case, expected, Outcome(np.asarray(expected.value) + error), Mode("eager"))
        assert (found.kind if found else None) == kind


@pytest.mark.parametrize(
    ("mode", "dtype", "kind"),
    [("graph", np.float64, None), ("eager", np.float64, "dtype"), ("graph", np.float32, "dtype")],
)
def test_a_graph_has_the_dtype_of_quantiles_that_are_calculated(mode, dtype, kind):
    case = Case("nanquantile", (np.full(2, np.nan, np.float16), np.array(0.5)))
    found = find_deviation(case, run_numpy(case), Outcome(np.asarray(np.nan, dtype)), Mode(mode))
    assert (found and found.kind) == kind


def test_powers_of_powers_in_turn_are_right_where_subnormal_numbers_are_zeros():
    rows = np.array([[0, 0], [0, 1], [0, 1], [1, -1e-45]], np.float32)
    case = Case("power.reduceat", (rows, np.array([3, 0])))
    for value, kind in (([[1, -1e-45], [1, 1]], []), ([[1, 0.5], [1, 1]], ["value"]), ([[1, 0], [1, 0.5]], ["value"])):
        assert answer(case, np.array(value, np.float32)) == kind


def test_whether_complex_eigenvalues_come_in_pairs_to_the_last_bit_is_open():
    pair = np.array([[0, 1j], [1j, 0]])
    for matrix, kind in ((pair, []), (pair * 1j, ["value"]), (pair + 1, ["value"])):
        assert answer(Case("poly", (matrix,)), np.array([1.0, 0, 1])) == kind


def test_rows_of_different_lengths_are_no_coefficients():
    case = Case("fft.irfft", ([[1.0], [2.0, 3.0]],))
    assert find_deviation(case, run_numpy(case), run_numpy(case), Mode("eager")) is None
    assert promises_values(case)


def test_a_wider_out_is_no_more_exact_than_the_dtype_that_was_asked_for():
    for dtype, kind in ((np.float32, None), (np.float64, "value")):
        case = Case("arctan2.accumulate", (SEVENS[:2],), {"dtype": dtype, "out": np.zeros(2)})
        expected = run_numpy(case)
        found = expected.value + np.array([0, 1e-7])
        difference = find_deviation(case, expected, Outcome(found, after=(found,)), Mode("eager"))
        assert (difference and difference.kind) == kind


def test_a_complex_number_whose_size_overflows_is_described():
    case, huge = Case("conj", (np.array([1e308 + 1e308j]),)), np.array([complex(1.7e308, 1.7e308)])
    (difference,) = compare_outcomes(case, run_numpy(case), Outcome(huge), Mode("eager")).deviations
    assert difference.kind == "value"


def test_a_named_tuple_is_shown_with_its_name():
    case = Case("linalg.slogdet", (np.eye(2),))
    found = find_deviation(case, run_numpy(case), Outcome((1.0, 0.0)), Mode("eager"))
    assert found.kind == "structure"
    assert found.detail.startswith("expected SlogdetResult(sign=")
