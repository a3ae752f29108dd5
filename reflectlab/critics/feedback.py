"""A critic that explains and never decides."""

from __future__ import annotations

from ..prompts import EXPLAINER_SYSTEM, fill, require_slot
from .base import Critic, Critique, Decision, no_verdict


class FeedbackCritic(Critic):
    """Turns a failure into words for the writer; every reply objects.

    It belongs behind a verifier, as ``explainer``: there the decision has
    been made already, by something that can't be argued with.

    Args:
        prompt: system prompt with a ``{requirements}`` slot.
    """

    def __init__(self, prompt: str = EXPLAINER_SYSTEM) -> None:
        self.prompt = require_slot(prompt, "the explainer's prompt")

    def system(self, requirements: str) -> str:
        """The prompt with the requirements."""
        return fill(self.prompt, requirements)

    def parse(self, reply: str) -> Critique:
        """An objection in the reply's words; no verdict when it is blank."""
        text = str(reply).strip()
        if not text:
            return no_verdict("empty reply", reply)
        return Critique(Decision.OBJECT, text, raw=str(reply))
