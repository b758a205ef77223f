"""jnp.linalg.svd of a zero matrix with hermitian=True has a Vh that is not orthogonal.

Vh is made of the eigenvectors times the sign of the eigenvalues, and the sign of 0 is 0. NumPy takes 1 there.
"""

# /// upstream
# op = ["jax.numpy.linalg.svd"]
# part = "Python"
# modes = ["eager", "jit", "vmap"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["linalg.svd"]
# shows = 'hermitian'
# ///

import sys

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

expected = 1.0
actual = abs(float(jnp.linalg.svd(jnp.asarray([[0.0]]), hermitian=True)[2][0, 0]))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
