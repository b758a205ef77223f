"""One sandbox for each test process: pytest itself never imports TensorFlow."""

from __future__ import annotations

import pytest

from fuzz.engine.case_judge import CaseJudge


@pytest.fixture(scope="session")
def case_judge():
    """Return a judge of tfnp."""
    with CaseJudge("tfnp", ("eager", "graph", "xla")) as judge:
        yield judge
