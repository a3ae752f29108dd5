import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflectlab import Critique, Decision, Issue, Round, Stall, Verdict
from reflectlab.stall import comparable, similarity


def rounds(*rows):
    """Rounds from (draft, feedback) or (draft, feedback, extras)."""
    return [Round(n, row[0], row[1], "critic", False, 0.0,
                  **(row[2] if len(row) > 2 else {}))
            for n, row in enumerate(rows, 1)]


def issues(n):
    return {"critique": Critique(Decision.OBJECT, "Fix.", tuple(
        Issue("tone", "low", f"{i}", "") for i in range(n)))}


def stopped(trace, stall=Stall()):
    """The first verdict of the rules as the trace grows."""
    for n in range(1, len(trace) + 1):
        found = stall.check(trace[:n])
        if found:
            return n, *found
    return None


@pytest.mark.parametrize("trace,expected", [
    (rounds(("a", "1")), None),
    (rounds(("a", "1"), ("b", "2"), ("c", "3")), None),
    (rounds(("a", "1"), ("a", "2")),
     (2, "draft repeated", {"same_draft_as_round": 1})),
    (rounds(("a", "1"), ("b", "2"), ("a", "3")),
     (3, "drafts oscillate", {"same_draft_as_round": 1})),
    (rounds(("a", "1"), ("b", "2"), ("c", "3"), ("b", "4")),
     (4, "drafts oscillate", {"same_draft_as_round": 2})),
    (rounds(("a", "1"), ("b", "1")),
     (2, "feedback repeated", {"same_feedback_as_round": 1})),
    (rounds(("a", "1\n"), ("b", "2"), ("c", " 1")),
     (3, "feedback repeated", {"same_feedback_as_round": 1})),
    # the draft is looked at before the feedback
    (rounds(("a", "1"), ("a", "1")),
     (2, "draft repeated", {"same_draft_as_round": 1})),
])
def test_repeats(trace, expected):
    assert stopped(trace) == expected


@pytest.mark.parametrize("counts,stop", [
    ([2, 2, 2], 3), ([1, 2, 3], 3), ([3, 2, 2], None), ([3, 2, 1], None),
    ([2, 3, 2, 3], None), ([5, 4, 4, 4], 4), ([2, 2], None),
])
def test_not_converging(counts, stop):
    trace = rounds(*[(f"draft {n}", f"say {n}", issues(c))
                     for n, c in enumerate(counts)])
    found = stopped(trace)
    if stop is None:
        assert found is None
    else:
        assert found == (stop, "not converging",
                         {"open_issues": counts[stop - 3:stop]})


def test_what_is_not_structured_says_nothing_about_convergence():
    failed = {"verdict": Verdict(False, "no")}
    bare = {"critique": Critique(Decision.OBJECT, "Prose.")}
    trace = rounds(*[(f"draft {n}", f"say {n}", extra) for n, extra in
                     enumerate([issues(2), failed, bare, issues(2), failed])])
    assert stopped(trace) is None
    trace += rounds(*[(f"more {n}", f"word {n}", issues(2))
                      for n in range(1)])
    assert stopped(trace)[1] == "not converging"


def near(*verdicts):
    text = "x" * 99
    return rounds(*[(text + mark, f"say {mark}", {"verdict": v})
                    for mark, v in zip("abc", verdicts, strict=True)])


def test_near_duplicates_need_the_same_verdict_two_rounds_running():
    a, b = Verdict(False, "fails", fingerprint="1"), Verdict(False, "other")
    stall = Stall(similarity=0.95)
    n, reason, numbers = stopped(near(a, a, a), stall)
    assert (n, reason) == (3, "near-duplicate draft")
    assert numbers == {"similarity": [0.99, 0.99], "threshold": 0.95}
    assert stopped(near(a, b, a), stall) is None
    assert stopped(near(a, a, b), stall) is None
    assert stopped(near(None, None, None), stall)[1] == reason
    assert stopped(near(a, a, a), Stall(similarity=0.995)) is None


def test_both_steps_must_be_small():
    for texts in (("x" * 100, "x" * 99 + "y", "z" * 100),
                  ("z" * 100, "x" * 100, "x" * 99 + "y")):
        trace = rounds(*[(t, f"say {n}") for n, t in enumerate(texts)])
        assert stopped(trace, Stall(similarity=0.95)) is None


def test_the_near_duplicate_rule_is_off_by_default():
    assert stopped(near(None, None, None)) is None


@pytest.mark.parametrize("value", [0, -0.1, 1.01, 95, "0.9"])
def test_a_threshold_is_a_share(value):
    with pytest.raises(ValueError, match="similarity"):
        Stall(similarity=value)


@pytest.mark.parametrize("left,right,same", [
    ("a\nb", "a\r\nb", True), ("a  \nb\t", "a\nb", True),
    ("a\nb\n\n", "\na\nb", True), ("a\n  b", "a\n b", False),
    ("a b", "a  b", False), ("if x:\n  y()\n  z()", "if x:\n  y()\nz()",
                             False)])
def test_drafts_are_compared_with_their_indentation(left, right, same):
    assert (comparable(left) == comparable(right)) is same


@given(st.text(), st.text())
def test_similarity_is_a_share_and_one_for_equals(a, b):
    assert 0 <= similarity(a, b) <= 1
    assert similarity(a, a) == 1
    assert similarity(a, b) == pytest.approx(similarity(b, a))


@given(st.lists(st.sampled_from("abcde"), min_size=1, max_size=9))
def test_against_an_independent_oracle(drafts):
    """A draft seen before stops the run, at its first return."""
    trace = rounds(*[(d, f"say {n}") for n, d in enumerate(drafts)])
    first = next((n for n, d in enumerate(drafts) if d in drafts[:n]), None)
    found = stopped(trace)
    if first is None:
        assert found is None
    else:
        again = drafts[first] == drafts[first - 1]
        assert found[:2] == (first + 1, "draft repeated" if again
                             else "drafts oscillate")
