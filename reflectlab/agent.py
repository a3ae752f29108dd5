"""Version 5: the assembled reflection agent.

The model proposes, the orchestrator disposes: caps, pass rules and verdicts
are computed here, and a run always ends with a reason a person can act on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor

from .budget import (
    Budget,
    BudgetExceeded,
    Meter,
    ModelUnavailable,
    at_least_one,
    price_of,
)
from .calling import RunState
from .checking import Checker, Verifier
from .critics.stop_token import StopTokenCritic
from .messages import assistant, first_line, user
from .messages import digest as _digest
from .models.base import Model, model_id, redact
from .stall import Stall
from .trace import Check, Result, Round
from .writer import Writer

# What the loop asks of each part that it is given.
PARTS = {"model": "complete", "critic_model": "complete", "writer": "system",
         "stall": "check", "budget": "rounds", "verifier": "__call__",
         "explainer": "parse", "executor": "map"}
OPTIONAL = ("verifier", "explainer", "executor")


class ReflectionAgent(Checker):
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
        executor: asks the critics of a panel in parallel. Threads, and not
            those that ``run`` itself is called in: it waits for them.
        log: a ``RunLog``, or anything with ``begin``, ``add`` and ``end``.
        on_round: called with each ``Round`` as it ends.
        verbose: print one line a round.

    Raises:
        ValueError: neither critic nor verifier, a cap that allows no round,
            a part that can't do its part, or a dollar budget for a model
            whose price is unknown.
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
        self._refuse_nonsense()

    def _refuse_nonsense(self) -> None:
        if not self.critics and self.verifier is None:
            raise ValueError("nothing can accept a draft: give a critic, a "
                             "verifier, or both")
        for critic in self.critics:
            _require("critic", critic, "parse")
        for name, method in PARTS.items():
            part = getattr(self, name)
            if part is not None or name not in OPTIONAL:
                _require(name, part, method)
        if self.keep_rounds is not None:
            at_least_one("keep_rounds", self.keep_rounds)
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
        run_id = None
        detail: dict = {}
        try:
            run_id = self._notify("log", "begin", requirements, task_id)
            reason, detail = self._loop(run, run_id)
        except (BudgetExceeded, ModelUnavailable) as exc:
            reason = f"aborted: {exc}"
        except KeyboardInterrupt:
            reason = "aborted: interrupted"
        except (Exception, SystemExit) as exc:  # whose fault, the name tells
            reason = redact(f"aborted: {type(exc).__name__}: {exc}")
        result = self._finish(run, reason, detail)
        try:
            self._notify("log", "end", run_id, result)
        except KeyboardInterrupt:       # too late to stop anything
            pass
        return result

    def _start(self, requirements: str, post_process) -> RunState:
        if not isinstance(requirements, str) or not requirements.strip():
            raise ValueError("the requirements are blank or no text: say what "
                             "to write")
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
        started, before = run.meter.seconds, run.meter.usage
        run.verdict = run.critique = None
        run.draft = self._draft(run)
        run.rounds = n
        check = Check("", "none", False, False)     # if the review is cut off
        try:
            check = self._check(run)
        finally:
            done = Round(n, run.draft, check.feedback, check.source,
                         check.accept, run.meter.seconds - started,
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
        except (Exception, SystemExit) as exc:  # a full disk loses no draft
            said = redact(f"{type(exc).__name__}: {exc}")
            print(f"    {hook} failed ({said}); the run goes on")
            return None


def _as_panel(critic) -> tuple:
    if critic is None:
        return ()
    return tuple(critic) if isinstance(critic, Sequence) else (critic,)


def _best_scored(trace: list[Round]) -> Round | None:
    """The round whose critique scored highest; the later one on a tie."""
    scored = [r for r in trace
              if r.critique is not None and r.critique.score is not None]
    return max(scored, key=lambda r: (r.critique.score, r.n), default=None)


def _require(name: str, part: object, method: str) -> None:
    if isinstance(part, type) or not hasattr(part, method):
        raise ValueError(f"{name}={part!r} won't do: give an object that "
                         f"has {method!r}")


def _require_price(model: Model) -> None:
    name = model_id(model)
    if price_of(name) is None:
        raise ValueError(
            f"a dollar budget needs a known price, and {name!r} has none in "
            "data/prices.json: add it there, or bound calls or tokens")
