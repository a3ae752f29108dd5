"""Reflection agents from scratch, measured before they are believed.

Public names load on first use: importing this package loads no SDK, no
plotting, no widgets and no pydantic.
"""

import importlib

_HOME = {
    "models.base": ("Model", "Reply"),
    "models.scripted": ("ScriptedModel", "PolicyModel", "FaultyModel",
                        "ScriptExhausted"),
    "models.recorded": ("RecordedModel",),
    "models.anthropic": ("AnthropicModel",),
    "models.local": ("LocalModel",),
    "prompts": ("STOP",),
    "messages": ("strip_fences",),
    "loops": ("reflect_v1", "reflect_v2", "reflect_v3", "reflect_verified"),
    "verifiers.verdict": ("Verdict",),
    "verifiers.tests": ("run_tests",),
    "verifiers.schema": ("schema_verifier",),
    "verifiers.counted": ("counted_verifier",),
    "verifiers.growth": ("growth_verifier",),
    "verifiers.combine": ("all_of",),
    "critics.base": ("Critique", "Decision", "Issue"),
    "critics.stop_token": ("StopTokenCritic", "is_stop"),
    "critics.scored": ("ScoredCritic",),
    "critics.criteria": ("CriteriaCritic",),
    "critics.feedback": ("FeedbackCritic",),
    "critics.panel": ("merge",),
    "budget": ("Budget", "BudgetExceeded", "Meter", "ModelUnavailable",
               "Usage"),
    "stall": ("Stall",),
    "trace": ("Check", "Result", "Round"),
    "agent": ("ReflectionAgent", "Writer"),
    "runlog": ("RunLog",),
    "learning": ("Lesson", "lessons"),
    "measure.planted": ("Planted", "load_suite", "prove"),
    "measure.calibration": ("Calibration",),
    "measure.judging": ("calibrate",),
    "measure.gate": ("assert_calibrated",),
    "measure.history": ("drift",),
    "measure.delta": ("Case", "DeltaReport", "measure_delta"),
    "measure.controls": ("run_controls",),
    "measure.expected": ("break_even", "claim", "corrected_rate",
                         "expected_delta"),
    "measure.simulated": ("Population",),
    "measure.estimate": ("Estimate", "estimate"),
    "measure.stats": ("Rate", "mcnemar_exact", "wilson"),
    "measure.voting": ("SelfConsistencyVoter", "Vote", "best_of_n"),
    "course.exercise": ("exercise",),
    "course.show": ("show", "side_by_side"),
}
_WHERE = {name: module for module, names in _HOME.items() for name in names}
__all__ = sorted(_WHERE)


def __getattr__(name):
    """Import the module behind a public name when the name is first used."""
    if name not in _WHERE:
        raise AttributeError(f"module 'reflectlab' has no attribute {name!r}")
    module = importlib.import_module(f".{_WHERE[name]}", __name__)
    value = globals()[name] = getattr(module, name)
    return value


def __dir__():
    return __all__
