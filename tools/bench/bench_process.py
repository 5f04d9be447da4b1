#!/usr/bin/python3
"""Whole-process figures of pto-as: median wall and CPU time and peak memory over several runs of each input.

bench_process.py BIN [CHECKOUT..]: start, demo kernels, generated programs of each kind with 10 thousand, 100 thousand and a
million lines, planning (--emit=pto), and every .pto file of the checkouts with one process per file."""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 11
KINDS = ('long', 'short', 'arithmetic', 'mixed', 'micro', 'functions')


def measure(command):
    """Wall seconds, CPU seconds and peak resident bytes of one run. /usr/bin/time counts the memory: what a child of this
    script reports begins at the script's own size."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    timed = subprocess.run(['/usr/bin/time', '-f', '%M', *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if status != 0 or timed.returncode != 0:
        sys.exit(f'{command} failed with status {status}')
    return wall, usage.ru_utime + usage.ru_stime, int(timed.stderr.split()[-1]) * 1024


def report(name, command, size, lines, times=RUNS):
    runs = [measure(command) for _ in range(times)]
    wall, cpu, memory = (statistics.median(column) for column in zip(*runs))
    multiple = f', memory beyond 8 MiB {max(0, memory - 8 * 2**20) / size:.2f}x the input' if size else ''
    print(f'{name:<34} {wall * 1e3:9.2f} ms wall {cpu * 1e3:9.2f} ms CPU {memory / 2**20:8.1f} MiB peak '
          f'{lines / cpu / 1e6:6.2f} M lines/s {size / cpu / 1e6:7.1f} MB/s   input {size / 2**20:.2f} MiB{multiple}', flush=True)


def generated(bin_folder, kind, lines, folder):
    text = pathlib.Path(folder) / f'{kind}.pto'
    with text.open('wb') as sink:
        subprocess.run([bin_folder / 'pto-bench', '--generate', kind, str(lines)], stdout=sink, check=True)
    return text


def corpus(assembler, checkouts):
    """All .pto files of the checkouts, accepted or refused."""
    files = [path for checkout in checkouts for path in sorted(pathlib.Path(checkout).rglob('*.pto'))]
    before, start = os.times(), time.perf_counter()
    for path in files:
        subprocess.run([assembler, path, '-o', '/dev/null'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    print(f'{len(files)} files of the corpus, one process each: {time.perf_counter() - start:.2f} s wall, {cpu:.2f} s CPU')


def main():
    if len(sys.argv) < 2 or sys.argv[1] == '--help':
        sys.exit(__doc__)
    bin_folder = pathlib.Path(sys.argv[1])
    assembler = bin_folder / 'pto-as'
    kernels = pathlib.Path(__file__).resolve().parents[2] / 'asm-tests' / 'kernels'
    report('start (--version)', [assembler, '--version'], 0, 0)
    with tempfile.TemporaryDirectory() as folder:
        out = f'{folder}/out.bin'
        for kernel in sorted(kernels.glob('*.pto')):
            report(kernel.name, [assembler, kernel, '-o', out], kernel.stat().st_size, kernel.read_bytes().count(b'\n'))
        for kind in KINDS:
            for lines, times in ((10000, RUNS), (100000, RUNS), (1000000, 3)):
                text = generated(bin_folder, kind, lines, folder)
                report(f'{kind}, {lines} lines', [assembler, text, '-o', out], text.stat().st_size, lines, times)
        for lines in (10000, 100000):
            text = generated(bin_folder, 'mixed', lines, folder)
            report(f'mixed, {lines} lines, planned', [assembler, '--emit=pto', text, '-o', out], text.stat().st_size, lines)
    if sys.argv[2:]:
        corpus(assembler, sys.argv[2:])


if __name__ == '__main__':
    main()
