import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflectlab import (
    STOP,
    Budget,
    BudgetExceeded,
    Meter,
    PolicyModel,
    ReflectionAgent,
    Reply,
    ScriptedModel,
    Usage,
)
from reflectlab.budget import Price, price_of
from reflectlab.messages import size

SONNET = "claude-sonnet-5-5"
counts = st.integers(0, 10**6)
usages = st.builds(Usage, counts, counts, counts, counts, counts)


def agent(model, **settings):
    return ReflectionAgent(model, **{"verbose": False} | settings)


class Counting(PolicyModel):
    """Says what each call used; never satisfied."""

    model = SONNET

    def __init__(self, usage=Usage(100, 10)):
        super().__init__(lambda system, messages: Reply(
            f"text {len(messages)} of {len(self.calls)}", usage=usage))


# --- bounds ----------------------------------------------------------------

@pytest.mark.parametrize("field", ["calls", "chars", "tokens", "dollars",
                                   "seconds"])
@pytest.mark.parametrize("value", [-1, float("nan"), -0.001])
def test_what_is_no_bound_is_refused(field, value):
    with pytest.raises(ValueError, match=field):
        Budget(**{field: value})


@pytest.mark.parametrize("bound", [
    {"calls": 1.5}, {"calls": "3"}, {"calls": True}, {"tokens": 1e6},
    {"chars": float("inf")}, {"seconds": "5"}, {"dollars": False}])
def test_a_bound_has_the_right_type(bound):
    with pytest.raises(ValueError, match=next(iter(bound))):
        Budget(**bound)


def test_seconds_and_dollars_may_be_fractions():
    assert Budget(seconds=0.5, dollars=1).seconds == 0.5


@pytest.mark.parametrize("rounds", [0, -1, 1.5, None, "4", True])
def test_rounds_are_a_whole_number_of_at_least_one(rounds):
    with pytest.raises(ValueError, match="rounds"):
        Budget(rounds=rounds)


@pytest.mark.parametrize("budget,calls,reason", [
    (Budget(calls=5), 5, "call budget of 5 exhausted"),
    (Budget(calls=0), 0, "call budget of 0 exhausted"),
    (Budget(tokens=331), 4, "token budget of 331 exhausted"),
    (Budget(tokens=330), 3, "token budget of 330 exhausted"),
    (Budget(tokens=0), 0, "token budget of 0 exhausted"),
    (Budget(dollars=0.0009), 3, r"dollar budget of $0.0009 exhausted"),
    (Budget(dollars=0), 0, "dollar budget of $0 exhausted"),
    (Budget(seconds=0), 0, "time budget of 0 s exhausted"),
    (Budget(chars=0), 0, "context budget of 0 chars exhausted"),
])
def test_every_kind_of_budget_ends_a_run(budget, calls, reason):
    model = Counting()
    result = agent(model, budget=budget).run("Write.")
    assert result.stop_reason == f"aborted: {reason}"
    assert len(model.calls) == result.calls == calls
    assert result.output == ("" if not calls else result.trace[-1].draft)
    assert result.needs_human


def test_characters_are_counted_before_they_are_sent():
    free = Counting()
    agent(free).run("Write.")
    sizes = [size(**call) for call in free.calls]
    for n in range(1, len(sizes)):
        for slack, made in ((0, n), (-1, n - 1)):
            model = Counting()
            result = agent(model, budget=Budget(
                chars=sum(sizes[:n]) + slack)).run("Write.")
            assert len(model.calls) == made
            assert result.chars == sum(sizes[:made])


def test_the_shorthands_make_a_budget():
    made = agent(Counting(), max_rounds=2, max_calls=3, max_chars=4).budget
    assert made == Budget(rounds=2, calls=3, chars=4)


# --- unknown is unknown ----------------------------------------------------

def test_tokens_of_every_attempt_are_summed_failed_ones_too():
    failed = RuntimeError("cut off")
    failed.usage = Usage(7, 0)
    model = ScriptedModel([failed, Reply("a", usage=Usage(100, 10)),
                           Reply(STOP, usage=Usage(50, 1))])
    result = agent(model).run("Write.")
    assert result.usage == Usage(157, 11)
    assert result.trace[0].usage == Usage(157, 11)


def test_a_round_has_the_tokens_of_its_own_calls():
    result = agent(Counting(), max_rounds=3).run("Write.")
    assert [r.usage for r in result.trace] == [Usage(200, 20)] * 3
    assert result.usage == Usage(600, 60)


def test_a_call_that_does_not_say_makes_the_sum_a_lower_bound():
    result = agent(ScriptedModel([Reply("a", usage=Usage(100, 10)),
                                  STOP])).run("Write.")
    assert result.usage == Usage(100, 10, unknown_calls=1)
    assert result.dollars is None


@pytest.mark.parametrize("budget,reason", [
    (Budget(tokens=10**9), "did not report its usage"),
    (Budget(dollars=10**9), "did not report its cost")])
def test_a_bound_that_cannot_be_kept_ends_the_run(budget, reason):
    model = ScriptedModel(["a", "b", "c"])
    model.model = SONNET
    result = agent(model, budget=budget).run("Write.")
    assert reason in result.stop_reason and result.calls == 1


def test_dollars_need_known_prices_of_all_who_answer():
    for unknown in ({"model": ScriptedModel([])},
                    {"model": Counting(), "critic_model": ScriptedModel([])}):
        with pytest.raises(ValueError, match="known price"):
            ReflectionAgent(**unknown, budget=Budget(dollars=1))


def test_dollars_are_priced_by_who_answered():
    class Routed(Counting):
        def complete(self, **call):
            text = super().complete(**call)
            return Reply(text, usage=text.usage, model="claude-opus-5-5")

    assert agent(Routed(), max_rounds=1).run("Write.").dollars == (
        pytest.approx(2 * (100 * 4 + 10 * 20) / 1e6))


# --- prices ----------------------------------------------------------------

@pytest.mark.parametrize("model", ["claude-opus-5-5", SONNET,
                                   "claude-haiku-5-5"])
def test_a_listed_price_is_plausible(model):
    price = price_of(model)
    assert 0 < price.cache_read < price.input < price.cache_write
    assert price.cache_write < price.output


@pytest.mark.parametrize("model", [None, "", "gpt-5", "claude", SONNET + "x"])
def test_an_unlisted_model_has_no_price(model):
    assert price_of(model) is None


def test_a_dated_id_has_the_price_of_its_name():
    assert price_of(SONNET + "-20261001") == price_of(SONNET)


def test_the_four_rates_and_the_end_of_them():
    price = Price(1, 10, 0.1, 2, up_to=100)
    assert price.dollars(Usage(100, 5, 20, 30)) == pytest.approx(
        (50 * 1 + 5 * 10 + 20 * 0.1 + 30 * 2) / 1e6)
    assert price.dollars(Usage(101, 0)) is None
    meter = Meter(Budget())
    meter.book(Usage(100_001, 1), "claude-haiku-5-5")
    assert meter.dollars is None


def test_more_cached_than_read_has_no_price():
    assert Price(1, 10, 0.1, 2).dollars(Usage(10, 0, cache_read=20)) is None


# --- time ------------------------------------------------------------------

def test_a_call_that_outlives_the_deadline_is_abandoned():
    release, finished = threading.Event(), threading.Event()

    def policy(system, messages):
        if len(messages) > 1:
            release.wait(30)
            finished.set()
        return f"text {len(messages)}"

    result = agent(PolicyModel(policy), budget=Budget(seconds=0.3)).run(
        "Write.")
    assert not finished.is_set()        # the run did not wait for it
    release.set()
    assert result.stop_reason == "aborted: time budget of 0.3 s exhausted"
    assert result.output == "text 1" and result.calls == 3
    assert result.usage.unknown_calls == 3
    assert finished.wait(30)


def test_an_abandoned_call_dies_with_the_program():
    daemons = []

    def policy(system, messages):
        daemons.append(threading.current_thread().daemon)
        return STOP

    agent(PolicyModel(policy), budget=Budget(seconds=30)).run("Write.")
    assert daemons == [True, True]


def test_the_model_is_told_what_time_is_left():
    class Timed(ScriptedModel):
        def with_limits(self, *, max_tokens=None, timeout=None):
            told.append(timeout)
            return self

    told = []
    agent(Timed(["a", STOP]), budget=Budget(seconds=60)).run("Write.")
    assert len(told) == 2 and 0 < told[1] <= told[0] <= 60
    told.clear()
    agent(Timed(["a", STOP])).run("Write.")
    assert told == []                   # without a bound there is no limit


def test_an_error_crosses_the_thread_of_a_bounded_call():
    result = agent(ScriptedModel([ValueError("no"), "a", STOP]),
                   budget=Budget(seconds=30)).run("Write.")
    assert result.accepted and result.retries == 1


def test_the_pause_before_a_retry_is_bounded(monkeypatch):
    slept = []
    monkeypatch.setattr(time, "sleep", slept.append)
    wait = RuntimeError("slow down")
    wait.retry_after = 10**6
    agent(ScriptedModel([wait, "a", STOP])).run("Write.")
    agent(ScriptedModel([wait, "a", STOP]), budget=Budget(seconds=5)).run(
        "Write.")
    assert slept[0] == 60 and 0 < slept[1] <= 5
    plain = ScriptedModel([RuntimeError(), "a", STOP])
    agent(plain).run("Write.")
    plain.script, plain.retry_delay = [RuntimeError(), "a", STOP], 2
    agent(plain).run("Write.")
    assert slept[2:] == [0, 2]


@pytest.mark.parametrize("asked,slept", [
    ("5", 5), ("Wed, 21 Oct 2015 07:28:00 GMT", 2), ([1], 2), (object(), 2),
    (float("nan"), 0), (-3, 0)])
def test_an_odd_retry_after_does_not_end_the_run(monkeypatch, asked, slept):
    pauses = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    wait = RuntimeError("slow down")
    wait.retry_after = asked
    model = ScriptedModel([wait, "a", STOP])
    model.retry_delay = 2
    assert agent(model).run("Write.").accepted
    assert pauses == [slept]


@pytest.mark.parametrize("usage", [{"input_tokens": 3}, (1, 2), 7])
def test_a_usage_of_another_kind_is_unknown(usage):
    result = agent(ScriptedModel([Reply("a", usage=usage), STOP])).run(
        "Write.")
    assert result.accepted and result.usage == Usage(unknown_calls=2)


# --- the meter -------------------------------------------------------------

def test_a_refused_charge_books_nothing():
    meter = Meter(Budget(calls=1))
    meter.charge(10)
    with pytest.raises(BudgetExceeded):
        meter.charge(10, "retries")
    assert (meter.calls, meter.chars, meter.retries) == (1, 10, 0)


def test_threads_cannot_overdraw_it():
    meter, refused = Meter(Budget(calls=500, chars=None)), []

    def spend():
        for _ in range(100):
            try:
                meter.charge(1)
                meter.book(Usage(1, 1), SONNET)
            except BudgetExceeded:
                refused.append(1)

    threads = [threading.Thread(target=spend) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (meter.calls, meter.chars, len(refused)) == (500, 500, 300)
    assert meter.usage == Usage(500, 500)
    assert meter.dollars == pytest.approx(500 * 12 / 1e6)


@given(usages, usages)
def test_usage_adds_and_subtracts(a, b):
    assert (a + b) - b == a
    assert (a + b).tokens == a.tokens + b.tokens


def test_replayed_time_counts_once_where_calls_overlapped():
    meter = Meter(Budget(seconds=100))
    for span in ((1000, 1030), (1010, 1030), (1020, 1040), (5000, 5010)):
        meter.book(None, None, span)
    assert 50 <= meter.seconds < 60 and 40 < meter.remaining() <= 50
