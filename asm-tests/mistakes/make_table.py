#!/usr/bin/env python3
"""Writes the table of docs/user/diagnostics.md from the golden tests of this folder; --check only compares.

Ours is what the first test of a number prints first, as its expectations say; the other side is in reference.toml.
"""
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent.parent / 'docs' / 'user' / 'diagnostics.md'
BEGIN, END = '<!-- table: asm-tests/mistakes/make_table.py -->', '<!-- end of the table -->'


def first_line(path):
    """Position and text of the first thing said, and how many errors and warnings there are."""
    said = [re.sub(r'^(//!|#!) ?', '', line) for line in path.read_text(encoding='utf-8', errors='replace').split('\n') if re.match(r'(//!|#!)', line)]
    main = [line for line in said if re.search(r'(error|warning)(\[|:)', line)]
    if not main:
        return 'nothing', 0
    return re.sub(r'^[\w.<>]+?\.(pto|bin):', '', main[0]).strip(), len(main)


def cell(text):
    text = text.replace('|', '\\|')
    return f'`` {text} ``' if '`' in text else f'`{text}`'


def rows():
    reference = tomllib.loads((HERE / 'reference.toml').read_text(encoding='utf-8'))['first_line']
    tests = sorted(path for path in HERE.iterdir() if path.suffix in ('.pto', '.sh'))
    for number, theirs in reference.items():
        path = next(path for path in tests if path.name.startswith(number + '_'))
        title = re.sub(r'^(//|#) ', '', path.read_text(encoding='utf-8').split('\n')[0])
        ours, count = first_line(path)
        more = f' (and {count - 1} more)' if count > 1 else ''
        yield f'| {number} | {title.replace("; accepted by the reference", "")} | {cell(theirs) if theirs else "*accepted*"} | {cell(ours)}{more} |'


def main():
    page = PAGE.read_text(encoding='utf-8')
    table = '\n'.join(['| # | mistake | the reference | ours |', '|---|---|---|---|', *rows()])
    fresh = page[:page.index(BEGIN) + len(BEGIN)] + '\n\n' + table + '\n\n' + page[page.index(END):]
    if '--check' in sys.argv[1:]:
        if page != fresh:
            sys.exit('docs/user/diagnostics.md is stale: run asm-tests/mistakes/make_table.py')
        return
    PAGE.write_text(fresh, encoding='utf-8')


if __name__ == '__main__':
    main()
