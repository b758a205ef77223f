"""Files of the verdict corpus.

Of each source, `SOURCE.jsonl.xz` has a record on each line, and `SOURCE.verdicts.jsonl` the verdicts on those that do
not simply agree. Outcomes never change, and are compressed; verdicts do, and are text, so that a change of the judge
shows in a diff. `circumstances.json` says where the verdicts were recorded. Lines are sorted, and have no dates: equal
contents are equal files.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from oracle.corpus.records import Judgement, RecordedOutcome
from oracle.equality.measured import circumstances

RECORDS, VERDICTS = ".jsonl.xz", ".verdicts.jsonl"
CIRCUMSTANCES = "circumstances.json"
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]


def list_sources(folder: Path) -> list[str]:
    """Return the names of the sources in a corpus."""
    return sorted(path.name.removesuffix(RECORDS) for path in folder.glob(f"*{RECORDS}"))


def read_records(folder: Path, source: str) -> list[RecordedOutcome]:
    """Return the records of a source, in order; none if it has no file."""
    path = folder / f"{source}{RECORDS}"
    if not path.exists():
        return []
    return [RecordedOutcome(line) for line in lzma.decompress(path.read_bytes()).decode().splitlines()]


def write_records(folder: Path, source: str, records: Iterable[RecordedOutcome]) -> None:
    """Write the records of a source, sorted and without repetitions. Records are in the file as they were given."""
    ordered = sorted({record.id: record for record in records}.values(), key=lambda record: record.key)
    text = "".join(f"{record.line}\n" for record in ordered)
    data = lzma.compress(text.encode(), lzma.FORMAT_XZ, lzma.CHECK_CRC64, filters=FILTERS)
    (folder / f"{source}{RECORDS}").write_bytes(data)


def read_verdicts(folder: Path, source: str) -> dict[str, Judgement]:
    """Return the recorded verdicts of a source by record. One that is not there is an agreement."""
    path = folder / f"{source}{VERDICTS}"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {data["id"]: data["verdict"] for data in map(json.loads, lines)}


def write_verdicts(
    folder: Path, source: str, records: Iterable[RecordedOutcome], verdicts: Mapping[str, Judgement]
) -> None:
    """Write the verdicts of a source in the order of its records."""
    lines = [
        json.dumps({"id": record.id, "call": record.name, "mode": record.mode, "verdict": verdicts[record.id]}) + "\n"
        for record in records
        if verdicts.get(record.id)
    ]
    (folder / f"{source}{VERDICTS}").write_text("".join(lines), encoding="utf-8")


def find_circumstances() -> dict[str, Any]:
    """Return what NumPy's answers may depend on: its version, and the processor features that it detects."""
    return {"numpy": np.__version__, "machine": circumstances()["machine"]}


def read_circumstances(folder: Path) -> dict[str, Any]:
    """Return where the verdicts were recorded; nothing if nowhere."""
    path = folder / CIRCUMSTANCES
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write_circumstances(folder: Path) -> None:
    """Write that the verdicts were recorded here."""
    (folder / CIRCUMSTANCES).write_text(json.dumps(find_circumstances(), indent=2) + "\n", encoding="utf-8")
