"""4.1: a label is proved by an input, or it is only not refuted."""

import re

from ...tasks import load_task
from ...verifiers.tests import run_tests
from ..exercise import Exercise, Wrong
from ..probe import not_yet, shown

RETURNS = "got = parse_duration({text!r})\nassert got == {want}, got"
RAISES = """try:
    got = parse_duration({text!r})
except ValueError:
    pass
else:
    raise AssertionError(got)"""


def duration(text):
    """What the specification asks for, from its words alone."""
    found = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", text)
    if not text or not found:
        raise ValueError(text)
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds


def is_wrong_on(draft, text):
    """Whether a draft breaks the specification on an input."""
    try:
        tests = RETURNS.format(text=text, want=duration(text))
    except ValueError:
        tests = RAISES.format(text=text)
    return not run_tests(draft, tests, timeout=3.0).ok


def judge(counterexamples):
    drafts = load_task("parse_duration").drafts
    if not isinstance(counterexamples, (list, tuple)) or len(
            counterexamples) != len(drafts):
        raise not_yet("Give a list with one entry for each draft.",
                      expected=f"{len(drafts)} entries",
                      got=shown(counterexamples))
    for n, (draft, text) in enumerate(
            zip(drafts, counterexamples, strict=True), 1):
        where = f"draft {n} with {shown(text)}"
        if text is None:
            if n < len(drafts):
                raise not_yet(f"Draft {n} is defective: look for an input "
                              "that it gets wrong.", input=where)
            continue
        if not isinstance(text, str):
            raise not_yet("An entry is an input of parse_duration, a text, "
                          "or None.", input=where)
        if "parse_duration" in text:
            raise not_yet("Give the input alone, not the test that calls "
                          "parse_duration with it.", input=where)
        if text != text.strip() or not text.isascii():
            raise not_yet("The specification does not say what white space "
                          "and foreign digits mean: an input that proves "
                          "something is one that it decides.", input=where)
        if not is_wrong_on(draft, text):
            raise not_yet("The draft does on this input what the "
                          "specification asks for, so it proves nothing."
                          if n < len(drafts) else "This draft is right here, "
                          "as on all eight checks. A suspicion is no label.",
                          input=where)


EXERCISE = Exercise(
    id="4.1", name="counterexamples", title="prove a label", minutes=6,
    difficulty=1, statement="""
To measure a critic you need drafts whose labels are true. `load_task(
"parse_duration").drafts` holds three drafts; some are defective. Give a list
with one entry for each: an input on which the draft breaks the specification,
or None when you find no such input. `run_tests(draft, tests)` is your judge,
with a test of your own for the input:

`run_tests(drafts[0], "assert parse_duration('1h30m') == 5400").ok` is True,
so `"1h30m"` proves nothing about the first draft.
""", stub='''
# One entry for each draft: an input that proves it defective, or None.
counterexamples = ...
''', hints=(
        "The specification has three parts, each optional, and a rule for "
        "what can't be parsed. Which sentence does each draft forget?",
        "Draft 1 wants hours and minutes. Draft 2 makes every part optional; "
        "what if all of them are missing?",
        "'90s' for the first, the empty text for the second. The third "
        "passes all eight checks."),
    judge=judge,
    done="Two labels are proved, by one input each. 'Clean' is only not "
         "refuted: it is as good as the checks that looked.",
    right=('''
counterexamples = ["90s", "", None]
''', '''
hours_missing, nothing_at_all = "45m", ""
counterexamples = (hours_missing, nothing_at_all, None)
''', '''
counterexamples = ["1h30m15s", "", None]
'''), wrong=(
        Wrong('["90s", "", None]', '["1h30m", "", None]',
              "so it proves nothing"),
        Wrong('"", None]', 'None, None]', "Draft 2 is defective"),
        Wrong('["90s", ', '[None, ', "Draft 1 is defective"),
        Wrong('None]', '"abc"]', "A suspicion is no label"),
        Wrong('None]', '" 5m "]', "does not say what white space"),
        Wrong('"90s"', '"assert parse_duration(\'90s\') == 90"',
              "Give the input alone"),
        Wrong('["90s", "", None]', '["90s", "abc", None]',
              "so it proves nothing"),
        Wrong('["90s", "", None]', '["", "90s", None]',
              "so it proves nothing"),
        Wrong('None]', '""]', "A suspicion is no label"),
        Wrong('["90s", "", None]', '["90s", ""]',
              "one entry for each draft"),
        Wrong('["90s", ', '[90, ', "a text, or None"),
    ))
