"""Live cells: off unless asked for, announced, bounded, recorded."""

import pytest
from models.messages_server import MessagesServer, error, message

from reflectlab import ReflectionAgent, ScriptedModel, counted_verifier
from reflectlab.__main__ import main
from reflectlab.course.live import live_budget, live_model
from reflectlab.messages import user
from reflectlab.models.anthropic import NO_CREDENTIALS, AnthropicModel
from reflectlab.tasks import load_task

LINE = (
    "Live section off. To run it: REFLECTLAB_LIVE=1 and ANTHROPIC_API_KEY "
    "(or ANTHROPIC_BASE_URL).\n"
)


@pytest.fixture(autouse=True)
def closed_models(monkeypatch):
    """Close what a test's models left open, or it warns in another test."""
    made, build = [], AnthropicModel.__init__

    def remember(self, *args, **settings):
        build(self, *args, **settings)
        made.append(self)

    monkeypatch.setattr(AnthropicModel, "__init__", remember)
    yield
    for model in made:
        model.close()


@pytest.fixture(autouse=True)
def settings(monkeypatch, tmp_path):
    """Sets variables; those that matter are unset at first."""
    for name in (
        "REFLECTLAB_LIVE",
        "REFLECTLAB_MODEL",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_PROFILE",
        "ANTHROPIC_CONFIG_DIR",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return lambda **values: [
        monkeypatch.setenv(name, value) for name, value in values.items()
    ]


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"REFLECTLAB_LIVE": "1"},
        {"ANTHROPIC_API_KEY": "sk-ant-" "123456789"},
        {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"},
        {"REFLECTLAB_LIVE": "0", "ANTHROPIC_API_KEY": "sk-ant-" "123456789"},
        {"REFLECTLAB_LIVE": "", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"},
    ],
)
def test_otherwise_one_line_that_is_always_the_same(
    settings, values, capsys, tmp_path
):
    settings(**values)
    assert live_model(tmp_path / "live.jsonl") is None
    assert capsys.readouterr().out == LINE
    assert list(tmp_path.iterdir()) == []


def test_both_together_make_it_live_and_a_second_run_is_free(
    settings, capsys, tmp_path
):
    with MessagesServer(message("one")) as server:
        settings(REFLECTLAB_LIVE="1", ANTHROPIC_BASE_URL=server.url)
        for _ in range(2):
            model = live_model(tmp_path / "live.jsonl")
            reply = model.complete(system="s", messages=[user("u")])
            assert reply == "one"
    assert len(server.requests) == 1
    assert capsys.readouterr().out == ""


def test_a_key_is_enough(settings, tmp_path):
    settings(REFLECTLAB_LIVE="1", ANTHROPIC_API_KEY="sk-ant-" "123456789")
    model = live_model(tmp_path / "live.jsonl")
    assert model.model == model.inner.model == "claude-sonnet-5-5"


def test_the_dollar_bound_needs_a_price(settings, tmp_path):
    settings(REFLECTLAB_LIVE="1", ANTHROPIC_API_KEY="sk-ant-" "123456789")
    budget = live_budget(live_model(tmp_path / "a.jsonl"), dollars=0.2)
    assert (budget.dollars, budget.calls, budget.seconds) == (0.2, 9, 180)
    settings(REFLECTLAB_MODEL="mine")
    budget = live_budget(live_model(tmp_path / "b.jsonl"), calls=4)
    assert (budget.dollars, budget.calls) == (None, 4)


def test_a_live_run_ends_at_its_dollar_bound(settings, tmp_path):
    dear = {"input_tokens": 10_000, "output_tokens": 10_000}
    with MessagesServer(message("a b c", usage=dear)) as server:
        settings(REFLECTLAB_LIVE="1", ANTHROPIC_BASE_URL=server.url)
        model = live_model(tmp_path / "live.jsonl")
        result = ReflectionAgent(
            model,
            critic=None,
            verifier=counted_verifier(max_words=2),
            budget=live_budget(model, dollars=0.1),
            verbose=False,
        ).run("Two words.")
    assert result.stop_reason == "aborted: dollar budget of $0.1 exhausted"
    assert len(server.requests) == 1


# --- python -m reflectlab run --live ---------------------------------------


def test_run_live_says_the_price_first_and_records(
    settings, capsys, tmp_path
):
    drafts = load_task("parse_duration").drafts
    recording = str(tmp_path / "run.jsonl")
    with MessagesServer(
        message(drafts[2]), message("NO_FURTHER_OBJECTIONS")
    ) as server:
        settings(ANTHROPIC_BASE_URL=server.url)
        for _ in range(2):
            assert main(["run", "--live", "--record", recording]) == 0
            said = capsys.readouterr().out
            assert said.startswith("--- mode: live, claude-sonnet-5-5 ---")
            assert said.index("worst") < said.index("[1] draft")
            assert "verified=True rounds=1 reason='accepted'" in said
    assert len(server.requests) == 2


def test_run_live_without_credentials(capsys):
    assert main(["run", "--live"]) == 2
    assert capsys.readouterr().err == f"reflectlab: {NO_CREDENTIALS}\n"


def test_run_live_with_a_bad_key(settings, capsys):
    with MessagesServer(error(401, "invalid x-api-key")) as server:
        settings(
            ANTHROPIC_BASE_URL=server.url,
            ANTHROPIC_API_KEY="sk-ant-" "123456789"
        )
        assert main(["run", "--live"]) == 1
    said = capsys.readouterr().out
    assert "reason='aborted: HTTP 401: invalid x-api-key'" in said
    assert len(server.requests) == 1 and "sk-ant" not in said


def test_run_alone_stays_offline(settings, monkeypatch, capsys):
    with MessagesServer(error(500)) as server:
        settings(REFLECTLAB_LIVE="1", ANTHROPIC_BASE_URL=server.url)
        assert main(["run"]) == 0
    assert server.requests == []
    assert "offline scripted" in capsys.readouterr().out


def test_a_model_that_is_not_claude_has_a_budget_without_dollars():
    model = ScriptedModel(["x"])
    model.model = "scripted"
    assert live_budget(model).dollars is None
