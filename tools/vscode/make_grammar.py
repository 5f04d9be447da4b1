#!/usr/bin/env python3
"""Makes the TextMate grammar of the extension from the instruction table.

usage: tools/vscode/make_grammar.py [--bin DIR] [--check]
--check: whether syntaxes/pto.tmLanguage.json is what would be written.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
GRAMMAR = HERE / 'syntaxes/pto.tmLanguage.json'
NAME = r'[A-Za-z0-9_$.]+(?:-(?!>)[A-Za-z0-9_$.]+)*'
LAYERS = {'control': 'keyword.control', 'sync': 'keyword.operator.sync', 'scalar': 'support.function.scalar'}


def words(names):
    return '|'.join(re.escape(name).replace('\\-', '-') for name in sorted(names, key=lambda name: (-len(name), name)))


def instructions(table):
    """A pattern per group of layers; PTO-AS leaves `pto.` away at the begin of a statement."""
    groups = {}
    for row in table:
        scope = LAYERS.get(row['layer'], 'support.function')
        groups.setdefault(scope, set()).update({row['name'], *row['table']['keywords']})
    for scope, names in sorted(groups.items()):
        yield {'name': f'{scope}.pto', 'match': rf'(?<![\w.$%@!#])(?:{words(names)})(?![\w$]|\.\w)'}
    short = {row['name'].removeprefix('pto.') for row in table if row['layer'] == 'tile' and row['name'].startswith('pto.')}
    yield {'name': 'support.function.pto', 'match': rf'^(\s*)(?:{words(short)})(?![\w$.])'}


def grammar(table):
    values = {value for row in table for attribute in row['attributes'] for value in attribute.get('values', [])}
    values = {value for value in values if re.fullmatch(r'[A-Z][A-Z0-9]*_[A-Za-z0-9_]+', value)}
    keys = {attribute['name'] for row in table for attribute in row['attributes']}
    words_of_syntax = {word for row in table for word in re.findall(r'(?<![\w$.({"])[a-z_]{2,}(?![\w($.])', re.sub(r'\$\w+|%\w+|#\w+', ' ', row['table']['syntax']))}
    words_of_syntax -= {'list', 'region', 'type', 'types', 'attrs', 'clauses', 'order', 'mixed', 'index', 'case'}
    words_of_syntax |= {'ins', 'outs', 'attributes', 'loc', 'iter_args', 'else', 'to', 'step'}
    return {
        '$schema': 'https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json',
        'information_for_contributors': ['Made by tools/vscode/make_grammar.py from the instruction table.'],
        'name': 'PTO',
        'scopeName': 'source.pto',
        'fileTypes': ['pto'],
        'patterns': [{'include': f'#{part}'} for part in ('comment', 'string', 'instruction', 'name', 'type', 'attribute', 'number', 'word')],
        'repository': {
            'comment': {'patterns': [{'name': 'comment.line.double-slash.pto', 'match': r'//.*$'}, {'name': 'comment.line.number-sign.pto', 'match': r'#(?=[\s#]|$).*$'}]},
            'string': {'name': 'string.quoted.double.pto', 'begin': '"', 'end': '"|$', 'patterns': [{'name': 'constant.character.escape.pto', 'match': r'\\.'}]},
            'instruction': {'patterns': list(instructions(table))},
            'name': {'patterns': [
                {'name': 'variable.other.pto', 'match': rf'%{NAME}(?:#\d+)?'},
                {'name': 'entity.name.function.pto', 'match': rf'@{NAME}'},
                {'name': 'entity.name.label.pto', 'match': rf'\^{NAME}'}]},
            'type': {'patterns': [
                {'name': 'storage.type.pto', 'match': rf'!{NAME}'},
                {'name': 'storage.type.pto', 'match': r'(?<![\w.$%])(?:memref|vector|tensor|index|[su]?i\d+|bf16|f\d+\w*|hif8|tile_buf)(?![\w.$])'},
                {'name': 'storage.type.shape.pto', 'match': r'(?<=[<,\sx])(?:\?|\d+)x(?:(?:\?|\d+)x)*(?:[su]?i\d+|bf16|f\d+\w*|hif8|index)?'},
                {'name': 'storage.modifier.pto', 'match': r'(?<=[<,\s])(?:vec|mat|left|right|acc|bias|scaling|gm|ub|l1|l0a|l0b|l0c|bt|fb)(?=[,>\s])'}]},
            'attribute': {'patterns': [
                {'name': 'entity.other.attribute.pto', 'match': rf'#{NAME}'},
                {'name': 'constant.language.pto', 'match': rf'(?<![\w.$%@!#])(?:{words(values)}|true|false|unit|dense|array)(?![\w.$])'},
                {'name': 'entity.other.attribute-name.pto', 'match': rf'(?<![\w.$%@!#])(?:{words(keys)})(?=\s*=)'}]},
            'number': {'name': 'constant.numeric.pto', 'match': r'(?<![\w.$%@!#^])-?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)(?![\w$])'},
            'word': {'name': 'keyword.other.pto', 'match': rf'(?<![\w.$%@!#])(?:{words(words_of_syntax)})(?![\w.$])'},
        },
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', type=pathlib.Path, default=HERE.parent.parent / 'build/release/bin')
    parser.add_argument('--check', action='store_true')
    args = parser.parse_args()
    table = json.loads(subprocess.run([args.bin / 'pto-as', '--list-instructions', '--format', 'json'], capture_output=True, check=True).stdout)
    text = json.dumps(grammar(table), indent=1, ensure_ascii=False) + '\n'
    if args.check:
        if GRAMMAR.exists() and GRAMMAR.read_text(encoding='utf-8') == text:
            return 0
        print('syntaxes/pto.tmLanguage.json is stale: run tools/vscode/make_grammar.py')
        return 1
    GRAMMAR.parent.mkdir(exist_ok=True)
    GRAMMAR.write_text(text, encoding='utf-8')
    return 0


if __name__ == '__main__':
    sys.exit(main())
