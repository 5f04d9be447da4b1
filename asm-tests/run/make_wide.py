#!/usr/bin/python3
"""Writes asm-tests/run/wide_*.toml: A5's forms of 64 bits that move values, against NumPy.

usage: asm-tests/run/make_wide.py (behind make_run.py, which removes all data)
"""
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import golden_file

MARK = 77
NUMPY = {'i64': ('<i8', 'i64'), 'i32': ('<i4', 'i32')}


def tile(rows, cols, kind, valid=None):
    return f'!pto.tile_buf<vec, {rows}x{cols}x{kind}' + (f', valid={valid[0]}x{valid[1]}>' if valid else '>')


def write(name, inputs, out, statement, expected):
    """inputs: (name, tile, kind, array); out: its tile. The output is loaded first: what is not valid stays."""
    tiles = [*inputs, ('o', out, 'i64', np.full(expected.shape, MARK, '<i8'))]
    numbers = sorted({0, 1, *(extent for _, _, _, array in tiles for extent in array.shape)})
    lines = ['  func.func @k(' + ', '.join(f'%{n}: !pto.ptr<{kind}, gm>' for n, _, kind, _ in tiles) +
             ') attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {', *(f'    %c{n} = arith.constant {n} : index' for n in numbers)]
    for n, kind_of_tile, kind, array in tiles:
        r, c = array.shape
        lines += [f'    %v{n} = pto.make_tensor_view %{n}, shape = [%c{r}, %c{c}], strides = [%c{c}, %c1] : !pto.tensor_view<?x?x{kind}>',
                  f'    %p{n} = pto.partition_view %v{n}, offsets = [%c0, %c0], sizes = [%c{r}, %c{c}] : !pto.tensor_view<?x?x{kind}> -> !pto.partition_tensor_view<{r}x{c}x{kind}>',
                  f'    %t{n} = pto.alloc_tile : {kind_of_tile}']
        if n != 'o':
            lines.append(f'    pto.tload ins(%p{n} : !pto.partition_tensor_view<{r}x{c}x{kind}>) outs(%t{n} : {kind_of_tile})')
    r, c = expected.shape
    lines += ['    ' + statement, f'    pto.tstore ins(%to : {out}) outs(%po : !pto.partition_tensor_view<{r}x{c}xi64>)', '    return', '  }']
    text = [f'# {name}: 64 bits against NumPy; written by make_wide.py', '# RUN: pto-sim %s --target a5 --report none', '# FILE: k.pto',
            *('#: ' + line for line in ['module {', *lines, '}']), 'program = "${T}/k.pto"', '']
    for n, _, kind, array in tiles:
        data = f'data/{name}_{n}.npy'
        np.save(HERE / data, expected if n == 'o' else array)
        text += ['[[arg]]', f'name = "{n}"', f'dtype = "{kind}"', f'shape = [{r}, {c}]' if n == 'o' else f'shape = [{array.shape[0]}, {array.shape[1]}]',
                 *([f'fill = {MARK}', f'expect = "{data}"'] if n == 'o' else [f'input = "{data}"']), '']
    golden_file.write(HERE / f'{name}.toml', '\n'.join(text))


rng = np.random.default_rng(64)
source = rng.integers(-2**63, 2**63 - 1, (13, 12), dtype='<i8')
source[0, :4] = [2**63 - 1, -2**63, 0, -1]
s = tile(16, 12, 'i64', (13, 12))
write('wide_trowexpand', [('a', s, 'i64', source)], tile(16, 8, 'i64', (13, 7)),
      f'pto.trowexpand ins(%ta : {s}) outs(%to : {tile(16, 8, "i64", (13, 7))})', np.repeat(source[:, :1], 7, axis=1))
write('wide_tcolexpand', [('a', s, 'i64', source)], tile(16, 12, 'i64', (5, 12)),
      f'pto.tcolexpand ins(%ta : {s}) outs(%to : {tile(16, 12, "i64", (5, 12))})', np.repeat(source[:1], 5, axis=0))
index = rng.integers(0, 13 * 12, (7, 8), dtype='<i4')
i, d = tile(8, 8, 'i32', (7, 8)), tile(8, 8, 'i64', (7, 8))
all_rows, w = np.concatenate([source, source[:3]]), tile(16, 12, 'i64')
write('wide_tgather', [('a', w, 'i64', all_rows), ('b', i, 'i32', index)], d,
      f'pto.tgather ins(%ta, %tb : {w}, {i}) outs(%to : {d})', all_rows.ravel()[index])
