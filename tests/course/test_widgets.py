"""Widgets: the functions under them, and that a control moves the view."""

import pytest

from reflectlab import ReflectionAgent, ScriptedModel, reflect_v2
from reflectlab.course import widgets
from reflectlab.measure.expected import expected_delta
from reflectlab.prompts import STOP
from reflectlab.tasks import load_task

NOTE = load_task("release_note")
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def calls():
    model = ScriptedModel(NOTE.scripts["v2"], strict=True)
    reflect_v2(model, NOTE.spec)
    return model.calls


def sent(loop, rounds, *, draft, critique):
    return loop(rounds) * (draft + critique)


def make_all(calls):
    return {
        "cost": widgets.cost_explorer(sent, {"linear": lambda n: n,
                                             "square": lambda n: n * n}),
        "stop": widgets.stop_rule_playground(),
        "gain": widgets.calibration_explorer(),
        "trace": widgets.trace_browser(calls)}


def accepted_by(reply):
    return [rule for rule, decision in widgets.stop_rules(reply)
            if decision == "accept"]


def test_each_naive_rule_is_caught_by_its_trap():
    trap = NOTE.scripts["substring_trap"]
    assert accepted_by(trap) == ["the token anywhere in the reply",
                                 "JSON with 'passes', but a fault passes"]
    assert "'<OK>' anywhere in the reply" in accepted_by("Not <OK> yet.")
    assert "'no improvement needed' anywhere" in accepted_by(
        "No improvement needed in the docstring; the loop is quadratic.")
    assert "the first PASS or FAIL of each criterion" in accepted_by(
        "PRICE: PASS or FAIL\nFEATURE: PASS or FAIL\nLENGTH: PASS or FAIL")


def test_ours_accept_what_they_should():
    assert "ours: the token alone" in accepted_by(f" {STOP}\n")
    assert "ours: one exact line a criterion" in accepted_by(
        "PRICE: PASS\nFEATURE: PASS\nLENGTH: PASS\nFEEDBACK: none")
    assert "ours: scored JSON, pass rule in code" in accepted_by(
        '{"overall_score": 9, "issues": [], "passes": true}')
    said = dict(widgets.stop_rules(""))
    assert said["ours: the token alone"] == "no verdict"


def test_gain_is_the_expected_delta():
    text = widgets.gain_view(30, 60, 20, 50, 20).text
    fixed, broken, delta = expected_delta(.3, .6, .2, .5, .2)
    assert f"fixed  {100 * fixed:.1f} of 100" in text
    assert f"broken {100 * broken:.1f} of 100" in text
    assert f"net {100 * delta:+.1f} of 100 drafts; it pays above" in text
    assert "changes nothing" in widgets.gain_view(30, 0, 0, 50, 20).text


def test_cost_view_scales_its_bars():
    view = widgets.cost_view({"a": 50, "b": 200})
    assert view.text == "a 50 characters\nb 200 characters"
    assert "width: 25.0%" in view.html and "width: 100.0%" in view.html
    assert "width: 0.0%" in widgets.cost_view({"a": 0}).html


def test_the_moment_of_a_call(calls):
    first = widgets.at_call(calls, 1)
    assert "call 1, the writer is asked" in first.text
    assert first.text.endswith("the CRITIC's history ===\n")
    last = widgets.at_call(calls, 4)
    assert "call 4, the critic is asked" in last.text
    assert last.text.count("assistant") == 2


@pytest.mark.parametrize("name, control, value", [
    ("cost", "rounds", 9), ("cost", "draft", 3000), ("cost", "critique", 0),
    ("stop", "reply", STOP), ("gain", "base_rate", 5), ("gain", "catch", 99),
    ("gain", "false_alarm", 80), ("gain", "fix", 90), ("gain", "break_", 90),
    ("trace", "call", 1)])
def test_each_control_moves_what_is_shown(calls, name, control, value):
    widget = make_all(calls)[name]
    before = widget.shown.value
    widget.controls[control].value = value
    assert widget.shown.value != before
    assert widget.shown.value == widget.view().html


def test_a_stored_widget_reads_without_a_kernel(calls):
    for widget in make_all(calls).values():
        bundle = widget._repr_mimebundle_()
        assert set(bundle) == {"text/plain", "text/html", WIDGET_VIEW}
        assert bundle["text/plain"] == repr(widget) == widget.view().text
        assert bundle["text/html"].startswith(widget.view().html)
        assert "model_id" not in bundle["text/html"]


def test_each_control_says_what_it_is(calls):
    for widget in make_all(calls).values():
        for control in widget.controls.values():
            assert control.description and control.tooltip
            assert not control.disabled


def test_a_live_trace_grows_with_the_run():
    live = widgets.LiveTrace()
    assert repr(live) == "no round yet"
    agent = ReflectionAgent(ScriptedModel(NOTE.scripts["v3_satisfied"]),
                            on_round=live, verbose=False)
    result = agent.run(NOTE.spec)
    assert live.rounds == result.trace
    assert live.shown.value.count("round ") == 2
    assert repr(live).startswith("[1] draft 674ca7b928a8 -> critic: Problem")
    assert "<ins" in live.shown.value
