"""What the loop adds to a model call: python benchmarks/loop.py

The same conversation (two mirrored histories, the same texts) by a plain
`for` loop, by versions 2 and 5, and, where it is installed, by LangGraph.
The model costs next to nothing, so what is timed is the loop. In turns, best
of several: ratios to the plain loop. LangGraph is no dependency of the
project: install it beside, for this file alone.
"""

import time

from reflectlab import Budget, ReflectionAgent, reflect_v2
from reflectlab.messages import assistant, user
from reflectlab.prompts import CRITIC_SYSTEM, GEN_SYSTEM, fill

TASK = "Describe the export of reports in one paragraph."
ROUNDS, TURNS = 10, 40
CRITIC = fill(CRITIC_SYSTEM, TASK)


class Cheap:
    """Never repeats itself, never accepts, keeps nothing."""

    def __init__(self):
        self.n = 0

    def complete(self, *, system, messages):
        self.n += 1
        return f"Text {self.n}: {'x' * 300}"


def plain(model):
    """What one would write by hand."""
    writer, critic = [user(TASK)], []
    for _ in range(ROUNDS):
        draft = model.complete(system=GEN_SYSTEM, messages=writer)
        writer.append(assistant(draft))
        critic.append(user(draft))
        critique = model.complete(system=CRITIC, messages=critic)
        critic.append(assistant(critique))
        writer.append(user(critique))


def version_2(model):
    """The loop of notebook 2."""
    reflect_v2(model, TASK, rounds=ROUNDS)


def version_5(model):
    """The agent: budgets, checks, stall detection, trace."""
    ReflectionAgent(model, verbose=False,
                    budget=Budget(ROUNDS, None, None)).run(TASK)


def langgraph_loop():
    """The plain loop as a graph: two nodes and an edge back."""
    from typing import TypedDict

    from langgraph.graph import END, START, StateGraph

    class State(TypedDict):
        model: object
        writer: list
        critic: list
        rounds: int

    def write(state):
        draft = state["model"].complete(system=GEN_SYSTEM,
                                        messages=state["writer"])
        return {"writer": [*state["writer"], assistant(draft)],
                "critic": [*state["critic"], user(draft)]}

    def review(state):
        critique = state["model"].complete(system=CRITIC,
                                           messages=state["critic"])
        return {"critic": [*state["critic"], assistant(critique)],
                "writer": [*state["writer"], user(critique)],
                "rounds": state["rounds"] + 1}

    graph = StateGraph(State)
    graph.add_node("write", write)
    graph.add_node("review", review)
    graph.add_edge(START, "write")
    graph.add_edge("write", "review")
    graph.add_conditional_edges(
        "review", lambda s: "write" if s["rounds"] < ROUNDS else END)
    app = graph.compile()
    return lambda model: app.invoke(
        {"model": model, "writer": [user(TASK)], "critic": [], "rounds": 0},
        {"recursion_limit": 10 * ROUNDS})


def main():
    ways = {"plain for loop": plain, "reflect_v2": version_2,
            "ReflectionAgent": version_5}
    try:
        ways["LangGraph"] = langgraph_loop()
    except ImportError:
        print("LangGraph is not installed: left out")
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(TURNS):
        for name, run in ways.items():
            model = Cheap()
            start = time.process_time()
            run(model)
            spent = time.process_time() - start
            assert model.n == 2 * ROUNDS, (name, model.n)
            best[name] = min(best[name], 1e6 * spent / model.n)
    for name, spent in best.items():
        print(f"{name:16} {spent:8.1f} us a call  "
              f"{spent / best['plain for loop']:7.1f} x the plain loop")


if __name__ == "__main__":
    main()
