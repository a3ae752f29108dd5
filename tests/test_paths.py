import pytest

from reflectlab import paths


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
