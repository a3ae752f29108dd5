import pytest

from reflectlab import (
    Case,
    PolicyModel,
    Population,
    Reply,
    Verdict,
    measure_delta,
    run_controls,
)
from reflectlab.budget import Usage
from reflectlab.measure.report import DeltaReport, Row
from reflectlab.measure.simulated import answer


def test_the_controls_get_the_loops_number_of_calls():
    p = Population(0.5, 0.8, 0.2, 0.4, 0.2, revisions=2)
    cases = p.cases(80)
    r = measure_delta(p.make_agent, cases)
    single, vote, best, loop = run_controls(p.make_model, cases, r,
                                            answer=answer)
    n = round(r.spend() / r.n)
    assert (vote.name, best.name) == (f"self-consistency ({n})",
                                      f"best of n ({n})")
    assert (single.calls, single.passed.k) == (80, r.first)
    assert vote.calls == 80 * n
    assert 80 < best.calls <= 80 * n
    assert (loop.calls, loop.passed.k) == (r.spend(), r.final)
    assert best.passed.value > 0.9 > single.passed.value


def fixed_report(calls=3):
    return DeltaReport([Row("a", 0, False, False, calls=calls)])


def cycling(replies):
    """A fresh model a case: replies in order."""
    def make_model(case):
        queue = list(replies)
        return PolicyModel(lambda s, m: queue.pop(0))
    return make_model


def is_good(draft):
    return Verdict(draft.startswith("good"), "", status="passed")


def test_a_vote_takes_the_commonest_answer_and_sees_no_verifier():
    cases = [Case("a", "task", is_good)]
    drafts = ["good", "bad", " bad  "]
    _, vote, best, _ = run_controls(cycling(drafts), cases, fixed_report())
    assert vote.passed.k == 0 and vote.calls == 3
    assert best.passed.k == 1 and best.calls == 1
    _, vote, best, _ = run_controls(cycling(["bad", "good", "good"]), cases,
                                    fixed_report())
    assert vote.passed.k == 1 and best.calls == 2


def test_the_held_out_verifier_has_the_last_word():
    def stricter(draft):
        return Verdict(draft == "good 2", "", status="passed")
    cases = [Case("a", "task", is_good, held_out=stricter)]
    report = DeltaReport([Row("a", 0, True, True, calls=2, held_first=False,
                              held_final=True)])
    single, _, best, loop = run_controls(cycling(["good 1", "good 2"]),
                                         cases, report)
    assert [c.passed.k for c in (single, best, loop)] == [0, 0, 1]


def test_tokens_are_counted_when_they_are_known():
    cases = [Case("a", "task", is_good)]
    reply = Reply("good", usage=Usage(10, 5))
    _, vote, best, loop = run_controls(cycling([reply] * 3), cases,
                                       fixed_report())
    assert (vote.tokens, best.tokens, loop.tokens) == (45, 15, None)
    assert "tokens 45" in str(vote)
    assert "tokens" not in str(run_controls(
        cycling(["bad"] * 3), cases, fixed_report())[1])


def test_an_empty_report_is_refused():
    with pytest.raises(ValueError, match="no scored rows"):
        run_controls(cycling([]), [], DeltaReport([]))
