#!/usr/bin/env python3
"""No instruction is known by name outside of the instruction table.

usage: tools/scripts/lint/mnemonics.py

What a tool must know of an instruction is a column of its row (src/isa/row.hpp: does, regions, flags, rules, ..). A string
in the sources that is a mnemonic of the table, or the beginning of one in starts_with(..), is a fact beside the row. The
places that may hold names stand below, each with its reason. Sentences that mention an instruction are no names, and
neither are fixes that name one to the reader (Fix::use and its like, include/pto/fix.hpp).
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]

EXEMPT = {
    'src/isa/rows/': 'the table itself',
    'src/exec/': 'semantics are registered by the name of their row',
    'tools/consumer/': "a program of a user's",
    'src/plan/plan_oracle.hpp': "the planner's tests carry programs out with it, apart from the table",
}
TESTS = re.compile(r'^src/(test|fuzz)/|_(test|fixture)\.(cpp|hpp)$')

STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"((?:[^"\\\n]|\\.)*)"', re.S)
FIX = re.compile(r'Fix::(?:use|write)\w*\((?:\{|"(?:[^"\\\n]|\\.)*"|[, \n])*')
BEGINNING = re.compile(r'starts_with\("([a-z]+\.[^"]*)"\)')


def mnemonics():
    names = set()
    for path in sorted((ROOT / 'src/isa/rows').glob('*.cpp')):
        names |= set(re.findall(r'\.name = "([^"]+)"', path.read_text()))
    return names


def sources():
    for folder in ('src', 'include', 'tools'):
        for path in sorted((ROOT / folder).rglob('*')):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix not in ('.cpp', '.hpp') or TESTS.search(name):
                continue
            if not any(name.startswith(place) for place in EXEMPT):
                yield name, path.read_text()


def main():
    known = mnemonics()
    assert len(known) > 500, 'the rows are not written as this check reads them'
    dialects = tuple({name.split('.')[0] + '.' for name in known})
    found = []
    for name, text in sources():
        fixes = {at for m in FIX.finditer(text) for at in range(*m.span())}
        hits = [(m.start(), m[1]) for m in STRING.finditer(text) if m[1] in known and m.start() not in fixes]
        hits += [(m.start(), m[1] + '..') for m in BEGINNING.finditer(text) if m[1].startswith(dialects)]
        found += [f'{name}:{text.count(chr(10), 0, at) + 1}: "{what}"' for at, what in sorted(hits)]
    for line in found:
        print(line)
    if found:
        print('known by name; say what it does in its row (src/isa/opcode_class.hpp, flags, rules) and ask for that')
    print(f'{0 if found else 1} passed, {len(found)} failed')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
