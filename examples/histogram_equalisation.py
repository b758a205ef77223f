"""# Histogram equalisation

Spread the gray levels of a picture over the whole range: count them, sum the counts cumulatively, and look up each
pixel. Under XLA, where shapes are static, `np.bincount` needs `size=`, a keyword of tfnp's own: `np.bincount(x,
size=256)`.

```text
gray levels before: 100 to 139, after: 0 to 255
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def equalise(image):
    """Return an image of uint8 with its gray levels spread evenly."""
    counts = np.bincount(image.ravel(), minlength=256)
    cumulative = np.cumsum(counts)
    lowest = cumulative[np.argmax(counts > 0)]
    table = np.clip((cumulative - lowest) * 255 / np.maximum(image.size - lowest, 1), 0, 255)
    return np.rint(table).astype(np.uint8)[image]


def make_image(seed):
    """Return a picture with few gray levels."""
    return np.random.default_rng(seed).integers(100, 140, (32, 32), dtype=np.uint8)


def main():
    image = make_image(seed=0)
    result = equalise(image)
    print(f"gray levels before: {image.min()} to {image.max()}, after: {result.min()} to {result.max()}")


if __name__ == "__main__":
    main()
