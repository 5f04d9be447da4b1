#!/usr/bin/env python3
"""Names in unnamed namespaces are unique per folder.

The sources of a folder are compiled together (cmake/library.cmake, PTO_UNITY). Two functions of one name in two files
would be overloads of each other there, and a call could mean the other one without any message. The same function in
two files of a folder is one that both should share.

    file_local_names.py      prints each name that two files of a folder define; exit code 1 when there are any
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
TYPE = re.compile(r"^(?:struct|class|union|enum(?: class)?)\s+(\w+)")
FUNCTION = re.compile(r"(~?\b\w+)\s*\(")
VALUE = re.compile(r"(\w+)\s*(?:\[[^=]*\])?\s*(?:=|\{|;)")
ALONE = re.compile(r'(?:ALONE |pto_test_tests "\$\{sources\}" )"?([^)"]*)')


def local_names(text: str) -> set[str]:
    """Types, functions and values that a source defines at the outermost level of its unnamed namespaces."""
    names: set[str] = set()
    inside = False
    for line in text.splitlines():
        if line == "namespace {":
            inside = True
        elif line == "}  // namespace":
            inside = False
        elif inside and line and not line.startswith((" ", "}", "TEST_CASE", "#", "/", "template", ")", "namespace")):
            if line.startswith(("using ", "namespace")):
                continue  # the same alias twice is none
            kind = TYPE.match(line)
            constant = re.match(r"^(?:static |inline )?(?:constexpr|const|constinit)\b", line) and "(" not in line.split("=")[0]
            found = kind or (VALUE if constant else FUNCTION).search(line) or VALUE.search(line)
            if found and not (kind is None and "::" + found[1] in line):
                names.add(found[1])
    return names


def main() -> int:
    failures = 0
    for cmake in sorted((ROOT / "src").glob("*/CMakeLists.txt")):
        if not re.search(r"pto_(library|unity)\(", cmake.read_text()):
            continue
        alone = ALONE.search(cmake.read_text())
        patterns = alone[1].replace(";", " ").split() if alone else []
        folders: dict[pathlib.Path, list[pathlib.Path]] = collections.defaultdict(list)
        for source in sorted(cmake.parent.rglob("*.cpp")):
            if not any(re.search(f"/{pattern}$", str(source)) for pattern in patterns):
                kind = "tests" if source.name.endswith("_test.cpp") else ""
                folders[source.parent / kind].append(source)
        for folder, sources in folders.items():
            users: dict[str, list[str]] = collections.defaultdict(list)
            for source in sources:
                for name in local_names(source.read_text()):
                    users[name].append(source.name)
            for name, files in sorted(users.items()):
                if len(files) > 1:
                    failures += 1
                    print(f"{folder.relative_to(ROOT)}: '{name}' in {', '.join(files)}")
    print(f"{failures} names that two files of a folder define")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
