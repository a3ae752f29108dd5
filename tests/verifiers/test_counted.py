"""What is counted, how, and what comes back when a count is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflectlab.verifiers.counted import (
    count_sentences,
    counted_verifier,
    plain,
    words,
)

LAMP = ("Illuminate your workspace with the Aurora Desk Lamp\u2014featuring "
        "adjustable color temperature, touch dimmer, and a convenient USB-C "
        "charging port. Perfect for any desk setup, it combines stylish "
        "design with modern functionality, all for just $39.99.")
FEATURES = ["adjustable color temperature", "touch dimmer",
            "USB-C charging port"]
product = counted_verifier(price="$39.99", features=FEATURES, max_words=40)
note = counted_verifier(
    sentences=2, max_words=40,
    mentions=["CSV", ("toolbar", "menu"), ("so", "without", "no longer")])


def test_the_seeds_description_passes():
    verdict = product(LAMP)
    assert verdict.ok and verdict.checks == 3
    assert verdict.report == "all 3 counts are right"


def test_each_wrong_count_is_named():
    verdict = product("A lamp for $49.99. " + "word " * 40)
    assert verdict.report == (
        "COUNTS FAILED\n"
        "PRICE: $39.99 does not appear, 49.99 does\n"
        "FEATURE: none of: adjustable color temperature, touch dimmer, "
        "USB-C charging port\n"
        "LENGTH: 44 words, at most 40 allowed")
    assert verdict.status == "failed" and verdict.signal


def test_the_release_note():
    assert note("You can now export any report as CSV from the Reports "
                "toolbar, so finance can open it. Columns stay.").ok
    verdict = note("You can now export reports as CSV.")
    assert verdict.report == (
        "COUNTS FAILED\nSENTENCES: 1, exactly 2 wanted\n"
        "MENTIONS: none of: toolbar, menu\n"
        "MENTIONS: none of: so, without, no longer")


@pytest.mark.parametrize("price, text, found", [
    ("$39.99", "for $39.99.", True), ("$39.99", "$ 39.99", True),
    ("$39.99", "US$39.99", True), ("$39.99", "USD 39.99", True),
    ("$39.99", "39.99 USD", True), ("$39.99", "39.99 dollars", True),
    ("$39.99", "\uff04\uff13\uff19.\uff19\uff19", True),
    ("$39.99", "$\xa039.99", True), ("$39.99", "($39.99)", True),
    ("$39.99", "just$39.99", False), ("$39.99", "$39.999", False),
    ("$39.99", "$139.99", False), ("$39.99", "$39.9", False),
    ("$39.99", "$39", False), ("$39.99", "39.99", False),
    ("$39.99", "A$39.99", False), ("$39.99", "\u20ac39.99", False),
    ("$39.99", "-$39.99", False), ("$39.99", "$39.99x", False),
    ("$39.99", "1.39.99 USD", False), ("$40", "$40.00", True),
    ("$40.00", "40 dollars", True), ("$1,299.00", "$1299", True),
    ("$1299", "$1,299.00", True), ("$1299", "$12,99", False),
    ("\u20ac39,99", "39,99 \u20ac", True), ("\u20ac39.99", "EUR 39.99", True),
    ("\u00a35", "5 pounds", True), ("\u00a5500", "500 yen", True)])
def test_forms_of_a_price(price, text, found):
    assert counted_verifier(price=price)(text).ok is found


@pytest.mark.parametrize("text, count", [
    ("", 0), ("one", 1), ("Lamp\u2014featuring", 2), ("a \u2013 b -- c", 3),
    ("USB-C, don't and $39.99", 4), ("don\u2019t", 1), ("and/or", 2),
    ("one.two,three", 3), ("1,299.00", 1), ("a\xa0b\u200bc\td", 4),
    ("so\u00adft", 1), ("\ufb01ne caf\u00e9 cafe\u0301", 3),
    ("non\u2011breaking", 1), ("* - !", 0), ("snake_case", 2)])
def test_what_a_word_is(text, count):
    assert len(words(plain(text))) == count


@pytest.mark.parametrize("text, count", [
    ("", 0), ("One", 1), ("One. Two.", 2), ("One... Two?! Three", 3),
    ("It costs $39.99 today.", 1), ("See e.g. the menu. Done.", 2),
    ("Dr. Who came. \u201cGood.\u201d Yes.", 3), ("Title\n\nText.", 2),
    ("One line\nof two.", 1), ("...", 0)])
def test_what_a_sentence_is(text, count):
    assert count_sentences(plain(text)) == count


@pytest.mark.parametrize("text, ok", [
    ("a Touch\n dimmer", True), ("touch-dimmer", True),
    ("touch dimmers", False), ("untouch dimmer", False),
    ("usb\u2011c charging port", True)])
def test_features_are_whole_words(text, ok):
    assert counted_verifier(features=FEATURES)(text).ok is ok


@pytest.mark.parametrize("options, reason", [
    ({}, "something to count"), ({"price": "cheap"}, "price='cheap'"),
    ({"price": ""}, "price=''"), ({"price": "39.99"}, "price='39.99'")])
def test_nothing_to_count_is_refused(options, reason):
    with pytest.raises(ValueError, match=reason):
        counted_verifier(**options)


@given(st.text())
def test_any_text_gets_a_verdict(text):
    for verifier in (product, note):
        verdict = verifier(text)
        assert verdict.report and not verdict.ok
