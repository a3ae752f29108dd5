"""A real model, through the whole loop. Costs a few cents with Claude.

    REFLECTLAB_LIVE=1 pytest -m live tests/test_live.py
"""

import os

import pytest

from reflectlab import (
    AnthropicModel,
    ReflectionAgent,
    counted_verifier,
    estimate,
)
from reflectlab.course.live import live_budget, live_model
from reflectlab.messages import user

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        os.environ.get("REFLECTLAB_LIVE") != "1",
        reason="REFLECTLAB_LIVE is not 1",
    ),
]
TASK = "Write one sentence about retries, of at most twelve words."


@pytest.fixture
def model(tmp_path):
    model = live_model(tmp_path / "live.jsonl")
    if model is None:
        pytest.skip("no credentials and no base URL")
    return model


def test_one_call(model):
    reply = model.complete(
        system="Reply with one word.", messages=[user("Say yes.")]
    )
    assert reply.strip() and reply.usage.output_tokens > 0
    assert reply.stop_reason == "end_turn"


def test_a_run_within_its_bounds_and_again_for_nothing(model):
    agent = ReflectionAgent(
        model,
        verifier=counted_verifier(sentences=1, max_words=12),
        budget=live_budget(model, dollars=0.05),
        verbose=False,
    )
    worst = estimate(agent, TASK).worst
    first = agent.run(TASK)
    assert first.rounds >= 1 and first.calls <= 9
    assert first.usage.output_tokens <= worst.usage.output_tokens
    again = ReflectionAgent(
        live_model(model.path),
        verifier=agent.verifier,
        budget=agent.budget,
        verbose=False,
    ).run(TASK)
    assert again.output == first.output


def test_counted_tokens_are_near_the_billed_ones(model):
    claude: AnthropicModel = model.inner
    call = {"system": "Be brief.", "messages": [user("Name a fruit.")]}
    counted = claude.count_tokens(**call)
    assert abs(counted - claude.complete(**call).usage.input_tokens) < 20
