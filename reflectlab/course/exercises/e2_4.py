"""2.4: the cost of a round, predicted and then measured."""

from ...loops import reflect_v2
from ...messages import size
from ...models.scripted import PolicyModel
from ...prompts import CRITIC_SYSTEM, GEN_SYSTEM, fill
from ..exercise import Exercise, Wrong
from ..probe import call, not_yet, recognised, same, shown, written


def measured(n, task, draft, critique):
    """Characters that round n of reflect_v2 really sends."""
    def policy(system, messages):
        return "d" * draft if system == GEN_SYSTEM else "c" * critique
    model = PolicyModel(policy)
    reflect_v2(model, "t" * task, rounds=n)
    return sum(size(**sent) for sent in model.calls[-2:])


def missed(got, n, cost, systems, task, draft, critique):
    """The idea behind a wrong number; cost holds rounds 1, 2, ... n + 1."""
    want, earlier = cost[n - 1], (n - 1) * (draft + critique)
    ideas = [
        (cost[n], "That is the cost of the round after: before round n, only "
         "n - 1 rounds are finished."),
        (want + task, "The task is sent once as a message: the critic's copy "
         "is in its system prompt, and so in systems."),
        (cost[0], "The lists grow: every round sends the earlier drafts and "
         "critiques again."),
        (want - systems, "Each call sends its system prompt too."),
        (want + systems, "systems holds both prompts already: it is sent "
         "once a round."),
        (want + critique, "The critique of round n is a reply in this round: "
         "it is sent from the next one on."),
        (want + draft, "The draft of this round is sent once, to the critic: "
         "in the generator's call it is the reply."),
        (want - draft, "The draft under review is sent to the critic too."),
        (want - earlier, "Both lists hold the earlier rounds, the critic's "
         "too."),
        (sum(cost[:n]), "That is the sum over the rounds up to n: the "
         "question is what round n alone sends."),
    ]
    return recognised(
        got, ideas, "Add up what the generator's call and the critic's call "
        "of this round send, message by message; each round adds one draft "
        "and one critique to each list.")


def judge(round_cost):
    for task, draft, critique in [(80, 200, 100), (50, 30, 400)]:
        systems = len(GEN_SYSTEM) + len(fill(CRITIC_SYSTEM, "t" * task))
        cost = [measured(n, task, draft, critique) for n in range(1, 8)]
        for n in range(1, 7):
            args = (n, systems, task, draft, critique)
            got = call(round_cost, *args)
            if not same(got, cost[n - 1]):
                raise not_yet(missed(got, n, cost, *args[1:]),
                              input=written(round_cost, args),
                              measured=str(cost[n - 1]), got=shown(got))


EXERCISE = Exercise(
    id="2.4", name="round_cost", title="predict the cost of round n",
    minutes=15, difficulty=2, statement="""
How many characters does round `n` of `reflect_v2` send, both calls together?
Write it as a formula, before you run anything. `systems` is the length of
both system prompts together (the critic's holds the task already), `task` the
length of the task, and every draft and every critique has the same length.
The check runs the real loop and measures.

With `systems=1000, task=80, draft=200, critique=100`, round 1 sends
1000 + 80 + 200 = 1280.
""", stub='''
def round_cost(n, systems, task, draft, critique):
    """Characters sent in round n, counted from 1.

    round_cost(1, 1000, 80, 200, 100) -> 1280
    """
    ...
''', hints=(
        "Write down the messages of both calls in round 1, then in round 2. "
        "What was added to each list in between?",
        "In round n, n - 1 finished rounds of draft + critique stand in the "
        "generator's list, and as many in the critic's.",
        "Generator: task + (n - 1) * (draft + critique). Critic: the same "
        "(n - 1) pairs + one draft. Add systems."),
    judge=judge,
    done="Each round costs 2 * (draft + critique) more than the one before: "
         "the sum over n rounds grows with the square of n.",
    right=('''
def round_cost(n, systems, task, draft, critique):
    earlier = (n - 1) * (draft + critique)
    generator = task + earlier
    critic = earlier + draft
    return systems + generator + critic
''', '''
def round_cost(n, systems, task, draft, critique):
    cost = systems + task + draft
    for _ in range(n - 1):
        cost += 2 * draft + 2 * critique
    return cost
'''), wrong=(
        Wrong("(n - 1) *", "0 *", "The lists grow"),
        Wrong("(n - 1) *", "n *", "the cost of the round after"),
        Wrong("critic = earlier + draft", "critic = draft",
                "Both lists hold the earlier rounds"),
        Wrong("critic = earlier + draft", "critic = earlier + draft + task",
                "the critic's copy is in its system prompt"),
        Wrong("return systems + generator", "return generator",
                "Each call sends its system prompt"),
        Wrong("return systems +", "return 2 * systems +",
                "it is sent once a round"),
        Wrong("critic = earlier + draft",
                "critic = earlier + draft + critique", "is a reply in this"),
        Wrong("generator = task + earlier", "generator = task + earlier + "
                "draft", "is sent once, to the critic"),
        Wrong("critic = earlier + draft", "critic = earlier",
                "The draft under review"),
        Wrong("return systems + generator + critic",
                "return sum(systems + task + draft + 2 * i * (draft + "
                "critique) for i in range(n))", "sum over the rounds"),
        Wrong("(n - 1) *", "(n - 1) ** 2 *",
                "each round adds one draft and one critique"),
    ))
