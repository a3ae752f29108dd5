"""How to bring a set in the shape of HumanEvalPack or QuixBugs in.

Such a set has, for each task, a right and a wrong solution and tests that
tell them apart: all that a planted-defect suite needs. Look at its licence
before you keep a copy.

    from datasets import load_dataset               # or read the JSON Lines
    rows = load_dataset("bigcode/humanevalpack", "python")["test"]
    suite = [with_counterexample(item) for item in suite_from(rows)]
    for item in suite:          # leave out what the tests can't prove
        prove(item)
    save_suite("humaneval.jsonl", suite)
"""

from reflectlab.measure.planted import Planted


def suite_from(rows) -> list[Planted]:
    """A defective draft and its clean twin for each row.

    Args:
        rows: dicts with task_id, prompt (signature and docstring),
            canonical_solution, buggy_solution (both continue the prompt),
            test (Python that raises on a wrong solution) and bug_type.
    """
    suite = []
    for row in rows:
        name = row["task_id"]
        common = {
            "task": name,
            "requirements": "Complete this Python function. Output only the "
                            f"code.\n\n{row['prompt']}",
            "proof": {"kind": "tests", "tests": row["test"]}}
        suite.append(Planted(
            f"{name}-defective", draft=row["prompt"] + row["buggy_solution"],
            defective=True, defect=row["bug_type"], axis="correctness",
            severity="high", twin=f"{name}-clean", **common))
        suite.append(Planted(
            f"{name}-clean", draft=row["prompt"] + row["canonical_solution"],
            defective=False, twin=f"{name}-defective", **common))
    return suite
