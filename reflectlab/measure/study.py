"""The course's thesis on a real model: is its critic any good, does it help?

A 135M model, asked with our own harness and recorded; the recordings are
replayed, so the numbers cost nothing and are the same everywhere. It is a
demonstration on one very small model, no evidence about larger ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..agent import ReflectionAgent
from ..budget import Budget
from ..critics.base import Critic, Critique, Decision, no_verdict
from ..critics.criteria import CriteriaCritic
from ..critics.stop_token import StopTokenCritic
from ..messages import user
from ..models.recorded import RecordedModel
from ..paths import data_path
from ..prompts import PASSES_CRITIC_SYSTEM, WRITER_SYSTEM, fill
from ..trace import Result, Round
from ..verifiers.counted import counted_verifier
from .calibration import Calibration
from .delta import Case, measure_delta
from .judging import calibrate
from .planted import load_suite
from .report import DeltaReport

PASS_OR_FAIL = 'root ::= "REQUIREMENTS: " ("PASS" | "FAIL")'
JSON_PASSES = r'root ::= "{\"passes\": " ("true" | "false") "}"'


class PassesCritic(Critic):
    """Accepts on ``{"passes": true}``, objects on false, else no verdict."""

    def system(self, requirements: str) -> str:
        """The prompt with the requirements."""
        return fill(PASSES_CRITIC_SYSTEM, requirements)

    def parse(self, reply: str) -> Critique:
        """Read the one flag. Never raises."""
        try:
            passes = json.loads(reply)["passes"]
        except (ValueError, TypeError, KeyError):
            return no_verdict("not a JSON object with 'passes'", reply)
        if not isinstance(passes, bool):
            return no_verdict("'passes' is neither true nor false", reply)
        return Critique(Decision.ACCEPT if passes else Decision.OBJECT,
                        "" if passes else "The draft does not pass.",
                        raw=reply)


# form of the reply -> the critic, and the grammar it is held to
FORMS: dict[str, tuple[Critic, str]] = {
    "free text": (StopTokenCritic(), ""),
    "json": (PassesCritic(), JSON_PASSES),
    "pass or fail": (CriteriaCritic(
        {"REQUIREMENTS": "every requirement is met"}), PASS_OR_FAIL),
}
ARMS = ("keep the last", "best of n", "checker's report", "model as critic")


class Resample:
    """The control of a loop: independent drafts, and no feedback.

    Args:
        model: writes the drafts.
        n: how many to draw.
        verifier: ends the drawing at the first draft that passes; without
            one all are drawn and the last is kept.
    """

    def __init__(self, model, n: int, verifier=None) -> None:
        self.model, self.n, self.verifier = model, n, verifier

    def run(self, requirements: str, *, task_id: str | None = None,
            post_process: Callable[[str], str] = str.strip) -> Result:
        """Draw; returns a result that ``measure_delta`` can score."""
        trace = []
        for n in range(1, self.n + 1):
            draft = post_process(self.model.complete(
                system=fill(WRITER_SYSTEM, requirements),
                messages=[user(requirements)]))
            passed = self.verifier is not None and self.verifier(draft).ok
            trace.append(Round(n, draft, "", "none", passed, 0.0))
            if passed:
                break
        return Result(draft, passed, "accepted" if passed else
                      "budget: rounds exhausted", n, trace, calls=n)


class Study:
    """The recordings, and what is measured on them.

    Args:
        folder: where to record the local model anew, or to go on with it;
            None replays the recordings that come with the course.
    """

    def __init__(self, folder=None) -> None:
        self.about = json.loads(data_path(
            "recordings", "study", "about.json").read_text("utf-8"))
        self.folder = None if folder is None else Path(folder)
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)

    def calibration(self, form: str) -> Calibration:
        """The critic's rates with one form of reply, on a planted suite."""
        critic, grammar = FORMS[form]
        with self._model(form, max_tokens=200, grammar=grammar) as model:
            return calibrate(critic.bind(model),
                             load_suite(self.about["suite"]))

    def cases(self) -> list[Case]:
        """The easy writing task, once for each subject."""
        most = self.about["max_words"]
        return [Case(subject, self.about["task"].format(subject=subject),
                     counted_verifier(max_words=most, sentences=1,
                                      mentions=[subject]))
                for subject in self.about["subjects"]]

    def delta(self, arm: str) -> DeltaReport:
        """First against final drafts of one arm.

        All arms may make equally many calls a case and begin with the same
        draft (where that was cut off, an agent asks again); they differ in
        what they do next.
        """
        calls = self.about["calls"]

        def make_agent(case: Case):
            if arm == "best of n":
                return Resample(writer, calls, case.verifier)
            if arm == "keep the last":
                return Resample(writer, calls)
            if arm == "checker's report":
                return ReflectionAgent(
                    writer, critic=None, verifier=case.verifier,
                    budget=Budget(calls, calls), verbose=False)
            return ReflectionAgent(
                writer, critic_model=critic,
                budget=Budget(calls // 2, calls), verbose=False)

        with (self._model("writer", max_tokens=60, temperature=0.6) as writer,
              self._model("critic", max_tokens=100) as critic):
            return measure_delta(make_agent, self.cases())

    def summary(self) -> str:
        """All of it as text."""
        lines = [f"{'critic replies in':18s}{'catch':28s}"
                 f"{'false alarm':28s}no verdict"]
        for form in FORMS:
            c = self.calibration(form)
            lines.append(f"{form:18s}{c.catch!s:28s}{c.false_alarm!s:28s}"
                         f"{c.no_verdict}")
        lines += ["", f"{'arm':18s}first  final  fixed  broken  calls  "
                  "change"]
        for arm in ARMS:
            r = self.delta(arm)
            low, high = r.interval
            lines.append(
                f"{arm:18s}{r.first:5d}{r.final:7d}{r.fixed:7d}"
                f"{r.broken:8d}{r.spend():7d}  {r.delta / r.n:+.2f} "
                f"[{low:+.2f}, {high:+.2f}]")
        return "\n".join(lines)

    @contextmanager
    def _model(self, name: str, **settings) -> Iterator[RecordedModel]:
        """The model behind one recording; its server ends with the block."""
        file = name.replace(" ", "_") + ".jsonl"
        if self.folder is None:
            yield RecordedModel(data_path("recordings", "study", file))
            return
        from ..models.local import LocalModel

        local = LocalModel(threads=1, timeout=600, **settings)
        try:
            yield RecordedModel(self.folder / file, local, "auto")
        finally:
            local.close()
