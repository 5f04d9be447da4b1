#!/usr/bin/python3
"""Inputs that no one writes: 100 MB, 100,000 levels, a million errors, one line of 50 MB, a million functions, names of 10 MB.

stress.py BIN [NAME..]: every case must end by itself with one of its exit codes, within its seconds of CPU time and its MiB
of memory. The bounds are several times what a quiet machine needs; the figures printed are what docs/internals/performance.md shows."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

M, K = 1000000, 1000
HEAD, TAIL = 'func.func @k(%a: i32, %b: i1, %n: index) {\n', 'return\n}\n'


def body(*parts):
    return (HEAD, *parts, TAIL)


def numbered(count, text):
    return (text.replace('#', str(i)) for i in range(count))


def listed(count, text):
    return ', '.join(numbered(count, text))


# name: (exit code, seconds, MiB, text)
CASES = {
    # size
    'comment of 100 MB': (0, 5, 250, lambda: ('//', 'x' * 100 * M, '\n', *body())),
    'white space of 100 MB': (0, 5, 250, lambda: (' ' * 100 * M, *body())),
    'one line of 50 MB': (0, 20, 500, lambda: (HEAD.replace('\n', ' '), *numbered(1500 * K, '%x# = arith.addi %a, %a : i32 '), TAIL)),
    'one line of 50 MB, all wrong': (1, 20, 500, lambda: (HEAD.replace('\n', ' '), *numbered(1500 * K, '%x# = arith.addi %a, %a : i64 '), TAIL)),
    'names of 10 MB': (1, 5, 250, lambda: ('func.func @', 'k' * 10 * M, '(%', 'a' * 10 * M, ': i32) {\n%x = arith.addi %', 'a' * 10 * M, ', %',
                                          'a' * (10 * M - 1), 'b : i32\n', TAIL)),
    'zero bytes, 50 MB': (1, 5, 150, lambda: ('\0' * 50 * M,)),
    'percent signs, 50 MB': (1, 5, 150, lambda: ('%' * 50 * M,)),
    'braces, 50 MB': (1, 5, 150, lambda: ('{' * 50 * M,)),
    'commas, 50 MB': (1, 10, 300, lambda: body('x.y ', ',' * 50 * M, '\n')),
    # nesting
    '100,000 regions': (0, 5, 100, lambda: body('scf.if %b {\n' * 100 * K, '}\n' * 100 * K)),
    '100,000 modules': (0, 5, 100, lambda: ('module {\n' * 100 * K, '}\n' * 100 * K)),
    '100,000 regions left open': (1, 5, 100, lambda: (HEAD, 'scf.if %b {\n' * 100 * K)),
    '100,000 parentheses': (1, 5, 100, lambda: body('%x = arith.addi ', '(' * 100 * K, '%a', ')' * 100 * K, ' : i32\n')),
    '100,000 brackets': (1, 5, 100, lambda: body('%x = arith.addi ', '[' * 100 * K, '\n')),
    '100,000 dictionaries': (1, 5, 100, lambda: body('%x = arith.addi %a, %a {a=', '{a=' * 100 * K, '\n')),
    '100,000 angles': (1, 5, 100, lambda: body('%x = arith.addi %a, %a : ', '!pto.ptr<' * 100 * K, 'f32', '>' * 100 * K, '\n')),
    # errors
    'a million undefined values': (1, 20, 300, lambda: body(*numbered(M, '%x# = arith.addi %y#, %a : i32\n'))),
    'a million wrong types': (1, 20, 300, lambda: body('%x = arith.constant 1 : i64\n', *numbered(M, '%x# = arith.addi %x, %a : i32\n'))),
    'a million redefinitions': (1, 20, 300, lambda: body('%x = arith.constant 1 : i32\n' * M)),
    'a million unknown instructions': (1, 20, 300, lambda: body('pto.tadx ins(%a)\n' * M)),
    'a million open angles': (1, 20, 100, lambda: body('foo.bar <\n' * M)),
    'a million open angles, skipped': (3, 20, 100, lambda: body('foo.bar {\n', 'x.y <a\n' * M, '}\n')),
    'a million open strings': (1, 20, 100, lambda: body('x.y "abc\n' * M)),
    'a million closing braces': (1, 20, 100, lambda: ('}\n' * M,)),
    'a million labels': (1, 20, 200, lambda: body('^bb0(%x: i32):\n' * M)),
    'a list of a million lines after an error': (1, 20, 100, lambda: body('%x = = 1\n', '%a,\n' * M)),
    # numbers of things
    'a million functions': (0, 20, 700, lambda: numbered(M, 'func.func @f#() {\nreturn\n}\n')),
    'a chain of 100,000 calls': (0, 10, 200, lambda: ('func.func @f0() {\nreturn\n}\n', *(
        f'func.func @f{i}() {{\nfunc.call @f{i - 1}() : () -> ()\nreturn\n}}\n' for i in range(1, 100 * K)))),
    'a cycle of 100,000 calls': (1, 10, 200, lambda: (
        f'func.func @f{i}() {{\nfunc.call @f{(i + 1) % (100 * K)}() : () -> ()\nreturn\n}}\n' for i in range(100 * K))),
    'a million results': (1, 10, 250, lambda: body(listed(M, '%r#'), ' = arith.addi %a, %a : i32\n')),
    'a million operands': (1, 10, 250, lambda: body('func.call @k(', listed(M, '%a'), ') : (', listed(M, 'i32'), ') -> ()\n')),
    'a million arguments': (0, 10, 400, lambda: ('func.func @k(', listed(M, '%a#: i32'), ') {\nreturn\n}\n')),
    'a million attributes': (1, 10, 250, lambda: body('%x = arith.addi %a, %a {', listed(M, 'k# = #'), '} : i32\n')),
    'a million type aliases': (0, 10, 300, lambda: (*numbered(M, '!t# = !pto.ptr<f32>\n'), *body())),
    'fifty thousand carried values': (0, 10, 100, lambda: body('%r:50000 = scf.for %i = %n to %n step %n iter_args(', listed(50 * K, '%x# = %a'), ') -> (',
                                                               listed(50 * K, 'i32'), ') {\nscf.yield ', listed(50 * K, '%x#'), ' : ', listed(50 * K, 'i32'), '\n}\n')),
    'repeated clauses': (1, 10, 300, lambda: body('pto.mte_gm_ub %a, %a, %n nburst(%n, %n, %n) ', 'loop(%n, %n, %n) ' * 300 * K, ': i32\n')),
}


def run(command, seconds):
    """Exit status, CPU seconds, peak MiB (of the process as this script's child: the script's own size is the least)."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 10 * seconds
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
        if time.monotonic() > end:
            process.kill()
            end = float('inf')
        time.sleep(0.002)


def main():
    if len(sys.argv) < 2 or sys.argv[1] == '--help':
        sys.exit(__doc__)
    if sys.argv[1] == '--write':   # in a process of its own: a large parent would show in its children's peak memory
        with open(sys.argv[3], 'w') as sink:
            sink.writelines(CASES[sys.argv[2]][3]())
        return
    assembler = pathlib.Path(sys.argv[1]) / 'pto-as'
    failed, names = 0, [name for name in CASES if not sys.argv[2:] or any(part in name for part in sys.argv[2:])]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'input.pto'
        for name in names:
            wanted, seconds, mebibytes, _ = CASES[name]
            subprocess.run([sys.executable, __file__, '--write', name, path], check=True)
            status, cpu, peak = run([assembler, path, '-o', f'{folder}/out.bin'], seconds)
            good = status == wanted and cpu <= seconds and peak <= mebibytes
            failed += not good
            print(f'{"ok" if good else "FAILED":<7}{name:<42} input {path.stat().st_size / 2**20:6.1f} MiB, exit {status}, '
                  f'{cpu:6.2f} s CPU, {peak:6.0f} MiB' + ('' if good else f'   (wanted exit {wanted}, {seconds} s, {mebibytes} MiB)'))
    print(f'{len(names) - failed} passed, {failed} failed')
    sys.exit(failed != 0)


if __name__ == '__main__':
    main()
