"""Images: filters, edges, medians, histograms, thresholds, connected parts."""


def scene(np, size):
    """A disc and a bar on a slope, in the 256 shades of bytes."""
    rows, columns = np.indices((size, size))
    disc = np.less(np.add(np.square(rows - 6), np.square(columns - 7)), 17)
    bar = np.logical_and(np.greater(rows, 12), np.logical_and(np.less(rows, 15), np.greater(columns, 4)))
    slope = np.add(np.multiply(rows, 3), np.multiply(columns, 2))
    shades = np.add(slope, np.add(np.where(disc, 120, 0), np.where(bar, 90, 0)))
    specks = np.equal(np.remainder(np.add(np.multiply(rows, 7), np.multiply(columns, 13)), 41), 0)
    return np.astype(np.clip(np.where(specks, 255, shades), 0, 255), np.uint8)


def windows(np, image, height, width):
    """Around each point the points of a window, its edges repeated where it leaves the image."""
    above, left = height // 2, width // 2
    wide = np.pad(image, ((above, height - 1 - above), (left, width - 1 - left)), mode="edge")
    down, across = image.shape
    parts = [wide[row : row + down, column : column + across] for row in range(height) for column in range(width)]
    return np.stack(parts, axis=-1)


def filtered(np, image, kernel):
    """The convolution of an image with a kernel."""
    kernel = np.array(kernel, dtype=np.float64)
    around = np.astype(windows(np, image, *kernel.shape), np.float64)
    return np.matmul(around, np.ravel(np.flip(kernel)))


def edges(np, image):
    """How steep the image is, and in which of four directions."""
    sobel = [[1, 0, -1], [2, 0, -2], [1, 0, -1]]
    across, down = filtered(np, image, sobel), filtered(np, image, list(map(list, zip(*sobel, strict=True))))
    angle = np.degrees(np.arctan2(down, across))
    direction = np.remainder(np.astype(np.floor(np.divide(np.add(angle, 22.5), 45)), np.int64), 4)
    return np.hypot(across, down), np.where(np.hypot(across, down) > 1e-9, direction, -1)


def equalised(np, image):
    """The image with every shade about as frequent as any other."""
    counts = np.bincount(np.ravel(image), minlength=256)
    share = np.divide(np.cumsum(counts), np.size(image))
    return np.take(np.astype(np.round(np.multiply(share, 255)), np.uint8), image)


def threshold(np, image):
    """Otsu's: the shade that best divides the dark from the bright."""
    counts = np.astype(np.bincount(np.ravel(image), minlength=256), np.float64)
    shades = np.arange(256.0)
    below, sums = np.cumsum(counts), np.cumsum(np.multiply(counts, shades))
    above = np.subtract(below[-1], below)
    gap = np.subtract(np.divide(sums, np.maximum(below, 1)), np.divide(sums[-1] - sums, np.maximum(above, 1)))
    return np.argmax(np.multiply(np.multiply(below, above), np.square(gap)))


def parts(np, mask):
    """Connected parts, numbered by size, the largest first."""
    labels = np.where(mask, np.reshape(np.arange(1, np.size(mask) + 1), mask.shape), 0)
    while True:
        spread = np.where(mask, np.max(windows(np, labels, 3, 3), axis=-1), 0)
        if np.array_equal(spread, labels):
            break
        labels = spread
    found, sizes = np.unique(labels[mask], return_counts=True)
    order = np.argsort(np.negative(sizes), stable=True)
    return np.take(found, order), np.take(sizes, order)


def main(np):
    image = scene(np, 18)
    blurred = filtered(np, image, [[1 / 9] * 3] * 3)
    median = np.astype(np.median(windows(np, image, 3, 3), axis=-1), np.uint8)
    shade = threshold(np, median)
    return {
        "image": image,
        "blurred": blurred,
        "sharpened": np.clip(filtered(np, image, [[0, -1, 0], [-1, 5, -1], [0, -1, 0]]), 0, 255),
        "median": median,
        "edges": edges(np, median),
        "equalised": equalised(np, median),
        "histogram": np.histogram(median, bins=8, range=(0, 256)),
        "threshold": shade,
        "parts": parts(np, np.greater(median, shade)),
        "half": np.mean(np.reshape(np.astype(image, np.float64), (9, 2, 9, 2)), axis=(1, 3)),
    }
