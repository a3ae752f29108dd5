"""What a run will cost, said before it runs.

The agent itself is run, with stand-ins for its models, verifier and critics:
its calls, histories and budgets are the real ones, only the lengths of the
replies and the verdicts are assumed.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from itertools import count

from ..agent import ReflectionAgent
from ..budget import Usage
from ..critics.base import Critique, Decision
from ..messages import size
from ..models.base import Reply, model_id
from ..stall import Stall
from ..trace import Result
from ..verifiers.verdict import Verdict

CHARS = 4           # a token, on average, in English
MAX_TOKENS = 2048   # of a reply, where the model names no limit


@dataclass(frozen=True)
class Estimate:
    """Three runs that did not happen.

    Args:
        best: the first draft is accepted.
        expected: half of the allowed rounds are needed, rounded up.
        worst: nothing is accepted, every reply has full length and is asked
            for twice, until rounds or budget end it.
    """

    best: Result
    expected: Result
    worst: Result

    def __str__(self) -> str:
        lines = [f"{'estimated':9s}{'calls':>7s}{'input':>9s}{'output':>9s}"
                 "  dollars  ends by"]
        for name, run in vars(self).items():
            cost = "unknown" if run.dollars is None else f"{run.dollars:.4f}"
            lines.append(f"{name:9s}{run.calls:7d}{run.usage.input_tokens:9d}"
                         f"{run.usage.output_tokens:9d}{cost:>9s}  "
                         f"{run.stop_reason}")
        return "\n".join(lines)


def estimate(agent: ReflectionAgent, requirements: str, *,
             draft_tokens: int = 300, critique_tokens: int = 150) -> Estimate:
    """Say what ``agent.run(requirements)`` may cost. No model is called.

    Args:
        agent: as it will be run, budget included.
        requirements: the task.
        draft_tokens, critique_tokens: usual lengths of the two. The worst
            run has the models' limits instead.
    """
    def play(passes_at: int, accepted_at: int, tokens, twice=False) -> Result:
        twin = copy.copy(agent)
        twin.model = _StandIn(agent.model, tokens[0], twice)
        twin.critic_model = _StandIn(agent.critic_model, tokens[1], twice)
        twin.critics = tuple(_Critic(c, accepted_at) for c in agent.critics)
        twin.explainer = agent.explainer and _Critic(agent.explainer, most + 1)
        drafts = count(1)
        twin.verifier = agent.verifier and (lambda draft: Verdict(
            next(drafts) >= passes_at, "x" * CHARS * tokens[1], checks=1))
        twin.stall, twin.log, twin.on_round = _NoStall(), None, None
        twin.executor, twin.verbose = None, False
        return twin.run(requirements)

    most = agent.budget.rounds
    usual, half = (draft_tokens, critique_tokens), (most + 1) // 2
    limits = [getattr(model, "max_tokens", None) or MAX_TOKENS
              for model in (agent.model, agent.critic_model)]
    return Estimate(
        play(1, 1, usual), play(half, 1 if agent.verifier else half, usual),
        play(1 if agent.critics else most + 1, most + 1, limits, twice=True))


class _StandIn:
    """Replies of one length; with ``twice`` every other one is refused."""

    def __init__(self, model, tokens: int, twice: bool) -> None:
        self.model, self.tokens, self.twice = model_id(model), tokens, twice
        self._asked = count(1)

    def complete(self, *, system: str, messages: list[dict]) -> Reply:
        refused = self.twice and next(self._asked) % 2
        used = Usage(-(-size(system, messages) // CHARS), self.tokens)
        return Reply("x" * CHARS * self.tokens, usage=used, model=self.model,
                     stop_reason="refusal" if refused else "end_turn")


class _Critic:
    """A critic's own prompt, and a verdict that is known beforehand."""

    def __init__(self, critic, accepted_at: int) -> None:
        self.system, self.accepted_at = critic.system, accepted_at
        self._asked = count(1)

    def parse(self, reply: str) -> Critique:
        done = next(self._asked) >= self.accepted_at
        return Critique(Decision.ACCEPT if done else Decision.OBJECT, reply)


class _NoStall(Stall):
    """A stall would end the worst run early."""

    def check(self, trace):
        return None
