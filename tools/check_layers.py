#!/usr/bin/env python3
"""usage: tools/check_layers.py   The includes of src/, include/pto and tools/ go down the floors, never up.

A folder may include itself and the folders of floors below; two folders of one floor do not see each other. A header of
include/pto counts with the floor that implements it. docs/architecture.md shows the same floors.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# From the ground.
FLOORS = [
    ["support"],
    ["numeric"],
    ["isa"],
    ["asm", "object", "decode", "machine"],
    ["verify", "plan", "lower", "exec", "timing"],
    ["sim"],
    ["reference"],
    ["report"],
    ["driver"],
    ["lsp"],
    ["tools"],
]

# Which folder implements a header of include/pto.
PUBLIC = {
    "assembler": "asm",
    "case_file": "report", "diff": "report",
    "defines": "support",
    "diagnostic": "support",
    "diagnostic_forms": "report",
    "element": "numeric",
    "examples": "reference",
    "launch": "driver",
    "lower": "lower",
    "machine": "machine",
    "object": "object",
    "output_files": "support",
    "pipe": "isa",
    "plan": "plan",
    "profile": "driver",
    "prove": "driver",
    "what_if": "driver",
    "rank_launch": "driver",
    "prepare": "driver",
    "program": "isa",
    "reference": "reference",
    "report": "report",
    "result": "support",
    "rule": "support",
    "rules": "reference",
    "simulator": "sim",
    "ranks": "sim",
    "sweep": "driver",
    "sync_by": "isa",
    "type": "isa",
    "vector_scope": "plan",
    "verify": "verify",
    "version": "support",
}

FLOOR = {folder: floor for floor, folders in enumerate(FLOORS) for folder in folders}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def folder_of(path):
    """The folder a file of the project or an included header belongs to; None when nobody says."""
    parts = path.split("/")
    if parts[0] in ("src", "include"):
        parts = parts[1:]
    if parts[0] == "pto":
        return PUBLIC.get(parts[1].removesuffix(".hpp"))
    return parts[0] if parts[0] in FLOOR else None


def problems(files):
    """files: path -> text. Yields what is wrong, one line each."""
    for path, text in sorted(files.items()):
        here = folder_of(path)
        if here is None:
            yield f"{path}: no floor of tools/check_layers.py holds this file"
            continue
        for name in INCLUDE.findall(text):
            if "/" not in name:
                continue  # a neighbour in tools/
            there = folder_of(name)
            if there is None:
                yield f"{path}: no floor of tools/check_layers.py holds {name}"
            elif there != here and FLOOR[there] >= FLOOR[here]:
                yield f"{path}: {here} includes {name}, but {there} does not stand below {here}"


def shown(page):
    """The floors as docs/architecture.md draws them: lines of the block behind the mark, the top floor first."""
    block = re.search(r"<!-- floors -->\n```\n(.*?)```", page, re.S)
    if not block:
        return None
    return [re.split(r"\s\s+", line.strip())[0].split(" | ") for line in block[1].splitlines() if line.strip()]


def main():
    files = {}
    for pattern in ("src/**/*.?pp", "include/pto/*.hpp", "tools/*.?pp"):
        for path in ROOT.glob(pattern):
            files[path.relative_to(ROOT).as_posix()] = path.read_text()
    found = list(problems(files))
    headers = {path.stem for path in (ROOT / "include/pto").glob("*.hpp")}
    found += [f"PUBLIC names pto/{name}.hpp, which does not exist" for name in sorted(PUBLIC.keys() - headers)]
    if shown((ROOT / "docs/architecture.md").read_text()) != FLOORS[::-1]:
        found.append("docs/architecture.md shows other floors than tools/check_layers.py")
    # The check itself: an arrow up, one beside and one down.
    sample = {"src/isa/x.cpp": '#include "sim/y.hpp"\n', "src/exec/x.cpp": '#include "timing/y.hpp"\n',
              "src/sim/x.cpp": '#include "exec/y.hpp"\n#include "pto/type.hpp"\n'}
    if len(list(problems(sample))) != 2:
        found.append("tools/check_layers.py does not see arrows up")
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
