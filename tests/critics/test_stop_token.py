import pytest

from reflectlab import STOP, Decision, StopTokenCritic, is_stop


@pytest.mark.parametrize("reply", [STOP, f"{STOP}\n", f"\n\n  {STOP}  \n"])
def test_the_bare_token_accepts(reply):
    assert StopTokenCritic().parse(reply).decision is Decision.ACCEPT


@pytest.mark.parametrize("reply", [
    f"When that is fixed I will reply {STOP}.", f"{STOP}.", f"`{STOP}`",
    STOP.lower(), f"{STOP}\n{STOP}", f"Problem: no price.\n{STOP}"])
def test_a_reply_that_only_mentions_the_token_objects(reply):
    critique = StopTokenCritic().parse(reply)
    assert critique.decision is Decision.OBJECT
    assert critique.feedback == reply.strip()


def test_a_blank_reply_is_no_verdict():
    critique = StopTokenCritic().parse(" \n")
    assert (critique.decision, critique.reason) == (
        Decision.NO_VERDICT, "empty reply")


@pytest.mark.parametrize("token", ["", " ", "\n\t", "\u200b", " \ufeff\u2060"])
def test_a_blank_token_is_refused(token):
    with pytest.raises(ValueError, match="blank"):
        StopTokenCritic(token)


def test_a_prompt_without_slot_is_refused():
    with pytest.raises(ValueError, match="requirements"):
        StopTokenCritic(prompt="Review the draft.")


def test_the_prompt_ends_with_the_token_and_holds_the_requirements():
    system = StopTokenCritic("DONE").system("Name the price.")
    assert "Name the price." in system
    assert system.splitlines()[-1] == "DONE"


def test_is_stop_takes_a_token_of_ones_own():
    assert is_stop(" OK\n", "OK")
    assert not is_stop("not OK", "OK")
