"""Notebooks 1 and 2 print the traces of the chapter, line for line.

nbval says that a stored output is what the code gives; this says that it is
also what the chapter shows.
"""

import nbformat
import pytest

import gate
import notebooks

SECOND_CRITIC_CALL = """\
  user      | Write a two-sentence release note for a feature that lets
  assistant | You can now export reports as CSV.
  user      | Critique the draft above. List concrete, actionable proble
  assistant | Problem: no mention of where the button is. Problem: passi
  user      | Revise the draft, addressing every point in the critique.
  assistant | You can now export any report as CSV from the Reports tool
  user      | Critique the draft above. List concrete, actionable proble
"""
OBJECTION = (
    "(critic): Problem: does not say where the export lives. "
    "Problem: no user benefit s"
)
AGREEMENT = (
    "(critic): This addresses the points I raised earlier. "
    "I have no further objections"
)
LAST_DRAFT = (
    "(writer): You can now export any report as CSV from the Reports toolbar."
)
ANCHORED = f"""\
call 0 (writer): You can now export reports as CSV.
call 1 {OBJECTION}
call 2 {LAST_DRAFT}
call 3 {AGREEMENT}
call 4 {LAST_DRAFT}
call 5 {AGREEMENT}
call 6 {LAST_DRAFT}
call 7 {AGREEMENT}
"""
TWO_VIEWS = """\
=== what the WRITER saw on its second call ===
  user      | Write a two-sentence release note for a feature that lets us
  assistant | You can now export reports as CSV.
  user      | Problem: does not say where the export lives. Problem: no us

=== what the CRITIC saw on its second call ===
  user      | You can now export reports as CSV.
  assistant | Problem: does not say where the export lives. Problem: no us
  user      | You can now export any report as CSV from the Reports toolba

system prompts used: ['You are a meticulous reviewer.', \
'You write and revise content for the user.']
"""
QUEUES = """\
after round 0 gen = ['SYS', 'gen0', 'crit0']
               refl = ['CRITIC_SYS', 'gen0', 'crit0']
after round 1 gen = ['SYS', 'gen1', 'crit1']
               refl = ['CRITIC_SYS', 'gen1', 'crit1']
"""


@pytest.mark.parametrize(
    "name, cell_id, trace",
    [
        ("01_shared_history", "second-critic-call", SECOND_CRITIC_CALL),
        ("01_shared_history", "anchored-run", ANCHORED),
        ("02_mirrored_histories", "two-views", TWO_VIEWS),
        ("02_mirrored_histories", "keep-first-run", QUEUES),
    ],
)
def test_trace_is_the_chapters(name, cell_id, trace):
    path = notebooks.ROOT / "notebooks" / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    (cell,) = [c for c in notebook.cells if c.id == cell_id]
    (printed,) = gate.texts_of(cell)
    # The text is cut at a width, so a line may end in a space.
    lines = [line.rstrip() for line in printed.splitlines()]
    assert lines == trace.splitlines()
