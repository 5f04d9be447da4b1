#!/usr/bin/python3
"""Writes asm-tests/run/mx_*.toml: pto.tquant.mx in shapes of the public board tests, against values computed here with NumPy.

usage: asm-tests/run/make_mx.py (behind make_run.py, which removes all data)

A group of 32 has the exponent of its greatest magnitude less 8 (ocp, 8-bit results); its values are multiplied by the power of
two, rounded to the nearest f8E4M3 (ties to even) and saturate. Columns that are not valid count as 0.
"""
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import golden_file

F8 = np.array([m / 8 * 2.0**-6 if e == 0 else (1 + m / 8) * 2.0**(e - 7) for e in range(16) for m in range(8)][:127])


def f8(values):
    """Bytes: the nearest magnitude, the even one of two that are as near; more than the greatest is the greatest."""
    magnitude = np.minimum(np.abs(values), F8[-1])
    above = np.clip(np.searchsorted(F8, magnitude), 1, len(F8) - 1)
    low, high = magnitude - F8[above - 1], F8[above] - magnitude
    code = np.where((low < high) | ((low == high) & (above % 2 == 1)), above - 1, above)
    return (code + 128 * np.signbit(values)).astype('u1')


def quantise(values):
    """values [rows, groups, 32] -> bytes, exponents [rows, groups], maxima"""
    top = np.abs(values).max(axis=2)
    exponent = np.frexp(top)[1] - 1 - 8
    return f8(values * 2.0**-exponent[..., None].astype(float)), (exponent + 127).astype('u1'), top


def write(name, comment, kind, rows, cols, stride, exp_rows, in_place):
    """The source is stored with `stride` columns, `cols` of them valid; exp_rows: a row of exponents for each row."""
    rng = np.random.default_rng(5)
    source = (rng.standard_normal((rows, cols)) * 2.0**rng.integers(-6, 6, (rows, cols))).astype({'f16': '<f2', 'f32': '<f4'}[kind])
    groups = stride // 32
    padded = np.zeros((rows, stride))
    padded[:, :cols] = source
    data, exponents, _ = quantise(padded.reshape(rows, groups, 32))
    size = {'f16': 2, 'f32': 4}[kind]
    s = f'!pto.tile_buf<vec, {rows}x{stride}x{kind}, valid={rows}x{cols}>'
    d = f'!pto.tile_buf<vec, {rows}x{stride}xui8, valid={rows}x{cols}>'
    e = f'!pto.tile_buf<vec, {rows}x32xui8, valid={rows}x{groups}>' if exp_rows else f'!pto.tile_buf<vec, 1x512xui8, valid=1x{rows * groups}>'
    m = f'!pto.tile_buf<vec, 1x512x{kind}, valid=1x{rows * groups}>'
    shown = (rows, groups) if exp_rows else (1, rows * groups)
    at_e = rows * stride * size
    at_d = 0 if in_place else 16384
    places = {'s': 0, 'd': at_d, 'e': 24576, 'm': 28672, 'q': 32768}
    assert at_e <= 16384
    def view(n, r, c, elem):
        return [f'    %v{n} = pto.make_tensor_view %{n}, shape = [%c{r}, %c{c}], strides = [%c{c}, %c1] : !pto.tensor_view<?x?x{elem}>',
                f'    %p{n} = pto.partition_view %v{n}, offsets = [%c0, %c0], sizes = [%c{r}, %c{c}] : !pto.tensor_view<?x?x{elem}> -> !pto.partition_tensor_view<{r}x{c}x{elem}>']
    numbers = sorted({0, 1, rows, cols, *shown})
    lines = [f'  func.func @k(%a: !pto.ptr<{kind}, gm>, %o: !pto.ptr<ui8, gm>, %x: !pto.ptr<ui8, gm>) attributes {{pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>}} {{',
             *(f'    %c{n} = arith.constant {n} : index' for n in numbers), *(f'    %at_{n} = arith.constant {place} : i64' for n, place in places.items()),
             *view('a', rows, cols, kind), *view('o', rows, cols, 'ui8'), *view('x', *shown, 'ui8'),
             *(f'    %t{n} = pto.alloc_tile addr = %at_{n} : {t}' for n, t in zip('sdemq', (s, d, e, m, m))),
             f'    pto.tload ins(%pa : !pto.partition_tensor_view<{rows}x{cols}x{kind}>) outs(%ts : {s})',
             f'    pto.tquant.mx ins(%ts : {s}) outs(%td, %te, %tm, %tq : {d}, {e}, {m}, {m}) {{quant_type = #pto<quant_type MXFP8>, grpAxis = #pto<mx_group_axis axis1>}}',
             f'    pto.tstore ins(%td : {d}) outs(%po : !pto.partition_tensor_view<{rows}x{cols}xui8>)',
             f'    pto.tstore ins(%te : {e}) outs(%px : !pto.partition_tensor_view<{shown[0]}x{shown[1]}xui8>)', '    return', '  }']
    text = [f'# {comment}; written by make_mx.py', '# RUN: pto-sim %s --target a5 --sync auto --report none', '# FILE: k.pto', *('#: ' + line for line in ['module {', *lines, '}']),
            'program = "${T}/k.pto"', '']
    for arg, elem, shape, key, array in (('a', kind, (rows, cols), 'input', source), ('o', 'u8', (rows, cols), 'expect', data.reshape(rows, stride)[:, :cols]),
                                         ('x', 'u8', shown, 'expect', exponents.reshape(shown))):
        np.save(HERE / 'data' / f'{name}_{arg}.npy', array)
        text += ['[[arg]]', f'name = "{arg}"', f'dtype = "{elem}"', f'shape = [{shape[0]}, {shape[1]}]', f'{key} = "data/{name}_{arg}.npy"', '']
    golden_file.write(HERE / f'{name}.toml', '\n'.join(text))


write('mx_flat_f16', 'half a group a row, exponents in one row', 'f16', 14, 16, 32, False, False)
write('mx_rows_f16', 'a group and a part, exponents row by row', 'f16', 6, 48, 64, True, False)
write('mx_in_place_f32', 'results over the source', 'f32', 16, 64, 64, False, True)
