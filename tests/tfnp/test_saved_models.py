"""Functions are saved with default options, loaded in a process without tfnp, called and differentiated there."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.framework import ops as framework_ops

import tfnp
from tests.tfnp import saved_models
from tests.tfnp.differentiable_calls import KERNELS


def save(calls, directory: Path) -> None:
    module = tf.Module()
    for number, call in enumerate(calls):
        signature = [tf.TensorSpec(operand.shape, operand.dtype) for operand in call.operands]
        setattr(module, f"f{number}", tf.function(call.function, signature, autograph=False))
    tf.saved_model.save(module, str(directory / "model"))
    operands = {f"f{n}-{i}": x for n, call in enumerate(calls) for i, x in enumerate(call.operands)}
    np.savez(directory / "operands.npz", **operands)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Return values and gradients of all calls, computed without tfnp."""
    directory = tmp_path_factory.mktemp("saved")
    save(KERNELS, directory)
    program = [sys.executable, "-I", str(Path(saved_models.__file__).resolve()), str(directory)]
    subprocess.run(program, check=True, capture_output=True, text=True)
    return np.load(directory / "results.npz")


@pytest.mark.full
@pytest.mark.parametrize("number", range(len(KERNELS)), ids=[call.name for call in KERNELS])
def test_values_and_gradients_of_saved_functions(results, number):
    call = KERNELS[number]
    function = tf.function(call.function, autograph=False)
    expected = saved_models.differentiate(function, list(map(tf.constant, call.operands)))
    for index, part in enumerate(expected):
        np.testing.assert_allclose(results[f"f{number}-{index}"], part, rtol=1e-6, atol=1e-9)
    assert f"f{number}-{len(expected)}" not in results


def test_a_saved_function_is_differentiated_in_this_process(tmp_path):
    module = tf.Module()
    module.f = tf.function(lambda x: tfnp.power(x, 2.5) + tfnp.floor(x), [tf.TensorSpec([None])], autograph=False)
    tf.saved_model.save(module, str(tmp_path))
    x = tf.constant([1.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        result = tf.saved_model.load(str(tmp_path)).f(x)
    np.testing.assert_allclose(result, [2, 36])
    np.testing.assert_allclose(tape.gradient(result, x), [2.5, 20])


class Power(keras.layers.Layer):
    def call(self, x):
        return tfnp.power(tfnp.abs(x), 1.5)


@pytest.mark.full
def test_a_keras_model_is_exported(tmp_path):
    model = keras.Sequential([keras.Input((3,)), Power(), keras.layers.Dense(2)])
    model.export(str(tmp_path), verbose=False)
    x = tf.constant([[1.0, -4.0, 2.0]])
    loaded = tf.saved_model.load(str(tmp_path))
    np.testing.assert_allclose(loaded.serve(x), model(x), rtol=1e-6)


def count_gradients() -> int:
    return sum(name.startswith("tfnp.") for name in framework_ops.gradient_registry.list())


def test_gradients_are_forgotten_with_their_graph():
    gc.collect()
    before = count_gradients()
    function = tf.function(tfnp.floor, autograph=False)
    function(tf.constant([1.5]))
    assert count_gradients() == before + 1
    del function
    gc.collect()
    assert count_gradients() == before
