"""The five seed systems, each a configuration of the one agent.

Every preset takes a model and any ``ReflectionAgent`` setting, so the same
system runs on its script here and on a real model elsewhere. Seeds 001 to
004 build each prompt from the task, the last attempt and what was said about
it: ``keep_rounds=1``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from .. import prompts
from ..agent import ReflectionAgent, Writer
from ..critics.criteria import CriteriaCritic
from ..critics.feedback import FeedbackCritic
from ..critics.scored import ScoredCritic
from ..critics.stop_token import StopTokenCritic
from ..measure.voting import SelfConsistencyVoter, Vote
from ..messages import strip_fences
from ..models.scripted import ScriptedModel
from ..paths import data_path
from ..tasks import load_task
from ..trace import Result
from ..verifiers.combine import all_of
from ..verifiers.growth import growth_verifier
from ..verifiers.schema import schema_verifier
from ..verifiers.tests import run_tests

CODE_TESTS = """assert find_primes(1) == []
assert find_primes(2) == [2]
assert find_primes(30) == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
"""


def load(name: str) -> dict:
    """Read ``data/systems/<name>.json``."""
    return json.loads(data_path("systems", f"{name}.json").read_text("utf-8"))


def duration_agent(model, **settings) -> ReflectionAgent:
    """Seed 000, v5: tests first, then a critic with a stop token."""
    tests = load_task("parse_duration").tests
    return ReflectionAgent(
        model, **{"verifier": lambda code: run_tests(code, tests)} | settings)


def report_agent(model, **settings) -> ReflectionAgent:
    """Seed 001: a scored critique on four dimensions, and a reviser."""
    return ReflectionAgent(model, **{
        "writer": Writer(prompts.REPORT_WRITER, prompts.REPORT_REVISER),
        "critic": ScoredCritic(), "keep_rounds": 1} | settings)


def product_agent(model, **settings) -> ReflectionAgent:
    """Seed 002: PRICE, FEATURE and LENGTH, each marked on its line."""
    return _criteria_agent(model, load("products")["criteria"], settings)


def reply_agent(model, **settings) -> ReflectionAgent:
    """Seed 002's extension: a reply that may not promise what it can't."""
    return _criteria_agent(model, load("review_reply")["criteria"], settings)


def _criteria_agent(model, criteria: dict, settings: dict) -> ReflectionAgent:
    return ReflectionAgent(model, **{
        "writer": Writer(prompts.SHOP_WRITER),
        "critic": CriteriaCritic(criteria), "max_rounds": 3,
        "keep_rounds": 1} | settings)


def advisory_agent(model, **settings) -> ReflectionAgent:
    """Seed 003: a schema decides, a critic only explains its failures."""
    schema = load("advisory")["schema"]
    return ReflectionAgent(model, **{
        "writer": Writer(prompts.ADVISORY_WRITER, prompts.ADVISORY_REVISER),
        "critic": None, "verifier": schema_verifier(schema),
        "explainer": FeedbackCritic(), "keep_rounds": 1} | settings)


def primes_agent(model, **settings) -> ReflectionAgent:
    """Seed 004: growth is measured before anybody has an opinion on it."""
    return ReflectionAgent(model, **{
        "writer": Writer(prompts.CODE_WRITER, prompts.CODE_REVISER),
        "critic": StopTokenCritic(prompts.NO_IMPROVEMENT,
                                  prompts.ALGORITHM_CRITIC_SYSTEM),
        "verifier": all_of(lambda code: run_tests(code, CODE_TESTS),
                           growth_verifier()),
        "keep_rounds": 1} | settings)


def product_requirements(product: dict) -> str:
    """State a product of ``products.json`` as requirements."""
    features = "; ".join(product["features"])
    return (f"Write a product description for the {product['name']}.\n"
            f"Give its exact price, {product['price']}.\n"
            f"Name at least one of its features: {features}.\n"
            f"Use at most {product['max_words']} words.")


@dataclass(frozen=True)
class System:
    """One row of the table.

    Args:
        seed: number of the seed document.
        name: what the system writes.
        make: its preset.
        verifier: name of its objective check; "-" for none.
        stop_rule: what accepts a draft.
        requirements: the task of its script.
        writer, critic: the scripted replies.
        post_process: turns a reply into a draft.
    """

    seed: str
    name: str
    make: Callable[..., ReflectionAgent]
    verifier: str
    stop_rule: str
    requirements: str
    writer: list[str]
    critic: list[str]
    post_process: Callable[[str], str] = str.strip

    def run(self, **settings) -> Result:
        """Run the preset on its script; a call too many raises."""
        agent = self.make(
            ScriptedModel(self.writer, strict=True),
            **{"critic_model": ScriptedModel(self.critic, strict=True),
               "verbose": False} | settings)
        return agent.run(self.requirements, post_process=self.post_process)


def systems() -> list[System]:
    """The five seeds' systems, seed 002 with both of its tasks."""
    duration = load_task("parse_duration")
    products = load("products")
    aurora = {"requirements": product_requirements(products["products"][0]),
              **products["runs"]["aurora"]}
    return [
        System("000", "duration parser", duration_agent, "tests",
               "tests, then token alone", duration.spec,
               list(duration.drafts), [prompts.STOP], strip_fences),
        _system("001", "report", report_agent, "-",
                "score >= 7, no high issue", load("report")),
        _system("002", "product text", product_agent, "-",
                "every criterion PASS", aurora),
        _system("002", "review reply", reply_agent, "-",
                "every criterion PASS", load("review_reply")),
        _system("003", "advisory", advisory_agent, "schema",
                "schema holds", load("advisory")),
        _system("004", "primes", primes_agent, "tests, growth",
                "growth, then token alone", load("primes")),
    ]


def _system(seed, name, make, verifier, stop_rule, script) -> System:
    code = strip_fences if make is primes_agent else str.strip
    return System(seed, name, make, verifier, stop_rule,
                  script["requirements"], [_text(r) for r in script["writer"]],
                  [_text(r) for r in script["critic"]], code)


def _text(reply) -> str:
    """A scripted reply: text, a list of lines, or a JSON critique."""
    if isinstance(reply, list):
        return "\n".join(reply)
    return reply if isinstance(reply, str) else json.dumps(reply)


def table_rows() -> list[dict]:
    """Run every system on its script and describe it, a dict each."""
    rows = []
    for system in systems():
        agent = system.make(ScriptedModel([]))
        result = system.run()
        critics = [*agent.critics, *filter(None, [agent.explainer])]
        rows.append({
            "seed": system.seed, "system": system.name,
            "writer": "2 prompts" if agent.writer.revise else "1 prompt",
            "critic": type(critics[0]).__name__.removesuffix("Critic"),
            "verifier": system.verifier,
            "history": "last one" if agent.keep_rounds else "whole",
            "stop rule": system.stop_rule, "ended": result.stop_reason,
            "rounds": result.rounds, "calls": result.calls})
    return rows


def table() -> str:
    """The rows as text, for printing."""
    rows = table_rows()
    cells = [list(rows[0]), *([str(v) for v in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width
                  in zip(row, widths, strict=True)).rstrip() for row in cells)


def scripted_vote() -> Vote:
    """Seed 001's other half: five samples of one label, counted."""
    script = load("vote")
    model = ScriptedModel(script["samples"], strict=True)
    return SelfConsistencyVoter(
        model, len(script["samples"]), script["labels"]).run(script["task"])
