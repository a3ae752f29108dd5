"""3.1: a reply is a stop when it is the token and nothing else."""

from ..exercise import Exercise, Wrong
from ..probe import expect

TOKEN = "NO_FURTHER_OBJECTIONS"
CASES = [
    ("Problem: too long.", TOKEN, False, "An objection does not stop."),
    (TOKEN, TOKEN, True, "The bare token stops."),
    (f"\n  {TOKEN} \n\n", TOKEN, True,
     "White space around the token is no second opinion."),
    (f"Once that is fixed I will reply {TOKEN}, as agreed.", TOKEN, False,
     "A reply that mentions the token usually says why it is not given."),
    (f"{TOKEN} would be the wrong reply: the title is missing.", TOKEN,
     False, "A reply that begins with the token goes on for a reason."),
    (f"Problem: the title is missing.\nAfter that:\n{TOKEN}", TOKEN, False,
     "The token on a line of its own does not undo the lines before it."),
    ("not approved", "APPROVED", False,
     "A negated token is an objection: compare the whole reply."),
    ("unacceptable", "ACCEPTABLE", False,
     "A negated token is an objection: compare the whole reply."),
    (f"{TOKEN}\nProblem: the title is missing.", TOKEN, False,
     "The token on the first line does not undo the lines after it."),
    (f"{TOKEN}.", TOKEN, False, "A full stop or quotes around it make another "
     "text: nothing but white space may surround the token."),
    (f"`{TOKEN}`", TOKEN, False, "A full stop or quotes around it make "
     "another text: nothing but white space may surround the token."),
    (TOKEN.replace("_O", "_ O"), TOKEN, False,
     "White space inside the token breaks it."),
    ("NO", TOKEN, False, "A piece of the token is not the token."),
    ("DONE+1", "DONE+1", True, "The token is an argument and may be any text: "
     "it is neither a constant nor a pattern."),
    ("Approved", "APPROVED", False,
     "The token was agreed to the letter; other spellings object."),
    ("", TOKEN, False, "Silence approves nothing."),
]


def judge(is_stop):
    for reply, token, want, idea in CASES:
        expect(is_stop, (reply, token), want, idea)


EXERCISE = Exercise(
    id="3.1", name="is_stop", title="is it a stop?", minutes=3, difficulty=1,
    statement="""
The critic may end the run by replying with a token. Write `is_stop`: True
only if the reply *is* the token, to the letter, with nothing but white space
around it. A wrong True ships a draft that nobody approved; a wrong False costs
one more round, and the cap bounds those.

`is_stop(" OK ", "OK")` is True, `is_stop("Not OK", "OK")` is False.
""", stub='''
def is_stop(reply, token):
    """True when the reply is the token and nothing else.

    is_stop(" OK ", "OK") -> True
    """
    ...
''', hints=(
        "What would `in` say about 'I will not reply OK yet'?",
        "Take the white space off both ends, then compare the whole.",
        "`reply.strip()` gives the text to compare with `==`."),
    judge=judge,
    done="Only the whole reply counts, so prose can't spoof the stop.",
    right=('''
def is_stop(reply, token):
    return reply.strip() == token
''', '''
def is_stop(reply, token):
    lines = [line.strip() for line in reply.splitlines() if line.strip()]
    return lines == [token]
''', '''
import re

def is_stop(reply, token):
    pattern = r"\\s*" + re.escape(token) + r"\\s*"
    return bool(re.fullmatch(pattern, reply))
'''), wrong=(
        Wrong("reply.strip() == token", "token in reply",
                "usually says why it is not given"),
        Wrong("reply.strip() == token", "reply.strip().startswith(token)",
                "goes on for a reason"),
        Wrong("reply.strip() == token",
                "token in [line.strip() for line in reply.splitlines()]",
                "does not undo the lines before it"),
        Wrong("reply.strip() == token", "reply == token",
                "White space around the token"),
        Wrong("reply.strip() == token", "reply.strip().lower() == "
                "token.lower()", "agreed to the letter"),
        Wrong("reply.strip() == token", 'token.lower() in reply.lower() '
                'and "reply" not in reply and ":" not in reply',
                "A negated token is an objection"),
        Wrong("reply.strip() == token",
                "(reply.strip().splitlines() or [''])[0].strip() == token",
                "does not undo the lines after it"),
        Wrong("reply.strip() == token", "bool(__import__('re').search("
                "rf'\\A\\s*{token}\\s*$', reply, 8))",
                "does not undo the lines after it"),
        Wrong("reply.strip()", "reply.strip().rstrip('.!')",
                "A full stop or quotes"),
        Wrong("reply.strip()", "reply.strip().strip('`\"')",
                "A full stop or quotes"),
        Wrong("reply.strip()", "''.join(reply.split())",
                "White space inside the token"),
        Wrong("reply.strip() == token", "reply.strip() in token and "
                "reply != ''", "A piece of the token"),
        Wrong("reply.strip() == token", 'reply.strip() in '
                '("NO_FURTHER_OBJECTIONS", "OK")', "neither a constant"),
        Wrong("reply.strip() == token", "bool(__import__('re').fullmatch("
                "rf'\\s*{token}\\s*', reply))", "neither a constant"),
        Wrong("reply.strip() == token",
                "reply.strip() in (token, '')", "Silence approves nothing"),
    ))
