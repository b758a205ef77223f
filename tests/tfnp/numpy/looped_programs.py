"""Numerical programs made of loops, in the style of NPBench: each takes a namespace and arrays, and gives an array."""

from __future__ import annotations

import numpy

N = 12  # more iterations than are copied
RANDOM = numpy.random.default_rng(5)


def jacobi(np, a):
    b = a.copy()
    for _ in range(N):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])
    return a


def seidel(np, a):
    for _ in range(2):
        for i in range(1, N - 1):
            a[i, 1:-1] += a[i - 1, :-2] + a[i - 1, 1:-1] + a[i - 1, 2:] + a[i, 2:] + a[i + 1, 1:-1]
            for j in range(1, N - 1):
                a[i, j] += a[i, j - 1]
                a[i, j] /= 9.0
    return a


def floyd_warshall(np, path):
    for k in range(N):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))
    return path


def lu(np, a):
    for i in range(len(a)):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, len(a)):
            a[i, j] -= a[i, :i] @ a[:i, j]
    return a


def cholesky(np, a):
    a[0, 0] = np.sqrt(a[0, 0])
    for i in range(1, len(a)):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[j, :j])
            a[i, j] /= a[j, j]
        a[i, i] -= np.dot(a[i, :i], a[i, :i])
        a[i, i] = np.sqrt(a[i, i])
    return np.tril(a)


def gramschmidt(np, a):
    q, r = np.zeros_like(a), np.zeros_like(a)
    for k in range(len(a)):
        norm = np.dot(a[:, k], a[:, k])
        r[k, k] = np.sqrt(norm)
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, len(a)):
            r[k, j] = np.dot(q[:, k], a[:, j])
            a[:, j] -= q[:, k] * r[k, j]
    return q + r


def durbin(np, r):
    y = np.empty_like(r)
    alpha, beta = -r[0], 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


def trisolv(np, a, b):
    x = np.zeros_like(b)
    for i in range(len(a)):
        x[i] = (b[i] - a[i, :i] @ x[:i]) / a[i, i]
    return x


def conv2d(np, image, weights):
    size = weights.shape[0]
    output = np.empty((image.shape[1] - size + 1, image.shape[2] - size + 1, weights.shape[3]), dtype=image.dtype)
    for i in range(output.shape[0]):
        for j in range(output.shape[1]):
            output[i, j] = np.sum(
                image[0, i : i + size, j : j + size, :, np.newaxis] * weights[:, :, :, :], axis=(0, 1, 2)
            )
    return output


def softmax(np, x):
    shifted = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return shifted / np.sum(shifted, axis=-1, keepdims=True)


def mlp(np, x, weights):
    for i in range(weights.shape[0]):
        x = np.maximum(x @ weights[i], 0.1 * x)
    return softmax(np, x)


def adi(np, u):
    v, p, q = np.zeros_like(u), np.zeros_like(u), np.zeros_like(u)
    a, b, d = -0.3, 1.6, 0.4
    for _ in range(2):
        for source, target in ((u, v), (v, u)):
            target[0, 1:-1] = 1.0
            p[1:-1, 0] = 0.0
            q[1:-1, 0] = target[0, 1:-1]
            for j in range(1, N - 1):
                p[1:-1, j] = -a / (a * p[1:-1, j - 1] + b)
                q[1:-1, j] = (
                    -d * source[j, :-2] + (1.0 + 2.0 * d) * source[j, 1:-1] - d * source[j, 2:] - a * q[1:-1, j - 1]
                ) / (a * p[1:-1, j - 1] + b)
            target[-1, 1:-1] = 1.0
            for j in range(N - 2, 0, -1):
                target[j, 1:-1] = p[1:-1, j] * target[j + 1, 1:-1] + q[1:-1, j]
    return u


MATRIX = RANDOM.random((N, N))
DEFINITE = (MATRIX @ MATRIX.T + N * numpy.eye(N))[:9, :9]
PROGRAMS = (
    (jacobi, MATRIX),
    (seidel, MATRIX),
    (floyd_warshall, MATRIX),
    (lu, DEFINITE),
    (cholesky, DEFINITE),
    (gramschmidt, DEFINITE),
    (durbin, 0.2 * RANDOM.random(N)),
    (trisolv, DEFINITE, RANDOM.random(9)),
    (conv2d, RANDOM.random((1, N + 2, N + 2, 2)), RANDOM.random((3, 3, 2, 2))),
    (mlp, RANDOM.random((3, 4)), RANDOM.standard_normal((N, 4, 4))),
    (adi, MATRIX),
)
"""Each with its arguments, where its gradient is continuous."""
