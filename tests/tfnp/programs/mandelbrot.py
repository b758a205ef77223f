"""The Mandelbrot set and Julia sets: escape times, area, pictures, orbits."""

SHADES = " .:-=+*#%@"


def plane(np, left, right, bottom, top, width, height):
    """Points of the complex plane, the upper ones first."""
    real = np.linspace(left, right, width)
    imag = np.linspace(top, bottom, height)
    return np.add(real, np.multiply(1j, np.reshape(imag, (height, 1))))


def escapes(np, z, c, most):
    """After how many steps each point is farther than two from the origin; `most` where it never is. And where it is
    then, or in the end.
    """
    count = np.full(z.shape, most)
    for number in range(most):
        inside = np.equal(count, most)
        gone = np.greater(np.add(np.square(np.real(z)), np.square(np.imag(z))), 4)
        count = np.where(np.logical_and(inside, gone), number, count)
        z = np.where(np.equal(count, most), np.add(np.multiply(z, z), c), z)
    return count, z


def smooth(np, count, z, most):
    """Escape times between the integers."""
    size = np.maximum(np.abs(z), 2.0)
    fraction = np.log2(np.divide(np.log(size), np.log(2.0)))
    return np.where(np.less(count, most), np.subtract(np.add(count, 1), fraction), float(most))


def picture(np, count, most):
    """Shades, as the numbers of their characters."""
    shades = np.frombuffer(SHADES.encode(), dtype=np.uint8)
    edges = np.linspace(0, most, len(SHADES))[1:]
    return np.take(shades, np.searchsorted(edges, np.astype(count, np.float64), side="left"))


def text(np, shades):
    """The picture as lines of text."""
    return ["".join(chr(int(shade)) for shade in row) for row in np.asarray(shades)]


def cardioid(np, c):
    """Which points lie in the largest part of the set, or in the disk beside it."""
    shifted = np.square(np.subtract(np.real(c), 0.25))
    q = np.add(shifted, np.square(np.imag(c)))
    inside = np.less_equal(
        np.multiply(q, np.add(q, np.subtract(np.real(c), 0.25))), np.multiply(0.25, np.square(np.imag(c)))
    )
    return np.logical_or(inside, np.less_equal(np.abs(np.add(c, 1)), 0.25))


def main(np):
    most = 24
    c = plane(np, -2.1, 0.63, -1.17, 1.17, 44, 24)
    count, z = escapes(np, np.zeros_like(c), c, most)
    julia = plane(np, -1.53, 1.53, -1.07, 1.07, 31, 20)
    julia_count, _ = escapes(np, julia, np.full_like(julia, -0.8 + 0.156j), most)
    inside = np.equal(count, most)
    cell = 2.73 / 43 * 2.34 / 23
    shades = picture(np, count, most)
    return {
        "count": count,
        "smooth": smooth(np, count, np.where(inside, 0, z), most),
        "area": np.multiply(np.count_nonzero(inside), cell),
        "histogram": np.bincount(np.ravel(count), minlength=most + 1),
        "text": text(np, shades),
        "julia": julia_count,
        "cardioid": cardioid(np, c),
        "outside": np.count_nonzero(np.logical_and(cardioid(np, c), np.logical_not(inside))),
    }
