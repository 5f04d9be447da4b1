#!/usr/bin/env python3
"""Writes one statement per row of the instruction table into the tests of this folder.

usage: make_rows.py PTO_AS

The statements are in the generic form, which every row has; operand types follow the row's kinds and its first element
types. The tests print them in their own syntax, assemble that again and compare the objects. A row that appears here has
been read, written and read again. Run it after adding rows, then `tools/golden --rebase rows`, and read the difference.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PER_FILE = 24
SPELLING = {'f8e4m3': 'f8E4M3FN', 'f8e5m2': 'f8E5M2', 'f8e8m0': 'f8E8M0FNU', 'hif8': '!pto.hif8', 'hif8x2': '!pto.hif8x2',
            'f4e1m2x2': '!pto.f4E1M2x2', 'f4e2m1x2': '!pto.f4E2M1x2', 's8': 'si8', 's16': 'si16', 's32': 'si32', 's64': 'si64',
            'u8': 'ui8', 'u16': 'ui16', 'u32': 'ui32', 'u64': 'ui64'}
BITS = {'f32': 32, 'f16': 16, 'bf16': 16, 'f64': 64, 'index': 64}
PLAIN = {'i1': 'i1', 'i8': 'i8', 'i16': 'i16', 'i32': 'i32', 'i64': 'i64', 'index': 'index', 'int': 'i32', 'float': 'f32',
         'align': '!pto.align', 'pipe': '!pto.pipe', 'vector': 'vector<2xf16>', 'any': 'i32'}
HEADER = '''\
// Rows of the instruction table, made by make_rows.py: printed in their own syntax, assembled again, compared.
// RUN: pto-as --no-verify %s -o %t/a.bin && pto-dis --no-loc %t/a.bin
// RUN: pto-as --no-verify %s -o %t/a.bin && pto-dis %t/a.bin > %t/b.pto && pto-as --no-verify %t/b.pto -o %t/b.bin && cmp %t/a.bin %t/b.bin
module attributes {pto.target_arch = "a5"} {
'''


def enum_cases():
    """Enum name -> its first case as an attribute value, from src/isa/enums.cpp."""
    text = (ROOT / 'src/isa/enums.cpp').read_text()
    first = dict(re.findall(r'constexpr Cases (k\w+) = \{\s*\{"([^"]+)"', text))
    domains = re.findall(r'\{"(\w+)",\s*(k\w+),\s*EnumStyle::(\w+)\}', text)
    return {name: f'"{first[table]}"' if style == 'string' else f'#pto<{name} {first[table]}>' for name, table, style in domains}


def bits(elem):
    return BITS.get(elem) or int(re.search(r'\d+', elem)[0]) if elem not in ('f8e4m3', 'f8e5m2') else 8


def specs(text):
    for item in text.split():
        name, kind = item.split(':', 1)
        kind = kind.split('=')[0]
        yield name, kind.rstrip('?*'), kind[-1] if kind[-1] in '?*' else ''


def elements(row):
    """Element type by operand name, '' for the others: the first alternative of the first target that has the row."""
    types = row['types']['a5'] if row['types']['a5'] not in ('-', '') else row['types']['a2a3']
    first = types.split()[0] if types not in ('-', '') else 'f32'
    if ':' not in first:
        return {'': first}
    return {name: elem.split('|')[0] for name, elem in (pair.split(':') for pair in first.split(','))} | {'': 'f32'}


def type_of(name, kinds, elems):
    kind = kinds.split('|')[0]
    elem = elems.get(name, elems[''])
    if elem not in SPELLING and not re.fullmatch(r'(f|i|bf|ui|si)\d+|index', elem):
        elem = 'f32'
    word = SPELLING.get(elem, elem)
    if kind in PLAIN:
        return PLAIN[kind]
    width = 8 if elem.startswith(('hif', 'f4', 'f8')) else bits(elem)
    return {'tile': f'!pto.tile_buf<vec, 16x64x{word}>', 'view': f'!pto.partition_tensor_view<16x64x{word}>',
            'tview': f'!pto.tensor_view<16x64x{word}>', 'ptr': f'!pto.ptr<{word}, ub>',
            'memref': f'memref<16x64x{word}, #pto.address_space<vec>>', 'vreg': f'!pto.vreg<{2048 // width}x{word}>',
            'mask': f'!pto.mask<b{min(width, 32)}>', 'scalar': word}[kind]


def attribute(name, kind, enums):
    plain = {'int': '1', 'i32': '1 : i32', 'i64': '1 : i64', 'bool': 'true', 'unit': None, 'string': '"x"', 'symbol': '@f',
             'ints': 'array<i64: 1, 2>', 'any': '1 : i32', 'float': '1.0 : f32'}
    if kind in plain:
        return name if plain[kind] is None else f'{name} = {plain[kind]}'
    if kind in enums:
        return f'{name} = {enums[kind]}'
    return None


def statement(row, enums):
    """The function around one generic statement, or None for rows that need a region."""
    elems = elements(row)
    operands = [(name, type_of(name, kind, elems), arity) for name, kind, arity in specs(row['operands'])]
    results = [type_of(name, kind, elems) for name, kind, arity in specs(row['results']) if arity != '?']
    attrs = []
    for item in row['attributes'].split():
        name, kind = item.split(':', 1)
        if kind.endswith('?') or '=' in kind or kind == 'unit':
            continue
        attrs.append(attribute(name, kind, enums))
    if None in attrs:
        return None
    used = [(name, kind) for name, kind, arity in operands if arity != '?']
    segments = ''
    if any(arity for *_, arity in operands):
        sizes = ', '.join('0' if arity == '?' else '1' for *_, arity in operands)
        segments = f' <{{operandSegmentSizes = array<i32: {sizes}>}}>'
    label = re.sub(r'\W', '_', row['name'])
    head = ', '.join(f'%r{i}' for i in range(len(results)))
    return (f'  func.func @{label}({", ".join(f"%{name}: {kind}" for name, kind in used)}) {{\n'
            f'    {head + " = " if head else ""}"{row["name"]}"({", ".join("%" + name for name, _ in used)}){segments}'
            f'{" {" + ", ".join(attrs) + "}" if attrs else ""} : ({", ".join(kind for _, kind in used)}) -> '
            f'{results[0] if len(results) == 1 else "(" + ", ".join(results) + ")"}\n    return\n  }}\n')


def round_trips(pto_as, text):
    """Whether a module with this function assembles, prints and assembles again."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / 'a.pto'
        file.write_text(HEADER + text + '}\n')
        emit = [pto_as, '--no-verify', '--emit=text']
        once = subprocess.run([*emit, file], capture_output=True, text=True, check=False)
        if once.returncode:
            return once.stderr.splitlines()[0]
        file.write_text(once.stdout)
        twice = subprocess.run([*emit, file], capture_output=True, text=True, check=False)
        if twice.returncode:
            return 'printed text: ' + twice.stderr.splitlines()[0]
        return '' if twice.stdout == once.stdout else 'printed text is not a fixed point'


def main():
    pto_as = str(pathlib.Path(sys.argv[1]).resolve())
    rows = json.loads(subprocess.run([pto_as, '--list-instructions', '--format', 'json'], capture_output=True, check=True).stdout)
    enums, layers, seen = enum_cases(), {}, set()
    for row in rows:
        if row['syntax'] == '@none' or row['name'] in seen or row['name'] == 'arith.constant':   # its literal must fit its type
            continue
        text = statement(row, enums)
        problem = round_trips(pto_as, text) if text else 'needs a region or an attribute of its own'
        if problem:
            print(f"left out {row['name']}: {problem}")
            continue
        seen.add(row['name'])
        layers.setdefault(row['layer'], []).append(text)
    for old in HERE.glob('*_[0-9]*.pto'):
        old.unlink()
    for layer, texts in layers.items():
        for i in range(0, len(texts), PER_FILE):
            (HERE / f'{layer}_{i // PER_FILE + 1:02}.pto').write_text(HEADER + ''.join(texts[i:i + PER_FILE]) + '}\n')
    print(f"{sum(map(len, layers.values()))} of {len(rows)} rows")


if __name__ == '__main__':
    main()
