"""What the same calls buy without a critic: vote, or draw until one passes.

These are the controls of a reflection loop. A loop that does not beat them at
the same number of calls has not earned its critic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..messages import user
from ..prompts import VOTE_LABELS, VOTE_SYSTEM, WRITER_SYSTEM, fill
from .stats import wilson


@dataclass(frozen=True)
class Vote:
    """The outcome of a vote.

    Args:
        majority_answer: the most frequent answer; None on a tie for the
            first place and when every sample abstained.
        confidence: share of all samples, abstentions included, that gave the
            most frequent answer. Agreement, not accuracy: a model can agree
            with itself on a wrong answer.
        vote_distribution: votes for each answer, most frequent first.
        n_samples: samples drawn.
        abstained: replies that held no answer.
        low, high: 95 % Wilson interval of the confidence.
    """

    majority_answer: str | None
    confidence: float
    vote_distribution: dict[str, int]
    n_samples: int
    abstained: int
    low: float
    high: float


class SelfConsistencyVoter:
    """Asks the same question several times and takes the majority.

    Args:
        model: answers; its temperature must be above 0, or every sample is
            the same one.
        n_samples: how many independent answers to draw.
        labels: the allowed answers. A reply that is none of them, compared
            whole, abstains. Without labels every reply with a word in it is
            an answer.

    Raises:
        ValueError: for fewer than one sample, or labels that are blank or
            equal but for case and punctuation.
    """

    def __init__(self, model, n_samples: int = 5,
                 labels: Iterable[str] | None = None) -> None:
        if n_samples < 1:
            raise ValueError(f"n_samples must be at least 1, got {n_samples}")
        self.model = model
        self.n_samples = n_samples
        self.labels = None
        if labels is not None:
            names = list(labels)
            self.labels = {normalised(name): name for name in names}
            if len(self.labels) < max(1, len(names)) or "" in self.labels:
                raise ValueError(f"labels must differ, got {names}")

    def run(self, task: str) -> Vote:
        """Draw the samples and count them.

        Args:
            task: the question, sent as the only message of each call.

        Returns:
            The vote. An exception of the model is not caught.
        """
        system = VOTE_SYSTEM
        if self.labels:
            allowed = ", ".join(self.labels.values())
            system += "\n" + VOTE_LABELS.format(labels=allowed)
        answers = [self._answer(self.model.complete(system=system,
                                                    messages=[user(task)]))
                   for _ in range(self.n_samples)]
        counts = Counter(answer for answer in answers if answer)
        ranked = dict(sorted(counts.items(), key=lambda c: (-c[1], c[0])))
        top = max(counts.values(), default=0)
        leaders = [answer for answer, votes in ranked.items() if votes == top]
        low, high = wilson(top, self.n_samples)
        return Vote(leaders[0] if len(leaders) == 1 else None,
                    top / self.n_samples, ranked, self.n_samples,
                    self.n_samples - counts.total(), low, high)

    def _answer(self, reply: str) -> str | None:
        answer = normalised(reply)
        if self.labels is None:
            return answer or None
        return self.labels.get(answer)


def normalised(text: str) -> str:
    """An answer without case, outer punctuation and extra white space."""
    return " ".join(text.split()).strip(" .,;:!?\"'`*()[]").upper()


@dataclass(frozen=True)
class BestOfN:
    """The outcome of ``best_of_n``.

    Args:
        output: the first draft that passed; the last one when none did.
        verified: whether it passed.
        calls: drafts drawn.
    """

    output: str
    verified: bool
    calls: int


def best_of_n(model, verifier, requirements: str, n: int = 4, *,
              post_process: Callable[[str], str] = str.strip) -> BestOfN:
    """Draw independent drafts until one passes the verifier.

    Args:
        model: writes the drafts. No draft sees another, or any feedback.
        verifier: objective check of one draft.
        requirements: the task.
        n: the most drafts to draw.
        post_process: turns a reply into a draft (``strip_fences`` for code).

    Raises:
        ValueError: for ``n`` below 1.
    """
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")
    system = fill(WRITER_SYSTEM, requirements)
    for calls in range(1, n + 1):
        draft = post_process(model.complete(system=system,
                                            messages=[user(requirements)]))
        verdict = verifier(draft)
        if verdict.ok and verdict.signal:
            return BestOfN(draft, True, calls)
    return BestOfN(draft, False, n)
