"""A calibration made from the counts that a test wants."""

from reflectlab.critics.base import Decision
from reflectlab.measure.calibration import Calibration, Judgement
from reflectlab.measure.planted import Planted

ACCEPT, OBJECT, NO_VERDICT = Decision


def calibration(caught, defective, alarms, clean, silent=0, **more):
    """A calibration with these counts."""
    suite, said = [], []
    for i in range(defective + clean):
        bad = i < defective
        suite.append(Planted(f"d{i}", "t", "r", f"draft {i}", bad,
                             {"kind": "x"}, defect="x" * bad))
        hit = i < caught if bad else i - defective < alarms
        said.append(Judgement(f"d{i}", 0, OBJECT if hit else ACCEPT))
    for i in range(silent):
        said[-1 - i] = Judgement(said[-1 - i].draft, 0, NO_VERDICT)
    return Calibration(suite, said, **more)
