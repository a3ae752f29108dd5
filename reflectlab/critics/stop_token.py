"""The simplest critic: free text, and one token that ends the run."""

from __future__ import annotations

from ..prompts import STOP, STOPPING_CRITIC_SYSTEM, fill, require_slot
from .base import Critic, Critique, Decision, no_verdict


def is_stop(critique: str, token: str = STOP) -> bool:
    """True when the reply is the token and nothing else.

    Strict on purpose: a reply that *mentions* the token usually says why it
    is not given.
    """
    return critique.strip() == token


class StopTokenCritic(Critic):
    """Accepts on the bare token; every other text is an objection.

    Args:
        token: the line that accepts. Must hold something to see.
        prompt: system prompt with a ``{requirements}`` slot; the token is
            added on a line of its own at the end.

    Raises:
        ValueError: when the token is blank or the prompt has no slot.
    """

    def __init__(self, token: str = STOP,
                 prompt: str = STOPPING_CRITIC_SYSTEM) -> None:
        if not any(c.isprintable() and not c.isspace() for c in token):
            raise ValueError("the stop token is blank, so an empty reply "
                             "would accept any draft; give it a word")
        self.token = token.strip()
        self.prompt = require_slot(prompt, "the critic's prompt")

    def system(self, requirements: str) -> str:
        """The prompt with the requirements, then the token on its line."""
        return fill(self.prompt, requirements) + self.token

    def parse(self, reply: str) -> Critique:
        """Accept, object, or no verdict on a blank reply. Never raises."""
        text = str(reply).strip()
        if not text:
            return no_verdict("empty reply", reply)
        if is_stop(text, self.token):
            return Critique(Decision.ACCEPT, text, raw=str(reply))
        return Critique(Decision.OBJECT, text, raw=str(reply))
