"""One sandbox for each test process: pytest itself never imports TensorFlow."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from fuzz.generate.calls import generated_names
from fuzz.testing.sandbox_judge import SandboxJudge
from oracle import Sandbox

TFNP = Path(__file__).parent.parent.parent / "tfnp"


@cache
def tfnp_names():
    """The names that tfnp says it has, read from the `__all__` of its modules."""
    found = set()
    for path in TFNP.glob("*.py"):
        found |= {f"{path.stem}.{name}" for name in exported(path)}
    for node in ast.parse((TFNP / "__init__.py").read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module.startswith("tfnp.routines."):
            found |= exported(TFNP.parent / f"{node.module.replace('.', '/')}.py")
    return found


def exported(path):
    for node in ast.parse(path.read_text()).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            return {item.value for item in ast.walk(node.value) if isinstance(item, ast.Constant)}
    return set()


def pytest_generate_tests(metafunc):
    """A test that takes a `tfnp_name` is one test for each name that is drawn and that tfnp has."""
    if "tfnp_name" in metafunc.fixturenames:
        metafunc.parametrize("tfnp_name", [name for name in generated_names() if name in tfnp_names()])


@pytest.fixture(scope="session")
def tfnp_sandbox():
    with Sandbox(1, "fuzz.testing.sandbox_judge:prepare", {"subject": "tfnp"}) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def eager(tfnp_sandbox):
    return SandboxJudge(tfnp_sandbox, ["eager"])


@pytest.fixture(scope="session")
def graph(tfnp_sandbox):
    return SandboxJudge(tfnp_sandbox, ["graph"])


@pytest.fixture(scope="session")
def xla(tfnp_sandbox):
    return SandboxJudge(tfnp_sandbox, ["xla"])
