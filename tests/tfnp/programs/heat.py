"""The heat equation: a rod by three schemes, and a plate that comes to rest."""


def tridiagonal(np, count, diagonal, beside):
    """A matrix with one number on its diagonal, another on both sides of it."""
    off = np.eye(count, k=1) + np.eye(count, k=-1)
    return np.add(np.multiply(diagonal, np.eye(count)), np.multiply(beside, off))


def solved(np, diagonal, beside, right):
    """Thomas's algorithm for a tridiagonal system with constant diagonals."""
    count = right.shape[0]
    factors, values = [beside / diagonal], [np.divide(right[0], diagonal)]
    for row in range(1, count):
        pivot = diagonal - beside * factors[-1]
        factors.append(beside / pivot)
        values.append(np.divide(np.subtract(right[row], np.multiply(beside, values[-1])), pivot))
    found = [values[-1]]
    for row in range(count - 2, -1, -1):
        found.append(np.subtract(values[row], np.multiply(factors[row], found[-1])))
    return np.flip(np.stack(found))


def explicit(np, rod, ratio, steps):
    """Each point moves towards the mean of its neighbours; the ends are kept cold."""
    for _ in range(steps):
        wide = np.pad(rod, 1)
        rod = np.add(rod, np.multiply(ratio, np.diff(wide, n=2)))
    return rod


def implicit(np, rod, ratio, steps):
    """Backward Euler."""
    for _ in range(steps):
        rod = solved(np, 1 + 2 * ratio, -ratio, rod)
    return rod


def crank_nicolson(np, rod, ratio, steps):
    """Half a step of each."""
    forward = tridiagonal(np, rod.shape[0], 1 - ratio, ratio / 2)
    for _ in range(steps):
        rod = solved(np, 1 + ratio, -ratio / 2, np.matmul(forward, rod))
    return rod


def exact(np, places, time):
    """Two waves that decay, the shorter one faster."""
    waves = [
        np.multiply(np.exp(-((turns * np.pi) ** 2) * time) * size, np.sin(np.multiply(turns * np.pi, places)))
        for turns, size in ((1, 1.0), (3, 0.5))
    ]
    return np.add(*waves)


def relaxed(np, plate, is_fixed, steps):
    """Jacobi's iteration: every free point becomes the mean of its four neighbours."""
    changes = []
    for _ in range(steps):
        wide = np.pad(plate, 1, mode="edge")
        mean = np.divide(wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:], 4)
        new = np.where(is_fixed, plate, mean)
        changes.append(np.max(np.abs(np.subtract(new, plate))))
        plate = new
    return plate, np.stack(changes)


def main(np):
    places = np.linspace(0, 1, 17)[1:-1]
    start = exact(np, places, 0.0)
    ratio, steps = 0.4, 16
    time = ratio * steps / 16**2
    results = {"exact": exact(np, places, time)}
    for name, scheme in (("explicit", explicit), ("implicit", implicit), ("crank_nicolson", crank_nicolson)):
        rod = scheme(np, start, ratio, steps)
        results[name] = [rod, np.max(np.abs(np.subtract(rod, results["exact"]))), np.trapezoid(rod, places)]
    rows, columns = np.ogrid[:9, :9]
    is_fixed = np.logical_or(np.equal(rows, 0), np.logical_and(np.equal(rows, 8), np.greater(columns, 3)))
    plate, changes = relaxed(np, np.where(np.equal(rows, 0), np.full((9, 9), 100.0), 0.0), is_fixed, 40)
    slopes = np.gradient(plate)
    results["plate"] = [plate, changes, np.hypot(*slopes), np.all(np.less_equal(np.diff(changes), 0))]
    return results
