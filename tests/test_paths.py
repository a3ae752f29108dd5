import shutil

import pytest

from reflectlab import paths, tasks


def test_checkout_data_lie_beside_the_package(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "PACKAGE", tmp_path / "reflectlab")
    (tmp_path / "data" / "suites").mkdir(parents=True)
    assert paths.data_path("suites") == tmp_path / "data" / "suites"


def test_packaged_data_come_first(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "PACKAGE", tmp_path / "reflectlab")
    (tmp_path / "data").mkdir()
    (tmp_path / "reflectlab" / "data").mkdir(parents=True)
    assert paths.data_path() == tmp_path / "reflectlab" / "data"


def test_missing_file_is_named():
    with pytest.raises(FileNotFoundError, match="no suites/none.json in"):
        paths.data_path("suites", "none.json")


def test_compiled_files_in_a_task_folder_are_no_text(monkeypatch, tmp_path):
    # An installed package's data are compiled along with its code.
    folder = tmp_path / "tasks" / "parse_duration"
    shutil.copytree(paths.data_path("tasks", "parse_duration"), folder)
    (folder / "__pycache__").mkdir()
    monkeypatch.setattr(tasks, "data_path", lambda *parts:
                        tmp_path.joinpath(*parts))
    assert len(tasks.load_task("parse_duration").drafts) == 3
