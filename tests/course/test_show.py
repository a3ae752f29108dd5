"""Transcripts and traces: text to the letter, HTML safe and legible."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from reflectlab import (
    ReflectionAgent,
    Result,
    ScriptedModel,
    reflect_v1,
    reflect_v2,
    run_tests,
    show,
    side_by_side,
)
from reflectlab.course import readme_picture, style
from reflectlab.course.trace_view import word_diff
from reflectlab.messages import assistant, user
from reflectlab.tasks import load_task

NOTE = load_task("release_note")
DURATION = load_task("parse_duration")
NASTY = "</div><script>alert(1)</script> & \u202e\x1b[31m\x00\ud800"


class Page(HTMLParser):
    """Collects the text, tags and unclosed elements of a page."""

    def __init__(self, source):
        super().__init__()
        self.text, self.tags, self.open = "", [], []
        self.feed(source)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def calls_of(loop, script):
    model = ScriptedModel(NOTE.scripts[script], strict=True)
    loop(model, NOTE.spec)
    return model.calls


def run(script, **settings):
    agent = ReflectionAgent(ScriptedModel(script, strict=True), verbose=False,
                            **settings)
    return agent.run(DURATION.spec)


def passes_tests(code):
    return run_tests(code, DURATION.tests)


def test_v1_second_critic_call_as_the_chapter_prints_it():
    shown = repr(show(calls_of(reflect_v1, "v1")[3])).split("\n")
    assert [line[:14] for line in shown] == [
        "  user      | ", "  assistant | "] * 3 + ["  user      | "]
    assert shown[0] == ("  user      | Write a two-sentence release note for "
                        "a feature that lets ")
    assert shown[3] == ("  assistant | Problem: no mention of where the button"
                        " is. Problem: passi")
    assert all(len(line) <= 14 + 58 for line in shown)


def test_v2_views_to_the_letter():
    calls = calls_of(reflect_v2, "v2")
    view = side_by_side(calls[2], calls[3], titles=(
        "what the WRITER saw on its second call",
        "what the CRITIC saw on its second call"))
    assert str(view) == """\
=== what the WRITER saw on its second call ===
  user      | Write a two-sentence release note for a feature that lets us
  assistant | You can now export reports as CSV.
  user      | Problem: does not say where the export lives. Problem: no us

=== what the CRITIC saw on its second call ===
  user      | You can now export reports as CSV.
  assistant | Problem: does not say where the export lives. Problem: no us
  user      | You can now export any report as CSV from the Reports toolba"""


def test_a_text_keeps_its_letter_and_its_colour_on_both_sides():
    calls = calls_of(reflect_v2, "v2")
    source = side_by_side(calls[2], calls[3]).html
    tints = {who: tint for who, (_, tint) in style.SPEAKERS.items()}
    for text, who, count, letter in (
            ("You can now export reports as CSV.", "writer", 2, "A"),
            ("Problem: does not say where", "critic", 2, "B"),
            ("You can now export any report", "writer", 1, ""),
            ("Write a two-sentence", "other", 1, "")):
        boxes = [part for part in source.split("<div ") if text in part
                 and "requirements" not in part]
        assert len(boxes) == count
        for part in boxes:
            assert tints[who] in part
            words = Page("<div " + part.split("</div>")[0] + "</div>").text
            role = words.split()[0]
            assert role in ("user", "assistant")
            assert words.split(text)[0].split() == [role, *letter]


def test_the_two_sides_can_start_with_the_critics_first_call():
    task, draft = user("Write."), user("A draft.")
    view = side_by_side([task], [draft])
    part = view.html.split("A draft.")[0].rsplit("<div ", 1)[1]
    assert style.SPEAKERS["writer"][1] in part


def test_a_verifiers_report_is_not_put_into_the_critics_mouth():
    writer = [user("Write."), assistant("One."), user("TESTS FAILED"),
              assistant("Two."), user("Too short.")]
    source = side_by_side(writer, [user("Two.")]).html
    for text, who in (("TESTS FAILED", "other"), ("Too short.", "critic")):
        part = source.split(text)[0].rsplit("<div ", 1)[1]
        assert style.SPEAKERS[who][1] in part


@pytest.mark.parametrize("view", [
    lambda: show([user(NASTY), assistant(NASTY + "\n  " + NASTY)]),
    lambda: show({"system": NASTY, "messages": [user(NASTY * 30)]}),
    lambda: side_by_side([user(NASTY)], [user(NASTY)], titles=(NASTY, NASTY)),
    lambda: show(run([NASTY, NASTY, NASTY + "1", NASTY])),
])
def test_model_text_stays_text(view):
    view = view()
    page = Page(view.html)
    assert page.open == []
    assert "<script>alert(1)</script>" in page.text
    assert {tag for tag, _ in page.tags} <= {
        "div", "b", "i", "pre", "details", "summary", "del", "ins", "br"}
    # Nothing that a notebook sanitises away, nothing that acts.
    assert {name for _, given in page.tags for name in given} == {"style"}
    for text in (view.html, view.text):
        assert text.replace("\n", " ").isprintable()


def test_long_texts_are_folded_and_complete():
    text = "word " * 200
    source = show({"system": "Be brief.", "messages": [user(text)]}).html
    assert source.count("<details>") == 2
    assert text in source and "(1000 characters)" in source


def test_show_says_what_it_can_show():
    with pytest.raises(TypeError, match=r"model.calls\[0\].*not str"):
        show("hello")


def test_a_run_is_shown_as_the_agent_prints_it():
    result = run([*DURATION.drafts, "NO_FURTHER_OBJECTIONS"],
                 verifier=passes_tests)
    view = show(result)
    assert str(view) == """\
[1] draft a80ec4a08992 -> verifier: TESTS FAILED
[2] draft ec1ac667f94b -> verifier: TESTS FAILED
[3] draft 3d1058f341c0 -> critic: NO_FURTHER_OBJECTIONS
-> verified=True reason='accepted' rounds=3"""
    assert show(Result.from_dict(result.to_dict())) == view
    rounds = view.html.split("round ")[1:]
    assert ["this draft is returned" in part for part in rounds] == [
        False, False, True]
    assert "verifier: passed · critic: accept" in rounds[2]


def test_a_stalled_run_says_so_and_asks_for_a_person():
    result = run([DURATION.drafts[0]] * 2, verifier=passes_tests)
    text = Page(show(result).html).text
    assert "the same draft as before" in text
    assert "stalled: draft repeated · not verified · a person should" in text


def test_no_clock_in_a_view():
    result = run([*DURATION.drafts, "NO_FURTHER_OBJECTIONS"],
                 verifier=passes_tests)
    views = []
    for seconds in (0.1, 99.0):
        data = result.to_dict() | {"seconds": seconds}
        for r in data["trace"]:
            r["seconds"] = seconds
        views.append(show(Result.from_dict(data)))
    assert views[0] == views[1]


def test_word_diff_holds_both_drafts():
    before, after = "You can export reports.", "You can export any report."
    source = word_diff(before, after)
    assert re.findall("<del[^>]*>(.*?)</del>", source) == ["reports"]
    assert re.findall("<ins[^>]*>(.*?)</ins>", source) == ["any report"]
    kept = re.sub("<del.*?</del>", "", source)
    assert Page(kept).text == after
    kept = re.sub("<ins.*?</ins>", "", source)
    assert Page(kept).text == before


def luminance(rgb):
    parts = [c / 255 for c in rgb]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
               for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one, other):
    """WCAG contrast ratio of two colours."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def rgb(colour, page=(255, 255, 255)):
    if colour.startswith("#"):
        return tuple(int(colour[i:i + 2], 16) for i in (1, 3, 5))
    *channels, alpha = map(float, re.findall(r"[\d.]+", colour))
    return tuple(alpha * c + (1 - alpha) * p
                 for c, p in zip(channels, page, strict=True))


def test_the_contrast_formula_is_wcags():
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast(rgb("#767676"), (255, 255, 255)) == pytest.approx(
        4.54, abs=0.01)


@pytest.mark.parametrize("who", style.SPEAKERS)
def test_text_has_contrast_in_both_themes(who):
    label, tint = style.SPEAKERS[who]
    assert contrast((255, 255, 255), rgb(label)) >= 4.5
    # JupyterLab's page and text colours, light and dark.
    for page, ink in (((255, 255, 255), (33, 33, 33)),
                      ((17, 17, 17), (255, 255, 255))):
        assert contrast(ink, rgb(tint, page)) >= 4.5


def test_figure_colours_have_contrast_on_their_card():
    for colour in (style.INK, style.GREY, *style.SERIES):
        assert contrast(rgb(colour), rgb(style.CARD)) >= 4.5


def test_the_readme_picture_is_the_one_in_the_repository():
    root = Path(__file__).parents[2]
    stored = root / "docs" / "two_histories.svg"
    assert stored.read_text("utf-8") == readme_picture.picture()
