"""K-means: points that a sequence of little discrepancy makes, gathered around centres."""


def radical_inverse(np, count, base):
    """Van der Corput's sequence: the digits of a number behind the point, in reverse."""
    number = np.arange(1, count + 1)
    result = np.zeros(count)
    scale = 1.0
    while int(np.max(number)) > 0:
        scale /= base
        result = np.add(result, np.multiply(np.remainder(number, base), scale))
        number = np.floor_divide(number, base)
    return result


def points(np, count):
    """Three discs of points, as dense in the middle as at the rim."""
    radius = np.sqrt(radical_inverse(np, count, 2))
    angle = np.multiply(2 * np.pi, radical_inverse(np, count, 3))
    disc = np.stack([np.multiply(radius, np.cos(angle)), np.multiply(radius, np.sin(angle))], axis=1)
    homes = np.array([[0.0, 0.0], [3.0, 1.0], [1.0, 4.0]])
    which = np.remainder(np.arange(count), 3)
    return np.add(disc, np.take(homes, which, axis=0)), which


def squared_distances(np, data, centres):
    """From each point to each centre."""
    gaps = np.subtract(np.expand_dims(data, 1), centres)
    return np.einsum("ijk,ijk->ij", gaps, gaps)


def farthest_first(np, data, count):
    """Centres to begin with: each the point farthest from those before."""
    centres = data[:1]
    while centres.shape[0] < count:
        nearest = np.min(squared_distances(np, data, centres), axis=1)
        place = int(np.argmax(nearest))
        centres = np.concatenate([centres, data[place : place + 1]])
    return centres


def means(np, data, labels, count):
    """The mean of the points of each label."""
    members = np.astype(np.equal.outer(np.arange(count), labels), np.float64)
    return np.divide(np.matmul(members, data), np.sum(members, axis=1, keepdims=True))


def gathered(np, data, count, most=20):
    """Centres that are the means of the points nearest to them; the labels; the cost after each step."""
    centres = farthest_first(np, data, count)
    costs = []
    for _ in range(most):
        distances = squared_distances(np, data, centres)
        labels = np.argmin(distances, axis=1)
        costs.append(np.sum(np.min(distances, axis=1)))
        moved = means(np, data, labels, count)
        if np.allclose(moved, centres):
            break
        centres = moved
    return centres, labels, np.stack(costs)


def confusion(np, first, second, count):
    """How often each label of one kind meets each of the other."""
    return np.reshape(np.bincount(np.add(np.multiply(first, count), second), minlength=count * count), (count, count))


def main(np):
    data, which = points(np, 120)
    results = {"data": data}
    for count in (2, 3, 5):
        centres, labels, costs = gathered(np, data, count)
        sizes = np.bincount(labels, minlength=count)
        results[count] = [centres, labels, costs, sizes, np.all(np.less_equal(np.diff(costs), 1e-9))]
    results["confusion"] = confusion(np, which, results[3][1], 3)
    return results
