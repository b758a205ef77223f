"""# A Kalman filter

Estimate position and speed from noisy positions. The loop runs over a Python range: in a `tf.function`,
`for z in measurements` would become a loop of the graph, in which a list cannot be filled.

```text
error of the measurements: 0.90, of the filter: 0.36
last speed: 0.49
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()

MOTION = [[1.0, 1.0], [0.0, 1.0]]
SEEN = [[1.0, 0.0]]


def kalman_filter(measurements, process_noise, measurement_noise):
    """Return the estimated position and speed after each measurement."""
    motion, seen = np.array(MOTION), np.array(SEEN)
    state, covariance = np.zeros(2), np.eye(2) * 10
    states = []
    for index in range(len(measurements)):
        state = motion @ state
        covariance = motion @ covariance @ motion.T + process_noise * np.eye(2)
        innovation = seen @ covariance @ seen.T + measurement_noise
        gain = covariance @ seen.T @ np.linalg.inv(innovation)
        state = state + gain @ (measurements[index] - seen @ state)
        covariance = (np.eye(2) - gain @ seen) @ covariance
        states.append(state)
    return np.stack(states)


def main():
    truth = 0.5 * np.arange(30)
    measurements = truth + np.random.default_rng(1).standard_normal(30)
    states = kalman_filter(measurements, 0.001, 1.0)
    errors = [np.sqrt(np.mean((values - truth)[10:] ** 2)) for values in (measurements, states[:, 0])]
    print(f"error of the measurements: {errors[0]:.2f}, of the filter: {errors[1]:.2f}")
    print(f"last speed: {states[-1, 1]:.2f}")


if __name__ == "__main__":
    main()
