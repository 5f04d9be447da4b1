#!/usr/bin/env python3
"""Writes one statement per row of the instruction table into the tests of this folder, a file per family of the table.

usage: make_rows.py PTO_AS

The statements are in the generic form, which every row has. Types follow the row's kinds, its element types and the memories
its rules ask for; the choices are tried until pto-as accepts the statement, with its verification when that is possible
(FAMILY.pto, or FAMILY-a2a3.pto where a5 has none), else without (FAMILY-unverified.pto: it needs a context of its own). The
tests print the statements in their own syntax, assemble that again and compare the objects. Rows that need a region or exclude
themselves otherwise stand in structure.pto and its like, by hand; the unit test "row coverage" fails when a row is in neither. Run it after adding rows, then
`tools/golden --rebase rows`, and read the difference.
"""
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))
import golden_file

MOST_TRIES = 400
SPELLING = {'f8e4m3': 'f8E4M3FN', 'f8e5m2': 'f8E5M2', 'f8e8m0': 'f8E8M0FNU', 'hif8': '!pto.hif8', 'hif8x2': '!pto.hif8x2',
            'f4e1m2x2': '!pto.f4E1M2x2', 'f4e2m1x2': '!pto.f4E2M1x2', 's8': 'si8', 's16': 'si16', 's32': 'si32', 's64': 'si64',
            'u8': 'ui8', 'u16': 'ui16', 'u32': 'ui32', 'u64': 'ui64'}
BITS = {'index': 64}
PLAIN = {'i1': 'i1', 'i8': 'i8', 'i16': 'i16', 'i32': 'i32', 'i64': 'i64', 'index': 'index', 'int': 'i32', 'float': 'f32',
         'align': '!pto.align', 'pipe': '!pto.pipe', 'async_session': '!pto.async_session', 'async_event': '!pto.async_event',
         'eventid_array': '!pto.eventid_array<4>', 'local_array': '!pto.local_array<8xi32>', 'vector': 'vector<2xf16>', 'any': 'i32',
         'multi_tile': '!pto.multi_tile_buf<vec, 16x64xf32, count=2>', 'struct': '!pto.struct<i32, f32>',
         'prefetch_context': '!pto.prefetch_async_context'}
# What a tile of element type {e} may look like in each memory, likely ones first.
TILES = {
    'vec': ['vec, 16x64x{e}', 'vec, 16x1x{e}, blayout=col_major', 'vec, 1x64x{e}', 'vec, 16x64x{e}, pad=1', 'vec, 16x64x{e}, valid=?x?'],
    'mat': ['mat, 16x64x{e}', 'mat, 16x64x{e}, blayout=col_major, slayout=row_major'],
    'left': [f'left, {shape}x{{e}}, blayout={outer}, slayout=row_major' for outer in ('col_major', 'row_major') for shape in ('16x32', '16x32', '16x64')],
    'right': [f'right, {shape}x{{e}}, blayout=row_major, slayout=col_major' for shape in ('32x16', '32x32', '64x16')],
    'acc': ['acc, 16x16x{e}, blayout=col_major, slayout=row_major, fractal=1024', 'acc, 16x32x{e}, blayout=col_major, slayout=row_major, fractal=1024',
            'acc, 16x16x{e}, valid=1x16, blayout=col_major, slayout=row_major, fractal=1024'],
    'bias': ['bias, 1x16x{e}'],
    'scaling': ['scaling, 1x16x{e}'],
}
SPACES = ('ub', 'gm', 'l1', 'l0a', 'l0b', 'l0c', 'bt', 'fb')
MADE = '// Rows of the instruction table, made by make_rows.py'
HEADER = MADE + ''': printed in their own syntax, assembled again, compared.
// RUN: pto-as {flags}%s -o %t/a.bin && pto-dis --no-loc %t/a.bin
// RUN: pto-as {flags}%s -o %t/a.bin && pto-dis %t/a.bin > %t/b.pto && pto-as {flags}%t/b.pto -o %t/b.bin && cmp %t/a.bin %t/b.bin
module attributes {{pto.target_arch = "{arch}"}} {{
'''


def enum_values():
    """Enum name -> its cases as attribute values, from src/isa/enums.cpp."""
    text = (ROOT / 'src/isa/enums.cpp').read_text()
    cases = {name: re.findall(r'\{"([^"]+)"', body) for name, body in re.findall(r'constexpr Cases (k\w+) = \{(.*?)\};', text, re.S)}
    domains = re.findall(r'\{"(\w+)",\s*(k\w+),\s*EnumStyle::(\w+)\}', text)
    return {name: [f'"{case}"' if style == 'string' else f'#pto<{name} {case}>' for case in cases[table]] for name, table, style in domains if table in cases}


def bits(elem):
    if elem in BITS:
        return BITS[elem]
    return 8 if elem.startswith(('f8', 'hif8', 'f4')) else int(re.search(r'\d+', elem)[0])


def specs(text):
    """name:kinds[?|*][=role] -> name, kinds, arity."""
    for item in text.split():
        name, kind = item.split(':', 1)
        kind = kind.split('=')[0]
        yield name, kind.rstrip('?*'), kind[-1] if kind[-1] in '?*' else ''


def alternatives(types):
    """Element type by operand name, '' for the others."""
    for text in types.split()[:6] or ['f32', 'i32', 'i8']:
        if ':' not in text:
            yield {'': text}
            continue
        pairs = [pair.split(':') for pair in text.split(',')]
        first = pairs[0][1].split('|')[0]
        yield {name: first if elem == '=' else elem.split('|')[0] for name, elem in pairs} | {'': first}


def type_choices(row, name, kinds, elems, places):
    """Types an operand may have, likely ones first."""
    elem = elems.get(name, elems[''])
    if elem not in SPELLING and not re.fullmatch(r'(f|i|bf|ui|si)\d+|index', elem):
        elem = 'f32'
    word, width = SPELLING.get(elem, elem), bits(elem)
    for kind in kinds.split('|'):
        if kind in PLAIN:
            yield PLAIN[kind]
            yield from {'int': ('i64', 'i16'), 'float': ('f16', 'f64')}.get(kind, ())
        elif kind == 'vmi_mask':
            yield '!pto.vmi.mask<64xpred>'
        elif kind == 'vmi_vreg':
            yield f'!pto.vmi.vreg<64x{word}>'
            yield f'!pto.vmi.vreg<1x{word}>'
            yield f'!pto.vmi.vreg<128x{word}>'
        elif kind == 'tile':
            for place in places or ('vec', 'mat', 'acc'):
                for shape in TILES[place]:
                    yield f'!pto.tile_buf<{shape.format(e=word)}>'
            yield '!pto.tile_buf<vec, 16x64xi8>'
        elif kind == 'ptr':
            for space in places or SPACES:
                yield f'!pto.ptr<{word}, {space}>'
        elif kind == 'memref':
            yield f'memref<16x64x{word}, #pto.address_space<vec>>'
        elif kind == 'mask':
            yield f'!pto.mask<b{min(max(width, 8), 32)}>'
            for granularity in (8, 16, 32):
                yield f'!pto.mask<b{granularity}>'
        else:
            if kind == 'view' and row['name'].endswith('_async'):
                yield f'!pto.partition_tensor_view<1x64x{word}>'
            yield {'view': f'!pto.partition_tensor_view<16x64x{word}>', 'tview': f'!pto.tensor_view<16x64x{word}>',
                   'vreg': f'!pto.vreg<{2048 // width}x{word}>', 'scalar': word}[kind]


def attribute_choices(row, enums):
    """Required attributes, each with its possible values; None when one is of a kind that has no value here."""
    plain = {'int': ['1'], 'i32': ['1 : i32', '7 : i32'], 'i64': ['1 : i64'], 'bool': ['true', 'false'], 'string': ['"x"'], 'symbol': ['@f'],
             'ints': ['array<i64: 1, 2>', 'array<i64: 0>'], 'any': ['1 : i32'], 'float': ['1.0 : f32'], 'type': ['f32']}
    choices = []
    for item in row['table']['attributes'].split():
        name, kind = item.split(':', 1)
        if kind.endswith('?') or '=' in kind or kind == 'unit':
            continue
        values = plain.get(kind) or enums.get(kind)
        if values is None:
            return None
        choices.append([f'{name} = {value}' for value in values])
    return choices


def wrapped(row, operands, results, attrs, segments, number):
    """A function around one generic statement."""
    used = [(f'{name}{i}' if count > 1 else name, kind) for name, kind, count in operands for i in range(count)]
    sizes = f' <{{operandSegmentSizes = array<i32: {", ".join(map(str, segments))}>}}>' if segments else ''
    head = ', '.join(f'%r{i}' for i in range(len(results)))
    label = re.sub(r'\W', '_', row['name']) + (f'_{number}' if number else '')
    lines = [f'{head + " = " if head else ""}"{row["name"]}"({", ".join("%" + name for name, _ in used)}){sizes}'
             f'{" {" + ", ".join(attrs) + "}" if attrs else ""} : ({", ".join(kind for _, kind in used)}) -> '
             f'{results[0] if len(results) == 1 else "(" + ", ".join(results) + ")"}']
    if 'only inside a vector scope' in row['remarks']:
        lines = ['pto.vecscope {', '  ' + lines[0], '}']
    body = ''.join(f'    {line}\n' for line in lines)
    return f'  func.func @{label}({", ".join(f"%{name}: {kind}" for name, kind in used)}) {{\n{body}    return\n  }}\n'


def in_order(choices):
    """Combinations: the same choice everywhere first, then all of them."""
    longest = max(map(len, choices), default=1)
    yield from (tuple(options[min(i, len(options) - 1)] for options in choices) for i in range(longest))
    yield from itertools.product(*choices)


def statements(row, types, enums, number):
    """Statements for a row, likely ones first."""
    operands, results = list(specs(row['table']['operands'])), [spec for spec in specs(row['table']['results']) if spec[2] != '?']
    attrs = attribute_choices(row, enums)
    if attrs is None:
        return
    places = {item['name']: item['places'] for item in row['operands'] + row['results']}
    for many, optional, elems in itertools.product((1, 2, 0), (0, 1), alternatives(types)):
        counts = [{'': 1, '?': optional, '*': many}[arity] for *_, arity in operands]
        if (many != 1 and '*' not in (a for *_, a in operands)) or (optional and '?' not in (a for *_, a in operands)):
            continue
        choices = [list(dict.fromkeys(type_choices(row, name, kinds, elems, places[name]))) for name, kinds, _ in operands + results]
        segments = counts if any(arity for *_, arity in operands) else []
        for picked in itertools.islice(in_order(choices + attrs), MOST_TRIES):
            of_operands, of_results = picked[:len(operands)], picked[len(operands):len(choices)]
            yield wrapped(row, [(name, kind, count) for (name, *_), kind, count in zip(operands, of_operands, counts)], list(of_results),
                          list(picked[len(choices):]), segments, number)


def round_trips(pto_as, flags, arch, text, folder):
    """Whether a module with this function assembles, prints, and assembles again to the same text."""
    file = folder / f'{os.getpid()}.pto'
    file.write_text(HEADER.format(flags='', arch=arch) + text + '}\n')
    emit = [pto_as, *flags, '-w', '--emit=text', file]
    once = subprocess.run(emit, capture_output=True, text=True, check=False)
    if once.returncode:
        return False
    file.write_text(once.stdout)
    twice = subprocess.run(emit, capture_output=True, text=True, check=False)
    return twice.returncode == 0 and twice.stdout == once.stdout


def best_statement(job):
    """(target, verified, statement) of the first one that is accepted, or None."""
    pto_as, row, enums, number = job
    with tempfile.TemporaryDirectory() as name:
        for flags in ([], ['--no-verify']):
            for arch in ('a5', 'a2a3'):
                if not row['targets'][arch]['legal']:
                    continue
                tries = itertools.islice(statements(row, row['table']['types'][arch], enums, number), MOST_TRIES)
                for text in tries:
                    if round_trips(pto_as, flags, arch, text, pathlib.Path(name)):
                        return arch, not flags, text
    return None


def main():
    pto_as = str(pathlib.Path(sys.argv[1]).resolve())
    rows = json.loads(subprocess.run([pto_as, '--list-instructions', '--format', 'json'], capture_output=True, check=True).stdout)
    enums, files, forms, jobs = enum_values(), {}, {}, []
    texts = {file: file.read_text() for file in HERE.glob('*.pto')}
    made = [file for file, text in texts.items() if text.startswith(MADE)]
    by_hand = ''.join(text for file, text in texts.items() if file not in made)
    for row in rows:
        forms[row['name']] = forms.get(row['name'], -1) + 1
        if row['readable'] and not re.search(rf'(^|\s|"){re.escape(row["name"].removeprefix("builtin."))}\b', by_hand):
            jobs.append((pto_as, row, enums, forms[row['name']]))
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for (_, row, _, number), found in zip(jobs, pool.map(best_statement, jobs, chunksize=4)):
            if found is None:
                print(f"no statement for {row['name']}, form {number + 1}: write it into structure.pto")
                continue
            arch, verified, text = found
            name = row['family'] + ('' if arch == 'a5' else '-a2a3') + ('' if verified else '-unverified')
            files.setdefault((name, arch, verified), []).append(text)
    for (name, arch, verified), statements in files.items():
        path = HERE / f'{name}.pto'
        assert path in made or not path.exists(), f'{path.name} was written by hand: it needs a name that no family has'
        golden_file.write(path, HEADER.format(flags='-w ' if verified else '--no-verify ', arch=arch) + ''.join(statements) + '}\n')
    for old in set(made) - {HERE / f'{name}.pto' for name, _, _ in files}:
        old.unlink()
    count = {state: sum(len(found) for (_, _, verified), found in files.items() if verified == state) for state in (True, False)}
    print(f'{count[True]} rows verified, {count[False]} without verification, {sum(row["readable"] for row in rows) - sum(count.values())} by hand')


if __name__ == '__main__':
    main()
