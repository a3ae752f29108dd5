"""``python -m reflectlab``: each subcommand is one small function."""

from __future__ import annotations

import argparse
import sys

from .measure.command import add_arguments


def run(options: argparse.Namespace) -> int:
    """Version 5 on the duration parser, offline: the reference run."""
    from . import ReflectionAgent, RunLog, run_tests, strip_fences
    from .models.recorded import RecordedModel
    from .models.scripted import PolicyModel
    from .prompts import STOP
    from .tasks import load_task

    task = load_task("parse_duration")

    def script(system: str, messages: list[dict]) -> str:
        """By position, not by call: so that a resumed run goes on."""
        return STOP if system.endswith(STOP) else task.drafts[
            min(len(messages) // 2, len(task.drafts) - 1)]

    model = PolicyModel(script)
    if options.record:
        model = RecordedModel(options.record, model, "auto")
    print("--- mode: offline scripted ---")
    result = ReflectionAgent(
        model, verifier=lambda draft: run_tests(draft, task.tests),
        log=RunLog(options.log) if options.log else None,
    ).run(task.spec, post_process=strip_fences, task_id="parse_duration")
    print(f"\nverified={result.verified} rounds={result.rounds} "
          f"reason={result.stop_reason!r}")
    print(result.output)
    return 0 if result.accepted else 1


def check(options: argparse.Namespace) -> int:
    """Check the exercises of a learner's notebooks."""
    from .course.check_notebook import main

    return main(options.notebooks)


def doctor(options: argparse.Namespace) -> int:
    """Say what this machine offers, and how to mend what is missing."""
    from .course.doctor import doctor

    return doctor()


def calibrate(options: argparse.Namespace) -> int:
    """Measure a critic on a planted-defect suite."""
    from .measure.command import main

    return main(options)


def parser() -> argparse.ArgumentParser:
    """The command line, one subcommand a handler."""
    top = argparse.ArgumentParser(
        prog="python -m reflectlab",
        description="Reflection agents, measured before they are believed.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser(
        "run", help="run the assembled agent on the duration parser")
    command.add_argument("--log", metavar="PATH",
                         help="keep every iteration in this SQLite file")
    command.add_argument("--record", metavar="PATH",
                         help="record each reply here, and replay what is "
                              "there: a killed run resumes")
    command.set_defaults(handler=run)
    command = commands.add_parser(
        "check", help="check the exercises of notebooks you worked in")
    command.add_argument("notebooks", nargs="+", metavar="NOTEBOOK")
    command.set_defaults(handler=check)
    command = commands.add_parser(
        "calibrate", help="measure a critic on a planted-defect suite")
    add_arguments(command)
    command.set_defaults(handler=calibrate)
    command = commands.add_parser(
        "doctor", help="say what this machine offers, and mend what isn't")
    command.set_defaults(handler=doctor)
    return top


def main(arguments: list[str] | None = None) -> int:
    """Run a subcommand; a wrong file is a sentence, not a traceback."""
    options = parser().parse_args(arguments)
    try:
        return options.handler(options)
    except (OSError, ValueError) as exc:
        print(f"reflectlab: {exc}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
