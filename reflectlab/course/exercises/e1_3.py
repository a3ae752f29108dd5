"""1.3: count the calls that bought nothing, from the record alone."""

from ...loops import reflect_v1
from ...models.scripted import ScriptedModel
from ..exercise import Exercise, Wrong
from ..probe import expect

CASES = [
    (["A", "one", "B", "two", "C", "three"], 0,
     "Every round brought a new draft: nothing was wasted."),
    (["A", "no", "B", "no", "C", "no"], 0,
     "The same critique of a new draft is no waste: compare the drafts."),
    (["A", "fine"], 0, "The first draft has nothing to repeat."),
    (["A", "no", "B", "fine", "B", "fine", "B", "fine"], 4,
     "A round that repeats the draft wastes both of its calls."),
    (["A", "no", "A", "no", "B", "no"], 2,
     "The second round can be the wasted one."),
    (["A", "no", "B", "no", "A", "no"], 0,
     "A draft that comes back later did change the text: compare each draft "
     "with the one just before it."),
    (["A", "no", "A ", "no"], 0,
     "Count byte-identical drafts only: the second has one more space."),
    (["A", "no", "a", "no"], 0,
     "Upper and lower case are different bytes: 'A' is not 'a'."),
]


def judge(wasted_calls):
    for script, want, idea in CASES:
        model = ScriptedModel(script)
        reflect_v1(model, "A task.", rounds=len(script) // 2)
        expect(wasted_calls, (model.calls,), want, idea,
               f"the calls of a run with the replies {script}")
    expect(wasted_calls, ([],), 0, "No calls, no waste.")


EXERCISE = Exercise(
    id="1.3", name="wasted_calls", title="count the wasted calls", minutes=12,
    difficulty=2, statement="""
A round of v1 is two calls, first the generator's, then the critic's. It is
wasted when its draft is byte for byte the draft of the round before. Write
`wasted_calls`: from `model.calls` of a v1 run, count the calls in wasted
rounds. The record holds what each call was *sent*, so look for a draft in the
call that had to judge it.

A run with the drafts A, B, B, B has 4 wasted calls. An empty record has none.
""", stub='''
def wasted_calls(calls):
    """How many calls of a v1 run belong to a round with an old draft.

    calls: model.calls, each {"system": ..., "messages": [...]}
    """
    ...
''', hints=(
        "Calls 1, 3, 5, ... are the critic's. What does such a call hold "
        "just before its last message?",
        'The draft under review is call["messages"][-2]["content"].',
        "Collect these drafts from calls[1::2], count the neighbours that "
        "are equal, and multiply by two."),
    judge=judge,
    done="The bill for agreement is now a number.",
    right=('''
def wasted_calls(calls):
    drafts = [call["messages"][-2]["content"] for call in calls[1::2]]
    wasted = 0
    for i in range(1, len(drafts)):
        if drafts[i] == drafts[i - 1]:
            wasted += 2
    return wasted
''', '''
def wasted_calls(calls):
    if not calls:
        return 0
    said = [m["content"] for m in calls[-1]["messages"]
            if m["role"] == "assistant"]
    drafts = said[::2]
    return 2 * sum(a == b for a, b in zip(drafts, drafts[1:]))
'''), wrong=(
        Wrong("wasted += 2", "wasted += 1", "wastes both of its calls"),
        Wrong("== drafts[i - 1]", "in drafts[:i]",
                "A draft that comes back later"),
        Wrong("[-2]", "[-1]", "Every round brought a new draft"),
        Wrong('["content"] for call in calls[1::2]]',
                '["content"] for call in calls[2::2]]',
                "The same critique of a new draft"),
        Wrong("== drafts[i - 1]", "== drafts[i - 1] or drafts[i].strip() "
                "== drafts[i - 1].strip()", "byte-identical drafts only"),
        Wrong("== drafts[i - 1]", "== drafts[i - 1] or drafts[i].upper() "
                "== drafts[i - 1]", "different bytes"),
        Wrong("    return wasted", "    return 2 * (len(drafts) - "
                "len(set(drafts)))", "A draft that comes back later"),
        Wrong("range(1, len(drafts))", "range(len(drafts))",
                "The first draft has nothing to repeat"),
        Wrong("    wasted = 0\n", "    wasted = 0\n    drafts[0]\n",
                "IndexError"),
    ))
