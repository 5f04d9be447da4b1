"""pytest collects case files: every `case.toml` and `*.case.toml` is a test that runs its kernel and holds its expectations.

Installed with the package; from elsewhere: `pytest -p pto.pytest_plugin`. `--pto-target a5` runs all of them on one target.
"""
from __future__ import annotations

import pathlib
from typing import Any, Iterator

import pytest

from . import FindingError, _findings, _pto


def pytest_addoption(parser: Any) -> None:
    parser.addoption("--pto-target", default="", help="run case files on this target instead of their own")


def pytest_collect_file(file_path: pathlib.Path, parent: Any) -> Any:
    if file_path.name == "case.toml" or file_path.name.endswith(".case.toml"):
        return CaseFile.from_parent(parent, path=file_path)
    return None


class CaseFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        yield CaseItem.from_parent(self, name=self.path.parent.name if self.path.name == "case.toml" else self.path.name)


class CaseItem(pytest.Item):
    def runtest(self) -> None:
        raw = _pto.run_case(str(self.path), self.config.getoption("--pto-target"))
        bad = [one for one in _findings(raw["findings"]) if one.severity == "error"]
        if bad:
            raise FindingError(bad)

    def repr_failure(self, excinfo: Any, style: Any = None) -> str:
        return str(excinfo.value)

    def reportinfo(self) -> Any:
        return self.path, 0, str(self.name)
