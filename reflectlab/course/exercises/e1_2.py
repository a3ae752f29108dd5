"""1.2: a fake whose reply depends on what it is shown, and on nothing else."""

from ...loops import reflect_v1
from ...messages import assistant, user
from ...models.scripted import PolicyModel
from ...prompts import CRITIQUE_TURN, REVISE_TURN
from ..exercise import Exercise, Wrong
from ..probe import call, expect, not_yet, shown

TASK = user("Describe the export button.")
OBJECTION, AGREEMENT = "Problem: too short.", "Looks good."


def history(rounds, asked=False):
    """What v1 holds after so many rounds, with the replies asked for.

    Args:
        rounds: finished rounds.
        asked: whether one more draft came, and its critique is due.
    """
    turns = [TASK]
    for n in range(1, rounds + 1):
        turns += [assistant(f"Draft {n}."), user(CRITIQUE_TURN),
                  assistant(OBJECTION if n <= 2 else AGREEMENT),
                  user(REVISE_TURN)]
    if asked:
        turns += [assistant(f"Draft {rounds + 1}."), user(CRITIQUE_TURN)]
    return turns


def judge(policy):
    cases = [
        (history(0), "Draft 1.", "With the task alone, a draft is due."),
        (history(0, asked=True), OBJECTION,
         "When the last message asks for a critique, give a critique."),
        (history(1), "Draft 2.",
         "An earlier request for a critique has been answered: the last "
         "message says what is due now."),
        (history(1, asked=True), OBJECTION,
         "The second draft is too short as well."),
        (history(2, asked=True), AGREEMENT,
         "The third draft is the one to accept."),
        (history(3, asked=True), AGREEMENT,
         "Every later draft is accepted too."),
        (history(4), "Draft 5.", "A new draft is due, with its number."),
    ]
    for messages, want, idea in cases:
        rounds, more = divmod(len(messages) - 1, 4)
        asked = "asked for a critique" if more else "asked for a draft"
        label = f"{rounds} finished rounds, then {asked}"
        got = call(policy, "system", messages, label=label)
        if "Draft" in want and str(got).startswith("Draft"):
            idea = ("Count the drafts: only every other message of the "
                    "assistant is one.")
        if got != want:
            raise not_yet(idea, input=label, expected=repr(want),
                          got=shown(got))
    expect(policy, ("system", [user("Write a critique. Critique a film.")]),
           "Draft 1.", "A task may hold that word as well: compare the whole "
           "message with CRITIQUE_TURN.")
    model = PolicyModel(lambda system, messages: call(
        policy, system, messages, label="a call made by reflect_v1"))
    for run in ("first", "second"):
        draft, _ = reflect_v1(model, TASK["content"], rounds=4)
        if draft != "Draft 4.":
            raise not_yet("A policy remembers nothing between two runs: read "
                          "everything from the messages.",
                          input=f"the {run} run of reflect_v1, 4 rounds",
                          expected="'Draft 4.'", got=repr(draft))


EXERCISE = Exercise(
    id="1.2", name="policy", title="write a policy model", minutes=10,
    difficulty=2, statement="""
Write a policy that plays both parts of a v1 conversation. Asked for a draft,
it replies `"Draft 1."`, `"Draft 2."`, and so on: the number of the draft that
is due. Asked for a critique (the last message is `CRITIQUE_TURN`), it replies
`"Problem: too short."` to the first two drafts and `"Looks good."` to every
later one.

Everything it needs stands in `messages`. A fake that kept a counter of its own
would say how often it was called, not what it was shown.
""", stub='''
from reflectlab.prompts import CRITIQUE_TURN, REVISE_TURN


def policy(system, messages):
    """The reply to the last message.

    policy("", [{"role": "user", "content": "Write."}]) -> "Draft 1."
    """
    ...
''', hints=(
        "Two questions: what does the last message ask for, and how many "
        "drafts are in the list already?",
        "The number of CRITIQUE_TURN messages is the number of drafts that "
        "have been put up for review.",
        "With n = that number: asked for a critique, draft n is on the "
        "table; asked for a draft, number n + 1 is due."),
    judge=judge,
    done="The reply is a function of the list, so it can be replayed.",
    right=('''
from reflectlab.prompts import CRITIQUE_TURN

def policy(system, messages):
    texts = [m["content"] for m in messages]
    n = texts.count(CRITIQUE_TURN)
    if texts[-1] == CRITIQUE_TURN:
        return "Problem: too short." if n <= 2 else "Looks good."
    return f"Draft {n + 1}."
''', '''
from reflectlab.prompts import CRITIQUE_TURN, REVISE_TURN

def policy(system, messages):
    revisions = 0
    for message in messages:
        if message["content"] == REVISE_TURN:
            revisions += 1
    if messages[-1]["content"] != CRITIQUE_TURN:
        return "Draft " + str(revisions + 1) + "."
    if revisions < 2:
        return "Problem: too short."
    return "Looks good."
''', '''
from reflectlab.prompts import CRITIQUE_TURN

def policy(system, messages):
    drafts = [m for m in messages if m["content"].startswith("Draft ")]
    if messages[-1]["content"] != CRITIQUE_TURN:
        return f"Draft {len(drafts) + 1}."
    if messages[-2]["content"] in ("Draft 1.", "Draft 2."):
        return "Problem: too short."
    return "Looks good."
'''), wrong=(
        Wrong("if texts[-1] == CRITIQUE_TURN:",
                "if CRITIQUE_TURN in texts:",
                "the last message says what is due now"),
        Wrong("n <= 2", "n < 2", "The second draft is too short as well"),
        Wrong("n <= 2", "n <= 3", "The third draft is the one to accept"),
        Wrong("n + 1", "min(n + 1, 3)", "Count the drafts"),
        Wrong("    n = texts.count(CRITIQUE_TURN)\n",
                "    n = texts.count(CRITIQUE_TURN)\n"
                "    policy.calls = getattr(policy, 'calls', 0) + 1\n"
                "    n = n if policy.calls < 15 else policy.calls\n",
                "remembers nothing between two runs"),
        Wrong("if texts[-1] == CRITIQUE_TURN:", 'if "critic" in system:',
                "When the last message asks for a critique"),
        Wrong("if texts[-1] == CRITIQUE_TURN:",
                'if "critique" in texts[-1].lower() and n:',
                "the last message says what is due now"),
        Wrong("if texts[-1] == CRITIQUE_TURN:",
                'if "Critique" in texts[-1]:', "A task may hold that word"),
        Wrong("n = texts.count(CRITIQUE_TURN)", 'n = len([m for m in messages '
                'if m["role"] == "assistant"])', "Count the drafts"),
        Wrong("n <= 2", "n != 3", "Every later draft is accepted too"),
        Wrong('return f"Draft', 'f"Draft',
                "With the task alone"),
    ))
