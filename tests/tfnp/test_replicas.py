"""Variables of `tf.distribute`: every write reaches all copies, or is refused. Random numbers: one stream for all."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.tfnp.replicas import WHOLE, WRITES
from tests.warm_start import warm_start

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def survey():
    """Ask a process with two processors, since this one may have started TensorFlow with one."""
    run = warm_start.run("import runpy; runpy.run_module('tests.tfnp.replicas', run_name='__main__')")
    assert run.returncode == 0, run.stderr[-3000:]
    return json.loads(run.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def differences(survey):
    return survey["writes"]


def test_replicas_draw_one_after_another_from_one_stream(survey):
    """The first draw of a generator is no reason to trace again, and gives each replica other numbers."""
    assert len(survey["draws"]) == 18
    for kind, (traces, drawn) in survey["draws"].items():
        assert drawn == np.random.default_rng(1).random(len(drawn)).tolist(), kind
        replicas = 1 if "OneDevice" in kind else 2
        assert traces == (replicas if "graph True" in kind else 2 * replicas), kind


@pytest.mark.parametrize("write", WRITES)
def test_all_copies_hold_what_numpys_array_does(differences, write):
    found = {
        kind: difference
        for kind, difference in differences.items()
        if kind.endswith(f": {write}") and not is_exceptional(kind)
    }
    assert len(found) >= 10
    assert not any(found.values()), found


def is_exceptional(kind):
    return "unaggregated" in kind or ("SUM" in kind and "in replicas" in kind and not kind.startswith("OneDevice"))


@pytest.mark.parametrize("strategy", ["MirroredStrategy", "CentralStorageStrategy"])
@pytest.mark.parametrize("write", WRITES)
def test_what_replicas_would_add_up_is_refused_unless_all_is_new(differences, strategy, write):
    difference = differences[f"{strategy}, in replicas, SUM: {write}"]
    if write in WHOLE:
        assert " instead of " in difference  # twice what one replica writes, as `assign` has it
    else:
        assert difference.startswith("NotImplementedError: elements of a variable with aggregation=SUM")


@pytest.mark.parametrize("write", WRITES)
def test_without_an_aggregation_the_error_is_tensorflows(differences, write):
    assert "must specify an aggregation method" in differences[f"unaggregated, in replicas: {write}"]
