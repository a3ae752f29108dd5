"""2.2: which message lists an API would refuse."""

from ...messages import assistant, user
from ..exercise import Exercise, Wrong
from ..probe import call, expect, not_yet, recognised, shown

LEGAL = [user("Task."), assistant("Draft."), user("Objection.")]
SHORT = [user("Task.")]
FIRST = [assistant("Draft."), user("Objection.")]
LAST = [user("Task."), assistant("Draft.")]
CASES = [
    ([LEGAL, SHORT], [], "Both lists are legal: the user speaks first and "
     "last, the roles alternate, nothing is blank."),
    ([LEGAL, FIRST], [1], "The first message must be the user's; the "
     "evicted task shows here."),
    ([LAST, LEGAL], [0], "The last message must be the user's, or there is "
     "nothing to answer."),
    ([[user("Task."), user("Please."), user("No.")]], [0],
     "Two user messages in a row: the roles must alternate."),
    ([[user("Task."), *[assistant("Draft.")] * 3, user("No.")]], [0],
     "Two assistant messages in a row: the roles must alternate."),
    ([[user("Task."), assistant(""), user("Objection.")]], [0],
     "An empty reply must not enter a history."),
    ([[user("Task."), assistant(" \n"), user("Objection.")]], [0],
     "A reply of white space is blank as well."),
    ([LEGAL, [{"role": "system", "content": "Be brief."}, *LEGAL[1:]]], [1],
     "A system message is no user message: instructions have their own "
     "place."),
    ([[user("Task."), {"role": "system", "content": "Be brief."},
       user("Objection.")]], [0], "Look at the names: only 'user' and "
     "'assistant' may alternate."),
    ([[user(" ")]], [0], "A blank question is as illegal as a blank reply."),
    ([[], LEGAL], [0], "An empty list asks nothing: it is illegal."),
    ([FIRST, LEGAL, LAST], [0, 2], "Name every illegal list."),
]


def judge(illegal):
    got = call(illegal, [LEGAL, FIRST])
    if idea := recognised(got, [
            ([2], "Positions count from 0."),
            ([FIRST], "Return the positions, not the lists."),
            ([False, True], "Return the positions of the illegal ones, not a "
             "yes or no for each.")], ""):
        raise not_yet(idea, input="a legal list, then an illegal one",
                      expected="[1]", got=shown(got))
    for histories, want, idea in CASES:
        expect(illegal, (histories,), want, idea)


EXERCISE = Exercise(
    id="2.2", name="illegal", title="find the illegal lists", minutes=8,
    difficulty=2, statement="""
Write `illegal`: from several message lists, return the positions (from 0) of
those that must not be sent. A list is legal when it is not empty, its first
and its last message are the user's, the roles `"user"` and `"assistant"`
alternate, and no content is blank. Some servers refuse other lists, some
answer them badly; a check of your own tells you before you pay.

`illegal([[user("Hi.")], [assistant("Hi.")]])` is `[1]`. Do it without
`problems`, so that you know what it looks at.
""", stub='''
def illegal(histories):
    """Positions of the lists that must not be sent.

    illegal([[user("Hi.")], [assistant("Hi.")]]) -> [1]
    """
    ...
''', hints=(
        "Write down the roles of a legal list. What are they at even "
        "positions, what at odd ones, and how long can the list be?",
        "A legal list has an odd length, 'user' at even and 'assistant' at "
        "odd positions, and content.strip() is never empty.",
        'Compare [m["role"] for m in h] with (["user", "assistant"] * '
        "len(h))[:len(h)], and look at len(h) % 2."),
    judge=judge,
    done="An illegal list is found here, not in a bill or an error log.",
    right=('''
def illegal(histories):
    found = []
    for i, history in enumerate(histories):
        roles = [m["role"] for m in history]
        wanted = ["user", "assistant"] * len(history)
        blank = any(not m["content"].strip() for m in history)
        ends = len(history) % 2 == 0
        if ends or blank or roles != wanted[:len(roles)]:
            found.append(i)
    return found
''', '''
def illegal(histories):
    def legal(history):
        expected = "user"
        for message in history:
            if message["role"] != expected or not message["content"].strip():
                return False
            expected = "assistant" if expected == "user" else "user"
        return expected == "assistant"

    return [i for i, h in enumerate(histories) if not legal(h)]
'''), wrong=(
        Wrong("len(history) % 2 == 0", "not history",
                "The last message must be the user's"),
        Wrong("roles != wanted[:len(roles)]", 'roles[0] != "user"',
                "Two user messages in a row"),
        Wrong("roles != wanted[:len(roles)]", 'roles[0] != "user" or '
                '("user", "user") in zip(roles, roles[1:])',
                "Two assistant messages in a row"),
        Wrong("ends or blank or roles != wanted[:len(roles)]",
                'not roles or blank or roles[-1] != "user" or any('
                'a == b for a, b in zip(roles, roles[1:]))',
                "the evicted task shows here"),
        Wrong("ends or blank or", "ends or", "An empty reply"),
        Wrong('.strip() for', ' for', "white space is blank"),
        Wrong("len(history) % 2 == 0", "len(history) % 2 == 0 and history",
                "An empty list asks nothing"),
        Wrong('roles = [m["role"]', 'roles = [m["role"].replace("system", '
                '"user")', "A system message is no user message"),
        Wrong("roles != wanted[:len(roles)]", 'roles[0] != "user" or '
                'any(a == b for a, b in zip(roles, roles[1:]))',
                "Look at the names"),
        Wrong('for m in history)', 'for m in history[1:])',
                "A blank question"),
        Wrong('for m in history)', 'for m in history '
                'if m["role"] == "assistant")', "A blank question"),
        Wrong("found.append(i)", "found.append(i + 1)", "count from 0"),
        Wrong("found.append(i)", "found.append(history)", "not the lists"),
        Wrong("            found.append(i)\n",
                "            found.append(True)\n        else:\n"
                "            found.append(False)\n",
                "not a yes or no"),
        Wrong("found.append(i)", "return [i]", "Name every illegal list"),
    ))
