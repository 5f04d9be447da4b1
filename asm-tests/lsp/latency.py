#!/usr/bin/python3
"""How long pto-lsp takes from a change of a text to its faults: docs/internals/performance.md has the figures.

usage: asm-tests/lsp/latency.py [--bin DIR] [--lines N] [--functions N] [--edits N]
Types a letter into an instruction, somewhere else each time, and takes it back.
"""
import argparse
import pathlib
import random
import statistics
import time

import client
from client import span

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TILE = '!pto.tile_buf<vec, 16x32xf32>'
PARTS = ('''    %o{i} = arith.constant {i} : index
    %p{i} = pto.partition_view %v, offsets = [%o{i}, %c0], sizes = [%c16, %c32] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x32xf32>
    pto.tload ins(%p{i} : !pto.partition_tensor_view<16x32xf32>) outs(%t : {tile})
    scf.for %i{i} = %c0 to %n step %c1 {{
      pto.tadd ins(%t, %u : {tile}, {tile}) outs(%u : {tile})
      pto.tmuls ins(%u, %f : {tile}, f32) outs(%u : {tile})
    }}
    pto.tstore ins(%u : {tile}) outs(%p{i} : !pto.partition_tensor_view<16x32xf32>)
''')


def function(name, lines):
    text = f'''  func.func @{name}(%a: !pto.ptr<f32>, %n: index, %f: f32) attributes {{pto.kernel}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %v = pto.make_tensor_view %a, shape = [%n, %c32], strides = [%c32, %c1] : !pto.tensor_view<?x?xf32>
    %t = pto.alloc_tile : {TILE}
    %u = pto.alloc_tile : {TILE}
'''
    for i in range(max(1, (lines - 10) // 8)):
        text += PARTS.format(i=i, tile=TILE)
    return text + '    return\n  }\n'


def program(lines, functions):
    body = ''.join(function(f'k{i}', lines // functions) for i in range(functions))
    return 'module attributes {pto.target_arch = "a5"} {\n' + body + '}\n'


def measure(binary, text, edits):
    """Milliseconds from didChange to publishDiagnostics, of each change."""
    lsp = client.Client(binary)
    assert lsp.open(text) == []
    lines = [i for i, line in enumerate(text.split('\n')) if 'pto.tadd' in line]
    chance, taken = random.Random(1), []
    for edit in range(edits):
        line = chance.choice(lines)
        for step, change in enumerate(((span(line, 14, line, 14), 'x'), (span(line, 14, line, 15), ''))):
            begin = time.monotonic()
            lsp.edit([change], 2 * edit + step + 2)
            faults = lsp.faults()
            taken.append(1000 * (time.monotonic() - begin))
            assert (faults == []) == (step == 1), faults
    lsp.end()
    return taken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', type=pathlib.Path, default=ROOT / 'build/release/bin')
    parser.add_argument('--lines', type=int, default=10000)
    parser.add_argument('--functions', type=int, default=10)
    parser.add_argument('--edits', type=int, default=50)
    args = parser.parse_args()
    text = program(args.lines, args.functions)
    taken = sorted(measure(args.bin.resolve() / 'pto-lsp', text, args.edits))
    print(f'{text.count(chr(10)):,} lines, {len(text):,} bytes, {len(taken)} changes: median {statistics.median(taken):.0f} ms, '
          f'95 % within {taken[int(0.95 * len(taken))]:.0f} ms, longest {taken[-1]:.0f} ms')


if __name__ == '__main__':
    main()
