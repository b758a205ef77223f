"""The options of a campaign that `run` makes of its command line: modes and their turns, by what was asked for."""

import json
from dataclasses import replace

import pytest

from fuzz.cli.options import Unclear
from fuzz.cli.run import make_options, resume_options, run_command
from fuzz.engine.domain import Unusable
from fuzz.engine.recovery import read_run
from fuzz.engine.run_options import FEW_NAMES, LONG_MODES, MODES, format_command, start_options
from fuzz.generate.calls import generated_names
from fuzz.triage.untrusted_input import Unreadable
from oracle.harness import Limits


def parse(*words):
    """Return the campaign's options for a command line."""
    context = run_command.make_context("run", list(words))
    settings = {
        key: value for key, value in context.params.items() if key not in {"names", "out", "resume", "baseline"}
    }
    return make_options(context.params["names"], settings)


def test_modes_that_are_asked_for_run_in_every_item():
    options = parse("--modes", "eager,xla")
    assert (options.modes, options.turns) == (("eager", "xla"), "every")
    assert "--modes eager,xla" in format_command(options, 1)


def test_a_short_run_of_all_names_takes_three_modes_in_turns_by_their_cost():
    options = parse("--time", "60s")
    assert (options.modes, options.turns, options.programs, options.keywords) == (MODES, "cost", 0, 0)
    assert "--modes" not in format_command(options, 1)
    assert "xla" not in options.left_out
    assert "saved" in options.left_out


def test_a_run_of_few_names_takes_all_modes():
    for names in (["sum"], ["linalg.n*", "add"]):
        options = parse(*names, "--time", "10s")
        assert (options.modes, options.turns) == (LONG_MODES, "root"), names
        assert options.left_out == []
    assert parse("sum", "--schedule", "short").modes == MODES
    assert parse("sum", "--modes", "eager").modes == ("eager",)


def test_a_pattern_that_many_names_match_is_no_run_of_few_names():
    assert len([name for name in generated_names() if name.startswith("linalg.")]) > FEW_NAMES
    assert parse("linalg.*").modes == MODES
    with pytest.raises(Unusable, match="no name 'no_such'"):
        parse("no_such")


def test_the_command_that_repeats_a_run_makes_the_same_options():
    asked = (["sum"], ["sum", "--modes", "eager,xla"], [], ["--schedule", "long"], ["--fail-on", "edge"])
    for words in (*asked, ["--time-scale", "0.5"]):
        options = parse(*words, "--seed", "7", "--cases", "40", "--jobs", "1")
        command = format_command(options, 7).split()[4:]
        again = parse(*command, "--jobs", "1")
        for key in ("names", "modes", "turns", "programs", "keywords", "seed", "cases", "fail_on", "time_scale"):
            assert getattr(again, key) == getattr(options, key), (words, key)


def test_errors_and_hostile_calls_are_runs_of_their_own():
    errors, hostile = parse("--errors", "--time", "1h"), parse("sum", "--hostile")
    assert (errors.calls, errors.exact_errors, errors.programs) == ("invalid", True, 0)
    assert (hostile.calls, hostile.exact_errors, hostile.programs) == ("hostile", False, 0)
    assert "--errors" in format_command(errors, 1)
    assert "--hostile" in format_command(hostile, 1)
    assert errors.reports("different error")
    assert not errors.reports("value")
    assert hostile.reports("crash")
    assert not hostile.reports("missing error")
    assert parse().reports("missing error")
    for words in (["--errors", "--hostile"], ["--errors", "--values-only"], ["--hostile", "--programs"]):
        with pytest.raises(Unclear, match="exclude one another"):
            parse(*words)
    with pytest.raises(Unclear, match="draws calls from seeds"):
        parse("--errors", "--engine", "hypothesis")


def test_a_time_scale_is_a_factor_of_times_but_not_of_memory():
    usual, slow = parse("--modes", "eager"), parse("--modes", "eager", "--time-scale", "5")
    assert (usual.time_scale, usual.call_limits) == (1.0, Limits())
    assert slow.call_limits == replace(Limits(), seconds=5 * Limits().seconds, patience=5 * Limits().patience)
    for text in ("0", "-1", "nan", "inf", "1e-3", "soon"):
        with pytest.raises(Unclear, match="is not a time scale; write a factor from 0"):
            parse("--time-scale", text)


def test_a_run_that_goes_on_keeps_its_time_scale_unless_told_otherwise(tmp_path):
    words = ("add", "--subject", "numpy", "--modes", "eager", "--cases", "40", "--time-scale", "0.5")
    run = start_options(parse(*words)).data(7)
    (tmp_path / "run.json").write_text(json.dumps(run))
    stored, settings = read_run(tmp_path), {"seconds": None, "cases": None, "jobs": 1, "executor": "local"}
    settings["fail_on"] = None
    assert resume_options(stored, settings).time_scale == 0.5
    assert resume_options(stored, settings | {"time_scale": 2.0}).time_scale == 2.0
    for unfit in (1e9, "1", -1):
        (tmp_path / "run.json").write_text(json.dumps(run | {"time_scale": unfit}))
        with pytest.raises(Unreadable, match="time"):
            read_run(tmp_path)
