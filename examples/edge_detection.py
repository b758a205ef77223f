"""# Edge detection

Sobel's filter by shifted sums of slices, and a threshold at a quantile of the result.

```text
........
.######.
.#....#.
.#....#.
.######.
........
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def sobel(image):
    """Return the length of the gradient at each pixel; the image is extended by its border."""
    wide = np.pad(image, 1, mode="edge")
    across = wide[:, 2:] - wide[:, :-2]
    down = wide[2:] - wide[:-2]
    return np.hypot(
        across[:-2] + 2 * across[1:-1] + across[2:],
        down[:, :-2] + 2 * down[:, 1:-1] + down[:, 2:],
    )


def edges(image, share):
    """Return a mask of the bright pixels whose gradient is in the largest share of all."""
    return (sobel(image) > np.quantile(sobel(image), 1 - share)) & (image > 0.5)


def main():
    image = np.pad(np.ones((4, 6)), 1)
    for row in edges(image, 0.6).tolist():
        print("".join(".#"[cell] for cell in row))


if __name__ == "__main__":
    main()
