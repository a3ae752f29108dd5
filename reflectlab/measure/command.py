"""``python -m reflectlab calibrate``: a critic's gate on the command line."""

from __future__ import annotations

import argparse
import importlib
import sys

from .gate import assert_calibrated
from .history import drift, read, record
from .judging import calibrate
from .planted import load_suite


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    add = parser.add_argument
    add("judge", metavar="MODULE:NAME",
        help="a judge to import: judge(requirements, draft)")
    add("--suite", default="release_notes", help="a suite's name, or the "
        "path of a JSON Lines file (default: %(default)s)")
    add("--held-out", action="store_true", help="use the held-out tasks")
    add("--trials", type=int, default=1, help="judgements of each draft")
    add("--min-catch", type=float, metavar="SHARE")
    add("--max-false-alarm", type=float, metavar="SHARE")
    add("--max-no-verdict", type=float, metavar="SHARE")
    add("--history", metavar="PATH", help="append the result to this file, "
        "and compare it with the entry before")


def main(options: argparse.Namespace) -> int:
    """Calibrate and print.

    Returns:
        0 when every bound that was given is met, else 1. Without a bound
        the numbers are only printed.
    """
    judge = _imported(options.judge)
    suite = load_suite(options.suite, held_out=options.held_out)
    calibration = calibrate(judge, suite, trials=options.trials,
                            progress=sys.stderr.isatty())
    print(calibration)
    if options.history:
        record(options.history, calibration)
        entries = read(options.history)
        if len(entries) > 1:
            print(f"\nsince {entries[-2].date}: {drift(*entries[-2:])}")
    bounds = {name: getattr(options, name) for name in
              ("min_catch", "max_false_alarm", "max_no_verdict")}
    if all(bound is None for bound in bounds.values()):
        return 0
    try:
        assert_calibrated(calibration, **bounds)
    except AssertionError as exc:
        print(f"\n{exc}")
        return 1
    print("\ncalibrated: every bound is met")
    return 0


def _imported(where: str):
    """The object behind ``module:name``, from here or the import path."""
    module, _, name = where.partition(":")
    sys.path.insert(0, "")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as exc:
        raise ValueError(f"{where!r}: give a judge as MODULE:NAME, "
                         f"importable from here ({exc})") from exc
    finally:
        sys.path.remove("")
