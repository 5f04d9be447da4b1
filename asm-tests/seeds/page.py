#!/usr/bin/env python3
"""One instruction at a time, for the tests of the instruction pages.

page.py check TARGETS TILES OPERATION   what pto-as says of it: "accepted", warnings, or the ids and messages of the errors
page.py run TARGETS TILES OPERATION     its values, from pto-sim
page.py mad TARGETS TYPES CLAUSES A B   pto.mad of a row A and a column B: C[0, 0]; SETUP, AFTER and ORDER in the environment go around it, M=1 takes one row
page.py pointers TARGETS TYPES OPERANDS [RESULT]  what pto-as says of pto.mad on pointers of these types
page.py pairs TARGETS OPERATION TYPES  per element type of a, the types of d that are accepted
page.py time TARGETS TILES OPERATION    cycles of the operation with --cost-basis documented

TARGETS is "a5" or "a2a3,a5,cpu". TILES: "a=16x16xf32:7,-7 d=16x16xf32" declares tiles in vec; ":values" fills one row after row,
repeating; a tile named d.. without values is printed, first row, equal neighbours once. More after "/": "a=16x16xf32/valid=8x16:1".
In OPERATION <a> is the type of tile a. "\\n" separates operations.
"""
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

CODES = {'f32': 'f', 'f16': 'e', 'i32': 'i', 'ui32': 'I', 'i16': 'h', 'ui16': 'H', 'i8': 'b', 'ui8': 'B', 'i64': 'q', 'si32': 'i'}


def pack(elem, value):
    if elem == 'bf16':
        return struct.pack('<f', float(value))[2:]
    code = CODES[elem]
    return struct.pack('<' + code, float(value) if code in 'fe' else int(value))


def unpack(elem, data):
    if elem == 'bf16':
        return struct.unpack('<f', b'\0\0' + data)[0]
    return struct.unpack('<' + CODES[elem], data)[0]


def size(elem):
    return 2 if elem == 'bf16' else struct.calcsize(CODES[elem])


class Tile:
    def __init__(self, text):
        self.name, rest = text.split('=', 1)
        shape, _, values = rest.partition(':')
        shape, *extra = shape.split('/')
        self.rows, self.cols, self.elem = re.fullmatch(r'(\d+)x(\d+)x(\S+)', shape).groups()
        location = [e for e in extra if e in ('mat', 'left', 'right', 'acc')]
        options = ''.join(f', {e}' for e in extra if e not in location)
        self.type = f'!pto.tile_buf<{(location or ["vec"])[0]}, {shape}{options}>'
        self.values = values.split(',') if values else []
        valid = next((e[6:] for e in extra if e.startswith('valid=') and '?' not in e), f'{self.rows}x{self.cols}')
        self.window = f'!pto.partition_tensor_view<{valid}x{self.elem}>'
        self.valid = valid.split('x')
        self.dynamic = '?' in self.type


def fill(operation, tiles):
    types = {tile.name: tile.type for tile in tiles}
    return re.sub(r'<(\w+)>', lambda match: types.get(match[1], match[0]), operation.replace('\\n', '\n    '))


def program(tiles, operation, values):
    """Tiles with values are loaded, tiles d.. without are stored when `values`."""
    moved = [tile for tile in tiles if values and (tile.values or tile.name[0] == 'd')]
    arguments = ', '.join(f'%p{tile.name}: !pto.ptr<{tile.elem}>' for tile in moved)
    lines = [f'module {{ func.func @k({arguments}) attributes {{pto.entry}} {{', '    %zero = arith.constant 0 : index', '    %one = arith.constant 1 : index']
    for tile in moved:
        lines += [f'    %r{tile.name} = arith.constant {tile.valid[0]} : index', f'    %c{tile.name} = arith.constant {tile.valid[1]} : index', f'    %s{tile.name} = arith.constant {tile.cols} : index',
                  f'    %v{tile.name} = pto.make_tensor_view %p{tile.name}, shape = [%r{tile.name}, %c{tile.name}], strides = [%s{tile.name}, %one] : !pto.tensor_view<?x?x{tile.elem}>',
                  f'    %w{tile.name} = pto.partition_view %v{tile.name}, offsets = [%zero, %zero], sizes = [%r{tile.name}, %c{tile.name}] : !pto.tensor_view<?x?x{tile.elem}> -> {tile.window}']
    for tile in tiles:
        lines.append(f'    %{tile.name} = pto.alloc_tile : {tile.type}')
    for tile in moved:
        if tile.values:
            lines.append(f'    pto.tload ins(%w{tile.name} : {tile.window}) outs(%{tile.name} : {tile.type})')
    lines.append('    ' + fill(operation, tiles))
    for tile in moved:
        if tile.name[0] == 'd':
            lines.append(f'    pto.tstore ins(%{tile.name} : {tile.type}) outs(%w{tile.name} : {tile.window})')
    return '\n'.join([*lines, '    return', '} }', '']), moved


def said(text):
    """Ids and first lines of the diagnostics."""
    found = re.findall(r'(?:error|warning|note)\[(\w+)\]: (.*)', text) + re.findall(r'help: (allowed.*)()', text)
    return '; '.join(' '.join(part for part in item if part) for item in found)


def call(arguments, text=None):
    return subprocess.run(arguments, input=text, capture_output=True, text=True, check=False)


def check(target, tiles, operation):
    source, _ = program([Tile(item) for item in tiles.split()], operation, False)
    done = call(['pto-as', '-', '--target', target, '-o', '/dev/null'], source)
    words = said(done.stderr)
    return f'accepted{", " + words if words else ""}' if done.returncode == 0 else f'refused, {words or done.stderr.strip()}'


def runs(values):
    """Equal neighbours once."""
    shown = []
    for value in values:
        text = f'{value:.9g}' if isinstance(value, float) else str(value)
        if not shown or shown[-1] != text:
            shown.append(text)
    return ' '.join(shown[:6])


def simulate(target, source, moved, folder, options=()):
    path = pathlib.Path(folder)
    (path / 'k.pto').write_text(source)
    arguments = ['pto-sim', str(path / 'k.pto'), '--target', target, '--report', 'none', *options]
    for tile in moved:
        count = int(tile.rows) * int(tile.cols)
        data = b''.join(pack(tile.elem, tile.values[i % int(tile.cols) % len(tile.values)] if tile.values else 42) for i in range(count))
        (path / tile.name).write_bytes(data)
        arguments += ['--arg', f'p{tile.name}={tile.elem.replace("ui", "u")}[{tile.rows}x{tile.cols}]@{path / tile.name}']
        if tile.name[0] == 'd':
            arguments += ['--out', f'p{tile.name}={path / tile.name}.out']
    return call(arguments)


def run(target, tiles, operation):
    tiles = [Tile(item) for item in tiles.split()]
    source, moved = program(tiles, operation, True)
    with tempfile.TemporaryDirectory() as folder:
        done = simulate(target, source, moved, folder)
        words = said(done.stderr) or ('' if done.returncode == 0 else done.stderr.strip().split('\n')[0].replace(folder + '/', ''))
        out = []
        for tile in moved:
            path = pathlib.Path(folder) / f'{tile.name}.out'
            if tile.name[0] != 'd' or not path.exists():
                continue
            data, width = path.read_bytes(), size(tile.elem)
            values = [unpack(tile.elem, data[i * width:(i + 1) * width]) for i in range(int(tile.rows) * int(tile.cols))]
            row = int(tile.cols)
            rows = [runs(values[r * row:(r + 1) * row]) for r in (0, int(tile.rows) - 1)]
            out.append(rows[0] if rows[0] == rows[1] else ' | '.join(rows))
    return ' / '.join(out) + (f' ({words})' if words else '') + (f' exit {done.returncode}' if done.returncode else '')


MAD = '''module {{ func.func @k(%a: !pto.ptr<{A}>, %b: !pto.ptr<{B}>, %o: !pto.ptr<{C}>) attributes {{pto.entry, pto.kernel_kind = #pto.kernel_kind<cube>}} {{
    %false = arith.constant false
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %n = arith.constant {n} : i64
    %r = arith.constant 16 : i64
    %pa = arith.constant {pa} : i64
    %pb = arith.constant {pb} : i64
    %at = arith.constant 8192 : i64
    %la = pto.castptr %zero : i64 -> !pto.ptr<{A}, l1>
    %lb = pto.castptr %at : i64 -> !pto.ptr<{B}, l1>
    %x = pto.castptr %zero : i64 -> !pto.ptr<{A}, l0a>
    %y = pto.castptr %zero : i64 -> !pto.ptr<{B}, l0b>
    %z = pto.castptr %zero : i64 -> !pto.ptr<{C}, l0c>
    pto.mte_gm_l1_frac %a, %la, nd2nz, shape(%r, %n), src_layout(%pa), dst_group(%one, %one, %r, %zero), ctrl(%zero, %false) : !pto.ptr<{A}>, !pto.ptr<{A}, l1>, nd2nz, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1
    pto.mte_gm_l1_frac %b, %lb, nd2nz, shape(%n, %n), src_layout(%pb), dst_group(%one, %one, %n, %zero), ctrl(%zero, %false) : !pto.ptr<{B}>, !pto.ptr<{B}, l1>, nd2nz, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1
    pto.barrier <PIPE_ALL>
    pto.mte_l1_l0a %la, %x, %r, %n, %zero, %zero : !pto.ptr<{A}, l1>, !pto.ptr<{A}, l0a>, i64, i64, i64, i64
    pto.mte_l1_l0b %lb, %y, %n, %n, %zero, %zero {{transpose = true}} : !pto.ptr<{B}, l1>, !pto.ptr<{B}, l0b>, i64, i64, i64, i64
    pto.barrier <PIPE_ALL>
    {setup}
    pto.mad %x, %y, %z, {m}, %n, %n {clauses} : !pto.ptr<{A}, l0a>, !pto.ptr<{B}, l0b>, !pto.ptr<{C}, l0c>, i64, i64, i64
    {after}
    {order}
    pto.mte_l0c_gm %z, %o, {m}, %n, %r, %n, %zero, %zero, nz2nd : !pto.ptr<{C}, l0c>, !pto.ptr<{C}>, i64, i64, i64, i64, i64, i64
    return
}} }}
'''


def placed(values, count):
    """"2,4" or "2@0,4@16": a list with zeros elsewhere."""
    out = ['0'] * count
    for i, item in enumerate(values.split(',')):
        value, _, at = item.partition('@')
        out[int(at or i)] = value
    return out


def mad(target, types, clauses, row, column):
    """C = A * B with 16 x 16 (bytes: 32 x 32) matrices, or N x N of the environment; A has `row` in every row, B `column` in every column, 0 beyond."""
    a, b, c = types.split(',')
    n = int(os.environ.get('N', 32 if size(a) == 1 else 16))
    source = MAD.format(A=a, B=b, C=c, n=n, pa=n * size(a), pb=n * size(b), m='%one' if os.environ.get('M') == '1' else '%r', clauses=clauses, setup=os.environ.get('SETUP', ''), after=os.environ.get('AFTER', ''), order=os.environ.get('ORDER', 'pto.barrier <PIPE_ALL>'))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / 'k.pto').write_text(source)
        (path / 'a').write_bytes(b''.join(pack(a, v) for v in placed(row, n)) * n)
        (path / 'b').write_bytes(b''.join(pack(b, v) * n for v in placed(column, n)))
        done = call(['pto-sim', str(path / 'k.pto'), '--target', target, '--report', 'none', '-w', '--arg', f'a={a}[{n}x{n}]@{path / "a"}', '--arg', f'b={b}[{n}x{n}]@{path / "b"}',
                     '--arg', f'o={c}[{n}x{n}]', '--out', f'o={path / "o"}'])
        if done.returncode:
            return f'{said(done.stderr) or done.stderr.strip()} exit {done.returncode}'.replace(folder + '/', '')
        value = unpack(c, (path / 'o').read_bytes()[:size(c)])
    return f'{value:.9g}' if isinstance(value, float) else str(value)


def pointers(target, types, operands, result=''):
    """What pto-as says of pto.mad on pointers; SPACES, EXTENT, VALUE (of %v) and OP in the environment."""
    env = os.environ.get
    extent = env('EXTENT', 'i64')
    spelled = [f'!pto.ptr<{elem}, {space}>' for elem, space in zip(types.split(','), env('SPACES', 'l0a,l0b,l0c').split(','))]
    arguments = ', '.join(f'%{name}: {kind}' for name, kind in zip('xyz', spelled))
    extents = '\n'.join(f'%{name} = arith.constant {value} : {extent}' for name, value in (('m', 16), ('n', 16), ('k', 16), ('v', env('VALUE', '16'))))
    source = (f'module {{ func.func @k({arguments}) attributes {{pto.entry, pto.kernel_kind = #pto.kernel_kind<cube>}} {{\n{extents}\n'
              f'{result}pto.{env("OP", "mad")} %x, %y, %z, {operands} : {", ".join(spelled)}, {extent}, {extent}, {extent}\nreturn }} }}\n')
    done = call(['pto-as', '-', '--target', target, '-o', '/dev/null'], source)
    words = said(done.stderr)
    return f'accepted{", " + words if words else ""}' if done.returncode == 0 else f'refused, {words or done.stderr.strip()}'


def time(target, tiles, operation):
    source, moved = program([Tile(item) for item in tiles.split()], operation, True)
    with tempfile.TemporaryDirectory() as folder:
        stats = pathlib.Path(folder) / 'stats.json'
        done = simulate(target, source, moved, folder, ['--cost-basis', 'documented', '--stats', str(stats)])
        if done.returncode:
            return done.stderr
        return next(entry['cycles'] for entry in json.loads(stats.read_text())['mnemonics'] if entry['mnemonic'] == operation.split()[0])


def pairs(target, operation, elements):
    """Per element type of a, those of d that are accepted."""
    rows, shape = [], lambda e: ('16x32x' if 'f4' in e else '16x64x') + e   # a column of 4-bit floats holds two
    for a in elements.split():
        taken = [d for d in elements.split() if check(target, f'a={shape(a)} d={shape(d)}', operation) == 'accepted']
        rows.append(f'\n  {a}: {" ".join(taken) or "-"}')
    return ''.join(rows)


def main():
    command, targets, *rest = sys.argv[1:]
    for target in targets.split(','):
        print(f'{target}: {globals()[command](target, *rest)}')


if __name__ == '__main__':
    main()
