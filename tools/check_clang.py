#!/usr/bin/python3
"""Reads every source of the library with clang, which the fuzzers are built with.

usage: tools/check_clang.py [BUILD]     a build folder with compile_commands.json; build/release where none is given

Nothing is compiled: gcc accepts some programs that clang 14 does not, and a fuzzer is built too seldom to tell in time.
Closes with "N passed, M failed".
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OWN = ('-I', '-isystem', '-D', '-std')  # what the language depends on; warnings and code generation are gcc's


def command(entry):
    """clang++ with the include folders, definitions and the standard of the entry."""
    words, kept = iter(shlex.split(entry['command'])), []
    for word in words:
        if word.startswith(OWN):
            kept.append(word)
            if word in ('-I', '-isystem', '-D'):
                kept.append(next(words))
    return ['clang++', '-fsyntax-only', '-Wno-everything', *kept, entry['file']]


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / 'build/release')
    entries = [entry for entry in json.loads((build / 'compile_commands.json').read_text(encoding='utf-8'))
               if entry['file'].startswith(f'{ROOT}/src/') and not entry['file'].endswith('_test.cpp')]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = pool.map(lambda entry: subprocess.run(command(entry), cwd=entry['directory'], capture_output=True, text=True), entries)
        for run in runs:
            if run.returncode != 0:
                print(run.stderr)
                failed += 1
    print(f'{len(entries) - failed} passed, {failed} failed')
    return 1 if failed or not entries else 0


if __name__ == '__main__':
    sys.exit(main())
