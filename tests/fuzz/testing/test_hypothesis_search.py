"""tfnp judged on a few cases of each of its names; and the search itself, on subjects with planted faults."""

from __future__ import annotations

import math
from operator import attrgetter
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from fuzz.generate.calls import draw_case
from fuzz.generate.choices import SeedChoices
from fuzz.shrink.shrinker import reduce_case
from fuzz.testing.hypothesis_search import Found, SandboxJudge, smallest
from oracle import Sandbox, run_numpy

REDUCTION = 150


def assert_agreement(judge, name, count):
    """Judge cases from fixed seeds; fail with the smallest case for the first disagreement."""
    cases = [draw_case(SeedChoices(crc32(f"{name}/{index}".encode())), name) for index in range(count)]
    found = [one for shown in judge.judge_all(cases) for one in shown]
    if not found:
        return
    first = min(found, key=lambda one: len(str(one.case)))

    def still_fails(case):
        return any(one.kind == first.kind for one in judge(case))

    minimal = reduce_case(first.case, still_fails, REDUCTION)
    pytest.fail(str(next((one for one in judge(minimal) if one.kind == first.kind), first)), pytrace=False)


@pytest.mark.quick_cases(5)
def test_tfnp_agrees_in_eager_mode(tfnp_name, eager):
    if tfnp_name == "poly":
        pytest.xfail(
            "TensorFlow's QR algorithm deflates earlier than LAPACK's: beside eigenvalues of 1e102 it finds 1 for 0"
        )
    assert_agreement(eager, tfnp_name, 12)


@pytest.mark.quick_cases(7)
def test_tfnp_agrees_in_a_graph(tfnp_name, graph):
    assert_agreement(graph, tfnp_name, 3)


@pytest.mark.quick_cases(7)
def test_tfnp_agrees_under_xla(tfnp_name, xla):
    assert_agreement(xla, tfnp_name, 1)


def finite_judge(case):
    """Finds fault with numbers that are not finite, and with results of more than two dimensions."""
    outcome = run_numpy(case)
    if not outcome.ok or np.asarray(outcome.value).dtype.kind in "SUT":
        return []
    if not np.isfinite(np.asarray(outcome.value, complex)).all():
        return [Found(case, "value", ("eager",), "an infinity")]
    return [Found(case, "shape", ("eager",), "a cube")] if np.ndim(outcome.value) > 2 else []


@pytest.mark.slow
def test_kinds_are_kept_apart_and_shrunk():
    found = {one.kind: one for one in smallest("add", finite_judge, examples=400, seed=1)}
    assert found.keys() == {"value", "shape"}
    assert sum(np.size(leaf) for leaf in found["value"].case.leaves()) <= 3, found["value"]
    assert math.prod(np.shape(found["shape"].case.args[0])) <= 1


def test_nothing_is_found_where_nothing_is_wrong():
    assert smallest("sin", lambda case: [], examples=30) == []


@pytest.fixture(scope="module")
def faulty():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[1]))  # the sandbox searches where this process does
        with Sandbox(1, "fuzz.testing.hypothesis_search:prepare", {"subject": "faulty"}, modules=()) as sandbox:
            yield SandboxJudge(sandbox)


@pytest.mark.slow
def test_a_planted_fault_of_values_is_found_and_shrunk(faulty):
    (found,) = smallest("sin", faulty, examples=80, seed=3)
    assert found.kind == "value"
    (argument,) = found.case.args
    assert np.size(argument) == 1, found
    assert np.ravel(argument)[0] < -1


@pytest.mark.slow
def test_a_planted_fault_of_shapes_is_found_and_shrunk(faulty):
    found = {one.kind: one for one in smallest("sum", faulty, examples=120, seed=3)}
    case = found["shape"].case
    assert sum(array.size for array in case.arrays()) <= 1, case
    assert True in (*case.args, *case.kwargs.values())


def test_other_functions_of_the_faulty_subject_are_right(faulty):
    for name in ("cos", "add", "mean"):
        assert callable(attrgetter(name)(np))
        assert_agreement(faulty, name, 20)
