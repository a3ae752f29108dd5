"""Check a JSON reply against a JSON Schema, every violation named."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

from ..messages import strip_fences
from .sandbox.reports import clean
from .verdict import Verdict

MAX_VIOLATIONS = 20   # named in one report
MAX_MESSAGE = 300     # characters of one violation


def schema_verifier(schema: dict) -> Callable[[str], Verdict]:
    """A verifier of JSON text; a Markdown fence around it is taken off.

    The library's own messages are kept: they are precise, and the writer
    needs them as they are. NaN and Infinity are not JSON, and a key given
    twice is refused, since readers differ on which one counts. ``format``
    is checked where jsonschema can without further packages: "date",
    "email", "ipv4", "ipv6" and "regex" are, "date-time" and "uri" are not.

    Args:
        schema: a JSON Schema; ``$schema`` names its draft, else 2020-12.

    Raises:
        jsonschema.SchemaError: ``schema`` itself is not valid.
    """
    from jsonschema.validators import Draft202012Validator, validator_for
    kind = validator_for(schema, default=Draft202012Validator)
    kind.check_schema(schema)
    validator = kind(schema, format_checker=kind.FORMAT_CHECKER)

    def verify(draft: str) -> Verdict:
        try:
            data = json.loads(strip_fences(draft), parse_constant=_not_json,
                              parse_float=_finite,
                              object_pairs_hook=_each_key_once)
        except (ValueError, RecursionError) as exc:
            reason = str(exc) if isinstance(exc, ValueError) else "too deep"
            return _failed(f"INVALID JSON: {clean(reason, MAX_MESSAGE)}",
                           "not JSON")
        try:
            errors = sorted(validator.iter_errors(data),
                            key=lambda e: (e.json_path, e.message))
        except (RecursionError, OverflowError):
            return _failed("SCHEMA VIOLATIONS: nested too deeply, or a "
                           "number too large, to be checked", "too large")
        if not errors:
            return Verdict(True, "the JSON meets the schema", status="passed",
                           checks=1, fingerprint="passed")
        lines = [f"SCHEMA VIOLATIONS: {len(errors)}"]
        lines += [clean(f"{e.json_path}: {e.message}", MAX_MESSAGE)
                  for e in errors[:MAX_VIOLATIONS]]
        if len(errors) > MAX_VIOLATIONS:
            lines.append(f"and {len(errors) - MAX_VIOLATIONS} more")
        return _failed("\n".join(lines), ", ".join(
            f"{e.json_path} {e.validator}" for e in errors[:MAX_VIOLATIONS]))

    verify.cost = 0
    return verify


def _failed(report, what):
    return Verdict(False, report, status="failed", checks=1,
                   fingerprint=f"failed: {what}")


def _not_json(name):
    raise ValueError(f"{name} is not a JSON value")


def _finite(digits):
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits[:20]} is too large a number")
    return number


def _each_key_once(pairs):
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(n for n in names if names.count(n) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return data
