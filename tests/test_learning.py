import pytest

from reflectlab import (
    STOP,
    Critique,
    Decision,
    Issue,
    Result,
    Round,
    RunLog,
    ScriptedModel,
    Verdict,
    Writer,
    lessons,
)
from reflectlab.agent import ReflectionAgent
from reflectlab.critics.base import no_verdict


@pytest.fixture
def log(tmp_path):
    return RunLog(tmp_path / "log.db")


def run_with(log, *rounds, task_id=None, end=True):
    run_id = log.begin("Write.", task_id)
    for n, (critique, verdict) in enumerate(rounds, 1):
        log.add(run_id, Round(n, "d", "f", "critic", False, 0.0, critique,
                              verdict))
    if end:
        log.end(run_id, Result("d", False, "budget: rounds exhausted",
                               len(rounds)))
    return run_id


def prose(text):
    return Critique(Decision.OBJECT, text), None


def issue(description, fix=""):
    return Critique(Decision.OBJECT, "Fix.", (
        Issue("clarity", "high", description, fix),)), None


def failed(report, **more):
    return None, Verdict(False, report, **more)


def test_near_duplicates_are_one_complaint_with_its_runs(log):
    one = run_with(log, prose("Problem: does not say where the export lives.")
                   , prose("Problem: too short."))
    two = run_with(log, prose("- Does not say where the export lives!"))
    three = run_with(log, prose("Problem: does not say where the export "
                                "lives. Problem: no user benefit stated."))
    lesson, = lessons(log)
    assert lesson.run_ids == (one, two, three)
    assert lesson.count == 3
    assert lesson.complaint == "does not say where the export lives."
    assert lesson.complaint in lesson.instruction
    assert str(lesson) == lesson.instruction


def test_a_fix_is_the_better_instruction(log):
    for fix in ("", "Name the toolbar.", "Name the toolbar."):
        run_with(log, issue("the button is not named", fix))
    assert lessons(log)[0].instruction == "Name the toolbar."


def test_one_run_that_nags_is_not_a_pattern(log):
    run_with(log, *[prose("Problem: too short.")] * 4)
    assert lessons(log) == []
    assert len(lessons(log, min_runs=1)) == 1


def test_what_a_verifier_reports_counts_by_its_last_line(log):
    for wrong in ("''", "'abc'", "'10x'"):
        run_with(log, failed(
            "TESTS FAILED\n    raise AssertionError(...)\nAssertionError: "
            f"parse_duration({wrong}) should have raised ValueError"))
    lesson, = lessons(log)
    assert "should have raised ValueError" in lesson.instruction
    assert lesson.count == 3


def test_a_bare_assertion_is_told_with_its_line(log):
    for draft in (17, 18):
        run_with(log, failed("TESTS FAILED\n    assert f(3) == 9\n"
                             f"AssertionError\nlast call: f(3) returned "
                             f"{draft}"))
    assert "assert f(3) == 9" in lessons(log)[0].instruction


def test_what_is_no_evidence_about_the_writer_teaches_nothing(log):
    for _ in range(3):
        run_with(log, (no_verdict("truncated"), None),
                 failed("sandbox away", status="verifier_error"),
                 (None, Verdict(True, "all passed")), (None, None))
        run_with(log, prose("Problem: killed before it ended."), end=False)
    assert lessons(log) == []


def test_widespread_first_and_capped(log):
    texts = ["The opening line is missing.", "Numbers lack their units.",
             "Nobody is told whom to call.", "It promises a date.",
             "Every sentence is passive.", "The title shouts.",
             "It names a competitor."]
    for n in range(len(texts)):         # text i in the last i + 2 of them
        run_with(log, *map(prose, texts[-1 - n:]))
    run_with(log, *map(prose, texts))
    found = lessons(log)
    assert [x.complaint for x in found] == texts[:1:-1]
    assert [len(x.run_ids) for x in found] == [8, 7, 6, 5, 4]
    assert len(lessons(log, limit=2)) == 2


def test_runs_weigh_more_than_repetitions(log):
    nagged = prose("It promises a date.")
    run_with(log, prose("The title shouts."), *[nagged] * 5)
    run_with(log, prose("The title shouts."), nagged)
    run_with(log, prose("The title shouts."))
    assert [(x.complaint, x.count) for x in lessons(log)] == [
        ("The title shouts.", 3), ("It promises a date.", 6)]


def test_only_the_kind_that_was_asked_for(log):
    for _ in range(2):
        run_with(log, prose("Numbers lack their units."), task_id="lab/1")
        run_with(log, prose("The title shouts."), task_id="labels")
    assert [x.complaint for x in lessons(log, kind="lab")] == [
        "Numbers lack their units."]
    assert len(lessons(log)) == 2


def test_a_dismissed_complaint_stays_away(log):
    for _ in range(2):
        run_with(log, prose("The title shouts."), prose("It is too long."))
    log.dismiss(lessons(log)[0])
    log.dismiss("it is too long")
    for _ in range(2):
        run_with(log, prose("The title SHOUTS!"))
    assert lessons(RunLog(log.path)) == []


def test_a_long_or_many_lined_complaint_becomes_one_short_line(log):
    for _ in range(2):
        run_with(log, issue("the first\nline " + "and more " * 99))
    lesson, = lessons(log)
    assert "\n" not in lesson.instruction and len(lesson.instruction) < 250


def test_the_writer_is_told_in_every_prompt_and_the_critic_never(log):
    for _ in range(2):
        run_with(log, prose("Problem: the {requirements} slot is quoted."))
    writer = Writer(revise="Revise: {requirements}").with_lessons(
        [*lessons(log), "Name the toolbar."])
    model = ScriptedModel(["a", "Problem: b.", "c", STOP], strict=True)
    ReflectionAgent(model, writer=writer, verbose=False).run("The task.")
    first, critic, revise, _ = (call["system"] for call in model.calls)
    for system in (first, revise):
        assert "- Name the toolbar." in system
        assert system.count("The task.") == 1
    assert revise.startswith("Revise: The task.")
    assert "toolbar" not in critic


def test_no_lessons_leave_the_writer_alone():
    assert Writer().with_lessons([]) == Writer()
    assert Writer().with_lessons(["x"]) != Writer()
    assert Writer().with_lessons(["x"]).revise is None
