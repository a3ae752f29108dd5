import argparse

import pytest

from reflectlab.measure.command import add_arguments, main

JUDGES = '''
def fails_nothing(requirements, draft):
    return True


def knows_prices(requirements, draft):
    price = requirements.split("exact price, ")[1].split(",")[0]
    return price in draft
'''


@pytest.fixture
def calibrate(tmp_path, monkeypatch):
    (tmp_path / "own_judges_of_test.py").write_text(JUDGES)
    monkeypatch.chdir(tmp_path)
    parser = argparse.ArgumentParser()
    add_arguments(parser)

    def run(judge, *options):
        return main(parser.parse_args([f"own_judges_of_test:{judge}",
                                       "--suite", "products", *options]))
    return run


def test_without_a_bound_the_numbers_are_printed(calibrate, capsys):
    assert calibrate("knows_prices") == 0
    out = capsys.readouterr().out
    assert "knows_prices on 32 drafts" in out and "always approves" in out


def test_the_exit_status_says_whether_the_bounds_are_met(calibrate, capsys):
    assert calibrate("knows_prices", "--max-false-alarm", "0.25") == 0
    assert "every bound is met" in capsys.readouterr().out
    assert calibrate("fails_nothing", "--min-catch", "0.5") == 1
    assert "not calibrated: catch 0.00" in capsys.readouterr().out


def test_held_out_and_history(calibrate, capsys, tmp_path):
    for judge in ("knows_prices", "fails_nothing"):
        assert calibrate(judge, "--held-out", "--history", "h.jsonl") == 0
    out = capsys.readouterr().out
    assert "on 16 drafts" in out and "no longer caught" in out
    assert len((tmp_path / "h.jsonl").read_text().splitlines()) == 2


def test_a_judge_that_cannot_be_imported_is_named(calibrate):
    with pytest.raises(ValueError, match="give a judge as MODULE:NAME"):
        calibrate("nobody")
