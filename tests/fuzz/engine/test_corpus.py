"""One corpus: what a campaign shows is replayed by Hypothesis, and what a database holds is replayed and mutated."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis.database import (
    DirectoryBasedExampleDatabase,
    InMemoryExampleDatabase,
    MultiplexedDatabase,
    choices_from_bytes,
    choices_to_bytes,
)

from fuzz.__main__ import main
from fuzz.cli.run import make_options
from fuzz.engine import corpus
from fuzz.engine.campaign import Campaign
from fuzz.engine.corpus import MOST_STORED, Corpus, open_database
from fuzz.engine.drawing import draw
from fuzz.engine.inputs import Inputs, Stored, UnknownDatabase
from fuzz.engine.run_options import Options
from fuzz.engine.scheduler import Item, Schedule
from fuzz.engine.sequences import find_sequence
from fuzz.generate.calls import generated_names
from fuzz.strategies import calls
from oracle.harness import Limits

NAMES = ("add", "cumsum", "roll", "linalg.norm", "einsum", "quantile", "strings.find", "ndarray.sort")


def item(name, seed, **options):
    return Item(0, name, seed, 4, (("eager", 4),), **options)


def replayed(corpus, name, modes=("eager",)):
    """What Hypothesis draws from a corpus."""
    drawn = []

    @settings(
        database=corpus.view(name, modes),
        phases=(Phase.reuse,),
        max_examples=100,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(calls(name))
    def collect(case):
        drawn.append(case.json())

    collect()
    return drawn


@pytest.mark.parametrize("name", NAMES)
def test_hypothesis_replays_what_seeds_choose(name):
    corpus = Corpus(InMemoryExampleDatabase(), "subject")
    expected = set()
    for seed in range(6):
        one = item(name, seed, keywords=bool(seed % 2))
        corpus.save_finding(name, ["eager"], find_sequence(one, seed % 4))
        expected.add(draw(one, seed % 4).json())
    assert set(replayed(corpus, name)) == expected


def test_hypothesis_replays_a_call_that_was_drawn_for_its_derivative():
    corpus = Corpus(InMemoryExampleDatabase(), "subject")
    one = item("cumsum", 1, differentiable=True)
    assert draw(one, 0).json() != draw(item("cumsum", 1), 0).json()
    corpus.save_finding("cumsum", ["eager"], find_sequence(one, 2))
    assert replayed(corpus, "cumsum") == [draw(one, 2).json()]


@pytest.mark.parametrize("options", [{}, {"mutates": True}])
def test_hypothesis_replays_what_sequences_give(options):
    corpus = Corpus(InMemoryExampleDatabase(), "subject")
    for seed in range(4):
        parent = choices_to_bytes(find_sequence(item("roll", seed), 0))
        one = item("roll", seed, sequence=parent, **options)
        for sibling in range(2):
            corpus.save_finding("roll", ["eager"], find_sequence(one, sibling))
            assert draw(one, sibling).json() in replayed(corpus, "roll")
            corpus.save_finding("roll", ["eager"], find_sequence(one, sibling))


def test_hypothesis_draws_for_a_campaign():
    made = [draw(item("roll", seed, by_hypothesis=True), 0).json() for seed in range(5)]
    assert made == [draw(item("roll", seed, by_hypothesis=True), 0).json() for seed in range(5)]
    assert len(set(made)) == 5
    corpus = Corpus(InMemoryExampleDatabase(), "subject")
    corpus.save_finding("roll", ["eager"], find_sequence(item("roll", 3, by_hypothesis=True), 0))
    assert replayed(corpus, "roll") == [made[3]]


def test_siblings_of_every_sequence_share_their_structure():
    for seed in range(20):
        for one in (item("add", seed), item("add", seed, by_hypothesis=True)):
            kept = item("add", 0, sequence=choices_to_bytes(find_sequence(one, 0)))
            forms = [[(a.shape, a.dtype, a.strides) for a in draw(kept, sibling).arrays()] for sibling in range(4)]
            assert forms[1:] == forms[:-1]


def test_programs_and_samples_have_no_sequence():
    assert find_sequence(item("add", 1, program=True), 0) is None
    assert find_sequence(item("random.normal", 1), 4) is None


def test_what_is_not_shown_again_is_forgotten_in_its_mode_only():
    corpus = Corpus(InMemoryExampleDatabase(), "subject")
    corpus.save_finding("add", ["eager", "xla"], find_sequence(item("add", 1), 0))
    assert [stored.modes for stored in corpus.stored("add", ["eager", "xla"])] == [("eager", "xla")]
    assert replayed(corpus, "add", ["eager"])
    assert corpus.stored("add", ["eager"]) == []
    assert [stored.modes for stored in corpus.stored("add", ["eager", "xla"])] == [("xla",)]


def test_corpora_of_subjects_and_names_are_apart():
    database = InMemoryExampleDatabase()
    Corpus(database, "one").save_input("add", [0, 1])
    assert Corpus(database, "one").stored("add", ["eager"]) == [Stored(choices_to_bytes([0, 1]))]
    assert Corpus(database, "other").stored("add", ["eager"]) == []
    assert Corpus(database, "one").stored("subtract", ["eager"]) == []


def test_what_disagreed_comes_first_and_no_more_than_some():
    corpus = Corpus(InMemoryExampleDatabase(), "subject")
    for number in range(20):
        corpus.save_input("add", [number])
    corpus.save_finding("add", ["graph"], [0] * 50)
    stored = corpus.stored("add", ["graph"])
    assert len(stored) == MOST_STORED
    assert stored[0].modes == ("graph",)
    assert all(choices_from_bytes(one.sequence) is not None for one in stored)


def test_a_database_that_is_damaged_is_no_failure():
    database = InMemoryExampleDatabase()
    corpus = Corpus(database, "subject")
    database.save(corpus.key("add", "eager"), b"\xff\xff\xff")
    assert corpus.stored("add", ["eager"]) == []


@pytest.fixture
def stored(tmp_path):
    """A directory with an example, its key, and where the next one would be."""
    database = open_database(str(tmp_path / "database"))
    database.save(b"key", b"value")
    assert list(database.fetch(b"key")) == [b"value"]
    return database, database._key_path(b"key"), database._value_path(b"key", b"next")


def test_files_of_a_directory_that_are_none_of_ours_are_not_read(stored, tmp_path, monkeypatch):
    database, folder, _ = stored
    (tmp_path / "secret").write_bytes(b"secret")
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "device").symlink_to("/dev/zero")
    (folder / "folder").mkdir()
    monkeypatch.chdir(folder)  # the path of a socket has 107 bytes at most
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        with (folder / "huge").open("wb") as file:
            file.truncate(1 << 40)
        assert list(database.fetch(b"key")) == [b"value"]
    database.delete(b"key", b"value")
    assert list(database.fetch(b"key")) == []


def test_no_more_of_a_directory_is_read_than_some(stored, monkeypatch):
    database, folder, _ = stored
    for number in range(50):
        (folder / str(number)).write_bytes(bytes(100))
    monkeypatch.setattr(corpus, "MOST_BYTES", 1000)
    assert sum(map(len, database.fetch(b"key"))) <= 1000
    monkeypatch.setattr(corpus, "MOST_FILES", 3)
    assert len(list(database.fetch(b"key"))) == 3


def test_nothing_is_written_or_removed_through_a_link(stored, tmp_path):
    database, folder, path = stored
    (tmp_path / "secret").write_bytes(b"secret")
    for target in (tmp_path / "secret", tmp_path / "absent"):
        path.symlink_to(target)
        database.save(b"key", b"next")
        path.unlink()
    assert not (tmp_path / "absent").exists()
    assert (tmp_path / "secret").read_bytes() == b"secret"
    elsewhere = tmp_path / "elsewhere"
    folder.rename(elsewhere)
    folder.symlink_to(elsewhere)
    database.save(b"key", b"next")
    database.delete(b"key", b"value")
    assert [one.read_bytes() for one in elsewhere.iterdir()] == [b"value"]
    assert list(database.fetch(b"key")) == []


def test_an_example_is_moved_to_another_key_as_hypothesis_has_it(stored):
    database, *_ = stored
    database.move(b"key", b"other", b"value")
    database.move(b"other", b"other", b"value")
    plain = DirectoryBasedExampleDatabase(database.path)
    for one in (database, plain):
        assert (list(one.fetch(b"key")), list(one.fetch(b"other"))) == ([], [b"value"])
        assert b"other" in list(one.fetch(one._metakeys_name))


def test_databases_are_named(tmp_path):
    assert isinstance(open_database(str(tmp_path)), DirectoryBasedExampleDatabase)
    assert isinstance(open_database("memory"), InMemoryExampleDatabase)
    assert isinstance(open_database("github:owner/repository"), MultiplexedDatabase)
    for mistake in ("github:owner", "github:", "s3://bucket/key"):
        with pytest.raises(UnknownDatabase, match="no database"):
            open_database(mistake)


def test_names_replay_their_inputs_first():
    stored = {"add": [Stored(b"\x41\x05", ("xla",)), Stored(b"\x41\x06")]}
    schedule = Schedule(["add", "roll"], ["eager", "xla"], 1, inputs=Inputs(stored))
    items = [schedule.item(index) for index in range(8)]
    assert [one.sequence for one in items if one.name == "add"] == [b"\x41\x05", b"\x41\x06", b"", b""]
    assert not any(one.sequence for one in items if one.name == "roll")
    first = next(one for one in items if one.sequence)
    assert [mode for mode, _ in first.runs] == ["eager", "xla"]


def test_guided_turns_mutate_what_showed_something_new():
    names = generated_names()[:300]
    schedule = Schedule(names, ["eager"], 1, engine="mutation")
    assert not any(schedule.item(index).mutates for index in range(2000))
    for index in range(300):
        one = schedule.item(index)
        schedule.learn_novelty(one, 5)
        schedule.inputs.learn(index, one.name, choices_to_bytes([index]))
    items = [schedule.item(index) for index in range(600, 3000)]
    share = sum(one.mutates for one in items) / len(items)
    assert 0.2 < share < 0.3
    assert all((choices_from_bytes(one.sequence)[0] < 300) == one.mutates for one in items if one.sequence)
    again = Schedule(names, ["eager"], 1, engine="mutation")
    again.restore(schedule.data(600))
    assert [again.item(index) for index in range(600, 3000)] == items


@pytest.mark.full
def test_a_campaign_begins_from_what_another_found(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    options = Options(
        ("negative", "add"),
        cases=100,
        seed=3,
        subject="planted_arrays",
        modes=("eager",),
        database=str(tmp_path),
        engine="mutation",
        limits=Limits(seconds=1.0),
    )
    first = Campaign(options).run()
    found = {(finding.name, finding.kind) for finding in first.findings}
    assert found
    corpus = Corpus(open_database(str(tmp_path)), "planted_arrays")
    kept = {name for name in options.names for stored in corpus.stored(name, ["eager"]) if stored.modes}
    assert kept == {name for name, kind in found if kind not in ("signature", "never answered")}
    other = Campaign(Options(**{**options.__dict__, "cases": 32, "seed": 4})).run()
    assert found <= {(finding.name, finding.kind) for finding in other.findings}


@pytest.mark.full
def test_hypothesis_finds_what_is_wrong(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    options = Options(("negative",), cases=48, seed=3, subject="planted_arrays", modes=("eager",), engine="hypothesis")
    assert ("negative", "value") in {(finding.name, finding.kind) for finding in Campaign(options).run().findings}


def test_a_database_makes_campaigns_mutate():
    settings = dict.fromkeys(("seconds", "cases", "jobs", "seed", "modes", "devices", "subject", "setup", "engine"))
    settings |= {"schedule": None, "shard": (1, 1), "executor": "local", "programs": False, "signatures": "on"}
    settings |= {"values_only": False, "fail_on": None, "errors": False, "hostile": False}
    assert make_options((), settings | {"database": None}).engine == "seeds"
    assert make_options((), settings | {"database": "somewhere"}).engine == "mutation"
    assert make_options((), settings | {"database": "somewhere", "engine": "hypothesis"}).engine == "hypothesis"


def test_an_unknown_database_is_a_mistake(capsys):
    assert main(["run", "add", "--subject", "numpy", "--cases", "4", "--database", "github:owner"]) == 2
    assert "no database 'github:owner'" in capsys.readouterr().err


def test_a_run_from_seeds_does_without_hypothesis():
    """Importing it takes as long as importing all else, in each process that judges."""
    code = "import sys, fuzz.__main__, fuzz.engine.campaign, fuzz.engine.tasks; print('hypothesis' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


ODD = (
    0,
    1,
    -1,
    2**31,
    -(2**63),
    2**200,
    1.5,
    float("nan"),
    float("inf"),
    True,
    False,
    "",
    "x" * 10_000,
    b"\xff",
    "\ud800",
)


@pytest.mark.sample(100)
@pytest.mark.parametrize("name", generated_names())
def test_any_sequence_draws_a_call(name):
    """A database may hold any sequence: what does not fit is the simplest choice."""
    draw_odd = random.Random(name)
    for length in (0, 1, 10, 300):
        sequence = [draw_odd.choice(ODD) for _ in range(length)]
        case = draw(item(name, 0, sequence=choices_to_bytes(sequence)), 1)
        assert sum(array.nbytes for array in case.arrays()) < 64 << 20
