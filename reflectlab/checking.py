"""Who judges a draft, and in which order: the cheapest objective check first.

A failing verifier ends the check: no critic is paid to hear about a draft
that is already known to be wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor

from .budget import Budget, ModelUnavailable
from .calling import Caller, RunState, with_larger_limit
from .critics.base import Critique, Decision, no_verdict, read_reply
from .critics.panel import merge
from .messages import assistant, compact, user
from .models.base import Model, redact
from .prompts import EXPLAIN_TURN, NO_REPORT, NO_VERDICT_FEEDBACK
from .trace import Check
from .verifiers.verdict import Verdict

Verifier = Callable[[str], Verdict]


class Checker(Caller):
    """The part of the agent that judges drafts."""

    critics: tuple
    verifier: Verifier | None
    explainer: object
    critic_model: Model
    budget: Budget
    keep_rounds: int | None
    executor: Executor | None

    def _check(self, run: RunState) -> Check:
        """The cheapest and most objective signal first."""
        if self.verifier is not None:
            verdict = run.verdict = self._verify(run.draft)
            if not (verdict.ok and verdict.signal):
                return Check(self._explained(run, verdict), "verifier",
                             False, False)
            run.best = run.draft        # before the critic can cost us it
            if not self.critics:
                return Check(verdict.report, "verifier", True, True)
        critique = run.critique = self._review(run)
        feedback = critique.feedback
        if critique.decision is Decision.NO_VERDICT:
            feedback = NO_VERDICT_FEEDBACK.format(reason=critique.reason)
        if not feedback.strip():        # a blank message would be illegal
            feedback = critique.reason or NO_REPORT
        return Check(feedback, "critic",
                     critique.decision is Decision.ACCEPT,
                     self.verifier is not None)

    def _verify(self, draft: str) -> Verdict:
        """A verdict, whatever the verifier does short of ending Python."""
        try:
            verdict = redact(self.verifier(draft))
            if not isinstance(verdict, Verdict):
                raise TypeError(f"it returned {type(verdict).__name__}, "
                                "not a Verdict")
        except KeyboardInterrupt:
            raise
        except BaseException as exc:    # SystemExit would end the program
            said = redact(f"{type(exc).__name__}: {exc}")
            return Verdict(False, f"VERIFIER ERROR: {said}",
                           status="verifier_error")
        if verdict.report.strip():
            return verdict
        return Verdict(verdict.ok, "passed" if verdict.ok else NO_REPORT,
                       status=verdict.status, checks=verdict.checks)

    def _explained(self, run: RunState, verdict: Verdict) -> str:
        """The verifier's report, then the explainer's words about it.

        After the last draft nobody could use an explanation: none is bought.
        """
        last = run.rounds == self.budget.rounds
        if self.explainer is None or last or not verdict.signal:
            return verdict.report
        turn = EXPLAIN_TURN.format(draft=run.draft, report=verdict.report)
        try:
            reply, _ = self._complete(
                run, self.explainer.system(run.requirements), [user(turn)],
                self.critic_model)
        except ModelUnavailable:        # the report stands without it
            return verdict.report
        words = redact(read_reply(self.explainer, reply).feedback)
        return "\n\n".join(filter(None, [verdict.report, words]))

    def _review(self, run: RunState) -> Critique:
        """Ask every critic; a panel's findings are merged."""
        if len(self.critics) == 1:
            return self._critique(run, 0)
        ask = self.executor.map if self.executor else map
        return merge(list(ask(lambda i: self._panelist(run, i),
                              range(len(self.critics)))))

    def _panelist(self, run: RunState, i: int) -> Critique:
        """One critic's failure is its own no-verdict, not the panel's."""
        try:
            return self._critique(run, i)
        except ModelUnavailable as exc:
            return no_verdict(f"model unavailable: {exc}")

    def _critique(self, run: RunState, i: int) -> Critique:
        """Ask critic ``i``, once more if it gives no verdict.

        Its history gains the draft and its own words, and only if there was
        a verdict.
        """
        critic, history = self.critics[i], run.reviews[i]
        system = critic.system(run.requirements)
        asked = self._view([*history, user(run.draft)], pinned=0,
                           read=lambda said: read_reply(critic, said).feedback)
        reply, left = self._complete(run, system, asked, self.critic_model)
        critique = read_reply(critic, reply)
        if critique.decision is Decision.NO_VERDICT:
            model = self.critic_model
            if critique.reason == "truncated":
                model = with_larger_limit(model)
            reply, _ = self._complete(run, system, asked, model,
                                      attempts=left + 1, counter="reasks")
            critique = read_reply(critic, reply)
        if critique.decision is not Decision.NO_VERDICT and reply.strip():
            history += [user(run.draft), assistant(str(reply))]
        return redact(critique)

    def _view(self, history: list[dict], pinned: int = 1,
              read: Callable[[str], str] = str) -> list[dict]:
        """A history as it is sent: whole, or compacted."""
        if self.keep_rounds is None:
            return list(history)
        return compact(history, self.keep_rounds, pinned=pinned, read=read)
