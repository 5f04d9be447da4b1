"""Kernels whose cores have orders to keep that the text does not write: a cube and a vector function of one launch, and the two vector cores of a
block. No signal and no flag is written. The values are computed with NumPy: what one function leaves, the other one takes.

usage: two_functions.py FOLDER given|apart|refused    writes case.toml, kernel.pto and arrays into FOLDER/SHAPE.TARGET for each shape and target
"""
import pathlib
import sys

import numpy as np

N, ROWS = 32, 128  # matrices of 32 x 32 elements, four of them in a buffer

TYPES = '''!v16 = !pto.tensor_view<?x?xf16>
!v32 = !pto.tensor_view<?x?xf32>
!p16 = !pto.partition_tensor_view<32x32xf16>
!p32 = !pto.partition_tensor_view<32x32xf32>
!h16 = !pto.partition_tensor_view<16x32xf16>
!h32 = !pto.partition_tensor_view<16x32xf32>
!l1 = !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>
!l0a = !pto.tile_buf<left, 32x32xf16, blayout=col_major, slayout=row_major>
!l0b = !pto.tile_buf<right, 32x32xf16, blayout=row_major, slayout=col_major>
!acc = !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>
!half = !pto.tile_buf<vec, 16x32xf32>
!whole = !pto.tile_buf<vec, 32x32xf32>
!half16 = !pto.tile_buf<vec, 16x32xf16>
'''
BUFFERS = {'h': 'f16', 'p': 'f16', 'w': 'f32', 'o': 'f32', 'x': 'f32'}
CONSTANTS = ''.join(f'  %c{i} = arith.constant {i} : index\n' for i in (0, 1, 2, 3, 4, 8, 16, 32, 64, 128))
VIEWS = ''.join(f'  %v{b} = pto.make_tensor_view %{b}, shape = [%c128, %c32], strides = [%c32, %c1] : !v{t[1:]}\n' for b, t in BUFFERS.items())
PARAMETERS = ', '.join(f'%{b}: !pto.ptr<{t}>' for b, t in BUFFERS.items()) + ', %n: index'
# rows of this vector core, and of the other one
VECTOR_CORE = '''  %core = pto.get_subblock_idx
  %ci = arith.index_cast %core : i64 to index
  %own = arith.muli %ci, %c16 : index
  %cj = arith.subi %c1, %ci : index
  %other = arith.muli %cj, %c16 : index
  %first = arith.cmpi eq, %ci, %c0 : index
'''
numbers = iter(range(1000000))


def name():
    return f'%y{next(numbers)}'


def view(buffer, row, half):
    bits, part = BUFFERS[buffer][1:], name()
    letter, rows = ('h', '%c16') if half else ('p', '%c32')
    return f'    {part} = pto.partition_view %v{buffer}, offsets = [{row}, %c0], sizes = [{rows}, %c32] : !v{bits} -> !{letter}{bits}\n', part, f'!{letter}{bits}'


def product(source, out, source_row='%c0', row='%c0'):
    """out = source @ source, on the cube core."""
    text, a, at = view(source, source_row, False)
    more, b, bt = view(out, row, False)
    x, left, right, acc = (name() for _ in range(4))
    return text + more + f'''    {x} = pto.alloc_tile : !l1
    {left} = pto.alloc_tile : !l0a
    {right} = pto.alloc_tile : !l0b
    {acc} = pto.alloc_tile : !acc
    pto.tload ins({a} : {at}) outs({x} : !l1)
    pto.tmov ins({x} : !l1) outs({left} : !l0a)
    pto.tmov ins({x} : !l1) outs({right} : !l0b)
    pto.tmatmul ins({left}, {right} : !l0a, !l0b) outs({acc} : !acc)
    pto.tstore ins({acc} : !acc) outs({b} : {bt})
'''


def double(source, out, source_row, row, half=True):
    """out = 2 * source, on a vector core."""
    text, a, at = view(source, source_row, half)
    more, b, bt = view(out, row, half)
    x, y = name(), name()
    tile = '!half' if half else '!whole'
    text += more + f'''    {x} = pto.alloc_tile : {tile}
    pto.tload ins({a} : {at}) outs({x} : {tile})
    pto.tadd ins({x}, {x} : {tile}, {tile}) outs({x} : {tile})
'''
    if BUFFERS[out] == 'f32':
        return text + f'    pto.tstore ins({x} : {tile}) outs({b} : {bt})\n'
    return text + f'''    {y} = pto.alloc_tile : !half16
    pto.tcvt ins({x} {{rmode = #pto<round_mode CAST_RINT>}} : !half) outs({y} : !half16)
    pto.tstore ins({y} : !half16) outs({b} : {bt})
'''


def loop(body, first='%c0', last='%c4', step='%c1', rows='%c32', vector=False):
    """A body gets the row of its turn, on vector cores also that of this core and that of the other one."""
    turn, row, own, other = name(), name(), name(), name()
    text = f'  scf.for {turn} = {first} to {last} step {step} {{\n    {row} = arith.muli {turn}, {rows} : index\n'
    if not vector:
        return text + body(row) + '  }\n'
    text += f'    {own} = arith.addi {row}, %own : index\n    {other} = arith.addi {row}, %other : index\n'
    return text + body(row, own, other) + '  }\n'


def vloop(body, **bounds):
    return loop(body, vector=True, **bounds)


def when(condition, then, other=''):
    return f'  scf.if {condition} {{\n{then}  }}' + (f' else {{\n{other}  }}' if other else '') + '\n'


def two(cube, vector, first='cube', number='argument'):
    """Two functions of one launch; the vector one asks for its core's number, or gets it as an argument."""
    core = VECTOR_CORE if number == 'query' else VECTOR_CORE.replace('  %core = pto.get_subblock_idx\n', '')
    more = '' if number == 'query' else ', %core: i64'
    functions = {
        'cube': f'func.func @k_aic({PARAMETERS}) attributes {{pto.kernel_kind = #pto.kernel_kind<cube>}} {{\n{CONSTANTS}{VIEWS}{cube}  return\n}}\n',
        'vector': f'func.func @k_aiv({PARAMETERS}{more}) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{\n{CONSTANTS}{VIEWS}{core}{vector}  return\n}}\n'}
    return functions[first] + functions['vector' if first == 'cube' else 'cube']


def one(vector):
    """A function with sections; what the cube core does is of no interest."""
    cube = product('h', 'x', '%c0', '%c0')
    return (f'func.func @k({PARAMETERS}) attributes {{pto.entry}} {{\n{CONSTANTS}{VIEWS}  pto.section.cube {{\n{cube}  }}\n'
            f'  pto.section.vector {{\n{VECTOR_CORE}{vector}  }}\n  return\n}}\n')


def around(vector):
    """Both sections in one loop."""
    cube = product('h', 'x', '%c0', '%c0')
    return (f'func.func @k({PARAMETERS}) attributes {{pto.entry}} {{\n{CONSTANTS}{VIEWS}  scf.for %i = %c0 to %c4 step %c1 {{\n'
            f'  %at = arith.muli %i, %c32 : index\n  pto.section.cube {{\n{cube}  }}\n'
            f'  pto.section.vector {{\n{VECTOR_CORE}  %mine = arith.addi %at, %own : index\n{vector}  }}\n  }}\n  return\n}}\n')


def sections(cube, vector):
    return (f'func.func @k({PARAMETERS}) attributes {{pto.entry}} {{\n{CONSTANTS}{VIEWS}  pto.section.cube {{\n{cube}  }}\n'
            f'  pto.section.vector {{\n{VECTOR_CORE}{vector}  }}\n  return\n}}\n')


def started(functions):
    """A third function calls both."""
    names = ', '.join(f'%{b}' for b in BUFFERS) + ', %n'
    types = ', '.join(f'!pto.ptr<{t}>' for t in BUFFERS.values()) + ', index'
    calls = ''.join(f'  func.call @{f}({names}) : ({types}) -> ()\n' for f in ('k_aic', 'k_aiv'))
    return functions + f'func.func @k({PARAMETERS}) attributes {{pto.entry}} {{\n{calls}  return\n}}\n'


def both(vector):
    """The vector function of a launch of two, that has nothing to do with the cube function."""
    return two(product('h', 'x', '%c0', '%c0'), vector, number='query')


T = range(4)


def at(turn):
    return slice(turn * N, turn * N + N)


def run(*steps):
    """Steps are (out, turn, source, turn): a product of f16 sources, twice the value of others; halves swapped by a negative turn + 1."""
    def values(held):
        for out, to, source, turn in steps:
            value = held[source][at(turn if turn >= 0 else -turn - 1)].astype(np.float32)
            if turn < 0:
                value = np.concatenate([value[16:], value[:16]])
            value = value @ value if BUFFERS[source] == 'f16' else value + value
            held[out][at(to)] = value.astype(held[out].dtype)
    return values


# What the tools order by signals: the text, and the values.
GIVEN = {
    'chain': lambda: (two(product('h', 'w'), double('w', 'o', '%own', '%own')), run(('w', 0, 'h', 0), ('o', 0, 'w', 0))),
    'vector_first': lambda: (two(product('h', 'w'), double('w', 'o', '%own', '%own'), 'vector', 'query'), run(('w', 0, 'h', 0), ('o', 0, 'w', 0))),
    'forth_and_back': lambda: (two(product('h', 'w') + product('p', 'o'), double('w', 'p', '%own', '%own')),
                               run(('w', 0, 'h', 0), ('p', 0, 'w', 0), ('o', 0, 'p', 0))),
    'to_cube': lambda: (two(product('p', 'o'), double('x', 'p', '%own', '%own')), run(('p', 0, 'x', 0), ('o', 0, 'p', 0))),
    'loops': lambda: (two(loop(lambda r: product('h', 'w', r, r)), vloop(lambda r, o, s: double('w', 'o', o, o))),
                      run(*[step for t in T for step in (('w', t, 'h', t), ('o', t, 'w', t))])),
    'one_buffer': lambda: (two(loop(lambda r: product('h', 'w', r)), vloop(lambda r, o, s: double('w', 'o', '%own', o))),
                           run(*[step for t in T for step in (('w', 0, 'h', t), ('o', t, 'w', 0))])),
    'open_bounds': lambda: (two(loop(lambda r: product('h', 'w', r), last='%n'), vloop(lambda r, o, s: double('w', 'o', '%own', o), last='%n')),
                            run(*[step for t in T for step in (('w', 0, 'h', t), ('o', t, 'w', 0))])),
    'attention': lambda: (two(loop(lambda r: product('h', 'w', r) + product('p', 'o', '%c0', r)), vloop(lambda r, o, s: double('w', 'p', '%own', '%own'))),
                          run(*[step for t in T for step in (('w', 0, 'h', t), ('p', 0, 'w', 0), ('o', t, 'p', 0))])),
    'nested': lambda: (two(loop(lambda q: loop(lambda r: product('h', 'w', r)), last='%c2'), vloop(lambda q, a, b: vloop(lambda r, o, s: double('w', 'o', '%own', o)), last='%c2')),
                       run(*[step for t in T for step in (('w', 0, 'h', t), ('o', t, 'w', 0))])),
    'all_then_some': lambda: (two(loop(lambda r: product('h', 'w', r, r)), double('w', 'o', '%own', '%own') + vloop(lambda r, o, s: double('w', 'o', o, o), first='%c1', last='%c3')),
                              run(*[('w', t, 'h', t) for t in T], *[('o', t, 'w', t) for t in range(3)])),
    'other_half': lambda: (one(double('o', 'w', '%own', '%own') + double('w', 'o', '%other', '%own')), run(('w', 0, 'o', 0), ('o', 0, 'w', -1))),
    'read_then_write': lambda: (both(double('w', 'o', '%other', '%own') + double('o', 'w', '%own', '%own')), run(('o', 0, 'w', -1), ('w', 0, 'o', 0))),
    'in_a_loop': lambda: (both(vloop(lambda r, o, s: double('o', 'w', o, '%own') + double('w', 'o', '%other', o))),
                          run(*[step for t in T for step in (('w', 0, 'o', t), ('o', t, 'w', -1))])),
    'around_sections': lambda: (around(double('o', 'w', '%mine', '%own') + double('w', 'o', '%other', '%mine')),
                                run(*[step for t in T for step in (('w', 0, 'o', t), ('o', t, 'w', -1))])),
    'sections_one_buffer': lambda: (sections(loop(lambda r: product('h', 'w', r)), vloop(lambda r, o, s: double('w', 'o', '%own', o))),
                                    run(*[step for t in T for step in (('w', 0, 'h', t), ('o', t, 'w', 0))])),
    'started_together': lambda: (started(two(product('h', 'w'), double('w', 'o', '%own', '%own'), number='query')), run(('w', 0, 'h', 0), ('o', 0, 'w', 0))),
    'one_for_both': lambda: (both(when('%first', double('o', 'w', '%c0', '%c0', False)) + double('w', 'o', '%own', '%own')), run(('w', 0, 'o', 0), ('o', 0, 'w', 0))),
}
# Each core has bytes of its own: nothing to order.
APART = {
    'own_halves': lambda: (one(double('o', 'w', '%own', '%own') + double('w', 'o', '%own', '%own')), run(('w', 0, 'o', 0), ('o', 0, 'w', 0))),
    'own_rows_in_turns': lambda: (both(vloop(lambda r, o, s: double('o', 'w', o, o) + double('w', 'o', o, o))), run(*[s for t in T for s in (('w', t, 'o', t), ('o', t, 'w', t))])),
    'every_second_turn': lambda: (both(vloop(lambda r, o, s: double('o', 'w', r, r), first='%ci', last='%c8', step='%c2', rows='%c16')
                                       + vloop(lambda r, o, s: double('w', 'o', r, r), first='%ci', last='%c8', step='%c2', rows='%c16')),
                                  run(*[s for t in T for s in (('w', t, 'o', t), ('o', t, 'w', t))])),
    'ranges': lambda: (both('  %lo = arith.muli %ci, %n : index\n  %hi = arith.addi %lo, %n : index\n'
                            + vloop(lambda r, o, s: double('o', 'w', r, r) + double('w', 'o', r, r), first='%lo', last='%hi', rows='%c16')),
                       run(*[s for t in T for s in (('w', t, 'o', t), ('o', t, 'w', t))])),
    'first_core_alone': lambda: (both(when('%first', double('o', 'w', '%c0', '%c0', False) + double('w', 'o', '%c0', '%c0', False))), run(('w', 0, 'o', 0), ('o', 0, 'w', 0))),
    'two_outputs': lambda: (two(product('h', 'o'), double('x', 'w', '%own', '%own')), run(('o', 0, 'h', 0), ('w', 0, 'x', 0))),
    'rows_of_one_output': lambda: (two(product('h', 'o', '%c0', '%c0'), '  %at = arith.addi %own, %c32 : index\n' + double('x', 'o', '%own', '%at')),
                                   run(('o', 0, 'h', 0), ('o', 1, 'x', 0))),
}
# Nothing in the text says which order is meant, or no signal gives it.
REFUSED = {
    'other_counts': lambda: (two(loop(lambda r: product('h', 'w', r), last='%c4'), vloop(lambda r, o, s: double('w', 'o', '%own', o), last='%c3')), None),
    'twice_and_twice': lambda: (two(product('h', 'w') + product('h', 'w', '%c32'), double('w', 'o', '%own', '%own') + double('w', 'p', '%own', '%own')), None),
    'circle': lambda: (two(product('p', 'w'), double('w', 'p', '%own', '%own')), None),
    'who_is_last': lambda: (two(product('h', 'o'), double('x', 'o', '%own', '%own')), None),
    'either_branch': lambda: (both(when('%first', double('x', 'w', '%c0', '%c0', False), double('w', 'o', '%c0', '%c0', False))), None),
    'turns_by_core': lambda: (both('  %more = arith.addi %ci, %c1 : index\n' + vloop(lambda r, o, s: double('x', 'w', o, '%own') + double('w', 'o', '%other', o), last='%more')), None),
}


def write(folder, shape, target):
    folder.mkdir(parents=True, exist_ok=True)
    text, values = shape()
    (folder / 'kernel.pto').write_text(TYPES + f'module attributes {{pto.target_arch = "{target}"}} {{\n{text}}}\n')
    random = np.random.default_rng(1)
    start = {b: random.uniform(-1, 1, (ROWS, N)).astype(np.float16 if t == 'f16' else np.float32) for b, t in BUFFERS.items()}
    held = {b: array.copy() for b, array in start.items()}
    if values:
        values(held)
    case = f'program = "kernel.pto"\ntarget = "{target}"\n'
    for b, array in held.items():
        np.save(folder / f'{b}.npy', start[b])
        np.save(folder / f'{b}_out.npy', array)
        case += f'[[arg]]\nname = "{b}"\ndtype = "{BUFFERS[b]}"\nshape = [{ROWS}, {N}]\ninput = "{b}.npy"\n'
        if b[0] != 'x':
            case += f'expect = "{b}_out.npy"\ncompare = {{ atol = 1e-2, rtol = 4e-3 }}\n'
    case += '[[arg]]\nname = "n"\ndtype = "i64"\nvalue = 4\n'
    (folder / 'case.toml').write_text(case)


def main():
    for name_of_shape, shape in {'given': GIVEN, 'apart': APART, 'refused': REFUSED}[sys.argv[2]].items():
        for target in ('a2a3', 'a5'):
            write(pathlib.Path(sys.argv[1]) / f'{name_of_shape}.{target}', shape, target)


if __name__ == '__main__':
    main()
