"""Programs that write to arrays: each takes a namespace and yields the arrays that are compared after each step."""

from __future__ import annotations


def write_rows_and_columns(np, w):
    a = np.zeros((3, 4))
    row, columns, flat = a[1], a.T, a.reshape(12)
    row[1:3] = w
    yield a, row, columns, flat
    columns[0] = 7.0
    yield a, row, columns, flat
    flat[11] = w[0] * 2
    yield a, row, columns, flat


def add_to_every_other(np, w):
    a = np.ones((3, 4)) * w[0]
    part = a[2, ::2]
    part += 5.0
    yield a, part
    a[:, 1:3] *= w
    yield a, part
    a[::-1][0] -= 1.0
    yield a, part


def write_through_views_of_views(np, w):
    a = np.arange(24.0).reshape(2, 3, 4)
    inner = a[1].T[1:3]
    inner[0] = w[0]
    yield a, inner
    inner.T[2, 1] = -1.0
    yield a, inner
    a[1, :, 2] = np.array([1.0, 2.0, 3.0]) * w[1]
    yield a, inner


def write_overlapping_parts(np, w):
    a = np.arange(6.0) * w[0]
    a[1:] = a[:-1]
    yield (a,)
    a[:-1] = a[1:] + a[:-1]
    yield (a,)
    a[:] = a[::-1]
    yield (a,)


def write_to_axes(np, w):
    a = np.arange(24.0).reshape(2, 3, 4)
    views = [np.moveaxis(a, 0, 2), np.swapaxes(a, 0, 1), np.flip(a, 1), np.rot90(a), np.expand_dims(a, 1), a.squeeze()]
    for number, view in enumerate(views):
        view[0, 0] = w[0] * number
        yield a, *views


def write_to_parts(np, w):
    a = np.zeros((4, 6)) + w[1]
    left, right = np.split(a, 2, axis=1)
    left[0] = w[0]
    right[:, 0] = 4.0
    yield a, left, right
    top, *_ = np.array_split(a, 3)
    top *= 2
    yield a, left, right, top
    np.hsplit(a, [2, 3])[1][1] = 9.0
    yield a, left, right, top


def write_real_and_imaginary_parts(np, w):
    a = np.zeros(3, complex)
    a.real = w[0]
    yield (a,)
    a.imag[1:] = w
    yield a, a.real, a.imag
    a[1:].real[0] = 8.0
    yield a, a.real, a.imag


def write_by_indices(np, w):
    a = np.zeros((3, 3))
    a[[0, 2], [1, 2]] = w
    yield (a,)
    a[:, [0, 2]] += 1.0
    yield (a,)
    a[np.array([0, 0, 1])] = np.arange(9.0).reshape(3, 3) * w[0]
    yield (a,)


def copy_where_numpy_copies(np, w):
    a = np.arange(6.0).reshape(2, 3)
    copies = [a.copy(), a[[0, 1]], a.T.reshape(6), a.flatten(), a + 0, np.array(a), a.astype(float), a.T.ravel()]
    for copy in copies:
        copy[0] = w[0]
    yield a, *copies
    same = [np.asarray(a), a.reshape(3, 2), a.ravel(), a[...], a.view(), np.ravel(a), a.astype(float, copy=False)]
    for number, view in enumerate(same):
        view[0] = w[1] * number
        yield a, *same


def call_functions_in_place(np, w):
    a = np.arange(6.0)
    b = a[1:4]
    np.add(b, w[0], out=b)
    yield a, b
    np.multiply(a, a, out=a)
    yield a, b
    np.cumsum(a, out=a)
    yield a, b
    np.copyto(b, w[1])
    yield a, b
    np.put(a, [0, 5], [1.0, 2.0])
    yield a, b
    np.fill_diagonal(a.reshape(2, 3), 3.0)
    yield a, b
    b.fill(2.5)
    yield a, b
    np.add.at(a, [0, 0, 1], 1.0)
    yield a, b
    np.subtract(a[:3], 1.0, out=a[3:])
    yield a, b


def sort_in_place(np, w):
    a = np.array([[3.0, 1.0, 2.0], [9.0, 7.0, 8.0]]) * w[0]
    row = a[1]
    a.sort()
    yield a, row
    a.T.sort()
    yield a, row
    row[::-1].sort()
    yield a, row


def solve_heat_equation(np, w):
    u = np.zeros((6, 6))
    u[0] = w[0]
    u[:, -1] = w[1]
    for _ in range(3):
        u[1:-1, 1:-1] += 0.2 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        yield (u,)


PROGRAMS = (
    write_rows_and_columns,
    add_to_every_other,
    write_through_views_of_views,
    write_overlapping_parts,
    write_to_axes,
    write_to_parts,
    write_real_and_imaginary_parts,
    write_by_indices,
    copy_where_numpy_copies,
    call_functions_in_place,
    sort_in_place,
    solve_heat_equation,
)
