"""tfnp judged on a few cases of each of its names; and the judge itself, on a subject with planted faults."""

from __future__ import annotations

import ast
from operator import attrgetter
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from fuzz.generate.calls import draw_case, generated_names
from fuzz.generate.choices import SeedChoices
from fuzz.shrink.shrinker import reduce_case
from fuzz.testing.sandbox_judge import SandboxJudge
from oracle.harness import Sandbox
from tests.tables import check_each, each_topic

REDUCTION = 150
TFNP = Path(__file__).parents[3] / "tfnp"


def tfnp_names():
    """Return the names for which cases are drawn and that tfnp says it has, as the `__all__` of its modules tell."""
    found = set()
    for path in TFNP.glob("*.py"):
        found |= {f"{path.stem}.{name}" for name in exported(path)}
    for node in ast.parse((TFNP / "__init__.py").read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module.startswith("tfnp.routines."):
            found |= exported(TFNP.parent / f"{node.module.replace('.', '/')}.py")
    return [name for name in generated_names() if name in found]


def exported(path):
    for node in ast.parse(path.read_text()).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            return {item.value for item in ast.walk(node.value) if isinstance(item, ast.Constant)}
    return set()


def assert_agreement(judge, name, count):
    """Judge cases from fixed seeds; fail with the smallest case for the first difference."""
    cases = [draw_case(SeedChoices(crc32(f"{name}/{index}".encode())), name) for index in range(count)]
    found = [one for shown in judge.judge_all(cases) for one in shown]
    if not found:
        return
    first = min(found, key=lambda one: len(str(one.case)))

    def still_fails(case):
        return any(one.kind == first.kind for one in judge(case))

    minimal = reduce_case(first.case, still_fails, REDUCTION)
    pytest.fail(str(next((one for one in judge(minimal) if one.kind == first.kind), first)), pytrace=False)


def test_tfnp_agrees_on_a_few_cases_of_every_name(eager):
    check_each(tfnp_names(), lambda name: assert_agreement(eager, name, 2))


@each_topic(tfnp_names(), 20)
def test_tfnp_agrees_in_eager_mode(names, eager):
    check_each(names, lambda name: assert_agreement(eager, name, 12))


@each_topic(tfnp_names(), 30)
def test_tfnp_agrees_in_a_graph(names, graph):
    check_each(names, lambda name: assert_agreement(graph, name, 3))


@each_topic(tfnp_names(), 20)
def test_tfnp_agrees_under_xla(names, xla):
    check_each(names, lambda name: assert_agreement(xla, name, 1))


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
