#!/usr/bin/env python3
"""Writes the reference in docs/reference/findings.md from the catalogue of the programs; --check only compares.

usage: tools/scripts/findings_page.py [--check] [--bin DIR]

Everything between the two marks is what `pto-sim --list-rules --format json` prints of the findings of a run.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / 'docs' / 'reference' / 'findings.md'
BEGIN, END = '<!-- findings: begin (./tools/scripts/findings_page.py) -->', '<!-- findings: end -->'
FAMILY = 'Findings of a run'


def findings(program):
    printed = subprocess.run([program, '--list-rules', '--format', 'json'], capture_output=True, text=True, check=True).stdout
    return [rule for rule in json.loads(printed) if rule['family'] == FAMILY]


def has_switch(program, ident):
    """Whether -W takes the finding: it is a warning in some or all cases. The program refuses names of errors."""
    return subprocess.run([program, f'-Wno-{ident}', '--list-rules'], capture_output=True, check=False).returncode == 0


def prose(text):
    plain = text.replace('<', '\\<').replace('*', '\\*')
    return textwrap.fill(plain, 100, break_long_words=False, break_on_hyphens=False)


def sentence(text):
    return text[0].upper() + text[1:] + ('' if text.endswith('.') else '.')


def entry(rule, switch):
    severity = f'May be a warning: `-Wno-{rule["name"]}`.' if switch else 'An error.'
    return '\n\n'.join([f'### {rule["id"]}', prose(f'{sentence(rule["title"])} {severity}'), prose(rule['cause']),
                        f'```mlir\n{rule["example"]}\n```', prose(f'Repair: {rule["fix"]}')])


def reference(program):
    rules = [(rule, has_switch(program, rule['id'])) for rule in findings(program)]
    rows = [f'| [`{rule["id"]}`](#{rule["id"].lower()}) | {rule["title"]} | {"warning or error" if switch else "error"} |' for rule, switch in rules]
    table = '\n'.join(['| finding | title | severity |', '|---|---|---|', *rows])
    return '\n\n'.join([table, *(entry(rule, switch) for rule, switch in rules)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--check', action='store_true', help='only compare')
    parser.add_argument('--bin', type=pathlib.Path, default=ROOT / 'build/release/bin', help='folder with pto-sim')
    arguments = parser.parse_args()
    page = PAGE.read_text(encoding='utf-8')
    fresh = f'{page[:page.index(BEGIN) + len(BEGIN)]}\n\n{reference(arguments.bin.resolve() / "pto-sim")}\n\n{page[page.index(END):]}'
    if not arguments.check:
        PAGE.write_text(fresh, encoding='utf-8')
    elif page != fresh:
        sys.exit('docs/reference/findings.md is stale: run tools/scripts/findings_page.py')


if __name__ == '__main__':
    main()
