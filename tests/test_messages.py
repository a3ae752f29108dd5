import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflectlab import strip_fences
from reflectlab.messages import (
    FOLDED_CHARS,
    FOLDED_LINES,
    assistant,
    compact,
    digest,
    first_difference,
    first_line,
    gist,
    memory,
    problems,
    size,
    user,
)
from reflectlab.prompts import CRITERIA_NOT_MET, FIX_ALL, FOLDED_NOTE

words = st.text(min_size=1).filter(str.strip)


@st.composite
def histories(draw, pinned):
    """A legal history: a generator's (pinned=1) or a critic's (0)."""
    pairs = draw(st.lists(st.tuples(words, words), max_size=12))
    if pinned:
        out = [user(draw(words))]
        for draft, feedback in pairs:
            out += [assistant(draft), user(feedback)]
        return out
    out = []
    for draft, critique in pairs:
        out += [user(draft), assistant(critique)]
    return [*out, user(draw(words))]


# --- what a legal list is --------------------------------------------------

@pytest.mark.parametrize("messages,named", [
    ([], "empty"),
    ([assistant("a")], "message 0 is 'assistant'"),
    ([user("a"), user("b")], "message 1 is 'user'"),
    ([user("a"), assistant("b")], "last message is not the user's"),
    ([user(" \n")], "message 0 is blank"),
    ([user("a"), assistant(""), user("c")], "message 1 is blank"),
    ([{"role": "system", "content": "a"}], "message 0 is 'system'"),
    ([{"content": "a"}], "message 0 is None"),
    ([{"role": "user", "content": None}], "message 0 is blank"),
])
def test_what_makes_a_list_illegal_is_named(messages, named):
    assert any(named in problem for problem in problems(messages))


@given(histories(1) | histories(0))
def test_a_legal_list_has_no_problem(history):
    assert problems(history) == []


# --- compaction ------------------------------------------------------------

@given(history=histories(1), keep=st.integers(1, 6))
def test_a_compacted_generator_history(history, keep):
    before = [dict(m) for m in history]
    short = compact(history, keep)
    assert problems(short) == []
    assert history == before                            # not changed
    assert short[0]["content"].startswith(history[0]["content"])
    assert short[1:] == history[1:][-2 * keep:]         # word for word
    if len(history) <= 1 + 2 * keep:
        assert short == history
    else:
        assert FOLDED_NOTE in short[0]["content"]


@given(history=histories(0), keep=st.integers(1, 6))
def test_a_compacted_critic_history(history, keep):
    short = compact(history, keep, pinned=0)
    assert problems(short) == []
    assert short[-1]["content"].endswith(history[-1]["content"])
    assert len(short) == min(len(history), 2 * keep + 1)
    assert short[1:] == history[len(history) - len(short) + 1:]


@given(history=histories(1), keep=st.integers(1, 3))
def test_its_size_does_not_grow_with_the_rounds(history, keep):
    short = compact(history, keep)
    kept = history[:1] + history[1:][-2 * keep:]
    assert size("", short) <= size("", kept) + len(FOLDED_NOTE) + 40 + (
        FOLDED_LINES * (FOLDED_CHARS + 3))


def test_the_note_names_the_folded_objections_oldest_first():
    history = [user("task")]
    for n in range(12):
        history += [assistant(f"draft {n}"), user(f"\nobjection {n}\n- more")]
    note = compact(history, 2)[0]["content"].split("\n")
    assert note[2:] == [FOLDED_NOTE, "- (2 older ones)"] + [
        f"- objection {n}; more" for n in range(2, 10)]


def test_a_folded_objection_is_quoted_in_part():
    history = [user("task"), assistant("a"), user("o" * 10_000),
               assistant("b"), user("c")]
    note = compact(history, 1)[0]["content"]
    assert note.endswith("\n- " + "o" * FOLDED_CHARS)


@pytest.mark.parametrize("text,line", [
    ("TESTS FAILED\n    raise AssertionError(...)\nAssertionError: f('x')",
     "AssertionError: f('x')"),
    ("TESTS FAILED\n    assert f(3) == 9\nAssertionError\n"
     "last call: f(3) returned 17",
     "assert f(3) == 9; AssertionError; last call: f(3) returned 17"),
    ("SCHEMA VIOLATIONS: 2\n$: 'a' is required", "$: 'a' is required"),
    (f"{FIX_ALL}\n- [LOW] tone: stiff, Fix: x\n- [LOW] clarity: y",
     "[LOW] tone: stiff, Fix: x; [LOW] clarity: y"),
    (f"{CRITERIA_NOT_MET}\n- PRICE: names it", "PRICE: names it"),
    ("Problem: no price.", "Problem: no price."), ("TOO LONG", "TOO LONG"),
    ("\n \n", ""), ("Mind:", "Mind:")])
def test_the_gist_is_what_a_text_objects_to(text, line):
    assert gist(text) == line


@pytest.mark.parametrize("keep", [0, -1])
def test_at_least_one_round_is_kept(keep):
    with pytest.raises(ValueError, match="keep_rounds"):
        compact([user("a")], keep)


def test_memory_is_the_task_the_attempt_and_the_feedback():
    assert memory("t") == [user("t")]
    assert memory("t", "a", "f") == [user("t"), assistant("a"), user("f")]
    assert problems(memory("t", "a", "f")) == []


# --- texts -----------------------------------------------------------------

@pytest.mark.parametrize("reply,code", [
    ("x = 1", "x = 1"), ("  x = 1\n", "x = 1"),
    ("```python\nx = 1\n```", "x = 1"), ("```\n  x = 1\n```", "  x = 1"),
    ("Here it is:\n```py\nx = 1\n```\nDone.", "x = 1"),
    ("~~~\nx = 1\n~~~", "x = 1"),
    ("```python\nx = 1", "x = 1"),                      # truncated
    ("````\n```\nx\n```\n````", "```\nx\n```"),         # a fence in a fence
    ("```\na\n```\n```\nb\n```", "a"),                  # the first one
    ("```bash\npip install x\n```\n```python\nx\n```", "x"),  # the tagged
    ("```py\nx\n```\n```python\nx = 1\n```", "x"),     # the first tagged
    ("```\nls\n```\n```\nx = 1\n```", "x = 1"),        # or the longest
    ("```python\r\nx = 1\r\n\r\ny = 2\r\n```\r\n", "x = 1\n\ny = 2"),
    ("1. This:\n   ```python\n   if x:\n       y()\n   ```",
     "if x:\n    y()"),
    ('```python title="a `b`"\nx = 1\n```', "x = 1"),
    ("```x``` is short.\n```python\nx = 1\n```", "x = 1"),
    ("\ufeff```python\nx = 1\n```", "x = 1"), ("\ufeffx = 1", "x = 1"),
    ("s = '```'", "s = '```'"), ("```", ""), ("", ""),
    ("```python\nx = '''\n```\n'''", "x = '''"),
])
def test_strip_fences(reply, code):
    assert strip_fences(reply) == code


@given(st.text())
def test_strip_fences_never_raises_and_settles(text):
    text = text.replace("`", "").replace("\ufeff", "")
    code = strip_fences("```\n" + text + "\n```")
    assert strip_fences(code) == code.strip() or "~~~" in code


@given(st.text(st.characters()), st.text(st.characters()))
def test_a_digest_names_a_text_white_space_aside(a, b):
    assert len(digest(a)) == 12
    assert (digest(a) == digest(b)) == (a.split() == b.split())


@pytest.mark.parametrize("text,line", [
    ("", ""), (" \n ", ""), ("a\nb", "a"), ("\n\n  b  \nc", "b")])
def test_first_line(text, line):
    assert first_line(text) == line


def test_size_counts_what_is_sent():
    assert size("abc", [user("de"), assistant("f")]) == 6
    assert size("", []) == 0


def call(system, *contents):
    return {"system": system, "messages": [
        (user, assistant)[n % 2](text) for n, text in enumerate(contents)]}


@pytest.mark.parametrize("held,where", [
    (call("S", "a"), "the system prompt, character 0: asked 's'"),
    (call("s", "abX"), "message 1 .user., character 2: asked 'c', rec.* 'X'"),
    (call("s", "abc", "x"), "message 2 .assistant., .*asked '', recorded 'x'"),
    (call("s"), "message 1 .user., character 0: asked 'abc', recorded ''"),
    (call("s", "abc"), "other than role and content"),
])
def test_the_first_difference_of_two_calls(held, where):
    import re
    assert re.search(where, first_difference(call("s", "abc"), held)[1])


def test_the_nearest_call_parts_latest():
    asked = call("s", "one", "two", "three")
    held = [call("s", "one", "two", "thrXX"), call("s", "one", "twX", "three"),
            call("X", "one", "two", "three"), call("s", "one", "two")]
    ranked = sorted(held, key=lambda c: first_difference(asked, c)[0])
    assert ranked == [held[2], held[1], held[3], held[0]]
