"""# Minimising a function

Rosenbrock's valley by Newton's method. The Hessian is the Jacobian of the gradient; a line search halves the step.

```text
minimum at: [1.0, 1.0], value: 0.0
```
"""

import tensorflow as tf

import tfnp as np

np.experimental_enable_numpy_behavior()


def rosenbrock(x):
    """Return Rosenbrock's function, which is smallest at (1, 1)."""
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


@tf.function
def derivatives(x):
    """Return gradient and Hessian."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            value = rosenbrock(x)
        gradient = inner.gradient(value, x)
    return gradient, outer.jacobian(gradient, x)


def step(x):
    """Return the best of a full step of Newton's and shorter ones."""
    gradient, hessian = derivatives(x)
    direction = np.linalg.solve(hessian, gradient)
    candidates = x - direction * 0.5 ** np.arange(6)[:, None]
    values = np.stack([rosenbrock(candidate) for candidate in candidates])
    return candidates[np.argmin(values)]


def main():
    x = np.array([-1.2, 1.0])
    for _ in range(20):
        x = step(x)
    print(f"minimum at: {x.round(3).tolist()}, value: {float(rosenbrock(x).round(6))}")


if __name__ == "__main__":
    main()
