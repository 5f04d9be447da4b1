#!/usr/bin/env python3
"""Writes the tests of this folder: one instruction each at the edges of its domain, with what NumPy says it computes.

Run by hand (needs NumPy); the tests and data/*.npy are committed. Every pair of edge values meets in the 16x16 operands: NaN,
infinities, both zeros, denormals, the largest and smallest numbers, halves that round either way. Tiles are 13x15 valid of
16x16, so that what lies outside must stay what it was.
"""
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import golden_file

ROWS, COLS = 13, 15
MARK = 77   # what the output held before
WRITTEN = set()

EDGES = {
    'f32': [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, -1.1754942e-38, 3.4028235e38, -3.4028235e38, 1.0, -1.5, 2.5, 0.1, 3.0, 1e-20, -7.25],
    'f16': [np.nan, np.inf, -np.inf, 0.0, -0.0, 6e-8, -6.1e-5, 65504.0, -65504.0, 1.0, -1.5, 2.5, 0.1, 3.0, 0.001, -7.25],
    'i32': [0, 1, -1, 2, -2, 7, -7, 2**31 - 1, -2**31, 65536, -65536, 3, -3, 100, 31, 12345],
    'i16': [0, 1, -1, 2, -2, 7, -7, 32767, -32768, 256, -256, 3, -3, 100, 15, 12345],
    'i64': [0, 1, -1, 2, -2, 7, -7, 2**63 - 1, -2**63, 2**32 + 1, -2**40, 3, -3, 100, 63, 64],
}
NUMPY = {'f32': '<f4', 'f16': '<f2', 'i32': '<i4', 'i16': '<i2', 'i64': '<i8'}
BITS = {'f32': 32, 'f16': 16, 'i32': 32, 'i16': 16, 'i64': 64}


def operands(kind):
    edges = np.array(EDGES[kind], NUMPY[kind])
    return np.repeat(edges, 16).reshape(16, 16), np.tile(edges, 16).reshape(16, 16)


def wide(function):
    """Evaluated in f64, rounded once."""
    return lambda *args: function(*(a.astype('f8') for a in args)).astype(args[0].dtype)


def shift_bits(a):
    return a.dtype.type(8 * a.dtype.itemsize - 1)


def ordered(better):
    """The second operand where it is better; the first when they are unordered or equal."""
    return lambda a, b: np.where(better(b, a), b, a)


def ieee_extreme(greatest):
    """A NaN operand gives NaN, +0 is above -0."""
    def function(a, b):
        zeros = (np.signbit(a) & np.signbit(b)) if greatest else (np.signbit(a) | np.signbit(b))
        result = np.where((a == 0) & (b == 0), np.where(zeros, a.dtype.type(-0.0), a.dtype.type(0)), np.where((a > b) == greatest, a, b))
        return np.where(np.isnan(a) | np.isnan(b), a.dtype.type(np.nan), result)
    return function


def quotient(a, b):
    """Towards zero; MIN / -1 wraps; by zero all bits set, of 64 bits 0."""
    exact = [0 if y == 0 and a.dtype.itemsize == 8 else -1 if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
             for x, y in zip(a.ravel().tolist(), b.ravel().tolist())]
    return wrapped(exact, a)


def wrapped(integers, like):
    bits = 8 * like.dtype.itemsize
    return np.array([(n + 2**(bits - 1)) % 2**bits - 2**(bits - 1) for n in integers], like.dtype).reshape(like.shape)


def remainder(a, b):
    """Of 64 bits on a5: the dividend's sign, 0 where the divisor is."""
    exact = [0 if y == 0 else abs(x) % abs(y) * (1 if x >= 0 else -1) for x, y in zip(a.ravel().tolist(), b.ravel().tolist())]
    return wrapped(exact, a)


def shifted(left):
    """The amount is unsigned; from the width on every bit leaves, of 64 bits it is taken modulo 64."""
    def function(a, b):
        bits = 8 * a.dtype.itemsize
        amounts = [y % 64 if bits == 64 else min(y % 2**bits, bits) for y in b.ravel().tolist()]
        return wrapped([x << n if left else x >> n for x, n in zip(a.ravel().tolist(), amounts)], a)
    return function


def remainder_by_steps(a, b):
    """The instructions of the library on a2a3, each rounded to f32."""
    rest = a - np.floor(a / b) * b
    return np.where(rest * b < 0, rest + b, rest)


# What vector instructions give on a5 where a2a3 differs; those tests have a name of their own for a5.
A5 = {'tmax': ieee_extreme(True), 'tmin': ieee_extreme(False), 'trelu': lambda a: ieee_extreme(True)(a, np.zeros_like(a))}

BINARY = {
    'tadd': (np.add, 'f32 f16 i32 i16'), 'tsub': (np.subtract, 'f32 f16 i32 i16'), 'tmul': (np.multiply, 'f32 f16 i32 i16'),
    'tdiv': (np.divide, 'f32 f16'), 'tand': (np.bitwise_and, 'i16'), 'tor': (np.bitwise_or, 'i16'),
    'tmax': (ordered(np.greater), 'i32 i16 f32 f16'), 'tmin': (ordered(np.less), 'i32 i16 f32 f16'),
    'tshl': (shifted(True), 'i32 i16'), 'tshr': (shifted(False), 'i32 i16'),
}
# One target only.
BINARY_A5 = {'tdiv': (quotient, 'i64'), 'trem': (remainder, 'i64'), 'tfmod': (remainder, 'i64'), 'tshl': (shifted(True), 'i64'), 'tshr': (shifted(False), 'i64')}
BINARY_A2A3 = {'trem': (remainder_by_steps, 'f32')}
SCALAR_A2A3 = {'trems': (remainder_by_steps, 'f32')}
UNARY = {
    'tabs': (np.abs, 'f32 f16'), 'tneg': (np.negative, 'f32 f16'), 'trelu': (lambda a: np.where(a < 0, a.dtype.type(0), a), 'f32'),
    'tsqrt': (np.sqrt, 'f32 f16'), 'texp': (wide(np.exp), 'f32 f16'), 'tlog': (wide(np.log), 'f32 f16'), 'tnot': (np.bitwise_not, 'i16'),
}
SCALAR = {   # scalar operand 3
    'tadds': (np.add, 'f32 i32'), 'tsubs': (np.subtract, 'f32 i32'), 'tmuls': (np.multiply, 'f32 i32'),
}
# tcvt: destination -> (rounding mode, function); saturated where the destination is an integer.
ROUND = {'RINT': np.rint, 'FLOOR': np.floor, 'CEIL': np.ceil, 'TRUNC': np.trunc,
         'ROUND': lambda x: np.trunc(x + np.copysign(0.5, x))}
CONVERT = {'f32': {'i32': 'RINT FLOOR CEIL TRUNC ROUND', 'i16': 'RINT', 'f16': 'RINT'}, 'f16': {'f32': 'RINT', 'i32': 'TRUNC'},
           'i32': {'f32': 'RINT'}, 'i16': {'f16': 'RINT', 'f32': 'RINT'}}


def convert(a, to, mode, target):
    if target == 'a5' and a.dtype == np.float32 and to == 'f16':   # saturates, NaN becomes 0
        return np.nan_to_num(np.clip(a, -65504, 65504), nan=0).astype(NUMPY[to])
    if to[0] == 'f':
        return a.astype(NUMPY[to])
    info, wide_a = np.iinfo(NUMPY[to]), a.astype('f8')
    rounded = np.clip(np.nan_to_num(ROUND[mode](wide_a), nan=0, posinf=info.max, neginf=info.min), info.min, info.max)
    return rounded.astype('i8').astype(NUMPY[to])


MICRO_BINARY = {
    'vmax': (np.maximum, 'i32 i16'), 'vmin': (np.minimum, 'i32 i16'),
    'vadd': (np.add, 'f32 f16 i32 i16'), 'vsub': (np.subtract, 'f32 f16 i32 i16'), 'vmul': (np.multiply, 'f32 f16 i32 i16'),
    'vdiv': (quotient, 'i32 i16'), 'vshl': (shifted(True), 'i32 i16'), 'vshr': (shifted(False), 'i32 i16'),
    'vand': (np.bitwise_and, 'i32 i16'), 'vor': (np.bitwise_or, 'i32 i16'), 'vxor': (np.bitwise_xor, 'i32 i16'),
}
MICRO_UNARY = {
    'vabs': (np.abs, 'f32 f16'), 'vneg': (np.negative, 'f32 f16'), 'vnot': (np.bitwise_not, 'i32 i16'), 'vsqrt': (np.sqrt, 'f32 f16'),
    'vexp': (wide(np.exp), 'f32 f16'), 'vln': (wide(np.log), 'f32 f16'),
}


def tile(kind):
    return f'!pto.tile_buf<vec, 16x16x{kind}, valid={ROWS}x{COLS}>'


def tile_kernel(statement, kind, n_inputs, out_kind=None):
    kinds = dict.fromkeys(['a', 'b'][:n_inputs], kind) | {'o': out_kind or kind}
    view = {n: f'!pto.tensor_view<?x?x{k}>' for n, k in kinds.items()}
    window = {n: f'!pto.partition_tensor_view<{ROWS}x{COLS}x{k}>' for n, k in kinds.items()}
    names = list(kinds)
    lines = [f'  func.func @k({", ".join(f"%{n}: !pto.ptr<{k}>" for n, k in kinds.items())}) attributes {{pto.entry}} {{']
    lines += [f'    %c{n} = arith.constant {n} : index' for n in (0, 1, 16, ROWS, COLS)]
    lines += [f'    %three = arith.constant {3.0 if kind[0] == "f" else 3} : {kind}']
    for n in names:
        lines += [f'    %{n}v = pto.make_tensor_view %{n}, shape = [%c16, %c16], strides = [%c16, %c1] : {view[n]}',
                  f'    %{n}p = pto.partition_view %{n}v, offsets = [%c0, %c0], sizes = [%c{ROWS}, %c{COLS}] : {view[n]} -> {window[n]}',
                  f'    %t{n} = pto.alloc_tile : {tile(kinds[n])}']
    lines += [f'    pto.tload ins(%{n}p : {window[n]}) outs(%t{n} : {tile(kind)})' for n in names[:-1]]
    lines += ['    ' + statement, f'    pto.tstore ins(%to : {tile(kinds["o"])}) outs(%op : {window["o"]})', '    return', '  }']
    return lines


def micro_kernel(statement, kind, n_inputs):
    """One vector at a time; the mask of the last one is short, so the tail of the output stays."""
    lanes, size = 2048 // BITS[kind], BITS[kind] // 8
    vreg, mask = f'!pto.vreg<{lanes}x{kind}>', f'!pto.mask<b{BITS[kind]}>'
    gm, ub = f'!pto.ptr<{kind}, gm>', f'!pto.ptr<{kind}, ub>'
    names = ['a', 'b'][:n_inputs] + ['o']
    lines = [f'  func.func @k({", ".join(f"%{n}: {gm}" for n in names)}) attributes {{pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>}} {{',
             '    %c0 = arith.constant 0 : index', f'    %step = arith.constant {lanes} : index', '    %count = arith.constant 256 : index',
             '    %zero = arith.constant 0 : i64', '    %one = arith.constant 1 : i64', f'    %bytes = arith.constant {256 * size} : i64',
             '    %active = arith.constant 250 : i32']
    for i, n in enumerate(names):
        lines += [f'    %at_{n} = arith.constant {4096 * i} : i64', f'    %u{n} = pto.castptr %at_{n} : i64 -> {ub}',
                  f'    pto.mte_gm_ub %{n}, %u{n}, %zero, %bytes nburst(%one, %bytes, %bytes) : {gm}, {ub}, i64, i64, i64, i64, i64']
    lines += ['    pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]', '    pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]', '    pto.vecscope {',
              '      %done = scf.for %i = %c0 to %count step %step iter_args(%left = %active) -> (i32) {',
              f'        %m, %rest = pto.plt_b{BITS[kind]} %left : i32 -> {mask}, i32']
    lines += [f'        %{n}r = pto.vlds %u{n}[%i] : {ub} -> {vreg}' for n in names[:-1]]
    lines += ['        ' + statement.replace('VREG', vreg).replace('MASK', mask),
              f'        pto.vsts %r, %uo[%i], %m : {vreg}, {ub}, {mask}', '        scf.yield %rest : i32', '      }', '    }',
              '    pto.set_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]', '    pto.wait_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]',
              f'    pto.mte_ub_gm %uo, %o, %bytes nburst(%one, %bytes, %bytes) : {ub}, {gm}, i64, i64, i64, i64', '    return', '  }']
    return lines


def save(name, array):
    (HERE / 'data').mkdir(exist_ok=True)
    np.save(HERE / 'data' / f'{name}.npy', array)
    return f'data/{name}.npy'


def save_input(kind, array):
    a, b = operands(kind)
    if np.array_equal(array, a, equal_nan=kind[0] == 'f'):
        return save(f'{kind}_down', a)
    return save(f'{kind}_across', b)


def write_test(name, targets, kernel, kind, inputs, expected, out_kind=None):
    out_kind = out_kind or kind
    runs = [f'# RUN: pto-sim %s --target {target} --report none' for target in targets]
    args = []
    for i, array in enumerate(inputs):
        args += ['', '[[arg]]', f'name = "{"ab"[i]}"', f'dtype = "{kind}"', 'shape = [16, 16]', f'input = "{save_input(kind, array)}"']
    args += ['', '[[arg]]', 'name = "o"', f'dtype = "{out_kind}"', 'shape = [16, 16]', f'fill = {MARK}', f'expect = "{save(name, expected)}"']
    if out_kind[0] == 'f':
        args.append('compare = { nan_equal = true }')
    module = ['module {', *kernel, '}']
    text = [f'# {name}: edge values against NumPy; written by make_run.py', *runs, '# FILE: k.pto', *('#: ' + line for line in module),
            'program = "${T}/k.pto"', *args, '']
    golden_file.write(HERE / f'{name}.toml', '\n'.join(text))
    WRITTEN.add(HERE / f'{name}.toml')


def valid_part(result, kind):
    expected = np.full((16, 16), MARK, NUMPY[kind])
    expected[:ROWS, :COLS] = result[:ROWS, :COLS]
    return expected


def active_part(result, kind):
    expected = np.full(256, MARK, NUMPY[kind])
    expected[:250] = result.ravel()[:250]
    return expected.reshape(16, 16)


def main():
    for old in (HERE / 'data').glob('*.npy'):
        old.unlink()
    with np.errstate(all='ignore'):
        both = ['a5', 'a2a3']
        for table, n, targets in ((BINARY, 2, both), (UNARY, 1, both), (SCALAR, 1, both), (BINARY_A5, 2, ['a5']),
                                  (BINARY_A2A3, 2, ['a2a3']), (SCALAR_A2A3, 1, ['a2a3'])):
            for name, (function, kinds) in table.items():
                for kind in kinds.split():
                    a, b = operands(kind)
                    t = tile(kind)
                    extra, types = {2: (', %tb', f'{t}, {t}'), 1: ('', t)}[n]
                    if table in (SCALAR, SCALAR_A2A3):
                        extra, types, b = ', %three', f'{t}, {kind}', np.full_like(a, 3)
                    statement = f'pto.{name} ins(%ta{extra} : {types}) outs(%to : {t})'
                    operand_list = [a, b] if n == 2 or table in (SCALAR, SCALAR_A2A3) else [a]
                    own = name in A5 and kind[0] == 'f'
                    write_test(f'{name}_{kind}', ['a2a3'] if own else targets, tile_kernel(statement, kind, n), kind, [a, b][:n],
                               valid_part(function(*operand_list), kind))
                    if own:
                        write_test(f'{name}_{kind}_a5', ['a5'], tile_kernel(statement, kind, n), kind, [a, b][:n],
                                   valid_part(A5[name](*operand_list), kind))
        for kind, destinations in CONVERT.items():
            for to, modes in destinations.items():
                for mode in modes.split():
                    a = operands(kind)[0].T.copy()   # every edge inside the valid columns
                    saturate = ', sat_mode = #pto<saturation_mode ON>' if to == 'i16' else ''   # the default wraps
                    statement = f'pto.tcvt ins(%ta {{rmode = #pto<round_mode {mode}>{saturate}}} : {tile(kind)}) outs(%to : {tile(to)})'
                    own = (kind, to) == ('f32', 'f16')
                    for targets, suffix in ((['a2a3'], ''), (['a5'], '_a5')) if own else ((['a5', 'a2a3'], ''),):
                        write_test(f'tcvt_{kind}_{to}_{mode.lower()}{suffix}', targets, tile_kernel(statement, kind, 1, to), kind, [a],
                                   valid_part(convert(a, to, mode, targets[0]), to), to)
        for table, n in ((MICRO_BINARY, 2), (MICRO_UNARY, 1)):
            for name, (function, kinds) in table.items():
                for kind in kinds.split():
                    a, b = operands(kind)
                    statement = {2: f'%r = pto.{name} %ar, %br, %m : VREG, VREG, MASK -> VREG', 1: f'%r = pto.{name} %ar, %m : VREG, MASK -> VREG'}[n]
                    result = function(a, b) if n == 2 else function(a)
                    write_test(f'{name}_{kind}', ['a5'], micro_kernel(statement, kind, n), kind, [a, b][:n], active_part(result, kind))
    for old in {*HERE.glob('t*_*.toml'), *HERE.glob('v*_*.toml')} - WRITTEN:
        old.unlink()


if __name__ == '__main__':
    main()
