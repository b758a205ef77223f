"""Importing tfnp changes nothing and starts nothing."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import tensorflow as tf
before = set(dir(tf.Tensor))
import tfnp
from tensorflow.python.eager import context
assert not context.context()._initialized, "the runtime was started"
assert set(dir(tf.Tensor)) == before, "tensors were changed"
import sys
assert not any(name.startswith("tensorflow.python.ops.numpy_ops.np_array_ops_impl") for name in sys.modules)
print(tfnp.add(1, 2).numpy())
"""


def test_importing_starts_no_runtime_and_changes_no_tensor():
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "3"
