"""No text outside a critic's grammar of acceptance may accept.

The grammars are written a second time here, as patterns and plain checks, and
every text that a critic accepts must satisfy them. Texts are drawn near the
border: pieces of the real formats, mixed, doubled and damaged.
"""

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reflectlab import (
    STOP,
    CriteriaCritic,
    Decision,
    FeedbackCritic,
    ScoredCritic,
    StopTokenCritic,
    merge,
)

CRITICS = [StopTokenCritic(), ScoredCritic(),
           CriteriaCritic({"PRICE": "names it", "LENGTH": "40 words"}),
           FeedbackCritic()]
IDS = [type(critic).__name__ for critic in CRITICS]


def may_accept(critic, text):
    if isinstance(critic, StopTokenCritic):
        return re.fullmatch(rf"\s*{STOP}\s*", text) is not None
    if isinstance(critic, CriteriaCritic):
        lines = [line.strip().lower() for line in text.splitlines()]
        rest = [ln for ln in lines
                if ln and not re.match(r"(price|length)\s*:", ln)]
        return (not rest or re.fullmatch(
            r"feedback\s*:\W*(none)?\W*", " ".join(rest))) and all(
            (marks := [ln for ln in lines if re.match(rf"{name}\s*:", ln)])
            and all(re.fullmatch(rf"{name}\s*:\s*pass", ln) for ln in marks)
            for name in ("price", "length"))
    if isinstance(critic, ScoredCritic):
        match = re.fullmatch(r"\s*(?:```(?:json)?)?\s*(\{.*\})\s*(?:```)?\s*",
                             text, re.DOTALL | re.IGNORECASE)
        graded = json.loads(match[1])
        return (set(graded) == {"overall_score", "issues", "passes"}
                and graded["passes"] is True
                and 7 <= graded["overall_score"] <= 10
                and all(issue["severity"] in ("low", "medium")
                        for issue in graded["issues"]))
    return False


scores = st.one_of(st.integers(-2, 12), st.booleans(), st.none(),
                   st.floats(), st.sampled_from(["8", [8]]))
issues = st.lists(st.fixed_dictionaries({
    "dimension": st.sampled_from(["clarity", "tone", "price", ""]),
    "severity": st.sampled_from(["high", "medium", "low", "HIGH", None]),
    "description": st.sampled_from(["vague", "", "\ud800", 3]),
    "fix": st.sampled_from(["say who", " "])}), max_size=2)
graded = st.fixed_dictionaries(
    {}, optional={"overall_score": scores, "issues": issues | st.none(),
                  "passes": st.booleans() | st.sampled_from(["true", 1]),
                  "extra": st.just(1)}).map(json.dumps)
pieces = st.sampled_from([
    STOP, STOP.lower(), "PRICE: PASS", "LENGTH: PASS", "price:pass",
    "LENGTH : Pass", "PRICE: PASS or FAIL", "LENGTH: FAIL", "PRICE:",
    "PRICE: PASS LENGTH: PASS", "FEEDBACK: none", "```json", "```", "{", "}",
    "[", "not", "I will reply", "\x00", "\ud800", "\u2028", ".", " "])
texts = st.one_of(
    st.text(), graded,
    st.lists(st.one_of(pieces, graded), max_size=6).flatmap(
        lambda parts: st.sampled_from(["\n", " ", ""]).map(
            lambda glue: glue.join(parts))))


@pytest.mark.parametrize("critic", CRITICS, ids=IDS)
@given(text=texts)
@example(text="PRICE: PASS\nLENGTH: PASS")
@example(text='{"overall_score": 9, "issues": [], "passes": true}')
@example(text=STOP)
def test_nothing_outside_the_grammar_accepts(critic, text):
    critique = critic.parse(text)
    if critique.decision is Decision.ACCEPT:
        assert may_accept(critic, text)
    if critique.decision is Decision.NO_VERDICT:
        assert critique.reason and not critique.feedback
    if critique.decision is Decision.OBJECT:
        assert critique.feedback.strip()


@given(parts=st.lists(st.tuples(st.sampled_from(CRITICS), texts),
                      min_size=1, max_size=4))
def test_a_panel_accepts_only_what_every_member_may_accept(parts):
    merged = merge([critic.parse(text) for critic, text in parts])
    if merged.decision is Decision.ACCEPT:
        assert all(may_accept(critic, text) for critic, text in parts)


@pytest.mark.parametrize("critic", CRITICS, ids=IDS)
@pytest.mark.parametrize("text", [
    "x" * 1_000_000, "{" * 1_000_000, "[" * 1_000_000,
    '{"a":' * 200_000, "PRICE: PASS\n" * 80_000, "\ud800" * 1000,
    "\x00", '{"overall_score":' + "9" * 1_000_000 + "}"],
    ids=["1MB", "braces", "brackets", "nested", "lines", "surrogates",
         "nul", "huge integer"])
def test_hostile_text_is_read_without_an_exception(critic, text):
    assert critic.parse(text).decision is not Decision.ACCEPT


@pytest.mark.parametrize("critic", CRITICS, ids=IDS)
def test_an_echo_of_the_instructions_does_not_accept(critic):
    echo = critic.system("Describe the lamp in 40 words.")
    assert critic.parse(echo).decision is not Decision.ACCEPT
