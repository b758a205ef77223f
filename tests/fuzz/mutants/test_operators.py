"""Mutation operators: each changes the answer to a call that gives its parameter, and not to one that does not."""

import numpy as np
import pytest

from fuzz.generate.signatures import parameters_of
from fuzz.mutants import FAULTS
from fuzz.mutants.generated import find_fault
from fuzz.mutants.operators import OPERATORS, UNSEEN, list_kinds
from fuzz.mutants.rates import is_same
from fuzz.mutants.subjects import name_of
from oracle import Case, Mode, load_subject
from oracle.execution.modes import run_case
from oracle.harness import NAMES
from tests.tables import check_each

GRID = np.array([[1.0, 2.0], [3.0, 5.0]])
ROW = np.array([3.0, 1.0, 2.0])
MASK = np.array([[True, False], [True, True]])
SEEDED = Case("random.default_rng", (7,))

EXAMPLES = {
    "sum/axis/ignored": (Case("sum", (GRID,), {"axis": 0}), Case("sum", (GRID,))),
    "sum/initial/ignored-beside-another": (
        Case("sum", (GRID,), {"axis": 0, "initial": 3.0}),
        Case("sum", (GRID,), {"initial": 3.0}),
    ),
    "sqrt/out/ignored": (Case("sqrt", (ROW,), {"out": np.zeros(3)}), Case("sqrt", (ROW,))),
    "std/ddof/default-changed": (Case("std", (ROW,)), Case("std", (ROW,), {"ddof": 0})),
    "searchsorted/side/default-changed": (Case("searchsorted", (ROW[1:], 2.0)), Case("searchsorted", (ROW[1:], 0.0))),
    "sum/axis/off-by-one": (Case("sum", (GRID,), {"axis": 0}), Case("sum", (GRID,), {"axis": 1})),
    "diag/k/off-by-one": (Case("diag", (GRID,), {"k": 0}), Case("diag", (GRID,))),
    "cumsum/axis/negative-from-front": (Case("cumsum", (GRID, -1)), Case("cumsum", (GRID, 0))),
    "fft.fftn/axes/negative-from-front": (
        Case("fft.fftn", (GRID,), {"axes": (-1,)}),
        Case("fft.fftn", (GRID,), {"axes": (1,)}),
    ),
    "diagflat/k/sign-lost": (Case("diagflat", (ROW, -1)), Case("diagflat", (ROW, 1))),
    "linalg.svd/compute_uv/inverted": (Case("linalg.svd", (GRID,), {"compute_uv": True}), Case("linalg.svd", (GRID,))),
    "sum/where/mask-inverted": (Case("sum", (GRID,), {"where": MASK}), Case("sum", (GRID,))),
    "flip/axis/first-of-several": (Case("flip", (GRID, (0, 1))), Case("flip", (GRID, 0))),
    "lexsort/keys/reversed": (Case("lexsort", ((ROW, GRID[0].repeat(2)[:3]),)), Case("lexsort", ((ROW,),))),
    "random.Generator.normal/scale/doubled": (
        Case("random.Generator.normal", (SEEDED, 0.0, 3.0)),
        Case("random.Generator.normal", (SEEDED,)),
    ),
    "subtract/x1/swapped": (Case("subtract", (GRID, 1.0)), Case("subtract", (GRID, GRID))),
    "take/mode/wrap-as-clip": (Case("take", (ROW, 4), {"mode": "wrap"}), Case("take", (ROW, 4), {"mode": "clip"})),
    "sum/a/rejected": (Case("sum", (), {"a": ROW}), Case("sum", (ROW,))),
    "sum/result/dtype-kept": (Case("sum", (np.array([1], np.int8),)), Case("sum", (ROW,))),
    "less/result/dtype-changed": (Case("less", (ROW, ROW)), Case("less", (ROW, ROW), {"out": np.zeros(3, bool)})),
    "divide/result/precision-lost": (Case("divide", (1.0, 3.0)), Case("divide", (1.0, 2.0))),
}
REJECTED = {
    "sum/axis/ignored": Case("sum", (GRID,), {"axis": 2}),
    "take/mode/raise-as-wrap": Case("take", (ROW, 4), {"mode": "raise"}),
    "random.Generator.normal/scale/doubled": Case("random.Generator.normal", (SEEDED, 0.0, -1.0)),
}


def answers(name, case):
    """Return the answers of NumPy and of NumPy with the fault."""
    return [run_case(Mode("eager"), case, load_subject(subject)) for subject in ("numpy", name_of(name, "numpy"))]


def test_a_fault_changes_the_answer_to_calls_that_give_its_parameter():
    check_each(list(EXAMPLES), check_example)


def check_example(name):
    wrong, right = EXAMPLES[name]
    assert not is_same(*answers(name, wrong))
    assert is_same(*answers(name, right))


def test_there_is_an_example_of_every_kind():
    assert {find_fault(name).operator for name in EXAMPLES} == set(list_kinds())
    assert len({operator.kind for operator in OPERATORS}) == len(OPERATORS)


@pytest.mark.parametrize("name", REJECTED)
def test_what_numpy_rejects_is_rejected(name):
    right, wrong = answers(name, REJECTED[name])
    assert not right.ok
    assert is_same(right, wrong)


def test_unseen_parameters_exist():
    assert UNSEEN.keys() <= {parameter for name in NAMES for parameter in parameters_of(name)}


def test_ids_are_no_names_of_written_faults():
    assert not any("/" in name for name in FAULTS)
