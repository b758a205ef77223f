"""# PageRank

Power iteration on the matrix of links. A page without links counts as one that links to every page.

```text
ranks: [0.38, 0.2, 0.38, 0.04]
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def pagerank(links, damping, steps):
    """Return the rank of each page, where `links[i, j]` is 1 if page i links to page j."""
    count = links.shape[0]
    out = links.sum(axis=1, keepdims=True)
    transitions = np.where(out == 0, 1 / count, links / np.maximum(out, 1))
    ranks = np.full(count, 1 / count)
    for _ in range(steps):
        ranks = (1 - damping) / count + damping * (ranks @ transitions)
    return ranks


def main():
    links = np.array([[0, 1, 1, 0], [0, 0, 1, 0], [1, 0, 0, 0], [1, 0, 1, 0]])
    print("ranks:", pagerank(links, damping=0.85, steps=50).round(2).tolist())


if __name__ == "__main__":
    main()
