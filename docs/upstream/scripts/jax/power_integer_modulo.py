"""jnp.power of integers takes the exponent modulo 64: 3**65 is 3.

The same happens in TensorFlow under XLA. NumPy's result wraps as every product of integers does.
"""

# /// upstream
# op = ["jax.numpy.power"]
# part = "XLA, expansion of integer powers"
# modes = ["eager", "jit"]
# dtypes = ["int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["jax-ml/jax#5987"]
# names = ["power", "pow"]
# ///

import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

expected = int(np.power(np.int64(3), np.int64(65)))
actual = int(jnp.power(jnp.asarray([3]), jnp.asarray([65]))[0])
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
