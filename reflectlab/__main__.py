"""``python -m reflectlab``: each subcommand is one small function."""

from __future__ import annotations

import argparse
import sys

from .measure.command import add_arguments


def run(options: argparse.Namespace) -> int:
    """Version 5 on the duration parser: the reference run, or a live one."""
    from . import (
        Budget,
        Model,
        ReflectionAgent,
        RunLog,
        estimate,
        run_tests,
        strip_fences,
    )
    from .course.live import live_budget
    from .models.anthropic import NO_CREDENTIALS, AnthropicModel
    from .models.recorded import RecordedModel
    from .models.scripted import PolicyModel
    from .prompts import STOP
    from .tasks import load_task

    task = load_task("parse_duration")

    def script(system: str, messages: list[dict]) -> str:
        """By position, not by call: so that a resumed run goes on."""
        return STOP if system.endswith(STOP) else task.drafts[
            min(len(messages) // 2, len(task.drafts) - 1)]

    model: Model = PolicyModel(script)
    mode, budget = "offline scripted", Budget()
    if options.live:
        model = claude = AnthropicModel()
        if not claude.ready:
            raise ValueError(NO_CREDENTIALS)
        mode, budget = f"live, {claude.model}", live_budget(claude)
    if options.record:
        model = RecordedModel(options.record, model, "auto")
    print(f"--- mode: {mode} ---")
    agent = ReflectionAgent(
        model, verifier=lambda draft: run_tests(draft, task.tests),
        budget=budget, log=RunLog(options.log) if options.log else None)
    if options.live:
        print(estimate(agent, task.spec), end="\n\n")
    result = agent.run(task.spec, post_process=strip_fences,
                       task_id="parse_duration")
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


def local(options: argparse.Namespace) -> int:
    """The local model: fetch its weights, or measure it."""
    if options.what == "setup":
        from .models.weights import fetch
        print(f"the weights are at {fetch()}")
        return 0
    from .measure.study import Study
    print(Study(options.again).summary())
    return 0


def instructor(options: argparse.Namespace) -> int:
    """Write notebooks with solutions, agendas and an nbgrader course."""
    from .course.instructor import build

    for path in build(options.folder):
        print(path)
    return 0


def grade(options: argparse.Namespace) -> int:
    """Grade a pile of notebooks into a CSV file."""
    from .course.grade import main

    return main(options.notebooks, options.out, options.seconds,
                options.gigabytes)


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
    command.add_argument("--live", action="store_true",
                         help="ask Claude, or the server behind "
                              "ANTHROPIC_BASE_URL; costs up to 10 cents")
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
    command = commands.add_parser(
        "local", help="a small real model on this machine, with no key")
    command.add_argument("what", choices=["setup", "study"],
                         help="setup: fetch the weights once; study: what "
                              "its critic catches, what its loop fixes")
    command.add_argument("--again", metavar="FOLDER",
                         help="measure anew into this folder instead of "
                              "replaying; takes 10 to 60 minutes and can "
                              "be resumed")
    command.set_defaults(handler=local)
    command = commands.add_parser(
        "instructor", help="the instructor's edition: solutions, timing, "
                           "likely wrong answers, agendas, nbgrader")
    command.add_argument("what", choices=["build"])
    command.add_argument("folder", nargs="?", default="build/instructor",
                         help="where to (default: %(default)s)")
    command.set_defaults(handler=instructor)
    command = commands.add_parser(
        "grade", help="grade submitted notebooks into a CSV file",
        description="Every cell of every submission is run with YOUR rights: "
                    "your files, your network. Use a container or an account "
                    "that holds nothing else.")
    command.add_argument("notebooks", nargs="+", metavar="NOTEBOOK")
    command.add_argument("--out", default="grades.csv", metavar="CSV",
                         help="the table; what it holds is not graded again "
                              "unless the file changed (%(default)s)")
    command.add_argument("--seconds", type=float, default=300,
                         help="for one submission (%(default)s)")
    command.add_argument("--gigabytes", type=float, default=4,
                         help="of address space for each of its processes "
                              "(%(default)s; Linux and macOS)")
    command.set_defaults(handler=grade)
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
