"""A critic that marks named criteria, one line each, in a fixed form.

Only a line that says exactly ``NAME: PASS`` passes its criterion. Silence, an
echo of the instructions (``NAME: PASS or FAIL``) and two lines that disagree
are all a fail: a garbled reply must not approve anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..prompts import (
    CRITERIA_CRITIC_SYSTEM,
    CRITERIA_NOT_MET,
    require_slot,
)
from .base import Critic, Critique, Decision, Issue, no_verdict

FEEDBACK = "FEEDBACK"
_SLOTS = re.compile(r"\{(requirements|criteria|format)\}")
_NO_WORDS = re.compile(r"(feedback\s*:[\s'\".]*(none)?[\s'\".]*)?", re.I)


class CriteriaCritic(Critic):
    """Accepts when every criterion is marked PASS.

    Args:
        criteria: name of each criterion -> what it means, for example
            ``{"PRICE": "names the exact price"}``. Case is ignored.
        prompt: system prompt with slots ``{requirements}``, ``{criteria}``
            and ``{format}``.

    Raises:
        ValueError: for no criteria, or a name that could not be read back.
    """

    def __init__(self, criteria: Mapping[str, str],
                 prompt: str = CRITERIA_CRITIC_SYSTEM) -> None:
        self.criteria = {name.strip().upper(): meaning
                         for name, meaning in criteria.items()}
        if not self.criteria or len(self.criteria) < len(criteria):
            raise ValueError("criteria need at least one name, and names "
                             f"that differ; got {list(criteria)}")
        for name in self.criteria:
            if not name or ":" in name or "\n" in name or name == FEEDBACK:
                raise ValueError(
                    f"{name!r} cannot name a criterion: use one line without "
                    f"a colon, other than {FEEDBACK}")
        self.prompt = require_slot(prompt, "the critic's prompt")

    def system(self, requirements: str) -> str:
        """The prompt with the criteria, the form and the requirements."""
        meanings = "\n".join(f"- {name}: {meaning}"
                             for name, meaning in self.criteria.items())
        form = "\n".join(f"{name}: PASS or FAIL" for name in self.criteria)
        parts = {"requirements": requirements, "criteria": meanings,
                 "format": form}
        # In one pass: what is put in is never searched for slots.
        return _SLOTS.sub(lambda slot: parts[slot[1]], self.prompt)

    def verdicts(self, reply: str) -> dict[str, bool | None]:
        """How each criterion is marked.

        Returns:
            True for PASS, False for anything else that was said about it,
            None when nothing was.
        """
        found: dict[str, bool | None] = dict.fromkeys(self.criteria)
        for line in str(reply).splitlines():
            name, colon, mark = line.partition(":")
            name = name.strip().upper()
            if colon and name in found:
                passed = mark.strip().lower() == "pass"
                found[name] = passed and found[name] is not False
        return found

    def parse(self, reply: str) -> Critique:
        """Accept, or object and name the criteria that failed.

        Never raises. A reply that marks no criterion at all is no verdict,
        nor is one that passes all of them and has more to say: it may quote
        the marks that a draft asks for, and object.
        """
        raw = str(reply)
        if not raw.strip():
            return no_verdict("empty reply", raw)
        verdicts = self.verdicts(raw)
        if all(passed is None for passed in verdicts.values()):
            return no_verdict("no criterion is marked", raw)
        words = _feedback(raw)
        issues = tuple(
            Issue(name, "high", self.criteria[name] + (
                " (not marked)" if passed is None else ""), words)
            for name, passed in verdicts.items() if not passed)
        if not issues and not _NO_WORDS.fullmatch(self._beside(raw)):
            return no_verdict("contradicts itself: every criterion is marked "
                              "PASS, and more is said", raw)
        if not issues:
            return Critique(Decision.ACCEPT, "", raw=raw,
                            reason="every criterion is met")
        lines = [CRITERIA_NOT_MET]
        lines += [f"- {issue.dimension}: {issue.description}"
                  for issue in issues]
        return Critique(Decision.OBJECT, "\n".join([*lines, words]).strip(),
                        issues, raw=raw)

    def _beside(self, reply: str) -> str:
        """What a reply says beside its marks, on one line."""
        return " ".join(line for line in reply.splitlines()
                        if line.partition(":")[0].strip().upper()
                        not in self.criteria).strip()


def _feedback(reply: str) -> str:
    """What follows ``FEEDBACK:``; empty for "none"."""
    lines = reply.splitlines()
    for i, line in enumerate(lines):
        name, colon, words = line.partition(":")
        if colon and name.strip().upper() == FEEDBACK:
            text = "\n".join([words, *lines[i + 1:]]).strip()
            bare = text.strip("'\". ").lower()
            return "" if bare == "none" else text
    return ""
