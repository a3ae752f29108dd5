"""What a verifier says about one draft."""

from __future__ import annotations

from dataclasses import dataclass

# These outcomes are about the verifier, not about the draft.
NO_SIGNAL = frozenset({"no_checks", "verifier_error",
                       "isolation_unavailable"})


@dataclass(frozen=True)
class Verdict:
    """The outcome of one objective check.

    Args:
        ok: True when every check passed.
        report: text for the generator: what failed, on which input.
        status: one word from the list in ``data/README.md``; empty when a
            verifier of your own does not say.
        checks: checks completed (candidate calls, for code).
        seconds: wall time of the check.
        isolation: name of the isolation tier that ran the draft.
        fingerprint: status and failing checks, for stall detection.
        hung_call: the call that was running at a timeout.

    Raises:
        TypeError: when ``ok`` is neither True nor False, or the report is
            no text.
    """

    ok: bool
    report: str
    status: str = ""
    checks: int = 0
    seconds: float = 0.0
    isolation: str = ""
    fingerprint: str = ""
    hung_call: str = ""

    def __post_init__(self) -> None:
        if self.ok not in (True, False):
            raise TypeError("Verdict.ok must be True or False, got "
                            f"{self.ok!r}")
        if not isinstance(self.report, str):
            raise TypeError(f"Verdict.report must be text, got "
                            f"{self.report!r}")

    @property
    def signal(self) -> bool:
        """False when the verdict is no evidence about the draft."""
        return self.status not in NO_SIGNAL
