import pytest

from reflectlab import PolicyModel, ScriptedModel, Verdict
from reflectlab.measure.stats import wilson
from reflectlab.measure.voting import SelfConsistencyVoter, best_of_n

SENTIMENTS = ["POSITIVE", "NEGATIVE", "MIXED"]


def vote(replies, labels=None):
    model = ScriptedModel(replies, strict=True)
    return SelfConsistencyVoter(model, len(replies), labels).run("Which?")


def test_the_seeds_five_runs():
    result = vote(["POSITIVE", "POSITIVE", "NEGATIVE", "POSITIVE",
                   "POSITIVE"])
    assert result.majority_answer == "POSITIVE"
    assert result.confidence == 0.8
    assert result.vote_distribution == {"POSITIVE": 4, "NEGATIVE": 1}
    assert (result.n_samples, result.abstained) == (5, 0)
    assert (result.low, result.high) == wilson(4, 5)


@pytest.mark.parametrize("labels", [None, SENTIMENTS])
def test_case_space_and_punctuation_do_not_split_the_vote(labels):
    result = vote([" positive.\n", "**POSITIVE**", "'Positive'", "MIXED"],
                  labels)
    assert result.vote_distribution == {"POSITIVE": 3, "MIXED": 1}


@pytest.mark.parametrize("reply", [
    "UNPOSITIVE", "Not positive.", "POSITIVE or NEGATIVE",
    "The sentiment is POSITIVE", "", "  ", "?"])
def test_what_is_not_a_label_abstains(reply):
    result = vote([reply, "MIXED"], SENTIMENTS)
    assert result.vote_distribution == {"MIXED": 1}
    assert result.abstained == 1
    assert result.confidence == 0.5     # of all samples, not of the readable


def test_blank_replies_abstain_without_labels_too():
    assert vote(["", "!", "a", "a"]).abstained == 2


def test_a_tie_is_a_tie():
    result = vote(["MIXED", "POSITIVE", "MIXED", "POSITIVE", "NEGATIVE"])
    assert result.majority_answer is None
    assert result.confidence == 0.4
    assert list(result.vote_distribution) == ["MIXED", "POSITIVE", "NEGATIVE"]


def test_nobody_answers():
    result = vote(["", ""], SENTIMENTS)
    assert result.majority_answer is None
    assert result.confidence == 0 and result.vote_distribution == {}


def test_labels_come_back_as_they_were_given():
    assert vote(["MIXED"], ["mixed"]).majority_answer == "mixed"


def test_samples_are_independent_and_know_the_labels():
    model = ScriptedModel(["MIXED"] * 3, strict=True)
    SelfConsistencyVoter(model, 3, SENTIMENTS).run("Which?")
    assert model.calls[0] == model.calls[1] == model.calls[2]
    assert model.calls[0]["messages"] == [
        {"role": "user", "content": "Which?"}]
    assert "POSITIVE, NEGATIVE, MIXED" in model.calls[0]["system"]


@pytest.mark.parametrize("settings", [
    {"n_samples": 0}, {"labels": []}, {"labels": ["a", "A."]},
    {"labels": ["a", "!"]}])
def test_settings_that_cannot_work_are_refused(settings):
    with pytest.raises(ValueError):
        SelfConsistencyVoter(ScriptedModel([]), **settings)


def is_even(draft):
    return Verdict(int(draft) % 2 == 0, "")


def test_best_of_n_stops_at_the_first_pass():
    model = ScriptedModel(["1", "3", "4", "6"], strict=True)
    best = best_of_n(model, is_even, "An even number.", n=4)
    assert (best.output, best.verified, best.calls) == ("4", True, 3)


def test_best_of_n_never_exceeds_n_and_is_honest():
    model = ScriptedModel(["1", "3", "5"], strict=True)
    best = best_of_n(model, is_even, "An even number.", n=2)
    assert (best.output, best.verified, best.calls) == ("3", False, 2)
    assert len(model.calls) == 2


def test_no_draft_of_best_of_n_sees_another():
    seen = []
    best_of_n(PolicyModel(lambda system, messages: seen.append(
        (system, messages)) or "1"), is_even, "An even number.", n=3)
    assert seen[0] == seen[1] == seen[2] and len(seen[0][1]) == 1
    assert "An even number." in seen[0][0]


def test_a_verdict_without_signal_is_no_pass():
    best = best_of_n(ScriptedModel(["4"]),
                     lambda draft: Verdict(True, "", status="no_checks"),
                     "An even number.", n=1)
    assert not best.verified


def test_best_of_n_processes_the_reply():
    best = best_of_n(ScriptedModel(["n=4"]), is_even, "An even number.",
                     post_process=lambda reply: reply.removeprefix("n="))
    assert best.output == "4" and best.verified


def test_best_of_zero_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        best_of_n(ScriptedModel([]), is_even, "An even number.", n=0)
