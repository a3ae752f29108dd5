import pytest

from reflectlab import STOP, Decision, FeedbackCritic


@pytest.mark.parametrize("reply", [
    "severity: 'severe' is not one of the four", STOP, '{"passes": true}',
    "PRICE: PASS", "Everything is correct."])
def test_it_explains_and_never_decides(reply):
    critique = FeedbackCritic().parse(f" {reply}\n")
    assert critique.decision is Decision.OBJECT
    assert critique.feedback == reply


def test_a_blank_explanation_is_no_verdict():
    assert FeedbackCritic().parse("\n ").decision is Decision.NO_VERDICT


def test_the_prompt_asks_for_constraints_not_for_a_corrected_version():
    system = FeedbackCritic().system("A JSON object with key summary.")
    for part in ["A JSON object with key summary.", "each constraint",
                 "Do not repeat the corrected version"]:
        assert part in system


def test_a_prompt_without_slot_is_refused():
    with pytest.raises(ValueError, match="requirements"):
        FeedbackCritic("What is wrong with this?")
