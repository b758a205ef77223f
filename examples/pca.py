"""# Principal component analysis

The singular value decomposition of centered data gives its principal axes. The sign of an axis is arbitrary; here the
largest entry of each is made positive.

```text
share of the variance: [0.941, 0.059, 0.001]
first axis: [0.807, 0.525, 0.27]
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def pca(data, count):
    """Return the coordinates on the first axes, the axes, and the share of the variance of every axis."""
    centered = data - data.mean(axis=0)
    _, scales, axes = np.linalg.svd(centered, full_matrices=False)
    largest = np.take_along_axis(axes, np.argmax(np.abs(axes), axis=1)[:, None], axis=1)
    axes = axes * np.sign(largest)
    shares = scales**2 / np.sum(scales**2)
    return centered @ axes[:count].T, axes[:count], shares


def make_data(seed):
    """Return 200 points close to a plane in three dimensions."""
    rng = np.random.default_rng(seed)
    plane = np.array([[3.0, 2.0, 1.0], [0.5, -0.75, 0.0]])
    return rng.standard_normal((200, 2)) @ plane + 0.1 * rng.standard_normal((200, 3))


def main():
    _, axes, shares = pca(make_data(seed=0), 2)
    print("share of the variance:", shares.round(3).tolist())
    print("first axis:", axes[0].round(3).tolist())


if __name__ == "__main__":
    main()
