"""tfnp judged on a few cases of each of its names; and the judge itself, on a subject with planted faults."""

from __future__ import annotations

import ast
from operator import attrgetter
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from fuzz.engine.case_judge import CaseJudge
from fuzz.generate.calls import draw_case, generated_names
from fuzz.generate.choices import SeedChoices
from fuzz.mutants.subjects import name_of
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


def assert_agreement(judge, mode, name, count):
    """Judge cases from fixed seeds; fail with the smallest case for the first difference."""
    cases = [draw_case(SeedChoices(crc32(f"{name}/{index}".encode())), name) for index in range(count)]
    found = [one for case in cases for one in judge.judge(case, [mode])]
    if not found:
        return
    first = min(found, key=lambda one: len(str(one.minimal)))
    minimal, last = judge.reduce(first.minimal, first, REDUCTION)
    pytest.fail(f"{last.kind} in {', '.join(last.modes)}: {minimal}: {last.detail}", pytrace=False)


def test_tfnp_agrees_on_a_few_cases_of_every_name(case_judge):
    check_each(tfnp_names(), lambda name: assert_agreement(case_judge, "eager", name, 2))


@pytest.mark.parametrize(("mode", "count"), [("eager", 12), ("graph", 3), ("xla", 1)])
@each_topic(tfnp_names(), 20)
def test_tfnp_agrees_in_a_mode(names, mode, count, case_judge):
    check_each(names, lambda name: assert_agreement(case_judge, mode, name, count))


@pytest.fixture(scope="module")
def faulty():
    with CaseJudge(name_of(("sin_returns_zero", "sum/keepdims/ignored"), "numpy"), ("eager",)) as judge:
        yield judge


@pytest.mark.parametrize("name", ["sin", "sum"])
def test_a_planted_fault_is_found(faulty, name):
    with pytest.raises(pytest.fail.Exception, match=rf"in eager: np\.{name}\("):
        assert_agreement(faulty, "eager", name, 40)


def test_other_functions_of_the_faulty_subject_are_right(faulty):
    for name in ("cos", "add", "mean"):
        assert callable(attrgetter(name)(np))
        assert_agreement(faulty, "eager", name, 20)
