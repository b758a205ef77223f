"""# N bodies

Gravity between all pairs by broadcasting, integrated by the leapfrog method, which keeps the energy nearly constant.

```text
energy before: -0.1399, after: -0.1399
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def differences(positions):
    """Return the vectors between all pairs, and the inverses of their lengths (0 for a body and itself)."""
    vectors = positions[None] - positions[:, None]
    squares = np.sum(vectors**2, axis=-1) + np.eye(positions.shape[0])
    return vectors, 1 / np.sqrt(squares) - np.eye(positions.shape[0])


def accelerations(positions, masses):
    """Return the acceleration of each body, with the gravitational constant 1."""
    vectors, inverses = differences(positions)
    return np.einsum("ijk,ij,j->ik", vectors, inverses**3, masses)


def energy(positions, velocities, masses):
    """Return the kinetic and potential energy of all bodies."""
    _, inverses = differences(positions)
    kinetic = np.sum(masses * np.sum(velocities**2, axis=1)) / 2
    return kinetic - np.einsum("i,j,ij->", masses, masses, inverses) / 2


def simulate(positions, velocities, masses, step, steps):
    """Return positions and velocities after some steps of the leapfrog method."""
    pull = accelerations(positions, masses)
    for _ in range(steps):
        velocities = velocities + pull * (step / 2)
        positions = positions + velocities * step
        pull = accelerations(positions, masses)
        velocities = velocities + pull * (step / 2)
    return positions, velocities


def three_bodies():
    """Return a star and two planets."""
    positions = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, -2.0]])
    velocities = np.array([[0.0, 0.0], [0.0, 1.0], [0.7, 0.0]])
    return positions, velocities, np.array([1.0, 0.1, 0.3])


def main():
    positions, velocities, masses = three_bodies()
    before = energy(positions, velocities, masses)
    after = energy(*simulate(positions, velocities, masses, step=0.005, steps=50), masses)
    print(f"energy before: {before:.4f}, after: {after:.4f}")


if __name__ == "__main__":
    main()
