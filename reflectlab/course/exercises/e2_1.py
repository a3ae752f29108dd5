"""2.1: the same texts, seen from the other side."""

from ...messages import assistant, problems, user
from ...models.scripted import PolicyModel
from ..exercise import Exercise, Wrong
from ..probe import call, expect, not_yet, shown

TASK = user("Describe the export button.")
ONE = [TASK, assistant("Draft 1.")]
TWO = [*ONE, user("Too short."), assistant("Draft 2.")]
SEEN = [user("Draft 1."), assistant("Too short."), user("Draft 2.")]


def judge(mirror):
    expect(mirror, (ONE,), SEEN[:1],
           "The critic's list has the draft alone, as the user's: the task "
           "stands in its system prompt.")
    expect(mirror, (TWO,), SEEN, "Swap both roles in every message: what "
           "the critic said is 'assistant' in its own history.")
    expect(mirror, (TWO[:3],), SEEN[:2], "A history may end with a critique: "
           "it stands in the critic's list like the earlier ones.",
           "task, draft, critique")
    kept = [dict(message) for message in TWO]
    call(lambda: mirror(kept), label="mirror(history)")
    if kept != TWO:
        raise not_yet("The generator's history changed under your hands: "
                      "build new messages.", input="mirror(history)",
                      expected="the history as it was", got=shown(kept))
    expect(mirror, ([TASK, assistant("OK"), user("OK"), assistant("OK")],),
           [user("OK"), assistant("OK"), user("OK")],
           "Go by the position of a message: texts may be equal.")
    expect(mirror, ([TASK, assistant(TASK["content"])],),
           [user(TASK["content"])], "Leave out the first message, not every "
           "text that equals it.", "a draft that repeats the task")
    expect(mirror, ([TASK],), [], "Without a draft the critic has seen "
           "nothing yet.")
    model = PolicyModel(lambda system, messages: f"Reply {len(messages)}.")
    history = [TASK]
    for n in range(1, 4):
        history.append(assistant(f"Draft {n}."))
        seen = call(mirror, history, label=f"the history of round {n}")
        history.append(user(model.complete(system="Review.", messages=seen)))
    for number, asked in enumerate(model.calls, 1):
        if found := problems(asked["messages"]):
            raise not_yet("Every round must send the critic a legal list.",
                          input=f"critic call {number} of a loop",
                          got="; ".join(found))
        if len(asked["messages"]) != 2 * number - 1:
            raise not_yet("A later round sends the critic all of its own "
                          "earlier words too.",
                          input=f"critic call {number} of a loop",
                          expected=f"{2 * number - 1} messages",
                          got=f"{len(asked['messages'])} messages")


EXERCISE = Exercise(
    id="2.1", name="mirror", title="mirror a history", minutes=5,
    difficulty=1, statement="""
Two histories hold the same texts, so one can be computed from the other. Write
`mirror`: it gets the generator's history (the task, then draft, critique,
draft, and so on) and returns the critic's: without the task, which stands in
the critic's system prompt, and with the roles swapped. Leave the given list
and its messages as they are.

From task, draft, critique, draft with the roles user, assistant, user,
assistant come three messages with the roles user, assistant, user.
""", stub='''
def mirror(history):
    """The critic's history for a generator's history.

    [task, assistant("A draft.")] -> [user("A draft.")]
    """
    ...
''', hints=(
        "Which message of the generator's history has no place in the "
        "critic's? What happens to all the others?",
        "Skip message 0. For each other one build a new dict with the other "
        "role and the same content.",
        '{"user": "assistant", "assistant": "user"}[m["role"]] is the other '
        "role of m; loop over history[1:]."),
    judge=judge,
    done="One conversation, two sides, and both lists are legal.",
    right=('''
def mirror(history):
    other = {"user": "assistant", "assistant": "user"}
    mirrored = []
    for m in history[1:]:
        mirrored.append({"role": other[m["role"]], "content": m["content"]})
    return mirrored
''', '''
from reflectlab.messages import assistant, user

def mirror(history):
    texts = [m["content"] for m in history]
    return [assistant(text) if i % 2 else user(text)
            for i, text in enumerate(texts[1:])]
'''), wrong=(
        Wrong("history[1:]", "history",
                "The critic's list has the draft alone"),
        Wrong('other[m["role"]]', '"user"', "Swap both roles"),
        Wrong('mirrored.append({"role": other[m["role"]], "content": '
                'm["content"]})', 'm["role"] = other[m["role"]]\n'
                '        mirrored.append(m)', "changed under your hands"),
        Wrong('mirrored.append({', 'if m["content"] not in [x["content"] '
                'for x in mirrored]:\n          mirrored.append({',
                "Go by the position"),
        Wrong("return mirrored", 'return mirrored[:-1] if '
                'history[-1]["role"] == "user" else mirrored',
                "may end with a critique"),
        Wrong("for m in history[1:]:", "for m in history:\n"
                '        if m["content"] == history[0]["content"]:\n'
                "            continue", "not every text that equals it"),
        Wrong("return mirrored", 'return mirrored or [{"role": "user", '
                '"content": history[0]["content"]}]',
                "Without a draft the critic"),
        Wrong("return mirrored", "return mirrored[-3:]",
                "all of its own earlier words"),
        Wrong("return mirrored", "return mirrored[-4:]",
                "must send the critic a legal list"),
    ))
