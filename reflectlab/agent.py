"""Version 5: the assembled reflection agent.

The model proposes, the orchestrator disposes: caps, pass rules and verdicts
are computed here, and a run always ends with a reason a person can act on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field

from .budget import Budget, BudgetExceeded, Meter, ModelUnavailable, price_of
from .critics.base import (
    Critique,
    Decision,
    no_verdict,
    read_reply,
)
from .critics.panel import merge
from .critics.stop_token import StopTokenCritic
from .messages import assistant, compact, first_line, size, user
from .messages import digest as _digest
from .models.base import Model
from .prompts import (
    EXPLAIN_TURN,
    NO_REPORT,
    NO_VERDICT_FEEDBACK,
    WRITER_SYSTEM,
    fill,
    require_slot,
)
from .stall import Stall
from .trace import Check, Result, Round
from .verifiers.verdict import Verdict

Verifier = Callable[[str], Verdict]


@dataclass(frozen=True)
class Writer:
    """The generator's prompts.

    Args:
        first: system prompt of the first draft, with a ``{requirements}``
            slot.
        revise: system prompt of every later draft; the same by default.

    Raises:
        ValueError: when a prompt has no slot.
    """

    first: str = WRITER_SYSTEM
    revise: str | None = None

    def __post_init__(self) -> None:
        require_slot(self.first, "Writer.first")
        require_slot(self.revise or self.first, "Writer.revise")

    def system(self, requirements: str, *, revising: bool) -> str:
        """The system prompt of the next draft."""
        template = self.revise if revising and self.revise else self.first
        return fill(template, requirements)


@dataclass
class RunState:
    """What belongs to one run, and dies with it."""

    requirements: str
    post_process: Callable[[str], str]
    meter: Meter
    history: list[dict]                     # the generator's
    reviews: list[list[dict]]               # one history for each critic
    trace: list[Round] = field(default_factory=list)
    draft: str = ""
    best: str | None = None                 # last draft the verifier passed
    rounds: int = 0
    verdict: Verdict | None = None          # of the current round
    critique: Critique | None = None


class ReflectionAgent:
    """Generate, check, critique, revise, stop.

    Args:
        model: writes the drafts, and the critiques too unless
            ``critic_model`` is given.
        writer: the generator's prompts.
        critic: one critic, a sequence of them (a panel, which accepts only
            if all do), or None (then a passing verifier accepts).
        verifier: objective check, called before any critic; it should not
            raise, and is survived when it does.
        explainer: a critic asked to explain a verifier's failure; the
            verifier's own report always comes first.
        critic_model: answers for critics and explainer.
        max_rounds, max_calls, max_chars: shorthands for a ``Budget``.
        budget: the bounds of every run; replaces the three shorthands.
        stall: the stall rules.
        keep_rounds: how many rounds stay word for word in the histories;
            None keeps all, 1 is a memory of the last attempt.
        executor: asks the critics of a panel in parallel.
        log: a ``RunLog``, or anything with ``begin``, ``add`` and ``end``.
        on_round: called with each ``Round`` as it ends.
        verbose: print one line a round.

    Raises:
        ValueError: neither critic nor verifier, a cap that allows no round,
            or a dollar budget for a model whose price is unknown.
    """

    def __init__(self, model: Model, *, writer: Writer = Writer(),
                 critic=StopTokenCritic(), verifier: Verifier | None = None,
                 explainer=None, critic_model: Model | None = None,
                 max_rounds: int = 4, max_calls: int | None = 12,
                 max_chars: int | None = 200_000,
                 budget: Budget | None = None, stall: Stall = Stall(),
                 keep_rounds: int | None = None,
                 executor: Executor | None = None, log=None,
                 on_round: Callable[[Round], object] | None = None,
                 verbose: bool = True) -> None:
        self.model = model
        self.writer = writer
        self.critics = _as_panel(critic)
        self.verifier = verifier
        self.explainer = explainer
        self.critic_model = critic_model or model
        self.budget = budget or Budget(max_rounds, max_calls, max_chars)
        self.stall = stall
        self.keep_rounds = keep_rounds
        self.executor = executor
        self.log = log
        self.on_round = on_round
        self.verbose = verbose
        if not self.critics and verifier is None:
            raise ValueError("nothing can accept a draft: give a critic, a "
                             "verifier, or both")
        if keep_rounds is not None and keep_rounds < 1:
            raise ValueError("keep_rounds must be at least 1, or None to "
                             f"keep all; got {keep_rounds}")
        if self.budget.dollars is not None:
            for asked in (self.model, self.critic_model):
                _require_price(asked)

    def run(self, requirements: str, *,
            post_process: Callable[[str], str] = str.strip,
            task_id: str | None = None) -> Result:
        """Work on one task until something says stop.

        Args:
            requirements: the task, as the user stated it.
            post_process: turns a reply into a draft (``strip_fences`` for
                code).
            task_id: names the task in the log.

        Returns:
            The best draft the run has, and why it ended. Only an empty task
            raises (ValueError); everything else is a stop reason.
        """
        run = self._start(requirements, post_process)
        run_id = self._notify("log", "begin", requirements, task_id)
        try:
            reason, detail = self._loop(run, run_id)
        except (BudgetExceeded, ModelUnavailable) as exc:
            reason, detail = f"aborted: {exc}", {}
        except KeyboardInterrupt:
            reason, detail = "aborted: interrupted", {}
        result = self._finish(run, reason, detail)
        self._notify("log", "end", run_id, result)
        return result

    def _start(self, requirements: str, post_process) -> RunState:
        if not requirements.strip():
            raise ValueError("the requirements are blank: say what to write")
        return RunState(requirements, post_process, Meter(self.budget),
                        history=[user(requirements)],
                        reviews=[[] for _ in self.critics])

    def _loop(self, run: RunState, run_id) -> tuple[str, dict]:
        """Rounds until a stop; returns the reason and its numbers."""
        for n in range(1, self.budget.rounds + 1):
            check = self._round(run, n, run_id)
            if check.accept:
                return "accepted", {}
            stalled = self._stalled(run)
            if stalled is not None:
                return stalled
            run.history.append(assistant(run.draft))
            run.history.append(user(check.feedback))
        return "budget: rounds exhausted", {}

    def _round(self, run: RunState, n: int, run_id) -> Check:
        """One draft and what is said about it; always recorded."""
        started, before = time.monotonic(), run.meter.usage
        run.verdict = run.critique = None
        run.draft = self._draft(run)
        run.rounds = n
        check = Check("", "none", False, False)     # if the review is cut off
        try:
            check = self._check(run)
        finally:
            done = Round(n, run.draft, check.feedback, check.source,
                         check.accept, time.monotonic() - started,
                         run.critique, run.verdict, run.meter.usage - before)
            run.trace.append(done)
            self._notify("log", "add", run_id, done)
            self._notify("on_round", None, done)
        self._say(f"[{n}] draft {_digest(run.draft)} -> {check.source}: "
                  f"{first_line(check.feedback)[:60]}")
        return check

    def _draft(self, run: RunState) -> str:
        system = self.writer.system(run.requirements,
                                    revising=bool(run.draft))
        reply, _ = self._complete(run, system, self._view(run.history),
                                  self.model, post_process=run.post_process)
        return reply

    def _view(self, history: list[dict], pinned: int = 1) -> list[dict]:
        """A history as it is sent: whole, or compacted."""
        if self.keep_rounds is None:
            return list(history)
        return compact(history, self.keep_rounds, pinned=pinned)

    def _complete(self, run: RunState, system: str, messages: list[dict],
                  model: Model, *, attempts: int = 2,
                  post_process=None) -> tuple[str, int]:
        """One reply and the attempts left over. Every attempt is charged.

        With ``post_process`` the reply must be a draft: a blank, refused or
        truncated one counts as a failed attempt.
        """
        error: Exception | None = None
        for left in reversed(range(attempts)):
            run.meter.charge(size(system, messages))
            if error is not None:
                run.meter.count("retries")
            try:
                reply = self._ask(run, model, system, messages)
                if post_process is None:
                    return reply, left
                return _as_draft(reply, post_process), left
            except BudgetExceeded:
                raise
            except Exception as exc:    # a model may raise anything
                error = exc
                self._say(f"    model call failed ({type(exc).__name__}: "
                          f"{exc}); {'retrying' if left else 'giving up'}")
                if left:
                    self._pause(run, model, exc)
        raise ModelUnavailable(str(error) or type(error).__name__)

    def _ask(self, run: RunState, model: Model, system: str,
             messages: list[dict]) -> str:
        """One attempt, bounded by the seconds left; its tokens are booked."""
        remaining = run.meter.remaining()
        if remaining < float("inf") and hasattr(model, "with_limits"):
            model = model.with_limits(timeout=remaining)
        used, name = None, getattr(model, "model", None)
        try:
            reply = run.meter.within(lambda: model.complete(
                system=system, messages=messages))
            used = getattr(reply, "usage", None)
            name = getattr(reply, "model", None) or name
            return reply
        except Exception as exc:
            used = getattr(exc, "usage", None)
            raise
        finally:
            run.meter.book(used, name)

    def _pause(self, run: RunState, model: Model, exc: Exception) -> None:
        """Wait before a retry: as long as the model asks, 0 offline."""
        seconds = (getattr(exc, "retry_after", None)
                   or getattr(model, "retry_delay", 0))
        time.sleep(max(0.0, min(seconds, run.meter.remaining())))

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
        return Check(feedback or critique.reason, "critic",
                     critique.decision is Decision.ACCEPT,
                     self.verifier is not None)

    def _verify(self, draft: str) -> Verdict:
        """A verdict, whatever the verifier does short of ending Python."""
        try:
            verdict = self.verifier(draft)
        except KeyboardInterrupt:
            raise
        except BaseException as exc:    # SystemExit would end the program
            return Verdict(
                False, f"VERIFIER ERROR: {type(exc).__name__}: {exc}",
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
        words = read_reply(self.explainer, reply).feedback
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
        asked = self._view([*history, user(run.draft)], pinned=0)
        reply, left = self._complete(run, system, asked, self.critic_model)
        critique = read_reply(critic, reply)
        if critique.decision is Decision.NO_VERDICT:
            model = self.critic_model
            if critique.reason == "truncated":
                model = _with_larger_limit(model)
            run.meter.count("reasks")
            reply, _ = self._complete(run, system, asked, model,
                                      attempts=left + 1)
            critique = read_reply(critic, reply)
        if critique.decision is not Decision.NO_VERDICT:
            history += [user(run.draft), assistant(str(reply))]
        return critique

    def _stalled(self, run: RunState) -> tuple[str, dict] | None:
        found = self.stall.check(run.trace)
        return found and (f"stalled: {found[0]}", found[1])

    def _finish(self, run: RunState, reason: str, detail: dict) -> Result:
        """Never ship a regression: the last verified draft wins.

        Without a verifier the best-scored draft wins, which protects only
        against what the critic can see.
        """
        output = run.draft
        if run.best is not None and run.best != run.draft:
            output = run.best
            reason += " (returned last verified draft)"
        elif self.verifier is None and reason != "accepted":
            top = _best_scored(run.trace)
            if top is not None and top.draft != run.draft:
                output = top.draft
                detail = {**detail, "returned_round": top.n,
                          "critic_score": top.critique.score}
        meter = run.meter
        return Result(output, run.best is not None, reason, run.rounds,
                      run.trace, stop_detail=detail, calls=meter.calls,
                      chars=meter.chars, usage=meter.usage,
                      dollars=meter.dollars, seconds=meter.seconds,
                      retries=meter.retries, reasks=meter.reasks)

    def _notify(self, hook: str, method: str | None, *args):
        """Tell the log or the callback; their failure is not the run's."""
        target = getattr(self, hook)
        if target is None:
            return None
        try:
            return (getattr(target, method) if method else target)(*args)
        except Exception as exc:        # a full disk must not lose a draft
            print(f"    {hook} failed ({type(exc).__name__}: {exc}); "
                  "the run goes on")
            return None

    def _say(self, line: str) -> None:
        if self.verbose:
            print(line)


def _as_panel(critic) -> tuple:
    if critic is None:
        return ()
    return tuple(critic) if isinstance(critic, Sequence) else (critic,)


def _as_draft(reply: str, post_process: Callable[[str], str]) -> str:
    """Turn a reply into a draft, or raise ModelUnavailable."""
    stopped = getattr(reply, "stop_reason", None)
    if stopped in ("max_tokens", "model_context_window_exceeded"):
        raise ModelUnavailable(f"reply truncated ({stopped})")
    if stopped == "refusal" or not reply.strip():
        raise ModelUnavailable("model returned no text")
    draft = str(post_process(reply))
    if not draft.strip():
        raise ModelUnavailable("model returned no text")
    return draft


def _with_larger_limit(model: Model) -> Model:
    limit = getattr(model, "max_tokens", None)
    if limit is None or not hasattr(model, "with_limits"):
        return model
    return model.with_limits(max_tokens=2 * limit)


def _best_scored(trace: list[Round]) -> Round | None:
    """The round whose critique scored highest; the later one on a tie."""
    scored = [r for r in trace
              if r.critique is not None and r.critique.score is not None]
    return max(scored, key=lambda r: (r.critique.score, r.n), default=None)


def _require_price(model: Model) -> None:
    name = getattr(model, "model", None)
    if price_of(name) is None:
        raise ValueError(
            f"a dollar budget needs a known price, and {name!r} has none in "
            "data/prices.json: add it there, or bound calls or tokens")
