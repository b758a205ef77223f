"""jnp.acosh(0-0j) is on the wrong side of the branch cut: 1.57j, not -1.57j.

The sign of the imaginary part says on which side of the cut below 1 the argument lies: C99, Python's cmath and
NumPy keep it.
"""

# /// upstream
# op = ["jax.numpy.acosh"]
# part = "Python"
# modes = ["eager", "jit", "vmap"]
# dtypes = ["complex128"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# since = "0.4.30 right, 0.4.31 wrong"
# names = ["acosh", "arccosh"]
# ///

import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

expected = np.acosh(complex(0.0, -0.0)).imag.item()
actual = float(jnp.acosh(jnp.asarray(complex(0.0, -0.0))).imag)
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
