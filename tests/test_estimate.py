"""What a run may cost, said before it runs."""

import pytest

from reflectlab import (
    Budget,
    CriteriaCritic,
    FeedbackCritic,
    PolicyModel,
    ReflectionAgent,
    StopTokenCritic,
    Verdict,
    estimate,
)

TASK = "Write a haiku about retries."


class Priced:
    """A model with a known price, that must never be asked."""

    model = "claude-sonnet-5-5"
    max_tokens = 1000

    def complete(self, *, system, messages):
        raise AssertionError("an estimate calls no model")


def verifier(draft):
    raise AssertionError("an estimate verifies nothing")


def calls(**settings):
    found = estimate(ReflectionAgent(Priced(), **settings), TASK)
    return found.best.calls, found.expected.calls, found.worst.calls


FREE = Budget(rounds=4, calls=None, chars=None)


@pytest.mark.parametrize(
    "settings, expected",
    [
        # draft and critique; two rounds; four rounds, each call twice
        (dict(), (2, 4, 16)),
        # a failing draft meets no critic; the worst drafts pass and meet one
        (dict(verifier=verifier), (2, 3, 16)),
        (dict(verifier=verifier, critic=None), (1, 2, 8)),
        # one explanation after each failing draft but the last
        (
            dict(verifier=verifier, critic=None, explainer=FeedbackCritic()),
            (1, 3, 11),
        ),
        (
            dict(critic=[StopTokenCritic(), CriteriaCritic({"A": "a"})]),
            (3, 6, 24),
        ),
    ],
)
def test_calls_of_a_run_without_bounds(settings, expected):
    assert calls(budget=FREE, **settings) == expected


def test_each_bound_of_the_budget_ends_the_worst_run():
    for budget, reason in [
        (Budget(4, calls=5, chars=None), "call budget of 5 exhausted"),
        (Budget(4, calls=None, chars=9000), "context budget of 9000 chars"),
        (Budget(4, None, None, tokens=3000), "token budget of 3000"),
        (Budget(4, None, None, dollars=0.02), "dollar budget of $0.02"),
    ]:
        agent = ReflectionAgent(Priced(), budget=budget)
        worst = estimate(agent, TASK).worst
        assert worst.stop_reason.startswith(f"aborted: {reason}")
    agent = ReflectionAgent(Priced(), budget=FREE)
    worst = estimate(agent, TASK).worst
    assert worst.stop_reason == "budget: rounds exhausted"


def test_tokens_and_dollars_are_those_of_the_assumed_lengths():
    agent = ReflectionAgent(Priced(), budget=FREE)
    best = estimate(agent, TASK, draft_tokens=10, critique_tokens=5).best
    asked = [
        agent.writer.system(TASK, revising=False) + TASK,
        StopTokenCritic().system(TASK) + 40 * "x",
    ]
    sent = sum(-(-len(text) // 4) for text in asked)
    assert (best.usage.input_tokens, best.usage.output_tokens) == (sent, 15)
    assert best.dollars == pytest.approx((sent * 2 + 15 * 10) / 1e6)


def test_the_worst_run_has_the_models_limits():
    agent = ReflectionAgent(Priced(), budget=Budget(4, calls=1))
    assert estimate(agent, TASK).worst.usage.output_tokens == 1000


def test_the_real_run_costs_what_was_expected():
    """With replies as assumed, estimate and run agree to the token."""
    from reflectlab import Reply, Usage
    from reflectlab.messages import size

    def policy(system, messages):
        used = Usage(-(-size(system, messages) // 4), 25)
        return Reply(f"{len(messages):x>100d}", usage=used)

    seen = []

    def half(draft):
        seen.append(draft)
        return Verdict(len(seen) > 1, "y" * 100, checks=1)

    agent = ReflectionAgent(
        PolicyModel(policy),
        critic=None,
        verifier=half,
        verbose=False,
    )
    found = estimate(agent, TASK, draft_tokens=25, critique_tokens=25)
    real = agent.run(TASK)
    assert real.usage == found.expected.usage
    assert (real.calls, real.chars) == (
        found.expected.calls,
        found.expected.chars,
    )


def test_the_agent_is_left_as_it_was():
    agent = ReflectionAgent(Priced(), verifier=verifier)
    before = dict(vars(agent))
    estimate(agent, TASK)
    assert vars(agent) == before


def test_printed():
    agent = ReflectionAgent(Priced(), budget=Budget(2, dollars=0.01))
    lines = str(estimate(agent, TASK)).splitlines()
    assert lines[0].split()[:4] == ["estimated", "calls", "input", "output"]
    assert [line.split()[0] for line in lines[1:]] == [
        "best",
        "expected",
        "worst",
    ]
    assert "dollar budget of $0.01 exhausted" in lines[3]
    unpriced = ReflectionAgent(PolicyModel(lambda s, m: "x"))
    assert str(estimate(unpriced, TASK)).count("unknown") == 3
