"""The door through which every reply and every reading comes."""

import pytest

from reflectlab import Critique, Decision, Issue, StopTokenCritic
from reflectlab.critics.base import read_reply


class Parser:
    def __init__(self, critique):
        self.critique = critique

    def parse(self, reply):
        if isinstance(self.critique, Exception):
            raise self.critique
        return self.critique


@pytest.mark.parametrize("critique,named", [
    (ValueError("odd"), "parse failed, ValueError: odd"),
    (None, "returned NoneType"), (True, "returned bool"),
    ("accept", "returned str")])
def test_a_broken_parser_gives_no_verdict(critique, named):
    read = read_reply(Parser(critique), "words")
    assert read.decision is Decision.NO_VERDICT
    assert named in read.reason and read.raw == "words"


@pytest.mark.parametrize("reply", [None, b"NO_FURTHER_OBJECTIONS", 5, ["a"]])
def test_what_is_no_text_gives_no_verdict(reply):
    class Model:
        def complete(self, *, system, messages):
            return reply

    critique = StopTokenCritic().bind(Model())("Write.", "A draft.")
    assert critique.decision is Decision.NO_VERDICT
    assert type(reply).__name__ in critique.reason


@pytest.mark.parametrize("wrong", [
    {"feedback": None}, {"reason": None}, {"raw": b""}, {"issues": None},
    {"issues": ["stiff"]}, {"score": "9"}])
def test_a_critique_holds_what_it_says_it_holds(wrong):
    field = next(iter(wrong))
    with pytest.raises(TypeError, match=f"Critique.{field}"):
        Critique(**{"decision": Decision.OBJECT, "feedback": "x"} | wrong)


def test_an_issue_is_made_of_texts():
    with pytest.raises(TypeError, match="Issue.severity must be text"):
        Issue("tone", None, "stiff", "loosen it")
