"""# Linear regression

Least squares by `np.linalg.lstsq`, with the standard errors of the coefficients. The residual sum is taken by hand:
that of `lstsq` is empty where the matrix has no full rank, so its shape depends on the data.

```text
coefficients: [0.98, 1.99, -2.98]
standard errors: [0.01, 0.01, 0.01]
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def fit(x, y):
    """Return the coefficients, the constant first, and their standard errors."""
    design = np.column_stack([np.ones(len(x)), x])
    coefficients = np.linalg.lstsq(design, y, rcond=None)[0]
    residuals = y - design @ coefficients
    variance = residuals @ residuals / (design.shape[0] - design.shape[1])
    return coefficients, np.sqrt(variance * np.diag(np.linalg.inv(design.T @ design)))


def make_data(seed):
    """Return points of a plane, with noise."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((100, 2))
    return x, 1 + x @ np.array([2.0, -3.0]) + 0.1 * rng.standard_normal(100)


def main():
    coefficients, errors = fit(*make_data(seed=0))
    print("coefficients:", coefficients.round(2).tolist())
    print("standard errors:", errors.round(2).tolist())


if __name__ == "__main__":
    main()
