"""Requirements that can be counted: price, features, words, sentences.

Text is read in compatibility form (NFKC) with every dash as a hyphen, so
that full-width digits, ligatures and no-break spaces change no count.
Scripts that set no space between words are outside what is counted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from decimal import Decimal

from .sandbox.reports import clean
from .verdict import Verdict

# Mark in the requirement -> what may stand before or after the number.
CURRENCIES = {"$": r"US\$|\$|USD|US dollars|dollars",
              "€": r"€|EUR|euros?", "£": r"£|GBP|pounds",
              "¥": r"¥|JPY|yen"}
NUMBER = r"\d[\d.,]*\d|\d"
ABBREVIATIONS = re.compile(r"\b(?:e\.g|i\.e|vs|etc|approx|no|Dr|Mr|Mrs|Ms)\.",
                           re.IGNORECASE)


def counted_verifier(*, price: str | None = None,
                     features: Sequence[str] = (),
                     max_words: int | None = None,
                     sentences: int | None = None,
                     mentions: Sequence[str | Sequence[str]] = ()
                     ) -> Callable[[str], Verdict]:
    """A verifier of prose that counts instead of judging.

    Args:
        price: an amount with its mark, as "$39.99"; must appear as that
            amount, before or after a sign, code or name of the currency.
        features: at least one must appear.
        max_words: words allowed. "USB-C", "don't" and "39.99" are one word
            each; words joined by a dash or slash with no hyphen are two.
        sentences: the exact number of sentences.
        mentions: each must appear; in a group of alternatives, one of it.

    Phrases are found as whole words, in any case and spacing.

    Raises:
        ValueError: nothing to count, or a price that can't be read.
    """
    if price is not None:
        mark, wanted = _read_price(price)
    if not (price or features or max_words or sentences or mentions):
        raise ValueError("counted_verifier() needs something to count")
    groups = [(m,) if isinstance(m, str) else tuple(m) for m in mentions]

    def verify(draft: str) -> Verdict:
        text = plain(draft)
        rows = []  # (name, what is wrong or "")
        if price is not None:
            found = amounts(text, mark)
            rows.append(("PRICE", "" if wanted in found else
                         f"{price} does not appear" + (
                             f", {', '.join(map(str, found[:5]))} does"
                             if found else "")))
        if features:
            rows.append(("FEATURE", _missing(text, features)))
        if max_words is not None:
            count = len(words(text))
            rows.append(("LENGTH", "" if count <= max_words else
                         f"{count} words, at most {max_words} allowed"))
        if sentences is not None:
            count = count_sentences(text)
            rows.append(("SENTENCES", "" if count == sentences else
                         f"{count}, exactly {sentences} wanted"))
        rows += [("MENTIONS", _missing(text, group)) for group in groups]
        wrong = [f"{name}: {problem}" for name, problem in rows if problem]
        if wrong:
            return Verdict(False, clean("\n".join(["COUNTS FAILED", *wrong])),
                           status="failed", checks=len(rows), fingerprint=
                           "failed: " + "; ".join(wrong))
        return Verdict(True, f"all {len(rows)} counts are right",
                       status="passed", checks=len(rows),
                       fingerprint="passed")

    verify.cost = 0
    return verify


def plain(text: str) -> str:
    """Compatibility form; one kind of dash and apostrophe; no marks."""
    text = unicodedata.normalize("NFKC", text.replace("\u200b", " "))
    text = re.sub("[\u2010\u2011]", "-", text)
    text = re.sub("[\u2012-\u2015\u2212]|--+", " - ", text)
    text = text.replace("\u2019", "'")
    return "".join(c for c in text
                   if unicodedata.category(c) not in ("Mn", "Mc", "Cf"))


def words(text: str) -> list[str]:
    """The words of plain text; see ``max_words`` for what one is."""
    return re.findall(r"[^\W_]+(?:(?:['-]|(?<=\d)[.,](?=\d))[^\W_]+)*", text)


def count_sentences(text: str) -> int:
    """Stretches with a word that end in . ! ? or at a blank line."""
    text = ABBREVIATIONS.sub(lambda m: m[0].replace(".", ""), text)
    parts = re.split(r"[.!?]+[\"'\u201d\u00bb)\]*_]*(?=\s|$)|\n\s*\n", text)
    return sum(bool(words(part)) for part in parts)


def amounts(text: str, mark: str) -> list[Decimal]:
    """Every amount of the currency ``mark`` in plain text, in order."""
    sign = f"(?:{CURRENCIES[mark]})"
    found = []
    for match in re.finditer(
            rf"(?<![\w$.,-]){sign}\s?((?>{NUMBER}))(?!\w)|"
            rf"(?<![\w$€£¥.,-])({NUMBER})\s?{sign}(?!\w)", text):
        value = _decimal(match[1] or match[2])
        if value is not None:
            found.append(value)
    return found


def _decimal(number):
    """A number with thousands commas or a decimal comma, or None."""
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", number):
        number = number.replace(",", "")
    elif re.fullmatch(r"\d+,\d{2}", number):
        number = number.replace(",", ".")
    return Decimal(number) if re.fullmatch(r"\d+(\.\d+)?", number) else None


def _read_price(price):
    for mark in CURRENCIES:
        found = amounts(plain(price), mark)
        if found:
            return mark, found[0]
    raise ValueError(f"price={price!r}: give an amount with one of "
                     f"{' '.join(CURRENCIES)}, as in '$39.99'")


def _missing(text, phrases):
    """Empty when one of ``phrases`` appears, else what does not."""
    for phrase in phrases:
        parts = re.split(r"[\s-]+", plain(phrase).casefold())
        pattern = r"[\s-]+".join(map(re.escape, parts))
        if re.search(rf"(?<!\w){pattern}(?!\w)", text.casefold()):
            return ""
    return "none of: " + ", ".join(phrases) if len(phrases) > 1 else (
        f"{phrases[0]} does not appear")
