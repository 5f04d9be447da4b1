#!/usr/bin/python3
"""Whole-process figures of pto-sim: the table "Simulation" of docs/internals/performance.md.

bench_simulation.py BIN [--instructions] [--runs N] [FILTER..]: check mode beside time mode on scattered accesses and on loops of
small tiles, a loop on few and on many cores, attention with and without --stats. Processor time is the least of N runs
(default 5). --instructions counts instructions by valgrind in place of it, of a tenth of the rounds: they are the same on
a busy machine. FILTER keeps the lines that contain it."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tools/bench/kernels'))

SCATTERED = '''module attributes {pto.target_arch = "a3"} {
  func.func @scattered(%a: !pto.ptr<f32, gm>, %m: i64) attributes {pto.entry} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.index_cast %m : i64 to index
    %mask = arith.constant 65535 : index
    %factor = arith.constant 6364136223846793005 : index
    %more = arith.constant 1442695040888963407 : index
    %c20 = arith.constant 20 : index
    %c40 = arith.constant 40 : index
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c1) -> (index) {
      %product = arith.muli %x, %factor : index
      %y = arith.addi %product, %more : index
      %high = arith.shrui %y, %c40 : index
      %p = arith.andi %high, %mask : index
      %middle = arith.shrui %y, %c20 : index
      %q = arith.andi %middle, %mask : index
      %v = pto.load_scalar %a[%p] : !pto.ptr<f32, gm> -> f32
      pto.store_scalar %v, %a[%q] : !pto.ptr<f32, gm>, f32
      scf.yield %y : index
    }
    return
  }
}
'''


def flag(kind, source, target):
    return f'      pto.{kind}_flag["PIPE_{source}", "PIPE_{target}", "EVENT_ID0"]\n'


def module(name, parameters, types, setup, pairs, body):
    """A loop of %m rounds; `pairs` are the flags that hold the first round up to nothing."""
    heads = ''.join(f'!{alias} = {type_}\n' for alias, type_ in types.items())
    first = ''.join(flag('set', *pair) for pair in pairs)
    last = ''.join(flag('wait', *pair) for pair in pairs)
    return f'''{heads}module attributes {{pto.target_arch = "a3"}} {{
  func.func @{name}({parameters}, %m: i64) attributes {{pto.entry}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.index_cast %m : i64 to index
{setup}{first}    scf.for %i = %c0 to %n step %c1 {{
{body}    }}
{last}    return
  }}
}}
'''


def view(name, rows, columns, alias):
    """The whole of argument `name` as the window %p<name>."""
    sizes = f'[%r{rows}, %r{columns}]'
    return (f'    %v{name} = pto.make_tensor_view %{name}, shape = {sizes}, strides = [%r{columns}, %c1] : !view{alias}\n'
            f'    %p{name} = pto.partition_view %v{name}, offsets = [%c0, %c0], sizes = {sizes} : !view{alias} -> !part{alias}\n')


def constants(*sizes):
    return ''.join(f'    %r{size} = arith.constant {size} : index\n' for size in sorted(set(sizes)))


def tile(name, address, alias):
    return f'    %a{name} = arith.constant {address} : i64\n    %{name} = pto.alloc_tile addr = %a{name} : !{alias}\n'


def tiles(rows, columns):
    """Load, add, store with flags."""
    shape = f'{rows}x{columns}xf32'
    types = {'view': '!pto.tensor_view<?x?xf32>', 'part': f'!pto.partition_tensor_view<{shape}>', 'tile': f'!pto.tile_buf<vec, {shape}>'}
    setup = constants(rows, columns) + view('a', rows, columns, '') + view('b', rows, columns, '') + tile('x', 0, 'tile') + tile('y', 8192, 'tile')
    body = (flag('wait', 'V', 'MTE2') + '      pto.tload ins(%pa : !part) outs(%x : !tile)\n' + flag('set', 'MTE2', 'V') +
            flag('wait', 'MTE2', 'V') + flag('wait', 'MTE3', 'V') + '      pto.tadd ins(%x, %x : !tile, !tile) outs(%y : !tile)\n' +
            flag('set', 'V', 'MTE2') + flag('set', 'V', 'MTE3') + flag('wait', 'V', 'MTE3') +
            '      pto.tstore ins(%y : !tile) outs(%pb : !part)\n' + flag('set', 'MTE3', 'V'))
    return module('tiles', '%a: !pto.ptr<f32, gm>, %b: !pto.ptr<f32, gm>', types, setup, [('V', 'MTE2'), ('MTE3', 'V')], body)


def products():
    """Two loads, two moves, a product, a store on a cube core: 18 entries of queues a round."""
    types = {'view': '!pto.tensor_view<?x?xf16>', 'part': '!pto.partition_tensor_view<64x64xf16>',
             'view32': '!pto.tensor_view<?x?xf32>', 'part32': '!pto.partition_tensor_view<64x64xf32>',
             'mat': '!pto.tile_buf<mat, 64x64xf16, blayout=col_major, slayout=row_major, fractal=512>',
             'left': '!pto.tile_buf<left, 64x64xf16, blayout=row_major, slayout=row_major, fractal=512>',
             'right': '!pto.tile_buf<right, 64x64xf16, blayout=row_major, slayout=col_major, fractal=512>',
             'acc': '!pto.tile_buf<acc, 64x64xf32, blayout=col_major, slayout=row_major, fractal=1024>'}
    setup = (constants(64) + view('a', 64, 64, '') + view('b', 64, 64, '') + view('c', 64, 64, '32') + tile('x', 0, 'mat') +
             tile('y', 8192, 'mat') + tile('l', 0, 'left') + tile('r', 0, 'right') + tile('s', 0, 'acc'))
    body = (flag('wait', 'MTE1', 'MTE2') + '      pto.tload ins(%pa : !part) outs(%x : !mat)\n'
            '      pto.tload ins(%pb : !part) outs(%y : !mat)\n' + flag('set', 'MTE2', 'MTE1') + flag('wait', 'MTE2', 'MTE1') +
            flag('wait', 'M', 'MTE1') + '      pto.tmov ins(%x : !mat) outs(%l : !left)\n'
            '      pto.tmov ins(%y : !mat) outs(%r : !right)\n' + flag('set', 'MTE1', 'MTE2') + flag('set', 'MTE1', 'M') +
            flag('wait', 'MTE1', 'M') + flag('wait', 'FIX', 'M') + '      pto.tmatmul ins(%l, %r : !left, !right) outs(%s : !acc)\n' +
            flag('set', 'M', 'MTE1') + flag('set', 'M', 'FIX') + flag('wait', 'M', 'FIX') +
            '      pto.tstore ins(%s : !acc) outs(%pc : !part32)\n' + flag('set', 'FIX', 'M'))
    return module('products', '%a: !pto.ptr<f16, gm>, %b: !pto.ptr<f16, gm>, %c: !pto.ptr<f32, gm>', types, setup,
                  [('MTE1', 'MTE2'), ('M', 'MTE1'), ('FIX', 'M')], body)


def lines():
    """Name, program, arguments with their rounds, options."""
    for mode in ('time', 'check'):
        yield f'scattered {mode}', SCATTERED, ['a=f32[65536]:1'], 100_000, ['--mode', mode]
        for rows, columns in ((16, 64), (16, 8)):
            shape = f'f32[{rows}x{columns}]'
            yield f'tiles {rows}x{columns} {mode}', tiles(rows, columns), [f'a={shape}:1', f'b={shape}'], 40_000, ['--mode', mode]
    for cores, rounds in ((24, 15_616), (768, 488)):
        yield (f'{cores} cores', products(), ['a=f16[64x64]:1', 'b=f16[64x64]:1', 'c=f32[64x64]'], rounds,
               ['--mode', 'time', '--blocks', str(cores), '--set', 'machine.clusters=768'])


def kernels(folder):
    from programs import build
    for name, options in (('fa_manual_32768', ['--mode', 'time']), ('fa_manual_32768 --stats', ['--mode', 'time', '--stats', f'{folder}/stats.json'])):
        text, arguments, blocks = build(name.split()[0])
        yield name, text, arguments, None, [*options, '-w', '--blocks', str(blocks)]


def measure(command, runs):
    """Milliseconds of the processor, and peak memory in MB."""
    times = []
    for _ in range(runs):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f'{command} failed with status {status}')
        times.append(1e3 * (usage.ru_utime + usage.ru_stime))
    # What a child of this script reports begins at the script's own size.
    timed = subprocess.run(['/usr/bin/time', '-f', '%M', *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return f'{min(times):9.1f} ms   {int(timed.stderr.split()[-1]) / 1024:6.1f} MB'


def count(command, folder):
    """Millions of instructions."""
    done = subprocess.run(['valgrind', '--tool=callgrind', f'--callgrind-out-file={folder}/callgrind', *command],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr[-2000:])
    return f'{int(done.stderr.rpartition("Collected : ")[2].split()[0]) / 1e6:9.1f} million instructions'


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument('bin', type=pathlib.Path)
    options.add_argument('filter', nargs='*')
    options.add_argument('--instructions', action='store_true')
    options.add_argument('--runs', type=int, default=5)
    given = options.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, text, arguments, rounds, more in [*lines(), *kernels(folder)]:
            if given.filter and not any(word in name for word in given.filter):
                continue
            program = pathlib.Path(folder) / 'program.pto'
            program.write_text(text)
            if rounds is not None:
                arguments = [*arguments, f'm=i64:{rounds // 10 if given.instructions else rounds}']
            command = [given.bin / 'pto-sim', '--target', 'a3', '--report', 'none', *more]
            for argument in arguments:
                command += ['--arg', argument]
            command.append(program)
            print(f'{name:<26}', count(command, folder) if given.instructions else measure(command, given.runs), flush=True)


if __name__ == '__main__':
    main()
