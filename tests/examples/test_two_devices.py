"""The example that splits the processor, which has to happen before TensorFlow starts: in a process of its own."""

from __future__ import annotations

import ast
import json

import numpy
import pytest

from tests.examples.programs import EXAMPLES, load
from tests.warm_start import warm_start

TRAIN = """
import json, numpy, tfnp
from tests.examples.programs import load
module = load("two_devices", tfnp)
module.main()
x = numpy.random.default_rng(5).normal(size=(6, 2))
strategy = module.tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
weights = module.train(strategy, tfnp.asarray(x), tfnp.asarray(x @ [1.0, 2.0]), rate=0.1, steps=3)
print(json.dumps([copy.numpy().tolist() for copy in strategy.experimental_local_results(weights)]))
"""


@pytest.fixture(scope="module")
def lines():
    """Return what the example prints, and the weights of both replicas after three steps."""
    run = warm_start.run(TRAIN)
    assert run.returncode == 0, run.stderr[-3000:]
    return run.stdout.splitlines()


@pytest.mark.full
def test_it_prints_what_its_page_shows(lines):
    said = ast.get_docstring(ast.parse((EXAMPLES / "two_devices.py").read_text()))
    assert "```text\n" + "\n".join(lines[:-1]) + "\n```" in said


@pytest.mark.full
def test_both_replicas_take_the_mean_of_their_steps(lines):
    loss = load("two_devices", numpy).loss
    x = numpy.random.default_rng(5).normal(size=(6, 2))
    y, weights = x @ [1.0, 2.0], numpy.zeros(2)
    for _ in range(3):
        slopes = [2 * part.T @ (part @ weights - target) / 3 for part, target in ((x[:3], y[:3]), (x[3:], y[3:]))]
        assert loss(weights - 0.1 * numpy.mean(slopes, axis=0), x, y) < loss(weights, x, y)
        weights = weights - 0.1 * numpy.mean(slopes, axis=0)
    for copy in json.loads(lines[-1]):
        numpy.testing.assert_allclose(copy, weights, rtol=1e-12)
