"""jnp.linalg.eigvals of the float32 matrix [[9e37]] is 1.1e12; of float64 [[7e305]] it is 1.5e138.

A matrix of one element is its own eigenvalue. Large matrices seem to be scaled before the decomposition, and the
eigenvalues are scaled back by another factor (a guess). jnp.poly and jnp.roots follow.
"""

# /// upstream
# op = ["jax.numpy.linalg.eigvals", "jax.numpy.linalg.eig"]
# part = "LAPACK kernel"
# modes = ["eager", "jit", "vmap"]
# dtypes = ["float32", "float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["linalg.eigvals", "linalg.eig", "poly"]
# shows = 'e\+'
# ///

import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

expected = [9e37, 7e305]
actual = [
    float(f"{jnp.linalg.eigvals(jnp.asarray([[x]], dtype))[0].real:.6g}")
    for x, dtype in ((9e37, np.float32), (7e305, np.float64))
]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
