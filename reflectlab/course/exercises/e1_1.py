"""1.1: one role, two jobs."""

from ...messages import assistant, user
from ...prompts import CRITIQUE_TURN, REVISE_TURN
from ..exercise import Exercise, Wrong
from ..probe import expect

NOTE = [user("Write a haiku about rain."), assistant("Rain falls."),
        user(CRITIQUE_TURN), assistant("Problem: this is no haiku."),
        user(REVISE_TURN), assistant("Soft rain on the roof."),
        user(CRITIQUE_TURN), assistant("Much better. No objections."),
        user(REVISE_TURN), assistant("Problem: is the title of my poem."),
        user(CRITIQUE_TURN)]
NAMES = ["user", "generator", "orchestrator", "critic", "orchestrator",
         "generator", "orchestrator", "critic", "orchestrator", "generator",
         "orchestrator"]


def judge(who_speaks):
    expect(who_speaks, (NOTE[:2],), NAMES[:2],
           "The person asks in message 0, and the first answer is a draft.")
    expect(who_speaks, (NOTE[:3],), NAMES[:3],
           "Not everything in the user role was said by the person: the "
           "orchestrator wrote that turn.", "the first three messages of v1")
    expect(who_speaks, (NOTE[:4],), NAMES[:4],
           "The role does not tell you who speaks: in v1 the assistant "
           "role holds two jobs.", "the first four messages of v1")
    expect(who_speaks, (NOTE[:6],), NAMES[:6],
           "After the first critique it goes on: the orchestrator asks, "
           "and the generator writes its second draft.",
           "the first six messages of v1")
    expect(who_speaks, (NOTE[:8],), NAMES[:8],
           "A critique that agrees is still the critic's: look at the turn "
           "before it, not at its words.",
           "eight messages; the second critique agrees")
    expect(who_speaks, (NOTE,), NAMES,
           "A draft that begins with 'Problem:' is still a draft.",
           "eleven messages; the last draft begins with 'Problem:'")
    expect(who_speaks, ([],), [], "An empty transcript has no speakers.")


EXERCISE = Exercise(
    id="1.1", name="who_speaks", title="who speaks?", minutes=6,
    difficulty=1, statement="""
Name the speaker behind each message of a v1 transcript. Return a list with
one word for each message: `"user"` (the person with the task), `"generator"`,
`"critic"`, or `"orchestrator"` (the loop's own turns that ask for a critique
or a revision). The role field alone will not tell you: that is v1's defect.

For the first four messages of `messages` the answer is
`["user", "generator", "orchestrator", "critic"]`.
""", stub='''
def who_speaks(messages):
    """["user", "generator", ...], one name for each message.

    who_speaks(messages[:2]) -> ["user", "generator"]
    """
    ...
''', hints=(
        "Read the v1 loop again: which line appends which message? In what "
        "order do they come round?",
        "After the task the speakers come in a cycle of four, or: an "
        "assistant message that follows CRITIQUE_TURN is the critic's.",
        'The cycle from message 1 on is generator, orchestrator, critic, '
        'orchestrator. Use i % 4, and treat message 0 apart.'),
    judge=judge,
    done="Half of what the 'assistant' said was criticism of itself.",
    right=('''
def who_speaks(messages):
    names = []
    for i in range(len(messages)):
        if i == 0:
            names.append("user")
        elif i % 2 == 0:
            names.append("orchestrator")
        elif i % 4 == 1:
            names.append("generator")
        else:
            names.append("critic")
    return names
''', '''
from reflectlab.prompts import CRITIQUE_TURN

def who_speaks(messages):
    before = [""] + [m["content"] for m in messages]
    return [("critic" if last == CRITIQUE_TURN else "generator")
            if m["role"] == "assistant"
            else ("orchestrator" if i else "user")
            for i, (m, last) in enumerate(zip(messages, before))]
'''), wrong=(
        Wrong("elif i % 4 == 1:", "elif True:",
                "the assistant role holds two jobs"),
        Wrong('"orchestrator"', '"user"',
                "Not everything in the user role"),
        Wrong("elif i % 4 == 1:", "elif i % 4 == 3:",
                "the first answer is a draft"),
        Wrong("elif i % 4 == 1:",
                'elif i == 1 or "roblem" not in messages[i]["content"]:',
                "A critique that agrees is still the critic's"),
        Wrong("elif i % 4 == 1:", 'elif i % 4 == 1 and not '
                'messages[i]["content"].startswith("Problem"):',
                "A draft that begins with 'Problem:'"),
        Wrong("elif i % 4 == 1:", "elif i == 1:", "writes its second draft"),
        Wrong("    return names", '    cycle = ["user", "generator", '
                '"orchestrator", "critic"]\n'
                '    return [cycle[i % 4] for i in range(len(names))]',
                "writes its second draft"),
        Wrong("    return names", '    return names or ["user"]',
                "An empty transcript"),
    ))
