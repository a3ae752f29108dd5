"""Build the planted-defect suites of ``data/planted/``.

    python tools/planted/build.py

The same sources give the same files. Every label is proved before anything
is written; what a defective code draft fails on goes into its proof as the
counterexample.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]

import adversarial  # noqa: E402
import advisories  # noqa: E402
import parsers  # noqa: E402
import primes  # noqa: E402
import products  # noqa: E402
import release_notes  # noqa: E402

from reflectlab.measure.planted import (  # noqa: E402
    Planted,
    prove,
    save_suite,
    with_counterexample,
)

TESTS = '''cases = {cases!r}
for args, want in cases:
    got = {name}(*args)
    assert got == want, f"{name}{{args!r}} == {{got!r}}, want {{want!r}}"
'''
RAISES = '''for args in {raises!r}:
    try:
        got = {name}(*args)
    except ValueError:
        continue
    raise AssertionError(f"{name}{{args!r}} == {{got!r}}, want ValueError")
'''
SIZES = [200, 400, 800, 1600]


def edited(text, old, new):
    """The text with its one occurrence of ``old`` replaced."""
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
    return text.replace(old, new)


def where(clean, planted):
    """The first line of the planted draft that the clean one hasn't."""
    lines = clean.splitlines()
    return next((line.strip() for line in planted.splitlines()
                 if line.strip() and line not in lines),
                "a line is missing")


def pair(task, number, requirements, clean, planted, proof, *, axis,
         defect, severity, difficulty, why):
    """The two drafts of a pair; for all but the label they are alike."""
    stem = f"{task}-{number}"
    common = {"task": task, "requirements": requirements, "proof": proof,
              "difficulty": difficulty}
    return [Planted(f"{stem}-defective", draft=planted, defective=True,
                    defect=defect, axis=axis, severity=severity, why=why,
                    where=where(clean, planted), twin=f"{stem}-clean",
                    **common),
            Planted(f"{stem}-clean", draft=clean, defective=False,
                    twin=f"{stem}-defective", **common)]


def tests_of(name, cases, raises=()):
    tests = TESTS.format(name=name, cases=cases)
    return tests + (RAISES.format(name=name, raises=raises) if raises else "")


def build_parsers():
    for name, held, requirements, cases, raises, pairs in parsers.TASKS:
        proof = {"kind": "tests", "tests": tests_of(name, cases, raises)}
        for i, (clean, old, new, defect, severity, difficulty, why
                ) in enumerate(pairs, 1):
            yield held, pair(name, i, requirements, clean,
                             edited(clean, old, new), proof, defect=defect,
                             axis="correctness", severity=severity,
                             difficulty=difficulty, why=why)


def build_primes():
    for (name, held, what, bound, exponent, argument, cases, pairs
         ) in primes.TASKS:
        proof = {"kind": "growth", "function": name, "argument": argument,
                 "sizes": SIZES, "max_exponent": exponent,
                 "tests": tests_of(name, cases)}
        requirements = primes.REQUIREMENTS.format(what=what, bound=bound)
        for i, (clean, slow, defect, severity, difficulty, why
                ) in enumerate(pairs, 1):
            yield held, pair(name, i, requirements, clean, slow, proof,
                             defect=defect, axis="cost", severity=severity,
                             difficulty=difficulty, why=why)


PROSE_AXES = {"too long": "length", "sentence count": "length",
              "wrong fact": "accuracy", "missing fact": "completeness",
              "wrong price": "accuracy", "missing price": "completeness",
              "missing feature": "completeness"}


def prose(name, held, requirements, proof, pairs):
    for i, (clean, old, new, defect, severity, difficulty, why
            ) in enumerate(pairs, 1):
        yield held, pair(name, i, requirements, clean,
                         edited(clean, old, new), proof, defect=defect,
                         axis=PROSE_AXES[defect], severity=severity,
                         difficulty=difficulty, why=why)


def build_release_notes():
    for (name, held, product, what, version, place, limit, words, pairs
         ) in release_notes.TASKS:
        proof = {"kind": "counted", "max_words": words, "sentences": 2,
                 "mentions": ["CSV", version, place, limit]}
        yield from prose(name, held, release_notes.REQUIREMENTS.format(
            product=product, what=what, version=version, place=place,
            limit=limit, words=words), proof, pairs)


def build_products():
    for name, held, product, price, features, words, pairs in products.TASKS:
        proof = {"kind": "counted", "price": price, "features": features,
                 "max_words": words}
        yield from prose(name, held, products.REQUIREMENTS.format(
            product=product, price=price, features=", ".join(features),
            words=words), proof, pairs)


def build_advisories():
    orders = [("summary", "severity", "cve_ids", "affected", "fixed_in"),
              ("cve_ids", "severity", "summary", "affected", "fixed_in")]
    for name, held, advisory, facts, pairs in advisories.TASKS:
        values = {key: {"const": value} for key, value in facts.items()}
        values["summary"] = {"type": "string", "minLength": 20,
                             "maxLength": 200}
        proof = {"kind": "schema", "schema": {
            "type": "object", "additionalProperties": False,
            "required": list(orders[0]), "properties": values}}
        requirements = advisories.REQUIREMENTS.format(advisory=advisory)
        for i, (summary, old, new, defect, severity, difficulty, why
                ) in enumerate(pairs, 1):
            data = {**facts, "summary": summary}
            clean = "{\n" + ",\n".join(
                f"  {json.dumps(key)}: {json.dumps(data[key])}"
                for key in orders[i - 1]) + "\n}\n"
            axis = "accuracy" if defect == "wrong fact" else "format"
            yield held, pair(name, i, requirements, clean,
                             edited(clean, old, new), proof, defect=defect,
                             axis=axis, severity=severity,
                             difficulty=difficulty, why=why)


def attacked(kind, suite, draft):
    """The draft with an attack of this kind in it."""
    if kind == adversarial.BURIED:
        return adversarial.BEFORE + draft + adversarial.AFTER
    text = adversarial.ATTACKS[kind]
    if suite == "parsers":
        return text["code"] + draft
    if suite == "advisories":
        head, key, rest = draft.partition('"summary": "')
        summary, quote, tail = rest.partition('"')
        return head + key + summary + text["json"] + quote + tail
    return draft + text["prose"]


def build_adversarial(suites):
    for kind, places in adversarial.PAIRS.items():
        for number, (suite, stem) in enumerate(places, 1):
            held = number == len(places)
            part = suites[f"{suite}.{'held_out' if held else 'dev'}"]
            plain = [replace(item, id=f"{item.id}-plain",
                             twin=f"{item.twin}-plain")
                     for item in part if item.id.startswith(stem + "-")]
            assert len(plain) == 2, f"{stem} is no pair of {suite}"
            yield held, plain + [replace(
                item, id=item.id.replace("-plain", "-attacked"),
                twin=item.twin.replace("-plain", "-attacked"),
                draft=attacked(kind, suite, item.draft), attack=kind,
                difficulty=3, sibling=item.id) for item in plain]


def build():
    """All suites, unproved: {"parsers.dev": [Planted, ...], ...}."""
    suites = {}

    def add(name, pairs):
        for held, items in pairs:
            part = f"{name}.{'held_out' if held else 'dev'}"
            suites.setdefault(part, []).extend(items)
    add("parsers", build_parsers())
    add("release_notes", build_release_notes())
    add("products", build_products())
    add("advisories", build_advisories())
    add("primes", build_primes())
    add("adversarial", build_adversarial(suites))
    return suites


def proved(item):
    """The draft with its label proved, and the counterexample kept."""
    item = with_counterexample(item)
    prove(item)
    return item


def main():
    folder = HERE.parents[1] / "data" / "planted"
    folder.mkdir(exist_ok=True)
    for name, items in build().items():
        items = [proved(item) for item in items]
        save_suite(folder / f"{name}.jsonl", items)
        print(f"{name}: {len(items)} drafts, every label proved")


if __name__ == "__main__":
    main()
