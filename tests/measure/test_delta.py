import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflectlab import (
    PolicyModel,
    ReflectionAgent,
    ScriptedModel,
    Verdict,
    all_of,
    measure_delta,
    run_tests,
    schema_verifier,
)
from reflectlab.measure.delta import Case
from reflectlab.measure.journal import described
from reflectlab.measure.planted import verifier_of
from reflectlab.measure.report import DeltaReport, Row
from reflectlab.tasks import load_task


def seed_report(with_verifier):
    task = load_task("parse_duration")
    verifier = partial(run_tests, tests=task.tests)
    cases = [Case(name, task.spec, verifier)
             for name in ("improves", "stuck", "regresses")]

    def make_agent(case):
        drafts = [task.drafts[i - 1] for i in task.scripts[case.name]]
        return ReflectionAgent(
            ScriptedModel(drafts),
            critic_model=PolicyModel(lambda s, m: task.scripts["critic"]),
            verifier=case.verifier if with_verifier else None,
            max_rounds=3, verbose=False)
    return measure_delta(make_agent, cases)


def test_the_seeds_table_critic_only():
    assert str(seed_report(False)).splitlines() == [
        "  improves   first_draft_passes=False final_passes=False rounds=2"
        "  stalled: feedback repeated",
        "  stuck      first_draft_passes=False final_passes=False rounds=2"
        "  stalled: draft repeated",
        "  regresses  first_draft_passes=True  final_passes=False rounds=2"
        "  stalled: feedback repeated",
        "  first-draft pass rate 1/3   final pass rate 0/3   delta -1"]


def test_the_seeds_table_verifier_and_critic():
    assert str(seed_report(True)).splitlines() == [
        "  improves   first_draft_passes=False final_passes=True  rounds=3"
        "  budget: rounds exhausted",
        "  stuck      first_draft_passes=False final_passes=False rounds=2"
        "  stalled: draft repeated",
        "  regresses  first_draft_passes=True  final_passes=True  rounds=3"
        "  budget: rounds exhausted (returned last verified draft)",
        "  first-draft pass rate 1/3   final pass rate 2/3   delta +1"]


def says_good(draft):
    return Verdict("good" in draft, "looked", status="passed")


def agent_of(script):
    """Writes the script's drafts; its critic objects in new words."""
    drafts, count = list(script), iter(range(100))
    return ReflectionAgent(
        ScriptedModel(drafts), max_rounds=len(drafts), verbose=False,
        critic_model=PolicyModel(lambda s, m: f"Objection {next(count)}."))


SCRIPTS = {"keeps": ["good 1", "good 2"], "fixes": ["bad 1", "good 2"],
           "breaks": ["good 1", "bad 2"], "fails": ["bad 1", "bad 2"],
           "fixes too": ["bad 1", "good 3"]}


def cases_of(names, **more):
    return [Case(name, f"task {name}", says_good, **more) for name in names]


def report_of(names=SCRIPTS, **options):
    return measure_delta(lambda case: agent_of(SCRIPTS[case.name]),
                         cases_of(names), **options)


def test_both_flips_absolute_and_conditional():
    r = report_of()
    assert (r.n, r.first, r.final, r.delta) == (5, 2, 3, 1)
    assert (r.fixed, r.broken) == (2, 1)
    assert (r.rate("fixed").k, r.rate("fixed").n) == (2, 5)
    assert (r.rate("fix").k, r.rate("fix").n) == (2, 3)
    assert (r.rate("broken").k, r.rate("broken").n) == (1, 5)
    assert (r.rate("break").k, r.rate("break").n) == (1, 2)
    assert r.p_value == 1.0
    assert r.stop_reasons == {"budget: rounds exhausted": 5}


def test_cost_per_fixed_case():
    r = report_of()
    assert r.spend("calls") == 20       # two drafts, two critiques each
    assert r.per_fix("calls") == 10.0
    assert r.spend("tokens") is None and r.per_fix("tokens") is None
    assert report_of(["keeps"]).per_fix("calls") is None


rows = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30)


@given(rows)
@settings(max_examples=50)
def test_the_identity_holds_for_any_rows(flips):
    r = DeltaReport([Row(str(i), 0, first, final)
                     for i, (first, final) in enumerate(flips)])
    assert r.final == r.first - r.broken + r.fixed
    assert r.delta == r.fixed - r.broken
    if flips:
        low, high = r.interval
        assert low <= r.delta / r.n + 1e-9 and r.delta / r.n - 1e-9 <= high


def test_trials_of_one_task_are_no_independent_evidence():
    fixed = [Row("a", t, False, True) for t in range(8)]
    assert DeltaReport(fixed).p_value == 1.0
    apart = [Row(str(t), 0, False, True) for t in range(8)]
    assert DeltaReport(apart).p_value < 0.01
    assert DeltaReport(fixed).rate("final").low < 0.3
    assert DeltaReport(apart).rate("final").low > 0.6


def test_every_trial_is_run_and_knows_its_number():
    seen = []

    def make_agent(case):
        seen.append((case.name, case.trial))
        return agent_of(SCRIPTS[case.name])
    r = measure_delta(make_agent, cases_of(["keeps", "fixes"]), trials=2)
    assert seen == [("keeps", 0), ("keeps", 1), ("fixes", 0), ("fixes", 1)]
    assert [(row.case, row.trial) for row in r.rows] == seen
    assert r.n == 4 and len(r.tasks) == 2


def test_a_held_out_verifier_shows_the_gap():
    def stricter(draft):
        return Verdict(draft == "good 2", "", status="passed")
    r = measure_delta(lambda case: agent_of(SCRIPTS[case.name]),
                      cases_of(["fixes", "fixes too"], held_out=stricter))
    assert (r.final, r.rate("held_final").k) == (2, 1)
    assert r.rate("held_first").k == 0
    assert "held-out" in r.summary()


def test_what_cannot_be_scored_is_listed_and_counts_nowhere():
    def make_agent(case):
        if case.name == "breaks":
            raise OSError("no key")
        return agent_of(SCRIPTS[case.name])

    def dead(draft):
        return Verdict(False, "worn out", status="verifier_error")
    cases = cases_of(["fixes", "breaks"]) + [Case("keeps", "task", dead)]
    r = measure_delta(make_agent, cases)
    assert (r.n, len(r.rows), r.fixed, r.broken) == (1, 3, 1, 0)
    assert r.rows[1].error == "OSError: no key"
    assert "no signal: worn out" in r.rows[2].error
    assert "2, first: breaks: OSError: no key" in r.summary()


def test_an_outage_is_no_wrong_draft_and_is_tried_again(tmp_path):
    log = tmp_path / "delta.jsonl"
    down = ScriptedModel([ConnectionError("network down")] * 2)
    r = measure_delta(lambda case: ReflectionAgent(down, verbose=False),
                      cases_of(["fixes"]), log=log)
    assert r.n == 0 and r.rows[0].error == "aborted: network down"
    assert report_of(["fixes"], log=log).fixed == 1


def test_a_panel_on_the_evaluations_own_executor_is_refused():
    """It would hang: the workers wait for a panel that waits for them."""
    with ThreadPoolExecutor(1) as pool, ThreadPoolExecutor(1) as other:
        for panels, says in ((pool, "give it another executor"), (other, "")):
            def make_agent(case):
                agent = agent_of(SCRIPTS[case.name])
                agent.executor = panels     # noqa: B023
                return agent
            r = measure_delta(make_agent, cases_of(["keeps"]), executor=pool)
            assert says in r.rows[0].error and bool(says) == (r.n == 0)


@pytest.mark.parametrize("names", [[], ["a", "a"]])
def test_cases_need_names_that_differ(names):
    with pytest.raises(ValueError, match="names that differ"):
        measure_delta(agent_of, cases_of(names))


def test_interruption_keeps_what_is_done():
    def make_agent(case):
        if case.name == "breaks":
            raise KeyboardInterrupt
        return agent_of(SCRIPTS[case.name])
    r = measure_delta(make_agent, cases_of(SCRIPTS))
    assert r.interrupted and [row.case for row in r.rows] == ["keeps",
                                                              "fixes"]
    assert "interrupted" in r.summary()


def test_an_interruption_that_the_run_swallowed_ends_the_evaluation():
    def make_agent(case):
        drafts = ["good", KeyboardInterrupt()]
        return agent_of(drafts if case.name == "fixes" else ["good", "good"])
    r = measure_delta(make_agent, cases_of(SCRIPTS))
    assert r.interrupted and [row.case for row in r.rows] == ["keeps"]


def counting(made):
    def make_agent(case):
        made.append(case.name)
        return agent_of(SCRIPTS[case.name])
    return make_agent


def test_a_killed_evaluation_continues(tmp_path):
    log, made = tmp_path / "delta.jsonl", []
    whole = report_of(log=log)
    lines = log.read_text().splitlines(keepends=True)
    assert len(lines) == 6
    log.write_text("".join(lines[:4]) + lines[4][:11])  # killed while writing
    again = measure_delta(counting(made), cases_of(SCRIPTS), log=log)
    assert made == ["fails", "fixes too"]
    assert again == whole
    assert log.read_text().splitlines(keepends=True) == lines
    assert measure_delta(counting(made), cases_of(SCRIPTS), log=log,
                         trials=2).n == 10
    assert len(made) == 7


def test_an_error_is_tried_again(tmp_path):
    log = tmp_path / "delta.jsonl"

    def broken(case):
        raise OSError("no network")
    assert measure_delta(broken, cases_of(["fixes"]), log=log).n == 0
    assert measure_delta(lambda c: agent_of(SCRIPTS[c.name]),
                         cases_of(["fixes"]), log=log).fixed == 1


def test_the_log_of_other_cases_is_refused(tmp_path):
    log = tmp_path / "delta.jsonl"
    report_of(["keeps"], log=log)
    before = log.read_text()
    with pytest.raises(ValueError, match="another evaluation"):
        report_of(["fixes"], log=log)
    assert log.read_text() == before
    log.write_text('{"some": "file"}\n')
    with pytest.raises(ValueError, match="another evaluation"):
        report_of(["keeps"], log=log)
    log.write_text(before + "not json\n")
    with pytest.raises(ValueError, match="line 3"):
        report_of(["keeps"], log=log)


def at_least(n):
    return lambda draft: Verdict(len(draft) >= n, "", status="passed")


def always_wrong(draft):
    return Verdict(False, "", status="failed")


@pytest.mark.parametrize("field, before, after", [
    ("verifier", says_good, always_wrong), ("held_out", None, always_wrong),
    ("verifier", partial(run_tests, tests="assert f(2) == 4"),
     partial(run_tests, tests="assert f(2) == 5")),
    ("verifier", at_least(5), at_least(6)),
    ("verifier", all_of(at_least(5)), all_of(at_least(6))),
    ("verifier", verifier_of({"kind": "counted", "max_words": 5}),
     verifier_of({"kind": "counted", "max_words": 6})),
    ("verifier", schema_verifier({}), schema_verifier({"type": "string"})),
    ("post_process", str.strip, str.lower)])
def test_the_log_of_other_verifiers_is_refused(tmp_path, field, before,
                                               after):
    case = Case("c", "t", **{"verifier": says_good, field: before})
    log = tmp_path / "delta.jsonl"

    def run(case):
        return measure_delta(lambda case: agent_of(["good", "bad"]), [case],
                             log=log)
    assert run(case) == run(case)
    with pytest.raises(ValueError, match="another evaluation"):
        run(replace(case, **{field: after}))


def test_what_is_described_is_the_same_in_every_process():
    def loop(draft):
        return loop, names
    names = {"b", "a", "c"}
    text = described([loop, partial(loop, k={"x": object()})])
    assert "0x" not in text and "set('a', 'b', 'c')" in text


def test_a_report_of_many_cases_prints_its_total_only():
    r = DeltaReport([Row(str(i), 0, i < 10, True) for i in range(25)])
    assert str(r) == ("  first-draft pass rate 10/25   final pass rate 25/25"
                      "   delta +15")
    text = r.summary()
    for part in ("fixed", "15/15", "identity", "final 25 = first 10 - broken "
                 "0 + fixed 15", "McNemar p = 6.1e-05"):
        assert part in text


def test_a_report_without_scored_rows_says_so():
    r = DeltaReport([Row("a", 0, error="boom")])
    assert "none scored" in r.summary()
    assert str(r).endswith("pass rate 0/0   delta +0")


def test_html_escapes_and_has_no_style_element():
    html = DeltaReport([Row("<script>", 0, stop_reason="<b>"),
                        ])._repr_html_()
    assert "<script" not in html and "<b>" not in html
    assert "<style" not in html and "&lt;script&gt;" in html


def test_rows_survive_json(tmp_path):
    row = Row("a", 1, True, False, 2, "accepted", 4, 100, None, 0.5)
    assert Row(**json.loads(json.dumps(row.__dict__))) == row
