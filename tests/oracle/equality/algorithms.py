"""Textbook algorithms of linear algebra, which are right and are not LAPACK's."""

from __future__ import annotations

import numpy as np


def solve(a, b):
    """Gauss-Jordan elimination with row exchanges."""
    dtype = np.result_type(a, b, np.float64)
    left, right = a.astype(dtype), b.astype(dtype)
    right = right[:, None] if b.ndim == 1 else right
    n = len(left)
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(left[k:, k])))
        left[[k, pivot]], right[[k, pivot]] = left[[pivot, k]], right[[pivot, k]]
        right[k] = right[k] / left[k, k]
        left[k] = left[k] / left[k, k]
        for i in range(n):
            if i != k:
                right[i] = right[i] - left[i, k] * right[k]
                left[i] = left[i] - left[i, k] * left[k]
    return right.reshape(b.shape)


def inv(a):
    return solve(a, np.eye(len(a)))


def find_pivots(a):
    """Those of elimination with row exchanges, the first with the sign of these."""
    left, sign = a.astype(np.result_type(a, np.float64)), 1.0
    for k in range(len(left)):
        pivot = k + int(np.argmax(np.abs(left[k:, k])))
        if left[pivot, k] == 0:
            return np.zeros(1)
        if pivot != k:
            left[[k, pivot]], sign = left[[pivot, k]], -sign
        left[k + 1 :] -= (left[k + 1 :, k] / left[k, k])[:, None] * left[k]
    pivots = np.diagonal(left).copy()
    pivots[0] *= sign
    return pivots


def det(a):
    """The product of the pivots."""
    with np.errstate(over="ignore"):
        return np.prod(find_pivots(a))


def slogdet(a):
    """Of the pivots."""
    pivots = find_pivots(a)
    return np.prod(pivots / np.abs(pivots)), np.log(np.abs(pivots)).sum()


def cholesky(a):
    """Column by column."""
    dtype = np.result_type(a, np.float64)
    factor = np.zeros(a.shape, dtype)
    for k in range(len(a)):
        rest = a[k:, k] - factor[k:, :k] @ factor[k, :k].conj()
        factor[k:, k] = rest / np.sqrt(rest[0].real)
        factor[k, k] = factor[k, k].real
    return factor


def qr(a):
    """Gram-Schmidt, twice: a positive diagonal, where LAPACK's is negative."""
    dtype = np.result_type(a, np.float64)
    k = min(a.shape)
    q, r = np.zeros((a.shape[0], k), dtype), np.zeros((k, a.shape[1]), dtype)
    for j in range(a.shape[1]):
        rest = a[:, j].astype(dtype)
        for _ in range(3):
            part = q[:, : min(j, k)].conj().T @ rest
            rest = rest - q[:, : min(j, k)] @ part
            r[: min(j, k), j] += part
        if j < k:
            r[j, j] = np.linalg.norm(rest)
            q[:, j] = rest / r[j, j]
    return q, r


def eigh(a):
    """Jacobi's rotations."""
    unit = 2.0 ** np.frexp(np.abs(a).max())[1]
    a, n = a / unit, len(a)
    vectors = np.eye(n, dtype=a.dtype)
    for _ in range(30):
        for p in range(n):
            for q in range(p + 1, n):
                size = abs(a[p, q])
                if size < 1e-300:
                    continue
                phase = a[p, q] / size
                theta = 0.5 * np.arctan2(2 * size, (a[q, q] - a[p, p]).real)
                c, s = np.cos(theta), np.sin(theta)
                turn = np.eye(n, dtype=a.dtype)
                turn[p, p], turn[p, q], turn[q, p], turn[q, q] = c, s * phase, -s * np.conj(phase), c
                a, vectors = turn.conj().T @ a @ turn, vectors @ turn
    values = np.diagonal(a).real
    order = np.argsort(values)
    return values[order] * unit, vectors[:, order]


def svd(a):
    """One-sided Jacobi rotations of the columns, of a matrix of full rank that is no wider than high."""
    unit = 2.0 ** np.frexp(np.abs(a).max())[1]
    u = a / unit
    v = np.eye(a.shape[1], dtype=u.dtype)
    for _ in range(30):
        for p in range(a.shape[1]):
            for q in range(p + 1, a.shape[1]):
                inner = u[:, p].conj() @ u[:, q]
                if abs(inner) < 1e-300:
                    continue
                phase = inner / abs(inner)
                lengths = (np.abs(u[:, [p, q]]) ** 2).sum(0)
                theta = 0.5 * np.arctan2(2 * abs(inner), lengths[1] - lengths[0])
                c, s = np.cos(theta), np.sin(theta)
                turn = np.array([[c, s * phase], [-s * np.conj(phase), c]])
                u[:, [p, q]], v[:, [p, q]] = u[:, [p, q]] @ turn, v[:, [p, q]] @ turn
    s = np.linalg.norm(u, axis=0)
    order = np.argsort(-s)
    return (u / s)[:, order], s[order] * unit, v.conj().T[order]


def power(a, n):
    """By one factor after the other."""
    base, result = (inv(a) if n < 0 else a), np.eye(len(a), dtype=a.dtype)
    for _ in range(abs(n)):
        result = result @ base
    return result


def eig(a, seed=0):
    """Of the transpose turned around, with other phases."""
    order = np.arange(len(a))[::-1]
    values, vectors = np.linalg.eig(a[np.ix_(order, order)])
    vectors = vectors[order] * np.where(np.arange(len(a)) % 2, -1, 1)
    return values[::-1], vectors[:, ::-1]
