#!/usr/bin/python3
"""Whole-process figures of pto-as: median wall and CPU time and peak memory over several runs of each input."""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 11


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


def report(name, command, size):
    runs = [measure(command) for _ in range(RUNS)]
    wall, cpu, memory = (statistics.median(column) for column in zip(*runs))
    beyond = max(0, memory - 8 * 2**20)
    print(f'{name:<34} {wall * 1e3:9.2f} ms wall {cpu * 1e3:9.2f} ms CPU {memory / 2**20:8.1f} MiB peak '
          f'{size / wall / 1e6:8.1f} MB/s   input {size / 2**20:.2f} MiB, memory {beyond / size:.2f}x input beyond 8 MiB')


def main():
    bin_folder = pathlib.Path(sys.argv[1])
    kernels = pathlib.Path(__file__).resolve().parent.parent / 'asm-tests' / 'kernels'
    with tempfile.TemporaryDirectory() as folder:
        out = f'{folder}/out.bin'
        for kernel in sorted(kernels.glob('*.pto')):
            report(kernel.name, [bin_folder / 'pto-as', kernel, '-o', out], kernel.stat().st_size)
        for kind in ('long', 'short', 'micro'):
            text = pathlib.Path(folder) / f'{kind}.pto'
            with text.open('wb') as sink:
                subprocess.run([bin_folder / 'pto-bench', '--generate', kind, '100000'], stdout=sink, check=True)
            report(f'generated, {kind}, 100k operations', [bin_folder / 'pto-as', text, '-o', out], text.stat().st_size)


if __name__ == '__main__':
    main()
