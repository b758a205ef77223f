"""# A Markov chain

Matrix powers, the stationary distribution from a linear system, and a simulated walk by cumulated probabilities.

```text
after 10 days: [0.6, 0.25, 0.15]
stationary: [0.6, 0.25, 0.15]
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def after(start, transitions, steps):
    """Return the distribution after some steps."""
    return start @ np.linalg.matrix_power(transitions, steps)


def stationary(transitions):
    """Return the distribution that a step does not change."""
    count = transitions.shape[0]
    system = np.concatenate([(transitions.T - np.eye(count))[:-1], np.ones((1, count))])
    return np.linalg.solve(system, np.eye(count)[-1])


def walk(transitions, uniforms):
    """Return the states visited from state 0, one uniform number a step."""
    edges = np.cumsum(transitions, axis=1)
    state = np.zeros((), dtype="int64")
    states = []
    for index in range(uniforms.shape[0]):
        state = np.sum(uniforms[index] >= edges[state])
        states.append(state)
    return np.stack(states)


def main():
    transitions = np.array([[0.8, 0.15, 0.05], [0.3, 0.5, 0.2], [0.3, 0.233, 0.467]])
    print("after 10 days:", after(np.array([0.0, 0.0, 1.0]), transitions, 10).round(2).tolist())
    print("stationary:", stationary(transitions).round(2).tolist())


if __name__ == "__main__":
    main()
