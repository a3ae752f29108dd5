import copy
import itertools

import pytest

from reflectlab import Critique, Decision, Issue, merge
from reflectlab.critics.base import no_verdict

ACCEPT = Critique(Decision.ACCEPT, "", score=9.0)
SILENT = no_verdict("truncated")


def objection(*issues, words="", score=None):
    return Critique(Decision.OBJECT, words, issues, score=score)


BUTTON = Issue("clarity", "low", "The note does not say where the button is",
               "Name the toolbar.")


@pytest.mark.parametrize("parts", [
    parts for n in (1, 2, 3)
    for parts in itertools.product([ACCEPT, objection(BUTTON), SILENT],
                                   repeat=n)])
def test_the_decision_of_every_panel_of_up_to_three(parts):
    decisions = [part.decision for part in parts]
    merged = merge(parts)
    if all(d is Decision.ACCEPT for d in decisions):
        assert merged.decision is Decision.ACCEPT
    elif Decision.OBJECT in decisions:
        assert merged.decision is Decision.OBJECT
    else:
        assert merged.decision is Decision.NO_VERDICT
    assert merged.parts == parts


@pytest.mark.parametrize("decision", ["reject", "accept", None])
def test_what_is_no_decision_accepts_nothing(decision):
    with pytest.raises(TypeError, match="Critique.decision"):
        Critique(decision, "fine")
    forged = copy.copy(ACCEPT)
    object.__setattr__(forged, "decision", decision)
    assert merge([ACCEPT, forged]).decision is Decision.NO_VERDICT


def test_an_empty_panel_accepts_nothing():
    with pytest.raises(ValueError, match="at least one"):
        merge([])


def test_a_member_without_verdict_is_named_beside_an_objection():
    feedback = merge([objection(BUTTON), SILENT]).feedback
    assert feedback.splitlines()[-1].startswith(
        "Reviewer 2 gave no verdict (truncated)")


def test_without_objection_the_reasons_are_kept_and_nothing_is_invented():
    merged = merge([ACCEPT, SILENT, no_verdict("refused")])
    assert merged.reason == "reviewer 2: truncated; reviewer 3: refused"
    assert merged.feedback == ""


def test_near_duplicates_become_one_under_both_axes_and_the_worse_severity():
    other = Issue("completeness", "high",
                  "The note doesn't say where the button is",
                  "Add the place.")
    merged = merge([objection(BUTTON), objection(other)])
    assert merged.issues == (
        Issue("clarity + completeness", "high", BUTTON.description,
              "Name the toolbar.; Add the place."),)
    assert merged.feedback.splitlines()[1:] == [
        "- [HIGH] clarity + completeness: The note does not say where the "
        "button is, Fix: Name the toolbar.; Add the place."]


@pytest.mark.parametrize("one,other", [
    ("Increase the timeout of the request.",
     "Decrease the timeout of the request."),
    ("The price is right.", "The price is not right."),
    ("Put the place before the limit.", "Put the limit before the place."),
    ("Check that x >= 0 holds.", "Check that x <= 0 holds.")])
def test_opposite_objections_both_stand(one, other):
    feedback = merge([objection(words=one), objection(words=other)]).feedback
    assert f"reviewer 1: {one}" in feedback
    assert f"reviewer 2: {other}" in feedback


def test_different_numbers_are_different_findings():
    a = Issue("length", "low", "Use at most 40 words", "Cut.")
    b = Issue("length", "low", "Use at most 60 words", "Cut.")
    assert len(merge([objection(a), objection(b)]).issues) == 2


def test_one_members_own_findings_are_never_merged():
    assert len(merge([objection(BUTTON, BUTTON)]).issues) == 2


def test_prose_is_attributed_to_its_reviewer_and_grouped_too():
    merged = merge([
        objection(words="- No price is given.\n- Too long."),
        objection(words="No price is given!\nToo stiff.")])
    assert merged.feedback.splitlines()[1:] == [
        "- reviewer 1 + reviewer 2: No price is given.",
        "- reviewer 1: Too long.", "- reviewer 2: Too stiff."]
    assert merged.issues == ()


def test_prose_that_holds_code_stays_in_one_piece():
    words = "Use a sieve:\n```python\nfor p in x:\n    mark(p)\n```"
    assert words in merge([objection(words=words)]).feedback


def test_endless_prose_stays_in_one_piece_too():
    words = "\n".join(f"Problem {i}." for i in range(51))
    merged = merge([objection(words=words), objection(words=words)])
    assert merged.feedback.splitlines()[1:3] == [
        "- reviewer 1 + reviewer 2: Problem 0.", "Problem 1."]


def test_a_score_only_if_every_member_gave_one():
    assert merge([ACCEPT, objection(BUTTON, score=4.0)]).score == 4.0
    assert merge([ACCEPT, objection(BUTTON)]).score is None
