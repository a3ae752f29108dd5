"""The live sections of the notebooks: off unless somebody asks for them.

Run All must never spend money by surprise, so two things are needed: the
variable, and a way to pay (or a server of one's own).
"""

from __future__ import annotations

import os

from ..budget import Budget, price_of
from ..models.anthropic import AnthropicModel
from ..models.recorded import RecordedModel

VARIABLE = "REFLECTLAB_LIVE"
SKIPPED = (f"Live section off. To run it: {VARIABLE}=1 and ANTHROPIC_API_KEY "
           "(or ANTHROPIC_BASE_URL).")


def live_model(recording: str) -> RecordedModel | None:
    """The model of a live cell, or None and one line that says how.

    Args:
        recording: the file to keep the conversation in. What it holds is
            replayed, so running the cell again costs nothing; delete the
            file to ask anew.

    Returns:
        Claude, or the model behind ``ANTHROPIC_BASE_URL``, recorded. None
        unless ``REFLECTLAB_LIVE`` is 1 and there are credentials or a base
        URL.
    """
    model = AnthropicModel() if os.environ.get(VARIABLE) == "1" else None
    if model is None or not model.ready:
        print(SKIPPED)
        return None
    return RecordedModel(recording, model, "auto")


def live_budget(model, *, rounds: int = 3, calls: int = 9,
                dollars: float = 0.10, seconds: float = 180.0) -> Budget:
    """Bounds of a live run.

    Args:
        model: the model of the run. Where its price is not known, on a
            server of your own, the dollar bound is left out and the others
            hold.
        rounds, calls, dollars, seconds: the bounds.
    """
    priced = price_of(model.model) is not None
    return Budget(rounds=rounds, calls=calls, seconds=seconds,
                  dollars=dollars if priced else None)
