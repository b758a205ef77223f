"""Adapter of SciPy's linear algebra and Fourier transforms, under NumPy's names."""

from oracle import Adapter, ByDesign

SCIPY = Adapter(
    name="scipy",
    imports="from types import SimpleNamespace\n\nimport scipy.fft\nimport scipy.linalg\n\n"
    "xp = SimpleNamespace(linalg=scipy.linalg, fft=scipy.fft)",
    array="np.ndarray",
    from_numpy="{}",
    to_numpy="{}",
    promotes=False,  # single precision stays so, and eigenvalues are complex
    absent=("linalg.cholesky", "linalg.qr"),  # the upper factor by default; other modes, and a tuple for each
    by_design=(
        ByDesign(
            "errors",
            "raises its own errors, and accepts calls that NumPy rejects",
            ("different error", "missing error"),
        ),
        ByDesign("tuples", "returns plain tuples", ("structure",), r"expected \w+Result\("),
        ByDesign("residues", "residues have another shape", ("shape",), r"^result\[1\]", names=("linalg.lstsq",)),
        ByDesign("fewer dtypes", "has no float16 in linear algebra", ("spurious error",), "float16|Unsupported dtype"),
    ),
)
