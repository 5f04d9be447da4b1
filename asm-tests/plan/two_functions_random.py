"""Random launches of a cube and a vector function without a signal: a sequence of products and sums, each with a buffer of its own to write and of
earlier ones to read, in straight line and in loops that both functions have, is dealt out to the two functions. The values are computed with NumPy in the
order of the sequence.

usage: two_functions_random.py FOLDER FIRST LAST    writes case.toml, kernel.pto and arrays into FOLDER/SEED.TARGET
"""
import pathlib
import random
import sys

import numpy as np

import two_functions as text

N, TURNS = text.N, 4
text.BUFFERS = {'h0': 'f16', 'x0': 'f32'} | {f'p{i}': 'f16' for i in range(4)} | {f'w{i}': 'f32' for i in range(4)} | {'o0': 'f32', 'o1': 'f32'}
text.VIEWS = ''.join(f'  %v{b} = pto.make_tensor_view %{b}, shape = [%c128, %c32], strides = [%c32, %c1] : !v{t[1:]}\n' for b, t in text.BUFFERS.items())
text.PARAMETERS = ', '.join(f'%{b}: !pto.ptr<{t}>' for b, t in text.BUFFERS.items()) + ', %n: index'


def kernel(seed):
    """Text and steps."""
    chance = random.Random(seed)
    ready, fresh = ['h0', 'x0'], [b for b in text.BUFFERS if b not in ('h0', 'x0')]
    chance.shuffle(fresh)
    parts, steps = {'cube': '', 'vector': ''}, []
    while fresh:
        turns, group = chance.random() < 0.6, []
        moving = not turns or chance.random() < 0.7  # else the same bytes in every turn
        for _ in range(chance.randint(1, 4)):
            if fresh:
                out = fresh.pop()
                kind = 'vector' if text.BUFFERS[out] == 'f16' or chance.random() < 0.4 else 'cube'
                sources = [b for b in ready + [g[1] for g in group] if text.BUFFERS[b] == ('f16' if kind == 'cube' else 'f32')]
                group.append((kind, out, chance.choice(sources[-3:])))
        written = [g[1] for g in group]
        lines = {'cube': [], 'vector': []}
        for kind, out, source in group:
            lines[kind].append((out, source))

        def body(kind):
            def statements(r, own=None, other=None):
                row = r if kind == 'cube' else own
                start = '%c0' if kind == 'cube' else '%own'
                made = ''
                for out, source in lines[kind]:
                    of_turn = source not in written or moving
                    at = row if turns and of_turn else start
                    to = row if turns and moving else start
                    made += text.product(source, out, at, to) if kind == 'cube' else text.double(source, out, at, to)
                return made
            return statements

        bound = chance.choice(['%c4', '%n'])
        for kind in parts:
            if lines[kind]:
                parts[kind] += text.loop(body(kind), last=bound, vector=kind == 'vector') if turns else body(kind)('%c0', '%own')
        for turn in range(TURNS if turns else 1):
            for _, out, source in group:
                steps.append((out, turn if moving else 0, source, turn if source not in written or moving else 0))
        ready += written
    first = chance.choice(['cube', 'vector'])
    return text.two(parts['cube'], parts['vector'], first, chance.choice(['query', 'argument'])), text.run(*steps)


def main():
    for seed in range(int(sys.argv[2]), int(sys.argv[3]) + 1):
        for target in ('a2a3', 'a5'):
            text.write(pathlib.Path(sys.argv[1]) / f'{seed}.{target}', lambda: kernel(seed), target)


if __name__ == '__main__':
    main()
