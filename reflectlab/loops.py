"""The finished loops of notebooks 1 to 4, as short as the notebooks show them.

v1 is kept as the counter-example. v2 gives each speaker a history of its
own, v3 adds a rule for stopping, and the verified loop replaces opinion by a
check. Version 5, the agent, is in ``agent.py``.
"""

from __future__ import annotations

from collections.abc import Callable

from .budget import at_least_one
from .critics.stop_token import is_stop
from .messages import assistant, first_line, strip_fences, user
from .models.base import Model
from .prompts import (
    CRITIC_SYSTEM,
    CRITIQUE_TURN,
    GEN_SYSTEM,
    NO_REPORT,
    REVISE_TURN,
    SHARED_SYSTEM,
    STOP,
    STOPPING_CRITIC_SYSTEM,
    VERIFIER_GEN_SYSTEM,
    fill,
)
from .verifiers.verdict import Verdict


def reflect_v1(model: Model, task: str,
               rounds: int = 3) -> tuple[str, list[dict]]:
    """Version 1, the counter-example: one history for both jobs.

    Args:
        model: answers every call.
        task: what to write.
        rounds: how often to draft and critique, at least 1.

    Returns:
        The last draft and the one shared history.
    """
    at_least_one("rounds", rounds)
    messages = [user(task)]
    draft = ""
    for _ in range(rounds):
        draft = model.complete(system=SHARED_SYSTEM, messages=messages)
        messages.append(assistant(draft))
        messages.append(user(CRITIQUE_TURN))
        critique = model.complete(system=SHARED_SYSTEM, messages=messages)
        messages.append(assistant(critique))
        messages.append(user(REVISE_TURN))
    return draft, messages


def reflect_v2(model: Model, task: str, rounds: int = 2) -> str:
    """Version 2: two mirrored histories, one for each speaker.

    What one side said is "assistant" in its own history and "user" in the
    other's. A blank reply ends the run: it may not enter a history.

    Args:
        model: answers both speakers.
        task: what to write; the critic gets it in its system prompt.
        rounds: how often to draft and critique, at least 1.

    Returns:
        The last draft.
    """
    at_least_one("rounds", rounds)
    writer_history = [user(task)]
    critic_history = []
    critic_system = fill(CRITIC_SYSTEM, task)
    draft = ""
    for _ in range(rounds):
        reply = model.complete(system=GEN_SYSTEM, messages=writer_history)
        if not reply.strip():
            break
        draft = reply
        writer_history.append(assistant(draft))
        critic_history.append(user(draft))                  # crosses over

        critique = model.complete(system=critic_system,
                                  messages=critic_history)
        if not critique.strip():
            break
        critic_history.append(assistant(critique))
        writer_history.append(user(critique))               # crosses over
    return draft


def reflect_v3(model: Model, task: str, *, max_rounds: int = 4) -> str:
    """Version 3: the critic may ask to stop, the cap decides.

    Prints each draft and critique, and how the run ended.

    Args:
        model: answers both speakers.
        task: what to write.
        max_rounds: the cap, at least 1.

    Returns:
        The last draft.
    """
    at_least_one("max_rounds", max_rounds)
    writer_history, critic_history = [user(task)], []
    critic_system = fill(STOPPING_CRITIC_SYSTEM, task) + STOP
    draft, n, ending = "", 0, "budget exhausted"
    for n in range(1, max_rounds + 1):
        reply = model.complete(system=GEN_SYSTEM, messages=writer_history)
        if not reply.strip():
            ending = "empty reply"
            break
        draft = reply
        print(f"[{n}] draft:    {draft[:70]}")
        writer_history.append(assistant(draft))
        critic_history.append(user(draft))
        critique = model.complete(system=critic_system,
                                  messages=critic_history)
        print(f"[{n}] critique: {critique[:70]}")
        if is_stop(critique) or not critique.strip():
            ending = ("critic satisfied" if is_stop(critique)
                      else "empty reply")
            break
        critic_history.append(assistant(critique))
        writer_history.append(user(critique))
    print(f"--- stopped after {n} round(s), {ending}")
    return draft


def reflect_verified(model: Model, spec: str,
                     verifier: Callable[[str], Verdict], *,
                     max_rounds: int = 4) -> tuple[str, bool, int]:
    """Version 4: a verifier in the critic's place.

    No critic, so no critic history: the check's report is the feedback.

    Args:
        model: writes the code.
        spec: what the code must do.
        verifier: judges a draft (see ``verifiers``).
        max_rounds: the cap, at least 1.

    Returns:
        The last draft, whether it passed, and the rounds used.
    """
    at_least_one("max_rounds", max_rounds)
    history = [user(spec)]
    draft = ""
    for n in range(1, max_rounds + 1):
        reply = strip_fences(model.complete(system=VERIFIER_GEN_SYSTEM,
                                            messages=history))
        if not reply.strip():
            return draft, False, n
        draft = reply
        verdict = verifier(draft)
        report = verdict.report.strip() or NO_REPORT
        print(f"[{n}] verifier: {first_line(report)[:72]}")
        if verdict.ok and verdict.signal:
            return draft, True, n
        history.append(assistant(draft))
        history.append(user(report))
    return draft, False, max_rounds
