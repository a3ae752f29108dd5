"""Every check accepts right answers and rejects planted bugs, each for its
own reason; and whatever a learner's code does, the check survives it."""

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from reflectlab.course import probe, progress
from reflectlab.course.exercise import (
    Exercise,
    Note,
    Wrong,
    exercise,
    exercises,
)
from reflectlab.course.exercises import e1_4, e3_4

ROOT = Path(__file__).resolve().parents[2]
IDS = """1.1 1.2 1.3 1.4 2.1 2.2 2.3 2.4 3.1 3.2 3.3 3.4 3.5
4.1 4.2 4.3 4.4 4.5 4.6 5.1 5.2 5.3 5.4 5.5""".split()
EVERY = list(exercises().values())
RIGHT = [pytest.param(each, code, id=f"{each.id}-right-{n}")
         for each in EVERY for n, code in enumerate(each.right, 1)]
WRONG = [pytest.param(each, wrong, id=f"{each.id}-wrong-{n}")
         for each in EVERY for n, wrong in enumerate(each.wrong, 1)]


@pytest.fixture(autouse=True)
def fresh_kernel():
    """Each test starts with nothing solved and no hint given."""
    progress.SOLVED.clear()
    progress.OUTCOMES.clear()
    for each in EVERY:
        each.hints_given = 0


def words(note):
    """A message without its line breaks."""
    return " ".join(note.text.split())


# --- the calibration of the checks ---

@pytest.mark.parametrize("each, code", RIGHT)
def test_right_answers_are_accepted(each, code):
    note = each.check(each.answer(code))
    assert (note.kind, note.text) == ("correct", each.done)


@pytest.mark.parametrize("each, wrong", WRONG)
def test_wrong_answers_are_rejected_for_their_own_reason(each, wrong):
    note = each.check(each.answer(wrong.code(each.right[0])))
    assert note.kind == "not yet"
    said = {w.says for w in each.wrong if w.says in words(note)}
    assert said == {wrong.says}


@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.id)
def test_the_stub_is_not_attempted(each):
    assert each.check(each.answer(each.stub)).kind == "not attempted"
    assert each.check(...).kind == "not attempted"


def test_the_readme_says_what_was_measured():
    text = " ".join((ROOT / "README.md").read_text("utf-8").split())
    assert (f"The checks themselves were calibrated: {len(RIGHT)} right "
            f"answers, all accepted; {len(WRONG)} planted wrong answers, all "
            "rejected, each for its own reason.") in text


# --- the definitions ---

def test_the_course_has_its_exercises():
    assert list(exercises()) == IDS
    minutes = sum(each.minutes for each in EVERY)
    assert 200 <= minutes <= 250        # measured: nearly four hours


@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.id)
def test_definitions_are_complete(each):
    assert len(each.right) >= 2 and len(set(each.right)) == len(each.right)
    assert len({wrong.says for wrong in each.wrong}) >= 5
    assert len(each.hints) == 3 and each.difficulty in (1, 2, 3)
    kinds = [kind for kind, _ in each.cells()]
    assert kinds == ["markdown", "code", "markdown", "code"]
    code = [source for kind, source in each.cells() if kind == "code"]
    for line in "\n".join([*code, *each.right, *each.hints]).splitlines():
        assert len(line) <= 79 or line in each.hints
    assert re.search(r"\.\.\.(\s*#.*)?$", each.stub.strip())
    assert code[1] == f'exercise("{each.id}").check({each.name})'


@pytest.mark.parametrize("text, forbids", [
    ("Never rewrite it.", True), ("You may not\nrewrite the draft", True),
    ("Do not, under any circumstances, rewrite the draft", True),
    ("Do not fix, correct or rewrite the draft.", True),
    ("If it is not good, do not rewrite it.", True),
    ("Give feedback instead of rewriting.", True), ("No rewriting.", True),
    ("Rewriting the draft isn't allowed.", True),
    ("Forbidden: rewriting the draft", True),
    ("Please don’t rewrite it", True),
    ("Rewrite the draft.", False), ("Do not praise. Rewrite it.", False),
    ("Do not praise\nRewrite the draft", False),
    ("Do not forget to rewrite the draft.", False),
    ("Never hesitate to rewrite it.", False),
    ("Rewrite the draft if it is not good.", False),
    ("If it is not good, rewrite it.", False),
    ("Do not stop until you have rewritten it.", False),
])
def test_what_forbids_rewriting(text, forbids):
    assert e3_4.forbids_rewriting(text) is forbids


def test_a_planted_edit_must_apply_once():
    with pytest.raises(ValueError, match="stands 2 times"):
        Wrong("a", "b", "").code("a = a")


CONFTEST = """
import pytest
from reflectlab.course.exercises.e5_4 import suite_of
good, drafts = suite_of((100, 95, 0), (100, 1, 0))

@pytest.fixture
def suite():
    return drafts

@pytest.fixture(params=["good", "lenient"])
def judge(request):
    return good if request.param == "good" else lambda task, draft: True
"""


def test_a_saved_gate_runs_under_pytest(tmp_path):
    """What a learner takes to work from 5.4, with a good and a bad critic."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_critic.py").write_text(exercise("5.4").right[0])
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p",
         "no:nbval", "-rA", "--rootdir", tmp_path, tmp_path],
        capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert "PASSED test_critic.py::test_critic[good]" in run.stdout
    assert "FAILED test_critic.py::test_critic[lenient]" in run.stdout
    assert "1 failed, 1 passed" in run.stdout


# --- whatever a learner's code does ---

def judged_by(judge, name="answer"):
    """An exercise around a check, with a stub that does nothing."""
    return Exercise(
        id="9.9", name=name, title="", minutes=1, difficulty=1, statement="",
        stub=f"def {name}(x):\n    ...\n", hints=("a", "b", "c"),
        judge=judge, done="Done.", right=(), wrong=())


def expects(want, *args):
    return judged_by(lambda answer: probe.expect(
        answer, args, want, "The idea."))


TWICE = expects(6, 3)


def test_a_wrong_value_is_explained():
    note = TWICE.check(lambda x: x + 1)
    assert str(note) == ("Exercise 9.9: not yet\ninput:    <lambda>(3)\n"
                         "expected: 6\ngot:      4\nThe idea.")


def test_an_exception_is_the_learners_with_its_input_and_line():
    def answer(x):
        y = x - 3
        return 6 / y

    text = TWICE.check(answer).text
    assert "input:    answer(3)" in text
    assert "got:      ZeroDivisionError: division by zero" in text
    assert "where:    line 3 of answer" in text
    assert "Traceback" not in text and "probe" not in text


def test_an_exception_may_say_anything():
    class Speechless(Exception):
        def __str__(self):
            raise RuntimeError

    def fails(exc):
        def answer(x):
            raise exc
        return TWICE.check(answer).text

    assert len(fails(ValueError("y" * 10_000))) < 500
    assert "Speechless: (no message)" in fails(Speechless())
    assert "at 0x" not in fails(ValueError(object()))


def test_an_answer_that_a_check_cannot_read_is_not_yet():
    note = judged_by(lambda answer: answer.no_such_thing).check(lambda x: 6)
    assert note.kind == "not yet"
    assert "can't make sense of this answer" in words(note)
    assert "function (AttributeError)" in note.text


def test_printing_takes_no_memory():
    printed = probe._Printed()
    for _ in range(1000):
        print("again and again", file=printed)
    assert len(printed.getvalue()) < 2 * probe.PRINTED


@pytest.mark.parametrize("loop", [
    "while True: pass",
    "while True:\n        try:\n            y = 1\n"
    "        except Exception: pass",
    "while True: print('again')",
])
def test_an_endless_loop_is_interrupted(loop, monkeypatch):
    monkeypatch.setattr(probe, "SECONDS", 0.2)
    answer = TWICE.answer(f"def answer(x):\n    {loop}\n")
    text = words(TWICE.check(answer))
    assert "input: answer(3)" in text
    assert "did not come to an end" in text
    assert len(text) < 1000             # however much it printed


def test_the_alarm_is_put_back():
    import signal
    before = signal.getsignal(signal.SIGALRM)
    TWICE.check(lambda x: 6)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_check_works_in_another_thread():
    notes = []
    thread = threading.Thread(
        target=lambda: notes.append(TWICE.check(lambda x: 6)))
    thread.start()
    thread.join(timeout=10)
    assert [note.kind for note in notes] == ["correct"]


def test_an_interrupt_ends_the_check_with_a_message():
    def answer(x):
        raise KeyboardInterrupt
    assert "did not come to an end" in words(TWICE.check(answer))


@pytest.mark.parametrize("ending", ["raise SystemExit", "import sys; sys."
                                    "exit(0)", "exit()"])
def test_ending_python_is_no_answer(ending):
    answer = TWICE.answer(f"def answer(x):\n    {ending}\n")
    assert "ended Python" in TWICE.check(answer).text


def test_printing_is_shown_with_a_failure_and_nowhere_else(capsys):
    def prints(x):
        print("x is", x)
        return 2 * x if x else None

    assert TWICE.check(prints).kind == "correct"
    assert "printed:  x is 0" in expects(0, 0).check(prints).text
    assert capsys.readouterr().out == ""


def test_inputs_are_copies():
    def judge(answer):
        given = [[1], {"a": [2]}]
        probe.expect(answer, (given,), 3, "")
        probe.expect(answer, (given,), 3, "")

    def answer(x):
        total = x[0].pop() + x[1]["a"].pop()
        x.clear()
        return total

    assert judged_by(judge).check(answer).kind == "correct"


class Hostile:
    """Its comparison and its repr raise, or hold an address."""

    def __eq__(self, other):
        raise RuntimeError

    def __repr__(self):
        raise RuntimeError


@pytest.mark.parametrize("value, shown", [
    (Hostile(), "an object of type Hostile"),
    (object(), "<object object>"),
    ((x for x in ()), "<genexpr>>"),
    (True, "True"),                     # 6 is not, and True is no number
    ("6", "'6'"),
    (None, "None"),
    ("y" * 10_000, "yyy ..."),
])
def test_odd_values_are_wrong_and_shown_safely(value, shown):
    note = TWICE.check(lambda x: value)
    assert note.kind == "not yet"
    assert shown in note.text
    assert "0x" not in note.text and len(note.text) < 500


@pytest.mark.parametrize("value", [None, 3, "text", [1], Hostile(), dict])
@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.id)
def test_an_answer_of_another_kind_is_not_yet(each, value):
    assert each.check(value).kind == "not yet"


@pytest.mark.parametrize("value", [None, (), ("a", Hostile()), [1, 2, 3],
                                   {1: 2}, float("nan"), Hostile()])
@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.id)
def test_a_function_that_returns_anything_is_not_yet(each, value):
    assert each.check(lambda *args: value).kind == "not yet"


def test_forgetting_to_return_is_an_attempt():
    stub = exercise("3.1")
    source = stub.right[0].replace("return ", "")
    note = stub.check(stub.answer(source))
    assert note.kind == "not yet"
    assert "got:      None" in note.text


@pytest.mark.parametrize("body, kind", [
    ("...", "not attempted"),
    ("'''Another docstring.'''\n    ...", "not attempted"),
    ("return 3", "not yet"), ("print(x)", "not yet"),
    ("x = 6", "not yet"),
])
def test_what_counts_as_attempted(body, kind):
    answer = TWICE.answer(f"def answer(x):\n    {body}\n")
    assert TWICE.check(answer).kind == kind


def test_a_check_reads_no_source():
    answer = e1_4.EXERCISE.answer(e1_4.EXERCISE.right[0])
    answer.__code__ = answer.__code__.replace(co_filename="gone", co_name="f")
    assert exercise("1.4").check(answer).kind == "correct"


@pytest.mark.parametrize("got, want, equal", [
    ((1, 2), [1, 2], True), ([1], [1, 2], False), (1, 1.0, True),
    (0.3, 0.1 + 0.2, True), (1, True, False), (True, 1, False),
    (True, True, True), ([0.5, None], (0.5, None), True),
    ({"a": 1}, {"a": 1.0}, True), ({"a": 1, "b": 2}, {"a": 1}, False),
    (0, None, False), ("a", ["a"], False), (True, 1.0, False),
])
def test_same(got, want, equal):
    assert probe.same(got, want) is equal


@pytest.mark.parametrize("got, want, says", [
    ((0.07, 0.17), (0.0741, 0.1724), "rounded"),
    ((89.0, 8.4), (89.0, 8.3769), "rounded"),
    ({"a": 0.33, "b": None}, {"a": 1 / 3, "b": None}, "rounded"),
    ((7.41, 17.24), (0.0741, 0.1724), "per cent"),
    (0.2, 0.1724, ""), ((0.1, 0.17), (0.0741, 0.1724), ""), (None, 0.5, ""),
])
def test_slips_of_form_are_named(got, want, says):
    said = probe.slip(got, want)
    assert says in said and bool(said) is bool(says)


# --- what is said ---

def test_notes_are_escaped_in_html():
    page = Note("Exercise 9.9", "not yet", "<script>&</script>")._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;&amp;" in page
    assert "<style" not in page and "style=" in page


def test_outcomes_are_the_same_on_every_run():
    for each in EVERY:
        wrong = each.answer(each.wrong[-1].code(each.right[0]))
        first, second = each.check(wrong), each.check(wrong)
        assert first == second
        assert not re.search(r"0x[0-9a-f]{6}|/home/|/tmp/|Traceback",
                             first.text)


def test_hints_come_one_after_the_other():
    each = exercise("1.1")
    kinds = [each.hint().kind for _ in range(4)]
    assert kinds == ["hint 1 of 3", "hint 2 of 3", "hint 3 of 3",
                     "hint 3 of 3"]
    assert each.hint(2).text.startswith(each.hints[1])
    assert 'exercise("1.1").solution()' in each.hint(3).text
    with pytest.raises(ValueError, match="hints run from 1 to 3, got 4"):
        each.hint(4)


def test_the_solution_is_shown():
    assert exercise("3.1").solution().text.startswith("def is_stop")


def test_an_unknown_exercise_is_named():
    with pytest.raises(ValueError, match="no exercise '9.1'; there are 1.1"):
        exercise("9.1")


def test_progress_counts_what_is_solved():
    each = exercise("1.1")
    left = sum(e.minutes for e in EVERY if e.id[0] == "1") - each.minutes
    each.check(each.answer(each.right[0]))
    each.check(each.answer(each.stub))          # solved stays solved
    text = str(progress.progress(1))
    assert "1 of 4 solved in this kernel" in text
    assert "1.1 who speaks?: solved" in text
    assert f"About {left} minutes are left. Next: 1.2." in text


def test_progress_at_the_end():
    for each in EVERY:
        progress.record(each.id, "correct", "")
    assert str(progress.progress(1)).endswith("All solved. Next: notebook 2.")
    assert str(progress.progress(5)).endswith("All solved.")
    assert "&" not in progress.progress(5)._repr_html_()
    with pytest.raises(ValueError, match="chapter 6 has no exercises"):
        progress.progress(6)
