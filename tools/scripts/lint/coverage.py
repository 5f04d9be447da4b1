#!/usr/bin/python3
"""Checks the lists of what the public verifier says and which rule of ours says it (asm-tests/verify/coverage_*.csv).

usage: tools/scripts/lint/coverage.py [--bin DIR] [--facts FILE]

Each row names a rule of theirs in our words, ids of ours, and a test that shows one of them; or says behind "none:" or "n/a:"
why there is none. An id must be in the catalogue, a test must exist and name one of the row's ids; of the list that goes rule
by rule (coverage_2026-08.csv) the test must also name the operation. --facts: the table of rules that this list must cover,
one row each. Closes with "N passed, M failed", one test per row.
"""
import argparse
import csv
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / 'asm-tests'
ID = re.compile(r'\b[EW]\d{4}\b')


def catalogue(bin_dir):
    listed = subprocess.run([bin_dir / 'pto-as', '--list-rules'], capture_output=True, text=True, check=True).stdout
    return set(ID.findall(listed))


def tests():
    """Name -> text: by path below asm-tests, with and without suffix, and by file name alone."""
    found = {}
    for path in sorted(FOLDER.rglob('*')):
        if path.suffix not in ('.pto', '.sh', '.toml'):
            continue
        relative = path.relative_to(FOLDER).as_posix()
        for name in (relative, relative.rsplit('.', 1)[0], path.name, path.stem):
            found.setdefault(name, path)
    return found


def problems_of(row, known, found, texts, by_rule):
    ours = row['ours'].strip()
    if re.match(r'(none|n/a)\b', ours):
        return ['no reason'] if by_rule and len(ours) < 12 else []
    ids = set(ID.findall(ours))
    problems = [f'no rule {ident}' for ident in sorted(ids - known)]
    if not ids and by_rule:
        problems.append('neither an id nor a reason')
    names = row['test'].split()
    paths = [found.get(name) for name in names]
    problems += [f'no test {name}' for name, path in zip(names, paths) if path is None]
    if by_rule and not names:
        problems.append('no test')
    for path in filter(None, paths):
        text = texts.setdefault(path, path.read_text(errors='replace'))
        if by_rule and ids and not ids & set(ID.findall(text)):
            problems.append(f'{path.name} shows none of {" ".join(sorted(ids))}')
        operation = row['operation'].split('.', 1)[-1]
        if by_rule and row['operation'].startswith('pto.') and operation not in text:
            problems.append(f'{path.name} does not name {row["operation"]}')
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--bin', type=pathlib.Path, default=ROOT / 'build/release/bin')
    parser.add_argument('--facts', type=pathlib.Path)
    options = parser.parse_args()
    known, found, texts, count, failed = catalogue(options.bin), tests(), {}, 0, 0
    for path in sorted((FOLDER / 'verify').glob('coverage_*.csv')):
        with path.open(newline='') as file:
            rows = list(csv.DictReader(file))
        by_rule = 'rule' in rows[0]
        for number, row in enumerate(rows, 2):
            count += 1
            for problem in problems_of(row, known, found, texts, by_rule):
                print(f'{path.relative_to(ROOT)}:{number}: {row["operation"]}: {problem}')
                failed += 1
        if by_rule and options.facts:
            with options.facts.open(newline='') as file:
                wanted = [row['rule_id'] for row in csv.DictReader(file) if row['severity'] != 'dropped-or-reworded']
            listed = [row['rule'] for row in rows]
            for rule in sorted(set(wanted) ^ set(listed)):
                print(f'{path.relative_to(ROOT)}: {rule} is {"missing" if rule in wanted else "no rule of theirs"}')
                failed += 1
    print(f'{max(0, count - failed)} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
