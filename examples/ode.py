"""# An ordinary differential equation in a `tf.while_loop`, under XLA

The classical Runge-Kutta method for the Lorenz system. The loop is TensorFlow's: its body is traced once, however many
steps there are, and the whole is one program of XLA's. A loop over a Python `range` would be unrolled, step by step.

```text
after 200 steps: [-8.17, -9.56, 24.62]
```
"""

import tensorflow as tf

import tfnp as np

np.experimental_enable_numpy_behavior()


def lorenz(state):
    """Return the derivative of the Lorenz system."""
    x, y, z = state[0], state[1], state[2]
    return np.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z])


def runge_kutta(state, step):
    """Return the state one step later."""
    k1 = lorenz(state)
    k2 = lorenz(state + step / 2 * k1)
    k3 = lorenz(state + step / 2 * k2)
    k4 = lorenz(state + step * k3)
    return state + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


@tf.function(jit_compile=True)
def integrate(state, step, steps):
    """Return the state after some steps."""
    _, state = tf.while_loop(
        lambda index, _: index < steps,
        lambda index, state: (index + 1, runge_kutta(state, step)),
        (tf.constant(0), state),
    )
    return state


def main():
    state = integrate(np.array([1.0, 1.0, 1.0]), np.asarray(0.01), tf.constant(200))
    print("after 200 steps:", state.round(2).tolist())


if __name__ == "__main__":
    main()
