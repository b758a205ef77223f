"""# Hessian-vector products, and Newton's method without a Hessian

The product of a Hessian and a vector is the derivative of the gradient along the vector: forward mode
(`tf.autodiff.ForwardAccumulator`) around reverse mode (`tf.GradientTape`). It costs a few times the function, and the
Hessian is never stored. Conjugate gradients solve Newton's equations by such products alone.

```text
start  16.5152
step 1 2.6133
step 2 0.1795
step 3 0.0002
step 4 0.0000
same as with the Hessian: True
```
"""

import tensorflow as tf

import tfnp as np

np.experimental_enable_numpy_behavior()


def loss(x):
    """Return a convex function whose minimum is 0, at 0."""
    neighbours = np.diff(x)
    return np.sum(np.cosh(x) - 1) + np.sum(neighbours**2) / 2


def gradient(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = function(x)
    return tape.gradient(value, x)


def hessian_vector_product(function, x, vector):
    """Return the Hessian of the function at x, times the vector."""
    with tf.autodiff.ForwardAccumulator(x, vector) as accumulator:
        slope = gradient(function, x)
    return accumulator.jvp(slope)


def conjugate_gradients(multiply, b, steps):
    """Return an approximate solution of `multiply(x) == b`, for a positive definite linear function."""
    x, residual = np.zeros_like(b), b
    direction, size = residual, residual @ residual
    for _ in range(steps):
        product = multiply(direction)
        length = size / (direction @ product)
        x, residual = x + length * direction, residual - length * product
        previous, size = size, residual @ residual
        direction = residual + size / previous * direction
    return x


def newton_step(x):
    """Return the next approximation of the minimum."""
    return x - conjugate_gradients(lambda v: hessian_vector_product(loss, x, v), gradient(loss, x), steps=8)


def main():
    x = np.random.default_rng(0).normal(scale=2, size=8)
    with tf.GradientTape() as tape:
        tape.watch(x)
        slope = gradient(loss, x)
    hessian, vector = tape.jacobian(slope, x), np.arange(8.0)
    print(f"start  {loss(x):.4f}")
    point = x
    for number in range(1, 5):
        point = newton_step(point)
        print(f"step {number} {loss(point):.4f}")
    print("same as with the Hessian:", bool(np.allclose(hessian @ vector, hessian_vector_product(loss, x, vector))))


if __name__ == "__main__":
    main()
