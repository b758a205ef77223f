"""# Convolving an image

All windows of an image at once, by two broadcast arrays of indices, and a product with the kernel. The result has a
gradient with respect to both.

```text
1 2 3 0
2 4 6 0
1 2 3 0
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def windows(image, height, width):
    """Return every window of an image: (row, column, row within, column within)."""
    rows = np.arange(image.shape[0] - height + 1)[:, None] + np.arange(height)
    columns = np.arange(image.shape[1] - width + 1)[:, None] + np.arange(width)
    return image[rows[:, None, :, None], columns[None, :, None, :]]


def convolve(image, kernel):
    """Return the convolution at the positions where the kernel lies inside the image."""
    return np.einsum("ijkl,kl->ij", windows(image, *kernel.shape), kernel[::-1, ::-1])


def main():
    image = np.pad(np.array([[16.0]]), ((2, 2), (2, 3)))
    kernel = np.outer(np.array([1, 2, 1]), np.array([1, 2, 3])) / 16
    for row in convolve(image, kernel).astype(int).tolist():
        print(*row)


if __name__ == "__main__":
    main()
