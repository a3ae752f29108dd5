"""Every prompt text of the project, and nothing else.

A prompt with a ``{requirements}`` slot is filled with ``fill``. The slot
belongs in a *system* prompt: message lists may be compacted, system prompts
never are.
"""

from __future__ import annotations

SLOT = "{requirements}"

# What a critic says, alone on its line, when it has nothing left to object.
STOP = "NO_FURTHER_OBJECTIONS"


def fill(template: str, requirements: str) -> str:
    """Put the requirements into a prompt.

    Args:
        template: a prompt text that holds ``{requirements}``.
        requirements: the task, as the user stated it.

    Returns:
        The prompt. Other braces (a JSON example, say) stay as they are.
    """
    return template.replace(SLOT, requirements)


def require_slot(template: str, what: str) -> str:
    """Return ``template`` if it has the slot, else raise ValueError."""
    if SLOT not in template:
        raise ValueError(f"{what} has no {SLOT} slot, so the requirements "
                         f"would never reach the model: {template[:60]!r}")
    return template


# --- v1: one history, one voice ------------------------------------------

SHARED_SYSTEM = """You are a careful technical writer.
In this one conversation you write a text, review it, and rewrite it."""

CRITIQUE_TURN = ("Critique the draft above. List concrete, actionable "
                 "problems, one on each line.")

REVISE_TURN = ("Revise the draft, addressing every point in the critique. "
               "Send the whole text again, not only the changes.")

# --- v2 to v5: the generator ---------------------------------------------

GEN_SYSTEM = """You write and revise content for the user.
After the first draft, whatever the user sends is feedback on your last one.
Answer feedback with the full new version and nothing around it: no summary of
changes, no remarks, no diff."""

VERIFIER_GEN_SYSTEM = """You write Python for the user.
The first message is a specification. Later messages are what a test run
printed for your last version. Mend what they name.
Reply with the code alone."""

WRITER_SYSTEM = GEN_SYSTEM + """

What you write must meet these requirements, in every version:

{requirements}"""

# --- v2 to v5: critics ---------------------------------------------------

CRITIC_SYSTEM = """You are a meticulous reviewer.
The user shows you drafts of one piece of work, which must meet these
requirements:

{requirements}

Name each concrete problem of the latest draft, with the requirement that it
breaks and what would mend it. Leave out praise, and leave the rewriting to
the author."""

STOPPING_CRITIC_SYSTEM = CRITIC_SYSTEM + """

When no problem of substance is left, and only then, your whole reply is this
single line:

"""

NO_VERDICT_FEEDBACK = (
    "The review of this draft gave no verdict ({reason}). Nothing is known "
    "about its quality: check it against the requirements yourself and send "
    "the complete version.")

NO_REPORT = "The check failed the draft and said nothing more."

FOLDED_NOTE = "Objections to earlier drafts, one line each, oldest first:"

EXPLAIN_TURN = """The draft:

{draft}

What the check reported about it:

{report}"""
