"""One sandbox for each test process: pytest itself never imports TensorFlow."""

from __future__ import annotations

import pytest

from fuzz.testing.sandbox_judge import SandboxJudge
from oracle.harness import Sandbox


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
