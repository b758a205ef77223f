"""# K-means clustering

Lloyd's algorithm. Broadcasting gives the distance of every point to every center, and a product with a one-hot matrix
adds up the points of each cluster: both have fixed shapes, so the function also compiles under XLA. Indexing with a
mask, as in `points[label == j]`, would not: its length depends on the data.

```text
centers: [[-0.01, 0.09], [0.94, 5.01], [4.82, 1.04]]
sizes: [50, 50, 50]
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def assign(points, centers):
    """Return for each point the index of the nearest center."""
    return np.argmin(((points[:, None] - centers) ** 2).sum(axis=-1), axis=1)


def kmeans(points, centers, steps):
    """Return the centers after some steps, and the label of each point."""
    for _ in range(steps):
        members = np.equal(assign(points, centers)[:, None], np.arange(len(centers))).astype(points.dtype)
        centers = members.T @ points / np.maximum(members.sum(axis=0), 1)[:, None]
    return centers, assign(points, centers)


def make_points(seed):
    """Return 150 points in three groups."""
    rng = np.random.default_rng(seed)
    groups = [rng.standard_normal((50, 2)) * 0.5 + center for center in ([0, 0], [1, 5], [5, 1])]
    return np.concatenate(groups)


def main():
    points = make_points(seed=0)
    centers, labels = kmeans(points, points[::50], steps=10)
    print("centers:", centers.round(2).tolist())
    print("sizes:", np.bincount(labels).tolist())


if __name__ == "__main__":
    main()
