#!/usr/bin/env python3
"""A finding is data until it is printed: no ids in strings, and nothing searches in its words.

usage: tools/scripts/lint/findings.py

include/pto/finding_id.inc lists the ids. Program code names them as FindingId::race or E0301, asks for their traits, and
reads the fields of a diagnostic (id, subject, effect, fix, kind of a note). A string that is an id, and a search in
`.message` or `.help`, are what this check finds. Tests may do both: they read what a person reads.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
IDS = ROOT / 'include/pto/finding_id.inc'
TESTS = re.compile(r'^src/(test|testing|fuzz)/|^tools/consumer/|_(test|fixture|oracle)\.(cpp|hpp)$')

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.S)
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
SEARCH = re.compile(r'\b(?:message|help)(?:\(\))?\.(?:r?find\w*|starts_with|ends_with|contains|substr|compare)\(')


def ids():
    text = IDS.read_text()
    return set(re.findall(r'^PTO_(?:ERROR|WARNING)\((\w+)', text, re.M)) | set(re.findall(r'^PTO_FINDING\(\w+, "([^"]+)"', text, re.M))


def problems(name, text, known):
    code = COMMENT.sub(lambda m: '\n' * m[0].count('\n'), text)
    hits = [(m.start(), f'the id "{m[1]}" as a string') for m in STRING.finditer(code) if m[1] in known]
    hits += [(m.start(), f'searches in words: {m[0]}..)') for m in SEARCH.finditer(code)]
    return [f'{name}:{code.count(chr(10), 0, at) + 1}: {what}' for at, what in sorted(hits)]


def sources():
    for folder in ('src', 'include', 'tools'):
        for path in sorted((ROOT / folder).rglob('*')):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in ('.cpp', '.hpp') and not TESTS.search(name) and 'node_modules' not in name:
                yield name, path.read_text()


def main():
    known = ids()
    assert len(known) > 250, 'include/pto/finding_id.inc is not written as this check reads it'
    sample = 'bad("RACE"); // "RACE"\nd.message.find("x"); note->help.starts_with(y); say("a RACE");\n'
    assert len(problems('sample', sample, known)) == 3, 'this check does not find what it is for'
    found = [line for name, text in sources() for line in problems(name, text, known)]
    for line in found:
        print(line)
    if found:
        print('name the id (FindingId), or give the diagnostic a field (include/pto/diagnostic.hpp) and ask for that')
    print(f'{0 if found else 1} passed, {len(found)} failed')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
