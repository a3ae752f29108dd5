"""The doctor measures, and names the fix of what is wrong."""

import re

from reflectlab.course import doctor as module
from reflectlab.verifiers.sandbox import tiers


def test_a_healthy_machine(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert module.doctor() == 0
    out = capsys.readouterr().out
    assert "FAIL" not in out and "isolation in use" in out
    assert re.search(rf"ok   write access +{re.escape(str(tmp_path))}", out)


def test_failures_come_with_a_fix(capsys, monkeypatch):
    monkeypatch.setenv(tiers.VARIABLE, "bwrap")
    monkeypatch.setattr(module.importlib.metadata, "requires",
                        lambda name: ["pytest>=99", "no-such-thing"])
    assert module.doctor() == 1
    out = capsys.readouterr().out
    assert out.count("FAIL") == 3 and out.count("fix: ") == 3
    assert "pip install 'pytest>=99'" in out
    assert "no-such-thing" in out and "not installed" in out
    assert f"unset {tiers.VARIABLE}" in out


def test_a_folder_that_can_not_be_written(monkeypatch):
    def refuse(**options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(module.tempfile, "TemporaryFile", refuse)
    name, ok, found, fix = module._writing()
    assert not ok and "Permission denied" in found and fix
