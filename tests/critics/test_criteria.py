import pytest

from reflectlab import CriteriaCritic, Decision

CRITERIA = {"PRICE": "names the exact price", "FEATURE": "names a feature",
            "LENGTH": "has at most 40 words"}
ALL_PASS = "PRICE: PASS\nFEATURE: PASS\nLENGTH: PASS\nFEEDBACK: none"


def parse(text):
    return CriteriaCritic(CRITERIA).parse(text)


def failed(text):
    return [issue.dimension for issue in parse(text).issues]


@pytest.mark.parametrize("text", [
    ALL_PASS, ALL_PASS.lower(), ALL_PASS.replace(": ", ":"),
    ALL_PASS.replace("\n", "\r\n"), "\n " + ALL_PASS.replace("\n", " \n  "),
    "LENGTH: PASS\nPRICE: Pass\nFEATURE: pass"])
def test_every_criterion_marked_pass_accepts(text):
    assert parse(text).decision is Decision.ACCEPT


@pytest.mark.parametrize("text, names", [
    (ALL_PASS.replace("LENGTH: PASS", "LENGTH: FAIL"), ["LENGTH"]),
    (ALL_PASS.replace("LENGTH: PASS\n", ""), ["LENGTH"]),
    (ALL_PASS.replace("PRICE: PASS", "PRICE: PASS or FAIL"), ["PRICE"]),
    (ALL_PASS.replace("PRICE: PASS", "PRICE: not a PASS"), ["PRICE"]),
    (ALL_PASS.replace("PRICE: PASS", "PRICE: PASSABLE"), ["PRICE"]),
    (ALL_PASS.replace("PRICE:", "THE PRICE:"), ["PRICE"]),
    ("PRICE: PASS FEATURE: PASS LENGTH: PASS", list(CRITERIA)),
    (ALL_PASS + "\nPRICE: FAIL", ["PRICE"]),
    ("PRICE: FAIL\n" + ALL_PASS, ["PRICE"]),
    ("PRICE: PASS or FAIL\n" + ALL_PASS, ["PRICE"])])
def test_what_is_not_clearly_marked_pass_fails(text, names):
    critique = parse(text)
    assert critique.decision is Decision.OBJECT
    assert failed(text) == names
    assert all(name in critique.feedback for name in names)


def test_marks_are_kept_for_each_criterion():
    critic = CriteriaCritic(CRITERIA)
    assert critic.verdicts("PRICE: PASS\nLENGTH: FAIL") == {
        "PRICE": True, "FEATURE": None, "LENGTH": False}


def test_a_criterion_without_mark_is_told_as_not_marked():
    feedback = parse("PRICE: PASS\nFEATURE: FAIL").feedback
    assert feedback.splitlines()[1:] == [
        "- FEATURE: names a feature",
        "- LENGTH: has at most 40 words (not marked)"]


def test_feedback_is_passed_on_behind_the_names():
    critique = parse("PRICE: FAIL\nFEATURE: PASS\nLENGTH: PASS\n"
                     "FEEDBACK: Write $39.99, not 'about $40'.")
    assert critique.feedback.splitlines()[1:] == [
        "- PRICE: names the exact price",
        "Write $39.99, not 'about $40'."]
    assert critique.issues[0].fix == "Write $39.99, not 'about $40'."


@pytest.mark.parametrize("words", ["none", "'none'", "None.", ""])
def test_no_words_beside_a_fail_still_names_the_criterion(words):
    text = f"PRICE: FAIL\nFEATURE: PASS\nLENGTH: PASS\nFEEDBACK: {words}"
    assert parse(text).feedback.splitlines()[1:] == [
        "- PRICE: names the exact price"]


@pytest.mark.parametrize("text, reason", [
    ("", "empty reply"), (" \n", "empty reply"),
    ("The description reads well.", "no criterion is marked"),
    ("FEEDBACK: none", "no criterion is marked")])
def test_a_reply_that_marks_nothing_is_no_verdict(text, reason):
    critique = parse(text)
    assert critique.decision is Decision.NO_VERDICT
    assert critique.reason == reason and critique.feedback == ""


@pytest.mark.parametrize("criteria", [
    {}, {"": "x"}, {"A:B": "x"}, {"A\nB": "x"}, {"feedback": "x"},
    {"price": "x", "PRICE": "y"}])
def test_names_that_could_not_be_read_back_are_refused(criteria):
    with pytest.raises(ValueError):
        CriteriaCritic(criteria)


def test_the_prompt_holds_criteria_form_and_requirements():
    system = CriteriaCritic({"tone": "is polite"}).system("Reply {format}!")
    for part in ["Reply {format}!", "- TONE: is polite",
                 "\nTONE: PASS or FAIL\nFEEDBACK: "]:
        assert part in system


def test_lookalike_letters_are_not_pass():
    assert failed(ALL_PASS.replace("PRICE: PASS", "PRICE: PA\u017f\u017f")
                  ) == ["PRICE"]


@pytest.mark.parametrize("text", [
    ALL_PASS + "\nFEEDBACK: not acceptable, the price is missing",
    "The draft tells me to write\n" + ALL_PASS + "\nbut none holds.",
    ALL_PASS + "\nI object."])
def test_a_pass_that_has_more_to_say_is_no_verdict(text):
    critique = parse(text)
    assert critique.decision is Decision.NO_VERDICT
    assert critique.reason.startswith("contradicts itself")


@pytest.mark.parametrize("words", ["none", "'none'", "None.", "", "\nnone"])
def test_no_words_beside_a_pass_leave_it_one(words):
    marks = "PRICE: PASS\nFEATURE: PASS\nLENGTH: PASS"
    assert parse(f"{marks}\nFEEDBACK: {words}").decision is Decision.ACCEPT


def test_what_a_criterion_means_is_not_searched_for_slots():
    meaning = "keeps {requirements}, {format} and {criteria} as they are"
    system = CriteriaCritic({"BRACES": meaning}).system("The task.")
    assert f"- BRACES: {meaning}\n" in system
