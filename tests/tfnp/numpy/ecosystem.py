"""Idioms of other packages with arrays of `tfnp.numpy`: a table of calls whose results are those with NumPy's arrays.

`python -m tests.tfnp.numpy.ecosystem` prints it as the page docs/ecosystem.md.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Final

MODULES: Final = {
    "pandas": ("pandas",),
    "Pillow": ("PIL.Image",),
    "SciPy": (
        *("scipy.cluster.vq", "scipy.integrate", "scipy.interpolate", "scipy.linalg", "scipy.ndimage"),
        *("scipy.optimize", "scipy.signal", "scipy.sparse.linalg", "scipy.spatial", "scipy.special", "scipy.stats"),
    ),
    "scikit-learn": (
        *("sklearn.cluster", "sklearn.datasets", "sklearn.decomposition", "sklearn.ensemble", "sklearn.linear_model"),
        *("sklearn.metrics", "sklearn.model_selection", "sklearn.neighbors", "sklearn.preprocessing", "sklearn.utils"),
    ),
    "matplotlib": ("matplotlib.pyplot",),
    "xarray": ("xarray",),
    "joblib": ("joblib",),
    "Python": ("array", "decimal", "fractions", "hashlib", "io", "json", "pickle", "statistics", "struct", "zlib"),
}
"""By package: the modules that its calls need."""
ALIASES: Final = {"pandas": "pd", "PIL.Image": "Image", "matplotlib.pyplot": "plt"}
IDIOMS: Final = {
    "pandas": (
        "s.iloc[mask(np)].tolist()",
        "df.iloc[mask(np)].values.tolist()",
        "df.iloc[:, np.array([True, False, True])].values.tolist()",
        "ix[mask(np)].tolist()",
        "s[mask(np)].tolist()",
        "df[mask(np)].values.tolist()",
        "df.loc[mask(np)].values.tolist()",
        'df.loc[~np.isnan(df["a"].values)].values.tolist()',
        'df[np.isin(df["c"].values.astype(str), ["w"])].values.tolist()',
        '(df[["a", "b"]] + np.array([1.0, 2.0])).values.tolist()',
        '(np.array([1.0, 2.0]) + df[["a", "b"]]).values.tolist()',
        "(s * np.arange(4.0)).tolist()",
        "type(np.arange(4.0) * s).__name__ + str((np.arange(4.0) * s).tolist())",
        'df[["a", "b"]].where(np.array([[True, False]] * 4), np.zeros((4, 2))).values.tolist()',
        "df.groupby(np.array([0, 0, 1, 1])).a.sum().tolist()",
        "pd.DataFrame(np.arange(6.0).reshape(2, 3)).values.tolist()",
        'pd.DataFrame({"x": np.arange(3)}).x.tolist()',
        "df.assign(z=np.arange(4.0)).z.tolist()",
        '(lambda d: (d.loc.__setitem__((mask(np), "a"), np.array([9.0, 8.0])), d.a.tolist())[1])(df.copy())',
        "pd.cut(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.5, 4.0])).codes.tolist()",
        "pd.qcut(np.arange(8.0), 4).codes.tolist()",
        "pd.Series(np.arange(3.0), index=np.array([3, 4, 5])).index.tolist()",
        "s.apply(np.sqrt).tolist()",
        "s.agg(np.mean)",
        "s.rolling(2).apply(np.mean, raw=True).fillna(0).tolist()",
        "s.take(np.array([0, 2])).tolist()",
        "s.reindex(np.array([0, 1])).tolist()",
        "pd.factorize(np.array([3, 1, 3]))[0].tolist()",
        "pd.unique(np.array([3, 1, 3])).tolist()",
        "pd.isna(np.array([1.0, np.nan])).tolist()",
        "pd.get_dummies(np.array([0, 1])).values.tolist()",
        "pd.concat([pd.Series(np.ones(2)), pd.Series(np.zeros(2))]).tolist()",
        "pd.crosstab(np.array([0, 1, 0]), np.array([1, 1, 0])).values.tolist()",
        "pd.Series(np.arange(3)).searchsorted(np.array([1, 2])).tolist()",
        "pd.MultiIndex.from_arrays([np.arange(2), np.arange(2)]).tolist()",
        "pd.Categorical(np.array([1, 2, 1])).codes.tolist()",
        "s.clip(np.array(2.0), np.array(3.0)).tolist()",
        "df.sample(2, random_state=np.random.RandomState(0)).a.tolist()",
        'df[["a", "b"]].dot(np.ones((2, 2))).values.tolist()',
        '(df[["a", "b"]] @ np.ones(2)).tolist()',
    ),
    "Pillow": (
        'Image.fromarray(np.arange(12, dtype="u1").reshape(3, 4)).tobytes()',
        'Image.fromarray(np.arange(12, dtype="u1").reshape(3, 4).T).tobytes()',
        'Image.fromarray(np.zeros((2, 2, 3), dtype="u1")).size',
        'np.array(Image.new("RGB", (2, 2))).shape',
    ),
    "SciPy": (
        (
            "scipy.optimize.least_squares(lambda x: np.asarray(x) - np.array([1.0, 2.0]), np.zeros(2), "
            "jac=lambda x: np.eye(2)).x.round(4).tolist()"
        ),
        (
            "scipy.optimize.least_squares(lambda x: np.asarray(x) - np.array([1.0, 2.0]), np.zeros(2), "
            'method="lm").x.round(4).tolist()'
        ),
        (
            "scipy.optimize.curve_fit(lambda x, a, b: a * np.asarray(x) + b, np.arange(5.0), np.arange(5.0) "
            "* 2 + 1)[0].round(4).tolist()"
        ),
        "scipy.optimize.root(lambda x: np.asarray(x) ** 2 - 2, np.array([1.0])).x.round(4).tolist()",
        "scipy.integrate.odeint(lambda y, t: -np.asarray(y), np.ones(2), np.linspace(0, 1, 3)).round(4).tolist()",
        "scipy.integrate.solve_ivp(lambda t, y: -np.asarray(y), (0, 1), np.ones(2)).y[:, -1].round(3).tolist()",
        "round(scipy.integrate.quad(lambda x: np.sin(x), 0, 1)[0], 5)",
        "(scipy.sparse.csr_array(numpy.eye(2)) + np.ones((2, 2))).tolist()",
        "(scipy.sparse.csr_array(numpy.eye(2)) @ np.ones(2)).tolist()",
        "scipy.sparse.coo_array((np.ones(2), (np.array([0, 1]), np.array([1, 0])))).toarray().tolist()",
        "scipy.sparse.linalg.spsolve(scipy.sparse.csc_array(numpy.eye(2)), np.ones(2)).tolist()",
        "float(scipy.interpolate.CubicSpline(np.arange(4.0), np.arange(4.0) ** 2)(1.5))",
        "scipy.interpolate.interp1d(np.arange(4.0), np.arange(4.0))(np.array([0.5])).tolist()",
        "scipy.linalg.expm(np.eye(2)).round(5).tolist()",
        "scipy.signal.convolve(np.ones(3), np.ones(2)).tolist()",
        "scipy.signal.lfilter(np.ones(1), np.array([1.0, 0.5]), np.ones(3)).tolist()",
        "scipy.stats.norm.rvs(size=3, random_state=np.random.default_rng(0)).tolist()",
        "scipy.stats.norm.pdf(np.zeros(2)).tolist()",
        "scipy.stats.ttest_ind(np.arange(4.0), np.arange(4.0) + 1).statistic",
        (
            "scipy.stats.bootstrap((np.arange(9.0),), np.mean, rng=np.random.default_rng(0), "
            "n_resamples=20).standard_error"
        ),
        (
            "scipy.optimize.differential_evolution(lambda x: np.sum(np.asarray(x) ** 2), [(0, 1)] * 2, "
            "rng=np.random.default_rng(0), maxiter=2).nfev"
        ),
        "scipy.sparse.random_array((2, 2), rng=np.random.default_rng(0)).shape",
        "scipy.ndimage.gaussian_filter(np.eye(3), 1.0).round(4).tolist()",
        "scipy.spatial.cKDTree(np.eye(3)).query(np.zeros(3))[0]",
        "scipy.special.gamma(np.arange(1.0, 4.0)).tolist()",
        "scipy.special.erf(np.arange(3.0))[0]",
        "scipy.cluster.vq.whiten(np.arange(6.0).reshape(3, 2)).tolist()",
        (
            "scipy.sparse.linalg.eigsh(scipy.sparse.diags_array(numpy.arange(1.0, 6.0)), k=1, "
            "v0=np.ones(5))[0].round(4).tolist()"
        ),
        (
            "scipy.sparse.linalg.cg(scipy.sparse.linalg.LinearOperator((2, 2), matvec=lambda v: "
            "np.asarray(v) * 2.0), np.ones(2))[0].tolist()"
        ),
        "scipy.optimize.linprog(np.array([1.0, 1.0]), A_ub=-np.eye(2), b_ub=-np.ones(2)).x.tolist()",
        "scipy.linalg.lstsq(np.eye(2), np.ones(2))[0].tolist()",
        "scipy.optimize.linear_sum_assignment(np.array([[4.0, 1.0], [2.0, 0.0]]))[1].tolist()",
    ),
    "scikit-learn": (
        "LinearRegression().fit(features(np), np.arange(10.0)).coef_.round(5).tolist()",
        "LogisticRegression().fit(features(np), labels(np)).predict(features(np)).tolist()",
        "train_test_split(features(np), random_state=np.random.RandomState(3))[0].tolist()",
        "type(train_test_split(features(np), random_state=3)[0]) is type(features(np))",
        (
            "[list(map(int, b)) for a, b in KFold(2, shuffle=True, "
            "random_state=np.random.RandomState(0)).split(features(np))]"
        ),
        (
            'GridSearchCV(Ridge(), {"alpha": np.logspace(-2, 1, 3)}, cv=2).fit(features(np), '
            'np.arange(10.0)).best_params_["alpha"]'
        ),
        (
            "RandomForestClassifier(2, random_state=np.random.RandomState(0)).fit(features(np), "
            "labels(np)).predict(features(np)).tolist()"
        ),
        "StandardScaler().fit_transform(features(np)).round(5).tolist()",
        "KMeans(2, n_init=1, random_state=0).fit(features(np)).labels_.tolist()",
        "PCA(1).fit_transform(features(np)).round(5).tolist()",
        "KNeighborsClassifier(1).fit(features(np), labels(np)).predict(features(np)).tolist()",
        "accuracy_score(labels(np), labels(np))",
        "roc_auc_score(labels(np), np.linspace(0, 1, 10))",
        "cross_val_score(Ridge(), features(np), np.arange(10.0), cv=2).round(5).tolist()",
        "FunctionTransformer(np.log1p).fit_transform(features(np)).tolist()",
        "sklearn.datasets.make_blobs(4, random_state=np.random.RandomState(0))[0].round(4).tolist()",
        "sklearn.utils.shuffle(np.arange(4), random_state=0).tolist()",
        "OneHotEncoder(sparse_output=False).fit_transform(np.array([[0], [1]])).tolist()",
        "confusion_matrix(labels(np), labels(np)).tolist()",
        "SGDClassifier(random_state=0).fit(features(np), labels(np)).score(features(np), labels(np))",
    ),
    "matplotlib": (
        "plt.plot(np.arange(3.0), np.arange(3.0))[0].get_ydata().tolist()",
        "plt.imshow(np.eye(3)).get_array().tolist()",
        "plt.hist(np.arange(5.0))[0].tolist()",
        "plt.scatter(np.arange(3.0), np.arange(3.0), c=np.arange(3.0), s=np.ones(3)).get_offsets().tolist()",
        "len(plt.contourf(np.eye(3)).levels)",
        "len(plt.bar(np.arange(3), np.arange(3.0)))",
        "plt.fill_between(np.arange(3.0), np.zeros(3), np.ones(3)) is None",
        "plt.errorbar(np.arange(3.0), np.arange(3.0), yerr=np.ones(3)) is None",
        "plt.gcf().savefig(io.BytesIO()) is None",
    ),
    "xarray": (
        'xarray.DataArray(np.arange(3.0), dims="x").mean().item()',
        "type(xarray.DataArray(np.arange(3.0)).values).__name__",
        'xarray.DataArray(np.arange(3.0), dims="x").where(np.array([True, False, True]), 0.0).values.tolist()',
        "np.sqrt(xarray.DataArray(np.arange(3.0))).values.tolist()",
    ),
    "joblib": (
        (
            '[float(v) for v in joblib.Parallel(2, prefer="threads")((joblib.delayed(np.sum)(np.ones(2)) '
            "for _ in range(2)))]"
        ),
    ),
    "Python": (
        "numpy.testing.assert_equal(np.arange(3.0), np.arange(3.0))",
        "numpy.testing.assert_allclose(np.arange(3.0), np.arange(3.0))",
        "numpy.testing.assert_array_equal(np.arange(3), [0, 1, 2])",
        "io.BytesIO().write(np.arange(3.0))",
        "memoryview(np.arange(3.0)).nbytes",
        "numpy.frombuffer(np.arange(3.0)).tolist()",
        'bytes(np.arange(3, dtype="u1"))',
        'struct.pack("d", np.arange(3.0)[1])',
        "hashlib.sha1(np.arange(3.0)).hexdigest()",
        "zlib.crc32(np.arange(3.0))",
        "json.dumps(np.arange(3).tolist())",
        "list(range(np.arange(4)[3]))",
        "numpy.ctypeslib.ndpointer(float).from_param(np.arange(3.0)) is None",
        "statistics.mean(np.arange(3.0))",
        "np.arange(3.0).ctypes.shape[0]",
        'array.array("d", np.arange(3.0)).tolist()',
        "numpy.from_dlpack(np.arange(3.0)).tolist()",
        "(np.array([1, 2]) * decimal.Decimal(2)).tolist()",
        "(fractions.Fraction(1, 2) * np.array([1, 2])).tolist()",
        '(np.datetime64("2020-01-01") + np.arange(3)).tolist()',
    ),
}
"""By package: calls. `np` is the namespace, `df` a table with the columns `a` and `b`, numbers, and `c`, text."""


def make_names(package: str, namespace: Any) -> dict[str, Any]:
    """Return the names that the calls of a package use. Raise ImportError where the package is missing."""
    names: dict[str, Any] = {"np": namespace, "numpy": importlib.import_module("numpy")}
    for path in MODULES[package]:
        module = importlib.import_module(path)
        names[ALIASES.get(path, path.partition(".")[0])] = (
            module if path in ALIASES else importlib.import_module(path.partition(".")[0])
        )
        if package == "scikit-learn":
            names |= {name: vars(module)[name] for name in module.__all__ if name in vars(module)}
    if package == "matplotlib":
        names["plt"].switch_backend("Agg")
        names["io"] = importlib.import_module("io")
    if package == "pandas":
        names["df"] = names["pd"].DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [5, 6, 7, 8], "c": list("wxyz")})
        names["s"], names["ix"] = names["df"]["a"], names["pd"].Index([10, 20, 30, 40])
    names["mask"] = lambda np: np.array([True, False, True, False])
    names["features"] = lambda np: np.arange(20.0).reshape(10, 2) % 7
    names["labels"] = lambda np: np.arange(10) % 2
    return names


def make_page() -> str:
    """Return the table as a page."""
    lines = [
        "# Other packages with arrays of tfnp.numpy",
        "",
        "Each line is a test, in the environment `tox -e ecosystem`: the result is that with NumPy's arrays, where",
        "`np` is `tfnp.numpy`. Numba's compiled functions and masks of h5py take `numpy.asarray(x)`.",
        "",
    ]
    for package, calls in IDIOMS.items():
        lines += [f"## {package}", "", *(f"- `{call}`" for call in calls), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    Path(__file__).parents[3].joinpath("docs", "ecosystem.md").write_text(make_page())
