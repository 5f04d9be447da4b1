#!/usr/bin/python3
"""usage: exhaustive.py SHAPES

The best tile of the first SHAPES shapes of tiles.toml, found by single runs of pto-sim here, beside those that pto-sim sweep
found. The constraints and the grid are written down here again. Prints how many of them are the same.
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))


def fits(m, n, k, tm, tn, tk):
    return not (m % tm or n % tn or k % tk) and tm * tk * 2 <= 32768 and tk * tn * 2 <= 32768 and tm * tn * 4 <= 131072


def cycles(names):
    command = ['pto-sim', f'{HERE}/gemm.toml', '--mode', 'time', '--report', 'json', *(f'-D{name}={value}' for name, value in names.items())]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)['total_cycles']


shapes = tomllib.load(open(f'{HERE}/tiles.toml', 'rb'))['point'][:int(sys.argv[1])]
with tempfile.TemporaryDirectory() as folder:
    text = open(f'{HERE}/tiles.toml', encoding='utf-8').read().split('[[point]]')
    text = '[[point]]'.join(text[:len(shapes) + 1]).replace('"gemm.toml"', json.dumps(f'{HERE}/gemm.toml'))
    open(f'{folder}/s.toml', 'w', encoding='utf-8').write(text)
    found = json.loads(subprocess.run(['pto-sim', 'sweep', f'{folder}/s.toml', '--report', 'json'], capture_output=True, text=True, check=True).stdout)
runs = same = 0
for shape, best in zip(shapes, found['best'], strict=True):
    mine = {}
    for tm, tn, tk in itertools.product((16, 32, 64, 128), (16, 32, 64, 128), (32, 64, 128)):
        if fits(*shape.values(), tm, tn, tk):
            mine[tm, tn, tk] = cycles(shape | {'TM': tm, 'TN': tn, 'TK': tk})
    runs += len(mine)
    same += all(best[name] == value for name, value in shape.items()) and mine[best['TM'], best['TN'], best['TK']] == best['cycles'] == min(mine.values())
print(f'{same} of {len(shapes)} shapes: the best tile of the sweep is the best of all single runs')
print('every point is one of the runs:', found['points'] == found['ok'] == runs, file=sys.stdout)
