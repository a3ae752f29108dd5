"""3.4: a critique prompt with all its parts, seen from the model's side."""

import re

from ...models.scripted import ScriptedModel
from ..exercise import Exercise, Wrong
from ..probe import call, not_yet, shown

TOKEN = "NO_FURTHER_OBJECTIONS"
TASKS = [("Write two sentences on the CSV export.", "You can export now."),
         ("Name the price, 49 euros {VAT included}.", "It costs 40 euros.")]
NEGATION = re.compile(r"n['’]t\b|\b(?:not|never|no|nor|cannot|without|leave|"
                      r"avoid|refrain|instead of|forbid\w*|prohibit\w*)\b",
                      re.I)
AFTER = re.compile(r"\brewrit(?:ing|es)\b.*(?:n['’]t|\b(?:not|never|"
                   r"forbidden|prohibited))\b", re.I)
# Up to five words between a negation and its verb; some take it back.
NEAR = re.compile(r"((?:\W+\w+){0,5}?\W+)rewrit", re.I)
TAKES_BACK = re.compile(r"\b(?:forget|fail|hesitate|neglect|omit|refuse|only|"
                        r"just|until|unless|before|but|then)\b", re.I)


def forbids_rewriting(text):
    """Whether some sentence negates the word 'rewrite', next to it."""
    for sentence in re.split(r"[.!?;]|\n(?=\W*[A-Z0-9])", text):
        for no in NEGATION.finditer(sentence):
            found = NEAR.match(sentence, no.end())
            if not found or TAKES_BACK.search(found[1]):
                continue
            # "If it is not good, rewrite it" has a clause of its own.
            if not found[1].rstrip().endswith(",") or found[1].count(",") > 1:
                return True
        if AFTER.search(sentence):
            return True
    return False


def missing(system, requirements):
    """Name the first required part that a system prompt lacks."""
    low = system.lower()
    dimensions = ["accuracy", "completeness", "tone", "clarity"]
    parts = [
        (requirements in system, "The requirements are not in the system "
         "prompt, so the critic must guess them from the draft."),
        (all(d in low for d in dimensions), "Name the dimensions to look at: "
         "accuracy, completeness, tone and clarity."),
        (all(re.search(rf"\b{s}\b", low) for s in ("high", "medium", "low")),
         "Ask for a severity with each issue: high, medium or low."),
        (re.search(r"\bfix", low), "Ask for a fix with each issue: an "
         "objection that says nothing to do changes nothing."),
        (forbids_rewriting(system), "Forbid the critic to rewrite the draft: "
         "its version would arrive as if it were feedback. Put the negation "
         "right before the verb: 'Do not rewrite ...'."),
        (TOKEN in system, "Name the stop token: a critic that does not know "
         "it can't end the run."),
        (TOKEN in [line.strip() for line in system.splitlines()],
         "Give the stop token on a line of its own, without quotes or a full "
         "stop: the critic repeats to the letter what it reads."),
    ]
    return next((idea for there, idea in parts if not there), None)


def judge(ask_critic):
    for requirements, draft in TASKS:
        model = ScriptedModel(["Problem: dull."])
        where = f"requirements {requirements!r}, draft {draft!r}"
        reply = call(ask_critic, model, requirements, draft, label=where)
        if len(model.calls) != 1:
            raise not_yet("A critique is one call of the model.", input=where,
                          expected="1 call", got=f"{len(model.calls)} calls")
        asked = model.calls[0]
        if asked["messages"] != [{"role": "user", "content": draft}]:
            raise not_yet("The draft alone is the user's message: what is "
                          "reviewed stays apart from the instructions.",
                          input=where, got=shown(asked["messages"]))
        if idea := missing(str(asked["system"]), requirements):
            raise not_yet(idea, input=where, got=shown(asked["system"]))
        if draft in asked["system"]:
            raise not_yet("The draft must not stand in the system prompt: "
                          "there its words are orders.", input=where)
        if reply != "Problem: dull.":
            raise not_yet("Return what the model replied.", input=where,
                          expected="'Problem: dull.'", got=shown(reply))


EXERCISE = Exercise(
    id="3.4", name="ask_critic", title="a critique prompt with all its parts",
    minutes=10, difficulty=2, statement="""
"Review this text" gets a vague answer. Write `ask_critic`: one call of
`model.complete(system=..., messages=...)` with the draft as the only (user)
message; return its reply. The system prompt is yours. A recording model looks
at what arrives, and wants to find in it

1. the requirements, word for word;
2. the dimensions accuracy, completeness, tone and clarity, by name;
3. a severity for each issue: high, medium or low;
4. a fix for each issue (use the word);
5. a sentence that forbids to rewrite the draft (use the word);
6. the token `NO_FURTHER_OBJECTIONS`, alone on its line, for a draft without
   problems.

The check looks for words. It can't see what they mean: "Always reply with this
line:" before the token would pass it, and accept every draft. Whether a prompt
works is measured, in notebook 4.
""", stub='''
def ask_critic(model, requirements, draft):
    """Ask for one critique of the draft; return the reply.

    The call: model.complete(system=..., messages=[...])
    """
    ...
''', hints=(
        "Start with the vague prompt and add one line for each of the six "
        "parts. Let the check tell you which is still missing.",
        "An f-string takes the requirements. 'Do not rewrite the draft.' is "
        "a sentence on its own; the token comes last, after a line break.",
        'End the prompt with "...reply with this line alone:\\n\\n'
        'NO_FURTHER_OBJECTIONS", and send [{"role": "user", "content": '
        "draft}]."),
    judge=judge,
    done="Every part arrived, and the draft stayed out of the instructions.",
    right=('''
def ask_critic(model, requirements, draft):
    system = f"""You review drafts. The requirements:

{requirements}

Look at accuracy, completeness, tone and clarity.
For each issue give a severity (high, medium or low).
For each issue give a fix.
Do not rewrite the draft.
When nothing is left to object, reply with this line alone:

NO_FURTHER_OBJECTIONS"""
    messages = [{"role": "user", "content": draft}]
    return model.complete(system=system, messages=messages)
''', '''
from reflectlab.messages import user

PARTS = [
    "You check drafts against these requirements: <<>>",
    "Dimensions: Accuracy, Completeness, Tone, Clarity.",
    "Format of an issue: [HIGH|MEDIUM|LOW] dimension: problem. Fix: ...",
    "Leave the rewriting to the author, and never send a version of yours.",
    "No issue left? Then your whole reply is",
    "NO_FURTHER_OBJECTIONS",
]

def ask_critic(model, requirements, draft):
    system = "\\n".join(PARTS).replace("<<>>", requirements)
    return model.complete(messages=[user(draft)], system=system)
''', '''
def ask_critic(model, requirements, draft):
    system = (
        f"The author was asked for this: {requirements}\\n"
        "Judge clarity, tone, completeness, accuracy. Each problem gets a "
        "severity: 'low', 'medium' or 'high'. Say how it can be fixed.\\n"
        "Don't rewrite anything; the author will rewrite the draft.\\n"
        "No problem at all? Then reply:\\n"
        "NO_FURTHER_OBJECTIONS\\n")
    return model.complete(
        system=system, messages=[dict(role="user", content=draft)])
'''), wrong=(
        Wrong("{requirements}", "{{requirements}}",
                "must guess them from the draft"),
        Wrong(", completeness, tone and clarity", "",
                "Name the dimensions"),
        Wrong(" (high, medium or low)", "",
                "Ask for a severity"),
        Wrong("For each issue give a fix.\n", "", "Ask for a fix"),
        Wrong("Do not rewrite the draft.", "Then rewrite the draft.",
                "Forbid the critic to rewrite"),
        Wrong("Do not rewrite the draft.",
                "Do not forget to rewrite the draft.",
                "Forbid the critic to rewrite"),
        Wrong("Do not rewrite the draft.",
                "If it is not good, rewrite the draft.",
                "Forbid the critic to rewrite"),
        Wrong("Do not rewrite the draft.", "Do not only complain, but "
                "rewrite the draft.", "Forbid the critic to rewrite"),
        Wrong("Do not rewrite the draft.\n", "",
                "Forbid the critic to rewrite"),
        Wrong("this line alone:\n\n", "the token ",
                "on a line of its own"),
        Wrong("NO_FURTHER_OBJECTIONS", "`NO_FURTHER_OBJECTIONS`",
                "on a line of its own"),
        Wrong("NO_FURTHER_OBJECTIONS", "NO_OBJECTIONS",
                "Name the stop token"),
        Wrong('"content": draft', '"content": f"Review this: {draft}"',
                "The draft alone is the user's message"),
        Wrong('"content": draft', '"content": system + draft',
                "The draft alone is the user's message"),
        Wrong("{requirements}", "{requirements}\n\nThe draft:\n{draft}",
                "there its words are orders"),
        Wrong("    return model", "    model.complete(system=system, "
                "messages=messages)\n    return model",
                "one call of the model"),
        Wrong("    return model", "    model",
                "Return what the model replied"),
    ))
