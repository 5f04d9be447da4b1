#!/usr/bin/python3
"""Compares the instruction table with a matrix of which element types public sources allow.

usage: tools/scripts/lint/legal_matrix.py MATRIX.csv PTO-AS [--list]

A row of the matrix says what one source (verifier, page, header, emitter of a public tool) allows: instruction, target, the
operand meant, element types, yes or no. The table answers with its element types (pto-as --list-instructions); instructions
whose types depend on more than the operands are asked with a small program. asm-tests/corpus/legal_deviations.toml says
which of our operands a source's name means, what free text states, and why the table answers otherwise where it does; every
entry there must be needed. Closes with "N passed, M failed", one test per row.
"""
import argparse
import collections
import csv
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[3]
DEVIATIONS = ROOT / 'asm-tests/corpus/legal_deviations.toml'
TARGETS = {'A2A3': 'a2a3', 'A5': 'a5'}
SHAPES = {'vec': '32x64x{}', 'mat': '64x64x{}, blayout=col_major, slayout=row_major', 'left': '64x64x{}', 'right': '64x64x{}',
          'acc': '64x64x{}', 'bias': '1x64x{}', 'scaling': '1x64x{}', 'line': '1x64x{}'}
LOCATIONS = {'line': 'mat'}


class Table:
    """What the instruction table answers."""

    def __init__(self, pto_as, config):
        listing = subprocess.run([pto_as, '--list-instructions', '--format', 'json'], capture_output=True, check=True)
        self.rows = {}   # every form of a name
        for row in json.loads(listing.stdout):
            self.rows.setdefault(row['name'], []).append(row)
        self.pto_as, self.config, self.asked = pto_as, config, {}

    def names(self, name):
        """Our instructions that a name of the matrix means."""
        if name in self.config['names']:
            return self.config['names'][name]
        return sorted(row for row in self.rows if fnmatch.fnmatchcase(row, name))

    def legal(self, name, target):
        return any(row['targets'][target]['legal'] for row in self.rows[name])

    def allows(self, name, target, roles, types, words):
        """Whether one of the combinations of the name's forms has these types on these operands (None: on any)."""
        if not self.legal(name, target):
            return False
        probes = [probe for probe in self.config['probe'] if name in probe['instructions']]
        asked = [probe for probe in probes if any(fnmatch.fnmatchcase(words['roles'], role) for role in probe.get('roles', ['*']))]
        if asked:
            return any(self.ask(probe, target, types, words) for probe in asked)
        if name in self.config['free']:
            return True
        forms = [row for row in self.rows[name] if row['targets'][target]['legal']]
        if not any(row['table']['types'][target] for row in forms):
            return None
        return any(self.form_allows(row, target, roles, types) for row in forms)

    @staticmethod
    def form_allows(row, target, roles, types):
        known = [operand['name'] for operand in [*row['operands'], *row['results']]]
        chosen = [next((part for part in role.split('|') if part in known), role) if role else None for role in roles]
        return any(fits(combination, chosen, types, known) for combination in row['table']['types'][target].split())

    def ask(self, probe, target, types, words):
        """Whether pto-as takes one of the probe's programs without a word about element types."""
        return any(self.assembles(probe_program(probe, types, words, other), target) for other in probe.get('any', ['']))

    def assembles(self, program, target):
        if (program, target) not in self.asked:
            done = subprocess.run([self.pto_as, '-', '--target', target, '-o', '/dev/null', '-w'], input=program, capture_output=True,
                                  text=True, check=False)
            self.asked[program, target] = done.returncode == 0
        return self.asked[program, target]


def probe_program(probe, types, words, other):
    """One instruction on tiles whose element types are the row's: `tiles` is "s=vec:{0} d=vec:{1}", `op` names types as <s>."""
    spelled = [source_type(elem) for elem in types]
    values = {'0': spelled[0], '1': spelled[-1], '?': other, 'signless': re.sub('^s', 'i', types[0]), **words}

    def fill(text):
        return re.sub(r'\{([^{} ]+)\}', lambda match: values[match[1]], text)

    lines, tiles = [], {}
    for tile in fill(probe.get('tiles', '')).split():
        value, location, elem = re.fullmatch(r'(\w+)=(\w+):(\S+)', tile).groups()
        tiles[value] = f'!pto.tile_buf<{LOCATIONS.get(location, location)}, {SHAPES[location].format(elem)}>'
        lines.append(f'    %{value} = pto.alloc_tile : {tiles[value]}')
    operation = re.sub(r'<(\w+)>', lambda match: tiles.get(match[1], match[0]), fill(probe['op']))
    arguments = fill(probe.get('arguments', ''))
    return '\n'.join([f'module {{ func.func @probe({arguments}) attributes {{pto.entry}} {{', *lines, f'    {operation}', '    return', '} }', ''])


def source_type(name):
    """A type of the matrix as program text writes it."""
    named = {'f8e4m3': 'f8E4M3FN', 'f8e5m2': 'f8E5M2', 'f8e8m0': 'f8E8M0FNU', 'hif8': '!pto.hif8', 'f4e1m2x2': '!pto.f4E1M2x2',
             'f4e2m1x2': '!pto.f4E2M1x2'}
    return named.get(name, name)


def integer(name):
    """(sign, bits): "" for any sign."""
    match = re.fullmatch(r'(ui|si|u|s|i)(\d+)', name)
    return (match[1][0], match[2]) if match else None


def covers(ours, theirs):
    """Does a name of the table's (i16: any sign, s16: signed or signless) cover one of the matrix (i16: int16_t)?"""
    if ours == theirs:
        return True
    left, right = integer(ours), integer(theirs)
    if not left or not right or left[1] != right[1]:
        return False
    return left[0] == 'i' or left[0] == ('u' if right[0] == 'u' else 's')


def fits(combination, roles, types, known):
    """One combination of the table: "f32", or "src:f32,dst:f16|bf16,mem:=" ("=": as the first). An operand that it does not
    speak of is free."""
    operands, first = {}, None
    for part in combination.split(','):
        name, _, names = part.rpartition(':')
        operands[name] = first if names == '=' else names.split('|')
        first = first or operands[name]
    for role, wanted in zip(roles, types):
        if role is None or '' in operands:
            candidates = sum(operands.values(), [])
        elif role not in operands and role in known:
            continue
        else:
            candidates = operands.get(role, [])
        if not any(covers(ours, wanted) for ours in candidates):
            return False
    return True


class Row:
    """One row of the matrix, in our terms."""

    def __init__(self, fields, config):
        self.fields = fields
        self.name, self.target = fields['instruction'], TARGETS[fields['target']]
        self.expected = not fields['legal'].startswith('no')
        self.text = fields['legal'] == 'see-text'
        self.types = [config['types'].get(part, part) for part in re.split(r'->|,', fields['dtypes'])]
        self.roles = self.operands(config)

    def operands(self, config):
        """Our operands, by the source's name for them; an entry may say that another instruction is meant."""
        for entry in config['role']:
            if matches(entry, self):
                self.name = entry.get('instead', self.name)
                return [None if operand == '*' else operand for operand in entry['operands']]
        return [None] * len(self.types)

    def words(self):
        """For the text of a probe."""
        mode = re.search(r'mode=(\w+)', self.fields['roles'])
        return {'roles': self.fields['roles'], 'mode': mode[1] if mode else ''}

    def __str__(self):
        fields = self.fields
        return f'{fields["instruction"]} {self.target} {fields["roles"]} {fields["dtypes"]} {fields["legal"]} ({fields["source"]})'


def matches(entry, row):
    """An entry of the deviations file: lists of patterns, absent ones match all."""
    fields = {'instructions': row.name, 'targets': row.target, 'roles': row.fields['roles'], 'types': row.fields['dtypes'],
              'legal': row.fields['legal'], 'sources': row.fields['source'], 'conditions': row.fields['condition']}
    return all(any(fnmatch.fnmatchcase(value, pattern) for pattern in entry[key]) for key, value in fields.items() if key in entry)


def text_claims(row, entry):
    """What a free text states, as (roles, types, expected)."""
    if 'present' in entry:
        return [(None, None, entry['present'])]
    return [([role if role != '*' else None], [name], True) for role, names in entry['means'].items() for name in names.split()]


def judge(table, row, config, used):
    """None when the table agrees; otherwise the list of claims it denies. Strings: what the row lacks in our files."""
    names = table.names(row.name)
    if not names:
        return 'no instruction of this name'
    if row.text:
        index = next((i for i, entry in enumerate(config['text']) if matches(entry, row)), None)
        if index is None:
            return 'free text that legal_deviations.toml does not read'
        used['text'].add(index)
        if 'unchecked' in config['text'][index]:
            return None
        claims = text_claims(row, config['text'][index])
    else:
        claims = [(row.roles, row.types, row.expected)]
    denied = []
    for roles, types, expected in claims:
        for name in names:
            answer = table.legal(name, row.target) if types in (None, ['*']) else table.allows(name, row.target, roles, types, row.words())
            if answer is None:
                return f'the types of {name} depend on more than its operands: it needs a probe'
            if answer != expected:
                denied.append(f'{name} {"accepts" if answer else "refuses"} {",".join(types or ["all"])}')
    return denied or None


def compare(table, rows, config):
    used = {'text': set(), 'deviation': set()}
    failed, deviating = [], collections.Counter()
    for row in rows:
        verdict = judge(table, row, config, used)
        if verdict is None:
            continue
        index = next((i for i, entry in enumerate(config['deviation']) if matches(entry, row)), None)
        if index is None:
            failed.append(f'{row}: {verdict if isinstance(verdict, str) else "; ".join(verdict)}')
        else:
            used['deviation'].add(index)
            deviating[index] += 1
    for kind in ('text', 'deviation'):
        failed += [f'legal_deviations.toml: nothing needs this {kind}: {entry}' for i, entry in enumerate(config[kind])
                   if i not in used[kind]]
    return failed, deviating


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('matrix', type=pathlib.Path)
    parser.add_argument('pto_as', type=pathlib.Path)
    parser.add_argument('--list', action='store_true', help='the deviations, with the number of rows of each')
    options = parser.parse_args()
    config = tomllib.loads(DEVIATIONS.read_text())
    rows = [Row(fields, config) for fields in csv.DictReader(options.matrix.open())]
    failed, deviating = compare(Table(options.pto_as, config), rows, config)
    for line in failed:
        print(line)
    if options.list:
        for index, count in deviating.items():
            print(count, config['deviation'][index]['reason'])
    print(f'{len(rows)} rows, {sum(deviating.values())} deviate with a reason')
    print(f'{max(0, len(rows) - len(failed))} passed, {len(failed)} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
