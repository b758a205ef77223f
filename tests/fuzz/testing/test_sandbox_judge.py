"""tfnp judged on a few cases of each of its names; and the judge itself, on a subject with planted faults."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from fuzz.generate.calls import draw_case
from fuzz.generate.choices import SeedChoices
from fuzz.shrink.shrinker import reduce_case
from fuzz.testing.sandbox_judge import SandboxJudge
from oracle import Sandbox

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


@pytest.mark.sample(5)
def test_tfnp_agrees_in_eager_mode(tfnp_name, eager):
    assert_agreement(eager, tfnp_name, 12)


@pytest.mark.sample(7)
def test_tfnp_agrees_in_a_graph(tfnp_name, graph):
    assert_agreement(graph, tfnp_name, 3)


@pytest.mark.sample(7)
def test_tfnp_agrees_under_xla(tfnp_name, xla):
    assert_agreement(xla, tfnp_name, 1)


@pytest.fixture(scope="module")
def faulty():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[1]))  # the sandbox searches where this process does
        with Sandbox(1, "fuzz.testing.sandbox_judge:prepare", {"subject": "faulty"}, modules=()) as sandbox:
            yield SandboxJudge(sandbox)


@pytest.mark.parametrize("name", ["sin", "sum"])
def test_a_planted_fault_is_found(faulty, name):
    with pytest.raises(pytest.fail.Exception, match=rf"in eager: np\.{name}\("):
        assert_agreement(faulty, name, 40)


def test_other_functions_of_the_faulty_subject_are_right(faulty):
    for name in ("cos", "add", "mean"):
        assert callable(attrgetter(name)(np))
        assert_agreement(faulty, name, 20)
