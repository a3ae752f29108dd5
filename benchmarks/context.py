"""What a history costs: characters sent by v1, v2, compacted and memory.

    python benchmarks/context.py

Every round writes a draft and a critique of the same size, so that only the
kind of history differs. Counted are the characters of all calls, system
prompts included: what a provider bills, up to a factor.
"""

from __future__ import annotations

import contextlib
import io
import math

from reflectlab import Budget, PolicyModel, ReflectionAgent, reflect_v2
from reflectlab.loops import reflect_v1
from reflectlab.messages import memory, size, user
from reflectlab.prompts import CRITIC_SYSTEM, GEN_SYSTEM, fill

TASK = "Describe the export of reports in one paragraph. " * 4
TEXT = 600          # characters of a draft, and of a critique
ROUNDS = (1, 2, 4, 8, 16, 32)


def writer() -> PolicyModel:
    """Never repeats itself and is never satisfied."""
    def policy(system, messages):
        return f"Text {len(model.calls):4}. ".ljust(TEXT, "x")
    model = PolicyModel(policy)
    return model


def agent(keep_rounds):
    """Version 5, ended by its rounds alone."""
    def run(model, rounds):
        ReflectionAgent(model, keep_rounds=keep_rounds, verbose=False,
                        budget=Budget(rounds, None, None)).run(TASK)
    return run


def stateless(model, rounds):
    """Memory in place of histories: nothing but the last round is sent."""
    draft = critique = ""
    for _ in range(rounds):
        draft = model.complete(system=GEN_SYSTEM,
                               messages=memory(TASK, draft, critique))
        critique = model.complete(system=fill(CRITIC_SYSTEM, TASK),
                                  messages=[user(draft)])


LOOPS = {
    "v1, one shared history": lambda m, n: reflect_v1(m, TASK, rounds=n),
    "v2, two mirrored": lambda m, n: reflect_v2(m, TASK, rounds=n),
    "v5, nothing folded": agent(None),
    "v5, keep_rounds=2": agent(2),
    "v5, keep_rounds=1": agent(1),
    "memory": stateless,
}


def sent(loop, rounds: int) -> int:
    """Characters that all calls of a run send."""
    model = writer()
    with contextlib.redirect_stdout(io.StringIO()):
        loop(model, rounds)
    return sum(size(**call) for call in model.calls)


def exponent(costs: dict[int, int]) -> float:
    """The slope between the last two points on logarithmic axes."""
    (n1, c1), (n2, c2) = list(costs.items())[-2:]
    return math.log(c2 / c1) / math.log(n2 / n1)


def table() -> dict[str, dict[int, int]]:
    """Characters by loop and rounds."""
    return {name: {n: sent(loop, n) for n in ROUNDS}
            for name, loop in LOOPS.items()}


def main() -> None:
    """Print the table: thousands of characters, growth, ratio to v1."""
    costs = table()
    print(f"{'rounds':24}" + "".join(f"{n:>8}" for n in ROUNDS)
          + "  growth  of v1")
    base = costs["v1, one shared history"][ROUNDS[-1]]
    for name, row in costs.items():
        print(f"{name:24}" + "".join(f"{c / 1000:8.1f}" for c in row.values())
              + f"  n^{exponent(row):.2f}  {row[ROUNDS[-1]] / base:5.2f}")


if __name__ == "__main__":
    main()
