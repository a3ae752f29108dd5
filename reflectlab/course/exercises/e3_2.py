"""3.2: reading a critique, so that what can't be read decides nothing."""

import json

from ..exercise import Exercise, Wrong
from ..probe import expect

ISSUE = {"dimension": "tone", "severity": "low", "description": "Stiff.",
         "fix": "Say 'you'."}
GOOD = {"overall_score": 8, "issues": [ISSUE], "passes": True}
NONE_FOUND = {"overall_score": 9, "issues": [], "passes": True}
TEXT = json.dumps(GOOD)


def but(**changes):
    """The good critique with changes; ... takes the key out."""
    changed = {**GOOD, **changes}
    return json.dumps({k: v for k, v in changed.items() if v is not ...})


CASES = [
    (TEXT, GOOD, "A reply in the form that was asked for is read."),
    (json.dumps(NONE_FOUND), NONE_FOUND,
     "An empty list of issues is a good answer, not a missing one."),
    (json.dumps(GOOD, indent=2), GOOD, "The object may run over several "
     "lines."),
    (f"```json\n{TEXT}\n```", GOOD, "A fence around the object is no fault."),
    (f"Here is my review:\n{TEXT}\nI hope it helps.", GOOD,
     "Prose around the object is no fault."),
    ("", None, "An empty reply is no critique."),
    ("Looks good to me, passes!", None, "Prose without an object is not the "
     "form that was asked for."),
    (TEXT[:-9], None, "A reply that was cut off can't be read; the missing "
     "part might have been an objection."),
    ("[]", None, "A list is no critique."),
    (but(overall_score=...), None, "Without a score nothing can be decided: "
     "a default would be a verdict of your own."),
    (but(overall_score=7.5), {**GOOD, "overall_score": 7.5},
     "7.5 is a number from 1 to 10."),
    (but(note="Nice."), {**GOOD, "note": "Nice."},
     "One more key is no fault, and it stays in the dict."),
    (but(overall_score=True), None,
     "true is no score, although True is an int in Python."),
    (but(overall_score=85), None, "85 is off the scale of 1 to 10: as a score "
     "it would pass every bar."),
    (but(overall_score=0), None, "0 is below the scale of 1 to 10."),
    (but(overall_score="8"), None, "A score must be a number, not a text."),
    (but(issues=None), None, "null is no list of issues: nobody said that "
     "there are none."),
    (but(issues=...), None, "A missing list of issues is no empty list."),
    (but(issues="none"), None, "A text is no list of issues."),
    (but(passes="false"), None, 'The text "false" is true in Python: accept '
     "real booleans only."),
    (but(passes=1), None, "1 is no boolean, although 1 == True in Python."),
    (but(passes=...), None, "A verdict that is missing is not a pass."),
]


def judge(parse_critique):
    for reply, want, idea in CASES:
        expect(parse_critique, (reply,), want, idea)


EXERCISE = Exercise(
    id="3.2", name="parse_critique", title="a parser that fails closed",
    minutes=20, difficulty=3, statement="""
The critic was asked for one JSON object with `"overall_score"` (a number from
1 to 10, whole or not), `"issues"` (a list) and `"passes"` (a boolean). Write
`parse_critique`: return the object as a dict when the reply holds it in this
form, else None. A fence or prose around the object is fine, and so are further
keys; a missing key, a wrong type or a score off the scale is not.

Reading *fails closed*: what can't be read must never turn into an approval,
nor into an objection. `parse_critique("Looks good!")` is None. (What an issue
looks like inside is not asked here.)
""", stub='''
import json


def parse_critique(reply):
    """The critique in a reply, or None when it can't be read.

    parse_critique("Looks good!") -> None
    """
    ...
''', hints=(
        "Go from the first { to the last }, and decide what happens when "
        "there is none, or when json.loads raises.",
        "After loading: is it a dict? Are all three keys there? Check each "
        "value with isinstance, and give no defaults.",
        "reply.find('{') and reply.rfind('}') bound the object; "
        "json.JSONDecodeError is a ValueError. Then three isinstance tests: "
        "(int, float), list, bool. True is an int too, so refuse a bool as "
        "score first, and look at the scale last."),
    judge=judge,
    done="No malformed reply gets past this parser.",
    right=('''
import json

def parse_critique(reply):
    start, end = reply.find("{"), reply.rfind("}")
    try:
        found = json.loads(reply[start:end + 1])
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    score = found.get("overall_score")
    if isinstance(score, bool) or not isinstance(score, (int, float)):
        return None
    if not 1 <= score <= 10:
        return None
    if not isinstance(found.get("issues"), list):
        return None
    if not isinstance(found.get("passes"), bool):
        return None
    return found
''', '''
import json

def parse_critique(reply):
    decoder = json.JSONDecoder()
    try:
        found, _ = decoder.raw_decode(reply, reply.index("{"))
        good = (type(found["overall_score"]) in (int, float)
                and 1 <= found["overall_score"] <= 10
                and type(found["issues"]) is list
                and type(found["passes"]) is bool)
    except (ValueError, KeyError, TypeError):
        return None
    return found if good else None
'''), wrong=(
        Wrong("    except ValueError:\n        return None",
                '    except ValueError:\n        return {"overall_score": 7, '
                '"issues": [], "passes": True} if reply else None',
                "Prose without an object"),
        Wrong("found = json.loads(reply[start:end + 1])",
                "found = json.loads(reply)", "A fence around the object"),
        Wrong("found = json.loads(reply[start:end + 1])",
                "found = json.loads(reply.strip('`json\\n'))",
                "Prose around the object"),
        Wrong('found.get("passes"), bool', 'bool(found.get("passes")), bool',
                'The text "false" is true'),
        Wrong('score = found.get("overall_score")',
                'score = found.setdefault("overall_score", 10)',
                "a default would be a verdict"),
        Wrong('isinstance(found.get("issues"), list)',
                'isinstance(found.get("issues") or [], list)',
                "null is no list"),
        Wrong('if not isinstance(found.get("issues"), list)',
                'if not found.get("issues")', "An empty list of issues"),
        Wrong('    score = found.get("overall_score")\n',
                '    score = found.get("overall_score")\n'
                "    if str(score).isdigit():\n        score = int(score)\n",
                "not a text"),
        Wrong("found = json.loads(reply[start:end + 1])",
                "import re\n        line = re.search(r'\\{.*\\}', reply)\n"
                "        found = json.loads(line.group() if line else '')",
                "run over several lines"),
        Wrong("isinstance(score, bool) or ", "", "true is no score"),
        Wrong("(int, float)", "int", "7.5 is a number"),
        Wrong("    return found\n", '    return {key: found[key] for key in '
                '("overall_score", "issues", "passes")}\n',
                "One more key is no fault"),
        Wrong("1 <= score <= 10", "1 <= score", "85 is off the scale"),
        Wrong("1 <= score <= 10", "score <= 10", "0 is below the scale"),
        Wrong('found.get("issues"), list', 'found.get("issues", []), list',
                "is no empty list"),
        Wrong('found.get("issues"), list', 'found.get("issues"), (list, str)',
                "A text is no list"),
        Wrong('not isinstance(found.get("passes"), bool)',
                'found.get("passes") not in (True, False)',
                "1 is no boolean"),
        Wrong('found.get("passes"), bool', 'found.get("passes", True), bool',
                "A verdict that is missing"),
        Wrong("    except ValueError:\n        return None",
                "    except ValueError:\n"
                "        if '\"overall_score\": 8' not in reply:\n"
                "            return None\n"
                '        return {"overall_score": 8, "issues": [], "passes": '
                'True}', "cut off"),
    ))
