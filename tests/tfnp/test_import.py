"""Importing tfnp changes nothing, starts nothing, and brings no Keras."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import tensorflow as tf
import sys
before, modules = set(dir(tf.Tensor)), set(sys.modules)
import tfnp
from tensorflow.python.eager import context
assert not context.context()._initialized, "the runtime was started"
assert set(dir(tf.Tensor)) == before, "tensors were changed"
assert not {name for name in set(sys.modules) - modules if name.startswith("keras")}, "a keras of its own"
assert not any(name.startswith("tensorflow.python.ops.numpy_ops.np_array_ops_impl") for name in sys.modules)
print(tfnp.add(1, 2).numpy())
"""


def test_importing_starts_no_runtime_and_changes_no_tensor():
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "3"
