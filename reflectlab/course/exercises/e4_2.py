"""4.2: a defect that the verifier can prove, and a twin without it."""

import re
from difflib import SequenceMatcher

from ...stall import comparable
from ...tasks import load_task
from ...verifiers.tests import run_tests
from ..exercise import Exercise, Wrong
from ..probe import not_yet, shown

TELLS = re.compile(r"#|bug|defect|planted|wrong", re.I)
LINES = 2               # as many neighbouring lines are one place
MOST = """right = 0
for text, want in [("90s", 90), ("5m", 300), ("2h", 7200), ("1h30m", 5400),
                   ("1h30m15s", 5415)]:
    try:
        right += parse_duration(text) == want
    except Exception:
        pass
for bad in ["", "abc", "10x"]:
    try:
        parse_duration(bad)
    except ValueError:
        right += 1
    except Exception:
        pass
assert right >= 4, f"{right} of 8 checks pass"
"""


def changed(planted, clean):
    """The places where two drafts differ: (lines before, lines now)."""
    old, new = (comparable(text).splitlines() for text in (clean, planted))
    return [(old[a:b], new[c:d]) for tag, a, b, c, d in SequenceMatcher(
        None, old, new, autojunk=False).get_opcodes() if tag != "equal"]


def judge(planted):
    task = load_task("parse_duration")
    clean = task.drafts[-1]
    if not isinstance(planted, str):
        raise not_yet("A draft is the text of a program: give a str.",
                      got=shown(planted))
    if planted.strip() == clean.strip():
        raise not_yet("This is the clean draft. If you used replace(), did "
                      "it find its text?", got="no difference")
    verdict = run_tests(planted, task.tests, timeout=3.0)
    if verdict.ok:
        raise not_yet("All eight checks pass, so nothing proves that this "
                      "draft is defective: change what it does, and where "
                      "the checks look.", got=verdict.report)
    if verdict.status == "syntax_error":
        raise not_yet("This is no program. A critic that sees a syntax error "
                      "shows no skill.", got=verdict.report)
    if verdict.status == "timeout":
        raise not_yet("This draft never ends; plant one that runs and gives "
                      "a wrong answer.", got=verdict.report)
    places = changed(planted, clean)
    lines = sum(max(map(len, place)) for place in places)
    if len(places) > 1 or lines > LINES:
        raise not_yet("The twins must differ in one place, or a critic may "
                      "object to the other: start from the clean draft and "
                      "change a line.",
                      got=f"places changed: {len(places)}, lines: {lines}")
    if TELLS.search("\n".join(places[0][1])):
        raise not_yet("A comment, or a word such as 'bug', gives the defect "
                      "away: the clean twin has none.",
                      got=shown(places[0][1]))
    if not run_tests(planted, MOST, timeout=3.0).ok:
        raise not_yet("Most checks fail: anybody sees that. A planted defect "
                      "leaves the rest working.",
                      expected="at least 4 of the 8 checks pass",
                      got=verdict.report)


EXERCISE = Exercise(
    id="4.2", name="planted", title="plant a defect", minutes=6,
    difficulty=2, statement="""
Turn the clean draft into a defective twin: a text that differs in one place (a
line, at most two neighbours) and is wrong because of it, without a comment
that tells. The label must be proved, so `run_tests` with the
task's eight checks has to fail it, while at least four of them still pass. A
reader should need a moment to see it: no syntax error, no endless loop, no
other program.

When the check says "correct", the pair belongs in a suite of your own.
""", stub='''
from reflectlab.tasks import load_task

task = load_task("parse_duration")
clean = task.drafts[-1]         # passes task.tests
planted = ...                   # for example clean.replace(..., ...)
''', hints=(
        "Print the clean draft and ask of each line: which single character "
        "would make it wrong?",
        "Good places: a factor, an operator between the terms, the condition "
        "that refuses an empty text, which match function is used.",
        'clean.replace("h * 3600", "h * 360") is one; dropping "or not '
        'any(m.groups())" is a subtler one.'),
    judge=judge,
    done="The label is proved, and only the defect tells the twins apart.",
    right=('''
from reflectlab.tasks import load_task

task = load_task("parse_duration")
clean = task.drafts[-1]         # passes task.tests
planted = clean.replace(" or not any(m.groups())", "")
''', '''
from reflectlab.tasks import load_task

planted = load_task("parse_duration").drafts[2].replace("mi * 60", "mi * 6")
''', '''
from reflectlab.tasks import load_task

planted = load_task("parse_duration").drafts[2].replace("+ s", "- s")
'''), wrong=(
        Wrong('" or not any(m.groups())", ""', '"or not any(groups)", ""',
              "This is the clean draft"),
        Wrong('" or not any(m.groups())", ""', '"mi", "minutes"',
              "nothing proves that this draft is defective"),
        Wrong('" or not any(m.groups())", ""', '"text.strip()", "text"',
              "nothing proves that this draft is defective"),
        Wrong('" or not any(m.groups())", ""', '"(text):", "(text)"',
              "This is no program"),
        Wrong('" or not any(m.groups())", ""', '"    m = ", "    while '
              'True: pass\\n    m = "', "This draft never ends"),
        Wrong('clean.replace(" or not any(m.groups())", "")',
              'task.drafts[1]', "must differ in one place"),
        Wrong('" or not any(m.groups())", "")',
              '" or not any(m.groups())", "").replace("cannot", "can not")'
              '.replace("+ s", "- s")', "must differ in one place"),
        Wrong('" or not any(m.groups())", ""',
              '"    h, mi", "    # BUG: planted defect below\\n    mi, h"',
              "gives the defect away"),
        Wrong('" or not any(m.groups())", ""',
              '"+ s", "- s  # should be +"', "gives the defect away"),
        Wrong('" or not any(m.groups())", ""',
              "'    return h', '    \"BUG: no seconds\"\\n    return 0 * h'",
              "gives the defect away"),
        Wrong('" or not any(m.groups())", ""', '"parse_duration", "parse"',
              "Most checks fail"),
        Wrong('clean.replace(" or not any(m.groups())", "")',
              '{"clean": clean, "planted": clean}', "give a str"),
    ))
