"""Measure how far `tfnp`'s elementwise functions are from NumPy's, and write `oracle/equality/measured.json`:
`python -m tests.oracle.measured_recording [NAME ...]`.

Without names every function is measured, which takes hours. Those that are named replace their own rows; that needs the
versions and the processor of the others.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from oracle import Case, Mode, Subject, load_subject, run_numpy
from oracle.equality.measured import TABLE, circumstances, table
from oracle.equality.table import MEASURED, is_measured
from tests.oracle.hard_arguments import DTYPES, is_complete, make_arguments
from tests.oracle.rounding_errors import Distance, measure_distance, without_subnormals

MODES = ("eager", "xla")
SAMPLES = 1 << 18
SINGLES = {2: 7, 4: 7, 8: 3}
"""Elements that are fewer than a vector of them has, by their size in bytes: each is calculated by itself."""
FEW = 1 << 14


@dataclass(frozen=True)
class Measured:
    """The distance of a function with arguments of one dtype, in one mode."""

    name: str
    mode: str
    distance: Distance
    is_complete: bool


def measure(names: Iterable[str], subject: Subject, modes: Iterable[str], samples: int) -> Iterator[Measured]:
    """Yield the distances of these functions, for every dtype in which NumPy answers with the same precision."""
    for name in names:
        for dtype in DTYPES.values():
            if is_measured(name, dtype) and _answers_in(name, dtype):
                for mode in modes:
                    yield _measure_one(name, dtype, mode, subject, samples)


def _answers_in(name: str, dtype: np.dtype) -> bool:
    ones = np.ones(1, dtype)
    found = run_numpy(Case(name, (ones,) * count_operands(name)))
    return found.ok and found.value.real.dtype == ones.real.dtype


def count_operands(name: str) -> int:
    """Return how many operands the function takes."""
    return getattr(getattr(np, name), "nin", 1)


def _measure_one(name: str, dtype: np.dtype, mode: str, subject: Subject, samples: int) -> Measured:
    """Measure over all arguments at once, and over a few at a time: kernels may have two code paths."""
    operands = count_operands(name)
    case = without_subnormals(Case(name, make_arguments(dtype, operands, samples)))
    alone = case if is_complete(dtype, operands) else case.map_arrays(lambda array: array[:FEW])
    whole = measure_distance(case, Mode(mode), subject, case.arrays()[0].size)
    pieces = measure_distance(alone, Mode(mode), subject, SINGLES[np.empty(0, dtype).real.itemsize])
    return Measured(name, mode, whole.join(pieces), is_complete(dtype, operands))


def to_data(subject: str, results: Iterable[Measured]) -> dict[str, Any]:
    """Return everything as the table's file has it. Of argument dtypes with one result dtype, the largest distance
    counts.
    """
    joined: dict[tuple[str, str, str], Measured] = {}
    for one in results:
        key = one.name, one.distance.dtype, one.mode
        earlier = joined.get(key, one)
        whole = one.distance if earlier is one else earlier.distance.join(one.distance)
        joined[key] = Measured(one.name, one.mode, whole, one.is_complete and earlier.is_complete)
    functions: dict[str, Any] = {}
    for (name, dtype, mode), one in sorted(joined.items(), key=_rank):
        functions.setdefault(name, {}).setdefault(dtype, {})[mode] = to_entry(one.distance, one.is_complete)
    return {"date": datetime.now(UTC).date().isoformat(), "subject": subject, **circumstances(), "functions": functions}


def _rank(item: tuple[tuple[str, str, str], Any]) -> tuple[str, int, str]:
    name, dtype, mode = item[0]
    return name, list(DTYPES).index(dtype), mode


def to_entry(distance: Distance, complete: bool) -> dict[str, Any]:
    """Return one distance as the table's file has it."""
    return {
        "ulps": _round_up(distance.ulps),
        "at": list(distance.at),
        "error": _round_up(distance.error),
        "numpy_error": _round_up(distance.numpy_error),
        "arguments": distance.count,
        "exhaustive": complete,
        **({"unlike": distance.unlike, "first_unlike": list(distance.first)} if distance.unlike else {}),
    }


def _round_up(number: float | None) -> float | None:
    """Round up to three digits, so that no measured value exceeds the table."""
    if number is None or number == int(number):
        return None if number is None else int(number)
    return float(np.ceil(number * 1000) / 1000)


def format_table(data: Mapping[str, Any]) -> str:
    """Return the text of the table's file: JSON with a line for each distance."""
    head = json.dumps({key: value for key, value in data.items() if key != "functions"}, indent=1)
    functions = [
        f"  {json.dumps(name)}: {{\n{_join([_format_dtype(*item) for item in rows.items()])}\n  }}"
        for name, rows in data["functions"].items()
    ]
    body = f"{_join(functions)}\n" if functions else ""
    return head.removesuffix("\n}") + f',\n "functions": {{\n{body} }}\n}}\n'


def _format_dtype(dtype: str, modes: Mapping[str, Any]) -> str:
    rows = [f"    {json.dumps(mode)}: {json.dumps(found)}" for mode, found in modes.items()]
    return f"   {json.dumps(dtype)}: {{\n{_join(rows)}\n   }}"


def _join(lines: Iterable[str]) -> str:
    return ",\n".join(lines)


def merge_tables(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the earlier table with the functions that were measured anew in place of its own.

    Raises ValueError if versions or processor differ: the whole table must then be measured again.
    """
    for key in ("subject", "versions", "machine"):
        if old.get(key) != new[key]:
            raise ValueError(f"it was measured with other {key}: {old.get(key)}, not {new[key]}")
    return {**new, "functions": dict(sorted((old["functions"] | new["functions"]).items()))}


def main(names: list[str]) -> None:
    if unknown := set(names) - {*MEASURED}:
        raise SystemExit(f"not measured: {', '.join(sorted(unknown))}")
    data = to_data("tfnp", measure(names or MEASURED, load_subject("tfnp"), MODES, SAMPLES))
    TABLE.write_text(format_table(merge_tables(table().data, data) if names else data), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
