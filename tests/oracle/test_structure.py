"""A form never hides a value: wrong numbers are values in whatever form they come, and right ones are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from fuzz.engine.run_options import Options
from fuzz.generate.calls import draw_case, generated_names
from fuzz.generate.choices import SeedChoices
from oracle import Case, Outcome, run_numpy
from oracle.compare.pipeline import compare_outcomes
from oracle.reference.display import format_value, take_first
from tests.oracle.planted import EAGER, verdict
from tests.tables import check_each

pytestmark = pytest.mark.filterwarnings("ignore")

NARROWER = {"float64": np.float32, "complex128": np.complex64, "int64": np.int32, "uint64": np.uint32}
OTHER_KINDS = {"b": np.int64, "i": np.float64, "u": np.float64, "f": np.complex128}


def read_only(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.flags.writeable = False
    return array


FORMS: dict[str, Callable[[np.ndarray], Any]] = {
    "Python number": lambda array: array.item() if array.size == 1 and not array.ndim else array.tolist(),
    "NumPy scalar": lambda array: array[()],
    "0-d array": np.asarray,
    "list": lambda array: array.tolist() if array.ndim else [array.item()],
    "tuple": lambda array: tuple(array.tolist()) if array.ndim else (array.item(),),
    "other width": lambda array: array.astype(NARROWER.get(array.dtype.name, array.dtype)),
    "other kind of dtype": lambda array: array.astype(OTHER_KINDS.get(array.dtype.kind, array.dtype)),
    "transposed in memory": lambda array: np.array(array, order="F"),
    "masked, nothing masked": np.ma.array,
    "read-only": read_only,
}


def spoil(array: np.ndarray) -> np.ndarray:
    """Return the array with another last element, far away and in range of each dtype that it is converted to."""
    wrong = array.copy()
    last = wrong[(-1,) * array.ndim]
    wrong[(-1,) * array.ndim] = ~last if array.dtype == bool else 3 if last != 3 else 5
    return wrong


def list_cases(count: int) -> Iterator[tuple[Case, np.ndarray]]:
    """Yield calls of different names, with NumPy's answer, an array of finite numbers within range of NARROWER."""
    found = 0
    for name in generated_names():
        if name.startswith(("empty", "linalg.", "polynomial.", "random.")) or name == "roots":
            continue
        for seed in range(8):
            case = draw_case(SeedChoices(seed), name)
            if "where" in case.kwargs:
                continue  # which leaves elements uninitialised
            outcome = run_numpy(case)
            value = outcome.value
            if not (outcome.ok and isinstance(value, (np.ndarray, np.generic)) and not outcome.after):
                continue
            array = np.asarray(value)
            if array.size and array.dtype.kind in "biufc" and array.dtype.isnative and is_plain(array):
                yield case, array
                found += 1
                break
        if found == count:
            return


def is_plain(array: np.ndarray) -> bool:
    finite = np.isfinite(array)
    return bool(finite.all() and (np.abs(array.astype(complex)) < 1e9).all() and not np.any(array == 0))


CASES = list(list_cases(200))


def test_the_table_has_two_hundred_names():
    assert len({case.name for case, _ in CASES}) == 200


@pytest.mark.parametrize("form", FORMS)
def test_no_form_hides_a_wrong_value_nor_makes_one(form):
    options = Options(subject="numpy", values_only=True)

    def check(entry: tuple[Case, np.ndarray]) -> None:
        case, array = entry
        for answer, is_wrong in ((FORMS[form](array), False), (FORMS[form](spoil(array)), True)):
            found = compare_outcomes(case, run_numpy(case), Outcome(answer), EAGER, on_tensors=False)
            kinds = [difference.kind for difference in found.deviations]
            values = [kind for kind in kinds if kind in ("value", "shape")]
            assert bool(values) == (is_wrong or is_other_shape(form, array)), (answer, kinds)
            assert not found.harness_faults
            assert any(options.reports(kind) for kind in values) == bool(values)

    check_each(CASES, check)


def is_other_shape(form: str, array: np.ndarray) -> bool:
    return form in ("list", "tuple") and not array.ndim


@pytest.mark.parametrize(
    ("case", "answer", "kinds"),
    [
        (Case("divmod", (7.0, 2.0)), [107.0, 1.0], ["value"]),
        (Case("divmod", (7.0, 2.0)), [3.0, 1.0], ["structure"]),
        (Case("all", (np.array([True]),)), False, ["value"]),
        (Case("all", (np.array([True]),)), True, ["structure"]),
        (Case("sum", (np.ones(3),)), np.float32(1e9), ["value"]),
        (Case("sum", (np.ones(3),)), None, ["value"]),
        (Case("sum", (np.ones(3),)), "3.0", ["value"]),
        (Case("mean", (np.array([1.0, 2.0]),)), np.float32(1.5), ["dtype"]),
        (Case("sum", (np.array([0.1, 0.2]),)), np.float32(0.3), ["dtype"]),
        (Case("linalg.eigvalsh", (np.diag([1.0, 2.0]),)), [1.0, 2.0], ["structure"]),
        (Case("linalg.eigvalsh", (np.diag([1.0, 2.0]),)), [1.0, 3.0], ["value"]),
        (Case("nonzero", (np.array([0, 1]),)), np.array([[1]]), ["structure"]),
        (Case("nonzero", (np.array([0, 1]),)), np.array([[0]]), ["value"]),
        (Case("nonzero", (np.array([0, 1]),)), (np.array([1]), np.array([0])), ["shape"]),
        (Case("shape", (np.ones((2, 3)),)), [2, 3], ["structure"]),
        (Case("shape", (np.ones((2, 3)),)), [3, 2], ["value"]),
        (Case("squeeze", (np.array([4.0]),)), np.array([4.0]), ["shape"]),
        (Case("squeeze", (np.array([4.0]),)), np.array([5.0]), ["value"]),
    ],
)
def test_the_worst_kind_counts_and_names_the_others(case, answer, kinds):
    found = verdict(case, **{case.name.replace(".", "__"): lambda *args, **kwargs: answer})
    assert [difference.kind for difference in found.deviations] == kinds
    assert kinds != ["value"] or answer in (None, "3.0") or "; also " in found.deviations[0].detail


def test_vectors_of_another_phase_are_right_in_any_form():
    case = Case("linalg.eigh", (np.array([[0.0, 1.0], [1.0, 0.0]], np.float32),))
    values, vectors = run_numpy(case).value
    for factor, kinds in ((-1, ["structure"]), (2, ["value"])):
        answer = (values, factor * vectors)
        found = verdict(case, linalg__eigh=lambda a, answer=answer: answer)
        assert [difference.kind for difference in found.deviations] == kinds


def test_elements_that_an_answer_masks_are_undecided():
    case = Case("log", (np.array([1.0, -2.0, 3.0]),))
    found = verdict(case, log=np.ma.log)
    assert not found.deviations
    assert found.undecided == {"eager@CPU:0": "the answer is masked there"}
    (difference,) = verdict(case, log=lambda a: np.ma.log(a) + np.ma.array([0.0, 0.0, 1.0])).deviations
    assert difference.detail.startswith("at [2] expected")


def test_what_a_masked_answer_is_written_to_is_masked_too():
    case = Case("log", (np.array([1.0, -2.0, 3.0]),), {"out": np.zeros(3)})
    found = verdict(case, log=np.ma.log)
    assert not found.deviations
    assert found.undecided == {"eager@CPU:0": "the answer is masked there"}

    def write_another(a, out):
        result = np.ma.log(a, out=out)
        out[2] = 7.0
        return result

    assert [one.kind for one in verdict(case, log=write_another).deviations] == ["value"]


def test_draws_in_another_form_are_compared():
    case = Case("random.Generator.uniform", (Case("random.default_rng", (1,)), 0.0, 1.0, 500))
    right = run_numpy(case).value
    for answer, kinds in ((right.tolist(), ["structure"]), ((right + 5).tolist(), ["value"])):
        found = compare_outcomes(case, run_numpy(case), Outcome(answer), EAGER, on_tensors=False)
        assert [difference.kind for difference in found.deviations] == kinds


def test_an_answer_larger_than_memory_is_a_shape():
    case = Case("cbrt", (8.0,))
    (difference,) = verdict(case, cbrt=lambda x: np.broadcast_to(0.0, (1 << 20, 1 << 20))).deviations
    assert (difference.kind, difference.detail) == ("shape", "expected (), got (1048576, 1048576)")
    assert format_value(np.broadcast_to(0.0, (1 << 20, 1 << 20))).startswith("float64[1048576, 1048576] [0.0, 0.0")


def test_the_first_elements_of_any_shape_are_in_c_order():
    for shape in ((), (0,), (3,), (2, 3), (5, 3), (100, 3), (2, 100), (3, 0, 2), (2, 2, 2, 2, 2)):
        array = np.arange(np.prod(shape, dtype=int)).reshape(shape)
        assert take_first(array, 8).tolist() == array.ravel()[:8].tolist()


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_the_first_elements_of_a_subclass_are_those_of_its_memory():
    rows = np.arange(12).reshape(1, 12)
    assert take_first(np.asmatrix(rows), 8).tolist() == rows[0, :8].tolist()
    assert format_value(np.asmatrix(rows)) == "int64[1, 12] [0, 1, 2, 3, 4, 5, 6, 7, ...]"
    assert format_value(np.ma.masked_array([1, 2], [True, False])) == "int64[2] [None, 2]"
