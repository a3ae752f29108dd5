import pytest

from reflectlab import RecordedModel, RunLog
from reflectlab.__main__ import main


def test_a_run_is_logged_recorded_and_resumed(tmp_path, capsys):
    log, recording = str(tmp_path / "log.db"), str(tmp_path / "r.jsonl")
    assert main(["run"]) == 0
    plain = capsys.readouterr().out
    assert main(["run", "--log", log, "--record", recording]) == 0
    assert capsys.readouterr().out == plain
    whole = (tmp_path / "r.jsonl").read_bytes()
    assert whole.count(b"\n") == 4
    for kept in range(4):       # killed after so many calls, and run again
        lines = whole.splitlines(keepends=True)[:kept]
        (tmp_path / "r.jsonl").write_bytes(b"".join(lines) + b'{"key": "to')
        assert main(["run", "--log", log, "--record", recording]) == 0
        assert capsys.readouterr().out == plain
        assert (tmp_path / "r.jsonl").read_bytes().startswith(
            b"".join(lines))
    runs = RunLog(log).query("SELECT task_id, stop_reason, calls FROM runs")
    assert runs == [{"task_id": "parse_duration", "stop_reason": "accepted",
                     "calls": 4}] * 5
    assert len(RecordedModel(recording)._recorded) == 4


@pytest.mark.parametrize("option", ["--log", "--record"])
def test_a_wrong_file_is_a_sentence_and_stays(tmp_path, capsys, option):
    path = tmp_path / "notes.txt"
    path.write_text("dear diary, nothing happened today\n" * 200)
    before = path.read_bytes()
    assert main(["run", option, str(path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("reflectlab: ") and "notes.txt" in said
    assert "Traceback" not in said
    assert path.read_bytes() == before


@pytest.mark.parametrize("arguments", [[], ["dance"], ["run", "--no"]])
def test_a_wrong_command_line_says_how(capsys, arguments):
    with pytest.raises(SystemExit):
        main(arguments)
    assert "python -m reflectlab" in capsys.readouterr().err
