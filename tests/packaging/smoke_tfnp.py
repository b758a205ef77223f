"""What must work where tfnp alone was installed: import, call, trace, compile, differentiate, patch methods."""

from __future__ import annotations

import importlib.util
import sys
from importlib import metadata
from pathlib import Path

import numpy as np
import tensorflow as tf

import tfnp

HARNESS = ("oracle", "fuzz", "hypothesis", "pytest")


def main() -> None:
    """Check a little of everything, and print the versions."""
    assert "site-packages" in Path(tfnp.__file__).parts, tfnp.__file__
    assert tfnp.__version__ == metadata.version("tfnp")
    assert (Path(tfnp.__file__).parent / "py.typed").exists()
    installed = [name for name in HARNESS if importlib.util.find_spec(name) is not None]
    assert not installed, f"tfnp needs no {installed}"

    x = tfnp.linspace(0, 1, 5)
    assert x.dtype == tf.float64
    for function in (tfnp.cumsum, tf.function(tfnp.cumsum), tf.function(tfnp.cumsum, jit_compile=True)):
        np.testing.assert_allclose(function(x), np.cumsum(np.linspace(0, 1, 5)))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tfnp.sum(tfnp.square(x))
    np.testing.assert_allclose(tape.gradient(y, x), 2 * x)
    with tfnp.numpy_behavior():
        assert x[::-1].reshape(5, 1).mean(axis=0).numpy() == 0.5
    assert not hasattr(x, "mean")
    np.testing.assert_array_equal(
        tfnp.random.default_rng(0).standard_normal(3), np.random.default_rng(0).standard_normal(3)
    )
    np.testing.assert_allclose(tfnp.linalg.inv(2 * tfnp.eye(2)), np.eye(2) / 2)
    np.testing.assert_allclose(tfnp.fft.ifft(tfnp.fft.fft(x)), x, atol=1e-12)

    versions = [f"{name} {metadata.version(name)}" for name in ("tfnp", "tensorflow", "keras", "numpy", "ml_dtypes")]
    print("works:", f"Python {sys.version.split()[0]},", ", ".join(versions))


if __name__ == "__main__":
    main()
