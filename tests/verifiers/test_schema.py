"""Every violation with its path, and the library's words kept."""

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflectlab.verifiers.schema import schema_verifier

SCHEMA = {
    "type": "object",
    "required": ["summary", "severity", "cve_ids"],
    "properties": {
        "summary": {"type": "string", "minLength": 10},
        "severity": {"enum": ["low", "medium", "high", "critical"]},
        "cve_ids": {"type": "array", "items": {
            "type": "string", "pattern": r"^CVE-\d{4}-\d+$"}},
    },
}
GOOD = ('{"summary": "backdoor in XZ Utils", "severity": "critical", '
        '"cve_ids": ["CVE-2024-3094"]}')
verify = schema_verifier(SCHEMA)


@pytest.mark.parametrize("draft", [
    GOOD, f"```json\n{GOOD}\n```", f"Here it is:\n```\n{GOOD}\n```\nDone."])
def test_good_json_passes_with_or_without_a_fence(draft):
    assert verify(draft).ok


def test_every_violation_is_named_with_its_path():
    verdict = verify('{"severity": "grave", "cve_ids": ["CVE-1", 7]}')
    assert verdict.report.splitlines() == [
        "SCHEMA VIOLATIONS: 4",
        "$: 'summary' is a required property",
        r"$.cve_ids[0]: 'CVE-1' does not match '^CVE-\\d{4}-\\d+$'",
        "$.cve_ids[1]: 7 is not of type 'string'",
        "$.severity: 'grave' is not one of "
        "['low', 'medium', 'high', 'critical']"]
    assert verdict.signal and "$.cve_ids[0] pattern" in verdict.fingerprint


@pytest.mark.parametrize("draft, reason", [
    ("", "Expecting value"), ("Severity is high.", "Expecting value"),
    (GOOD[:-1], "Expecting"), ("NaN", "NaN is not a JSON value"),
    (GOOD[:-1] + ', "severity": "low"}', "'severity' stands twice"),
    ("[" * 100_000, "too deep")])
def test_what_is_not_json_is_said_precisely(draft, reason):
    verdict = verify(draft)
    assert not verdict.ok and verdict.signal
    assert verdict.report.startswith("INVALID JSON: ")
    assert reason in verdict.report


@pytest.mark.parametrize("schema, draft, report", [
    ({"type": "array", "items": {"$ref": "#"}}, "[" * 300 + "]" * 300,
     "too deeply"),
    ({"multipleOf": 0.1}, "1e400", "1e400 is too large a number"),
    ({"multipleOf": 0.1}, "1" + "0" * 400, "too large"),
    ({"format": "date"}, '"banana"', "'banana' is not a 'date'"),
    ({"format": "ipv4"}, '"1.2.3"', "is not a 'ipv4'")])
def test_what_a_schema_can_stumble_over(schema, draft, report):
    verdict = schema_verifier(schema)(draft)
    assert verdict.status == "failed" and report in verdict.report


def test_a_format_that_is_met_passes():
    assert schema_verifier({"format": "date"})('"2024-02-29"').ok


def test_a_flood_of_violations_is_cut_and_counted():
    many = ", ".join(['"' + "x" * 1000 + '\x7f"'] * 50)
    verdict = verify('{"summary": "long enough", "severity": "low", '
                     f'"cve_ids": [{many}]}}')
    assert "SCHEMA VIOLATIONS: 50" in verdict.report
    assert "and 30 more" in verdict.report
    assert len(verdict.report) < 8000 and "\x7f" not in verdict.report


def test_a_wrong_schema_is_refused_at_once():
    with pytest.raises(jsonschema.SchemaError):
        schema_verifier({"type": "text"})


@given(st.text())
def test_any_text_gets_a_verdict(draft):
    verdict = verify(draft)
    assert not verdict.ok and verdict.report
