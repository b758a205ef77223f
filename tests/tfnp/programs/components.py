"""Principal components by power iteration, with what was found taken away before the next."""


def data(np, count):
    """Correlated columns: mixtures of waves of different size."""
    time = np.linspace(0.0, 1.0, count, endpoint=False)
    waves = np.stack(
        [
            np.multiply(size, np.sin(np.multiply(2 * np.pi * turns, time)))
            for size, turns in ((3.0, 1), (1.5, 2), (0.5, 5))
        ]
    )
    mixing = np.array([[1.0, 0.5, -0.5], [0.2, -1.0, 0.3], [0.7, 0.1, 1.0], [-0.4, 0.6, 0.2]])
    return np.add(np.transpose(np.matmul(mixing, waves)), np.array([1.0, -2.0, 0.5, 4.0]))


def norm(np, vector):
    return np.sqrt(np.vdot(vector, vector))


def dominant(np, matrix, steps):
    """The largest eigenvalue of a symmetric matrix, its vector with a positive largest element."""
    vector = np.ones(matrix.shape[0])
    for _ in range(steps):
        image = np.matmul(matrix, vector)
        vector = np.divide(image, norm(np, image))
    vector = np.multiply(vector, np.sign(vector[int(np.argmax(np.abs(vector)))]))
    return np.inner(vector, np.matmul(matrix, vector)), vector


def decomposed(np, matrix, count, steps=60):
    """The largest eigenvalues and their vectors, as rows."""
    values, vectors = [], []
    for _ in range(count):
        value, vector = dominant(np, matrix, steps)
        values.append(value)
        vectors.append(vector)
        matrix = np.subtract(matrix, np.multiply(value, np.outer(vector, vector)))
    return np.stack(values), np.stack(vectors)


def standardised(np, table):
    """Columns of mean zero and deviation one."""
    centred = np.subtract(table, np.mean(table, axis=0))
    return np.divide(centred, np.std(table, axis=0, ddof=1))


def rebuilt(np, table, vectors):
    """The table as far as its projections on the vectors tell."""
    middle = np.mean(table, axis=0)
    scores = np.matmul(np.subtract(table, middle), np.transpose(vectors))
    return scores, np.add(np.matmul(scores, vectors), middle)


def main(np):
    table = data(np, 64)
    covariance = np.cov(table, rowvar=False)
    correlation = np.corrcoef(table, rowvar=False)
    values, vectors = decomposed(np, covariance, 3)
    by_correlation, _ = decomposed(np, correlation, 2)
    results = {
        "covariance": covariance,
        "correlation": correlation,
        "same": np.allclose(correlation, np.cov(standardised(np, table), rowvar=False)),
        "values": values,
        "vectors": vectors,
        "by correlation": by_correlation,
        "explained": np.cumsum(np.divide(values, np.trace(covariance))),
        "orthonormal": np.allclose(np.matmul(vectors, np.transpose(vectors)), np.eye(3)),
    }
    for count in (1, 2, 3):
        scores, again = rebuilt(np, table, vectors[:count])
        error = np.sqrt(np.mean(np.square(np.subtract(again, table))))
        results[count] = [np.var(scores, axis=0, ddof=1), np.round(error, 10)]
    return results
