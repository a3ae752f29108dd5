"""The traces that seed 000 prints, line for line.

In verifier reports the path, the line number and the caret lines are gone:
they differ between machines and Python versions. All else is as printed.
"""

import re

import pytest

from reflectlab import (
    STOP,
    FaultyModel,
    PolicyModel,
    ReflectionAgent,
    ScriptedModel,
    is_stop,
    reflect_v1,
    reflect_v2,
    reflect_v3,
    reflect_verified,
    run_tests,
    strip_fences,
)
from reflectlab.__main__ import main
from reflectlab.course.seed_rules import course_loop
from reflectlab.prompts import CRITIQUE_TURN, REVISE_TURN
from reflectlab.tasks import load_task

NOTE = load_task("release_note")
CODE = load_task("parse_duration")
ONE, TWO, THREE = CODE.drafts


def verifier(draft):
    return run_tests(draft, CODE.tests)


def scripted(name):
    return ScriptedModel(NOTE.scripts[name], strict=True)


def printed(capsys, expected):
    assert capsys.readouterr().out == expected.removeprefix("\n")


def show(messages, width):
    for m in messages:
        print(f"  {m['role']:9s} | {m['content'][:width]}")


def test_v1_roles(capsys):
    model = scripted("v1")
    reflect_v1(model, NOTE.spec, rounds=3)
    show(model.calls[3]["messages"], 58)
    printed(capsys, """
  user      | Write a two-sentence release note for a feature that lets\x20
  assistant | You can now export reports as CSV.
  user      | Critique the draft above. List concrete, actionable proble
  assistant | Problem: no mention of where the button is. Problem: passi
  user      | Revise the draft, addressing every point in the critique.\x20
  assistant | You can now export any report as CSV from the Reports tool
  user      | Critique the draft above. List concrete, actionable proble
""")


def test_v1_anchored_run(capsys):
    words = NOTE.scripts["anchored"]

    def anchored(system, messages):
        asked = [m["content"] for m in messages]
        if asked[-1] != CRITIQUE_TURN:
            drafts = words["drafts"]
            return drafts[min(asked.count(REVISE_TURN), len(drafts) - 1)]
        first = asked.count(CRITIQUE_TURN) == 1
        return words["objection" if first else "agreement"]

    _, messages = reflect_v1(PolicyModel(anchored), NOTE.spec, rounds=4)
    replies = [m["content"] for m in messages if m["role"] == "assistant"]
    for n, reply in enumerate(replies):
        print(f"call {n} ({'critic' if n % 2 else 'writer'}): {reply[:72]}")
    printed(capsys, """
call 0 (writer): You can now export reports as CSV.
call 1 (critic): Problem: does not say where the export lives. Problem: no user benefit s
call 2 (writer): You can now export any report as CSV from the Reports toolbar.
call 3 (critic): This addresses the points I raised earlier. I have no further objections
call 4 (writer): You can now export any report as CSV from the Reports toolbar.
call 5 (critic): This addresses the points I raised earlier. I have no further objections
call 6 (writer): You can now export any report as CSV from the Reports toolbar.
call 7 (critic): This addresses the points I raised earlier. I have no further objections
""")    # noqa: E501


def test_v2_two_views(capsys):
    model = scripted("v2")
    reflect_v2(model, NOTE.spec, rounds=2)
    print("=== what the WRITER saw on its second call ===")
    show(model.calls[2]["messages"], 60)
    print("\n=== what the CRITIC saw on its second call ===")
    show(model.calls[3]["messages"], 60)
    used = sorted({c["system"].splitlines()[0] for c in model.calls})
    print(f"\nsystem prompts used: {used}")
    printed(capsys, """
=== what the WRITER saw on its second call ===
  user      | Write a two-sentence release note for a feature that lets us
  assistant | You can now export reports as CSV.
  user      | Problem: does not say where the export lives. Problem: no us

=== what the CRITIC saw on its second call ===
  user      | You can now export reports as CSV.
  assistant | Problem: does not say where the export lives. Problem: no us
  user      | You can now export any report as CSV from the Reports toolba

system prompts used: ['You are a meticulous reviewer.', 'You write and revise content for the user.']
""")    # noqa: E501


def test_v2_keep_first_queue_loses_the_task(capsys):
    model = ScriptedModel(["gen0", "crit0", "gen1", "crit1"], strict=True)
    _, seen = course_loop(model, "TASK", system="SYS",
                          critic_system="CRITIC_SYS", rounds=2)
    for n, (gen, refl) in enumerate(seen):
        print(f"after round {n} gen = {gen}\n{'':15}refl = {refl}")
    printed(capsys, """
after round 0 gen = ['SYS', 'gen0', 'crit0']
               refl = ['CRITIC_SYS', 'gen0', 'crit0']
after round 1 gen = ['SYS', 'gen1', 'crit1']
               refl = ['CRITIC_SYS', 'gen1', 'crit1']
""")
    # from its second call on, each history opens with an assistant turn
    assert [c["messages"][0]["role"] for c in model.calls] == [
        "user", "user", "assistant", "assistant"]


@pytest.mark.parametrize("script,rounds,expected", [
    ("v3_satisfied", 4, """
[1] draft:    You can now export reports as CSV.
[1] critique: Problem: does not say where the export lives.
[2] draft:    You can now export any report as CSV from the Reports toolbar, so fina
[2] critique: NO_FURTHER_OBJECTIONS
--- stopped after 2 round(s), critic satisfied
"""), ("v3_unsatisfied", 3, """
[1] draft:    Draft 0.
[1] critique: Problem: still not right (0).
[2] draft:    Draft 1.
[2] critique: Problem: still not right (1).
[3] draft:    Draft 2.
[3] critique: Problem: still not right (2).
--- stopped after 3 round(s), budget exhausted
""")])    # noqa: E501
def test_v3_two_exits(capsys, script, rounds, expected):
    model = scripted(script)
    reflect_v3(model, NOTE.spec, max_rounds=rounds)
    printed(capsys, expected)
    assert len(model.calls) == 2 * expected.count("critique")


def test_v3_substring_trap():
    critique = NOTE.scripts["substring_trap"]
    assert (STOP in critique, is_stop(critique)) == (True, False)


def test_v4_introspective_loop_and_first_report(capsys):
    shipped = reflect_v3(ScriptedModel([ONE, STOP], strict=True), CODE.spec)
    assert f"[1] critique: {STOP}" in capsys.readouterr().out
    verdict = verifier(shipped)
    print(f"shipped code passes tests? {verdict.ok}\n{verdict.report}")
    printed(capsys, """
shipped code passes tests? False
TESTS FAILED
    return int(m.group(1)) * 3600 + int(m.group(2)) * 60
AttributeError: 'NoneType' object has no attribute 'group'
""")


def test_v4_verified_loop(capsys):
    _, ok, rounds = reflect_verified(
        ScriptedModel(CODE.drafts, strict=True), CODE.spec, verifier)
    print(f"verified={ok} after {rounds} round(s)")
    printed(capsys, """
[1] verifier: TESTS FAILED
[2] verifier: TESTS FAILED
[3] verifier: all 8 checks passed
verified=True after 3 round(s)
""")


def test_v4_second_report(capsys):
    print(verifier(TWO).report)
    printed(capsys, """
TESTS FAILED
    raise AssertionError(f"parse_duration({bad!r}) should have raised ValueError")
AssertionError: parse_duration('') should have raised ValueError
""")    # noqa: E501


def test_v5_reference_run(capsys):
    assert main(["run"]) == 0
    printed(capsys, '''
--- mode: offline scripted ---
[1] draft a80ec4a08992 -> verifier: TESTS FAILED
[2] draft ec1ac667f94b -> verifier: TESTS FAILED
[3] draft 3d1058f341c0 -> critic: NO_FURTHER_OBJECTIONS

verified=True rounds=3 reason='accepted'
import re

_PATTERN = re.compile(r"(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?")

def parse_duration(text):
    m = _PATTERN.fullmatch(text.strip())
    if m is None or not any(m.groups()):
        raise ValueError(f"cannot parse duration: {text!r}")
    h, mi, s = (int(g or 0) for g in m.groups())
    return h * 3600 + mi * 60 + s
''')


def away(draft):
    raise OSError("sandbox unavailable")


DOWN = ConnectionError("upstream 529")
GROWS = PolicyModel(lambda system, messages: (
    f"def parse_duration(text): return {len(messages)}"))


@pytest.mark.parametrize("model,settings,expected", [
    pytest.param(ScriptedModel([ONE, ONE]), {}, """
[1] draft a80ec4a08992 -> verifier: TESTS FAILED
[2] draft a80ec4a08992 -> verifier: TESTS FAILED
-> verified=False reason='stalled: draft repeated' rounds=2
""", id="stall detection"),
    pytest.param(FaultyModel(ScriptedModel([ONE, TWO, THREE, STOP]),
                             [None, DOWN]), {}, """
[1] draft a80ec4a08992 -> verifier: TESTS FAILED
    model call failed (ConnectionError: upstream 529); retrying
[2] draft ec1ac667f94b -> verifier: TESTS FAILED
[3] draft 3d1058f341c0 -> critic: NO_FURTHER_OBJECTIONS
-> verified=True reason='accepted' rounds=3
""", id="transient failure"),
    pytest.param(ScriptedModel([DOWN, DOWN]), {}, """
    model call failed (ConnectionError: upstream 529); retrying
    model call failed (ConnectionError: upstream 529); giving up
-> verified=False reason='aborted: upstream 529' rounds=0
""", id="persistent failure"),
    pytest.param(ScriptedModel([ONE, THREE]), {"verifier": away}, """
[1] draft a80ec4a08992 -> verifier: VERIFIER ERROR: OSError: sandbox unavailable
[2] draft 3d1058f341c0 -> verifier: VERIFIER ERROR: OSError: sandbox unavailable
-> verified=False reason='stalled: feedback repeated' rounds=2
""", id="verifier explodes"),    # noqa: E501
    pytest.param(GROWS, {"max_calls": 3, "max_rounds": 10}, """
[1] draft 5177643b63c1 -> verifier: TESTS FAILED
[2] draft 654e2ba2c831 -> verifier: TESTS FAILED
[3] draft e365637d167f -> verifier: TESTS FAILED
-> verified=False reason='aborted: call budget of 3 exhausted' rounds=3
""", id="call budget"),
])
def test_v5_five_exits(capsys, model, settings, expected):
    result = ReflectionAgent(model, **{"verifier": verifier} | settings).run(
        CODE.spec, post_process=strip_fences)
    print(f"-> verified={result.verified} reason={result.stop_reason!r} "
          f"rounds={result.rounds}")
    printed(capsys, expected)


def test_no_trace_holds_what_differs_between_machines(capsys):
    main(["run"])
    for draft in CODE.drafts:
        print(verifier(draft).report)
    assert not re.search(r"/tmp|/home|line \d+|0x[0-9a-f]{6}|\^\^",
                         capsys.readouterr().out)
