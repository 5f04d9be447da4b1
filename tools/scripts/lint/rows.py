#!/usr/bin/env python3
"""No instruction row repeats what others state: rows of one shape use a row template.

usage: tools/scripts/lint/rows.py [--root DIR]

A row of src/isa/rows that writes out two or more of the columns operands, results, attrs, syntax and rules, exactly as two
other rows of its file do, belongs into a template (src/isa/rows/row_template.hpp). Closes with "N passed, M failed".
"""
import argparse
import collections
import pathlib
import re
import sys

SHAPE = ('operands', 'results', 'attrs', 'syntax', 'rules')
REPEATS = 3  # rows that share their columns before a template pays
TOKEN = re.compile(r'//[^\n]*|"(?:[^"\\]|\\.)*"|[{}]|\.(\w+) =|[^\s"{}.]+|\.')


def rows(text):
    """The columns that each row of the file's tables states: {name: text without comments and layout}."""
    for table in re.finditer(r'constexpr Row \w+\[\] = \{', text):
        depth, row, column = 0, {}, None
        for token in TOKEN.finditer(text, table.end()):
            word = token[0]
            if word.startswith('//'):
                continue
            depth += (word == '{') - (word == '}')
            if depth < 0:
                break
            if depth == 1 and token[1]:
                column = token[1]
                row[column] = []
            elif depth == 0 and word == '}':
                yield {name: ' '.join(words).replace('" "', '').rstrip(' ,') for name, words in row.items()}
                row, column = {}, None
            elif column:
                row[column].append(word)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--root', type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[3])
    folder = parser.parse_args().root / 'src/isa/rows'
    count = repeated = 0
    for path in sorted(folder.glob('*.cpp')):
        shapes = collections.defaultdict(list)
        for row in rows(path.read_text(encoding='utf-8')):
            count += 1
            shape = tuple((column, row[column]) for column in SHAPE if column in row)
            if len(shape) >= 2:
                shapes[shape].append(row['name'].strip('"'))
        for shape, names in shapes.items():
            if len(names) < REPEATS:
                continue
            repeated += len(names)
            print(f'{path.name}: {" ".join(names)}: {", ".join(column for column, _ in shape)} of all are alike')
    assert count > 900, 'the rows are not written as this check reads them'
    print(f'{count - repeated} passed, {repeated} failed')
    return 1 if repeated else 0


if __name__ == '__main__':
    sys.exit(main())
