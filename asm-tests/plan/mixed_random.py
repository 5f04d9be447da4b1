"""Random kernels that mix instructions of the cube and of the vector core, in straight line, loops and branches; without sections, with sections
whose vector part is shared out among both vector cores, or with loops in sections of their own. No signal and no flag is written. Their
values are computed with NumPy in the order of the text.

usage: mixed_random.py FOLDER SEED TARGET    writes FOLDER/case.toml, kernel.pto and arrays
"""
import pathlib
import random
import sys

import numpy as np

N, TURNS = 32, 3
HALVES, WIDE = ('h0', 'h1', 'h2'), ('w0', 'w1', 'w2')  # f16 and f32 buffers of TURNS + 1 matrices of N x N

TYPES = '''!v16 = !pto.tensor_view<?x?xf16>
!v32 = !pto.tensor_view<?x?xf32>
!p16 = !pto.partition_tensor_view<32x32xf16>
!p32 = !pto.partition_tensor_view<32x32xf32>
!q16 = !pto.partition_tensor_view<ROWSx32xf16>
!q32 = !pto.partition_tensor_view<ROWSx32xf32>
!l1 = !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>
!l0a = !pto.tile_buf<left, 32x32xf16, blayout=col_major, slayout=row_major>
!l0b = !pto.tile_buf<right, 32x32xf16, blayout=row_major, slayout=col_major>
!acc = !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>
!ub = !pto.tile_buf<vec, ROWSx32xf32>
!ub16 = !pto.tile_buf<vec, ROWSx32xf16>
'''


class Kernel:
    """Text and meaning, written side by side."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.sections = self.random.choice(['none', 'none', 'both', 'both', 'loops'])
        self.rows = 16 if self.sections != 'none' else 32
        self.lines, self.number, self.meaning = [], 0, []

    def name(self):
        self.number += 1
        return f'%n{self.number}'

    def put(self, text):
        self.lines.append(text)

    def window(self, buffer, place, vector):
        """Rows of a buffer: `place` is ('const', k), ('turn', loop variable), ('two', loop variable)."""
        kind, at = place
        row = self.name()
        if kind == 'const':
            self.put(f'{row} = arith.constant {at * N} : index')
        elif kind == 'turn':
            self.put(f'{row} = arith.muli {at}, %c32 : index')
        else:
            rest = self.name()
            self.put(f'{rest} = arith.remui {at}, %c2 : index')
            self.put(f'{row} = arith.muli {rest}, %c32 : index')
        if vector and self.rows == 16:
            own = self.name()
            self.put(f'{own} = arith.addi {row}, %own : index')
            row = own
        part, bits = self.name(), '16' if buffer[0] == 'h' else '32'
        letter, size = ('q', '%rows') if vector else ('p', '%c32')
        self.put(f'{part} = pto.partition_view %v{buffer}, offsets = [{row}, %c0], sizes = [{size}, %c32] : !v{bits} -> !{letter}{bits}')
        return part

    def cube(self, out, a, b):
        """out = a @ b, of matrices in GM."""
        (ob, op), (ab, ap), (bb, bp) = out, a, b
        wa, wb, wo = self.window(ab, ap, False), self.window(bb, bp, False), self.window(ob, op, False)
        x, y, left, right, acc = (self.name() for _ in range(5))
        for value, kind in ((x, 'l1'), (y, 'l1'), (left, 'l0a'), (right, 'l0b'), (acc, 'acc')):
            self.put(f'{value} = pto.alloc_tile : !{kind}')
        self.put(f'pto.tload ins({wa} : !p16) outs({x} : !l1)')
        self.put(f'pto.tload ins({wb} : !p16) outs({y} : !l1)')
        self.put(f'pto.tmov ins({x} : !l1) outs({left} : !l0a)')
        self.put(f'pto.tmov ins({y} : !l1) outs({right} : !l0b)')
        self.put(f'pto.tmatmul ins({left}, {right} : !l0a, !l0b) outs({acc} : !acc)')
        self.put(f'pto.tstore ins({acc} : !acc) outs({wo} : !p32)')

    def vector(self, out, a, b):
        """out = a / 32 + b, rounded to f16 where out is."""
        (ob, op), (ab, ap), (bb, bp) = out, a, b
        wa, wb, wo = self.window(ab, ap, True), self.window(bb, bp, True), self.window(ob, op, True)
        x, y, z = (self.name() for _ in range(3))
        for value, kind in ((x, 'ub'), (y, 'ub'), (z, 'ub16')):
            self.put(f'{value} = pto.alloc_tile : !{kind}')
        self.put(f'pto.tload ins({wa} : !q32) outs({x} : !ub)')
        self.put(f'pto.tload ins({wb} : !q32) outs({y} : !ub)')
        self.put(f'pto.tmuls ins({x}, %scale : !ub, f32) outs({x} : !ub)')
        self.put(f'pto.tmuls ins({y}, %half : !ub, f32) outs({y} : !ub)')
        self.put(f'pto.tadd ins({x}, {y} : !ub, !ub) outs({x} : !ub)')
        if ob[0] == 'h':
            self.put(f'pto.tcvt ins({x} {{rmode = #pto<round_mode CAST_RINT>}} : !ub) outs({z} : !ub16)')
            self.put(f'pto.tstore ins({z} : !ub16) outs({wo} : !q16)')
        else:
            self.put(f'pto.tstore ins({x} : !ub) outs({wo} : !q32)')

    def place(self, turn):
        if turn is None or self.random.random() < 0.2:
            return ('const', self.random.randrange(TURNS + 1))
        return (self.random.choice(['turn', 'turn', 'two']), turn)

    def statement(self, turn):
        """One product or one sum: (kind, out, a, b)."""
        if self.random.random() < 0.5:
            return ('cube', (self.random.choice(WIDE), self.place(turn)), *[(self.random.choice(HALVES), self.place(turn)) for _ in range(2)])
        return ('vector', (self.random.choice(HALVES + WIDE[1:]), self.place(turn)),
                *[(self.random.choice(WIDE), self.place(turn)) for _ in range(2)])

    def emit(self, statements):
        """In the order of the text, in sections where those are wanted."""
        open_kind = None
        for kind, *operands in statements:
            if self.sections != 'none' and kind != open_kind:
                if open_kind:
                    self.put('}')
                self.put(f'pto.section.{kind} {{')
                if kind == 'vector':
                    self.own()
                open_kind = kind
            getattr(self, kind)(*operands)
        if open_kind:
            self.put('}')

    def own(self):
        core, at = self.name(), self.name()
        self.put(f'{core} = pto.get_subblock_idx')
        self.put(f'{at} = arith.index_cast {core} : i64 to index')
        self.put(f'%own = arith.muli {at}, %c16 : index')

    def do(self, statements, turn_number):
        self.meaning += [(kind, *[(b, at if p == 'const' else turn_number if p == 'turn' else turn_number % 2) for b, (p, at) in operands])
                         for kind, *operands in statements]

    def block(self):
        kind = self.random.random()
        if self.sections == 'loops' and kind < 0.5:
            return self.two_loops()
        if kind < 0.35:
            statements = [self.statement(None) for _ in range(self.random.randint(1, 3))]
            self.emit(statements)
            return self.do(statements, 0)
        turn, limit = self.name(), self.random.choice(['%turns', '%turns', '%open'])
        statements = [self.statement(turn) for _ in range(self.random.randint(1, 4))]
        self.put(f'scf.for {turn} = %c0 to {limit} step %c1 {{')
        branch = kind > 0.8
        if branch:
            some = self.name()
            self.put(f'{some} = arith.cmpi slt, {turn}, %c2 : index')
            self.put(f'scf.if {some} {{')
        self.emit(statements)
        if branch:
            self.put('}')
        self.put('}')
        for number in range(TURNS):
            if not branch or number < 2:
                self.do(statements, number)

    def two_loops(self):
        """A loop of products in one section, and one of sums in the next: windows that move alike run in step."""
        turn, other = self.name(), self.name()
        out, rest = self.random.choice(WIDE), self.random.choice(HALVES)
        first = [('cube', (out, ('turn', turn)), *[(self.random.choice([h for h in HALVES if h != rest]), ('turn', turn)) for _ in range(2)])]
        second = [('vector', (rest, ('turn', other)), (out, ('turn', other)), (out, ('turn', other)))]
        self.put('pto.section.cube {')
        self.put(f'scf.for {turn} = %c0 to %turns step %c1 {{')
        for kind, *operands in first:
            getattr(self, kind)(*operands)
        self.put('}\n}')
        self.put('pto.section.vector {')
        self.own()
        self.put(f'scf.for {other} = %c0 to %turns step %c1 {{')
        for kind, *operands in second:
            getattr(self, kind)(*operands)
        self.put('}\n}')
        for statements in (first, second):
            for number in range(TURNS):
                self.do(statements, number)

    def text(self):
        for _ in range(self.random.randint(2, 4)):
            self.block()
        head = TYPES.replace('ROWS', str(self.rows))
        arguments = ', '.join(f'%{b}: !pto.ptr<{"f16" if b[0] == "h" else "f32"}>' for b in HALVES + WIDE)
        head += f'func.func @mixed({arguments}, %open: index) attributes {{pto.entry}} {{\n'
        for name, value in (('c0', 0), ('c1', 1), ('c2', 2), ('c16', 16), ('c32', 32), ('rows', self.rows), ('turns', TURNS), ('all', N * (TURNS + 1))):
            head += f'%{name} = arith.constant {value} : index\n'
        head += '%scale = arith.constant 0.03125 : f32\n%half = arith.constant 0.5 : f32\n'
        for b in HALVES + WIDE:
            head += f'%v{b} = pto.make_tensor_view %{b}, shape = [%all, %c32], strides = [%c32, %c1] : !v{"16" if b[0] == "h" else "32"}\n'
        return head + '\n'.join(self.lines) + '\nreturn\n}\n'

    def values(self, start):
        held = {name: array.copy() for name, array in start.items()}
        at = lambda operand: held[operand[0]][operand[1] * N:(operand[1] + 1) * N]
        for kind, out, a, b in self.meaning:
            if kind == 'cube':
                made = at(a).astype(np.float32) @ at(b).astype(np.float32)
            else:
                made = at(a) * np.float32(1 / 32) + at(b) * np.float32(0.5)
            at(out)[:] = made.astype(held[out[0]].dtype)
        return held


def main():
    folder, seed, target = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    folder.mkdir(parents=True, exist_ok=True)
    kernel = Kernel(seed)
    (folder / 'kernel.pto').write_text(kernel.text())
    numbers = np.random.default_rng(seed)
    start = {b: numbers.uniform(-1, 1, (N * (TURNS + 1), N)).astype(np.float16 if b[0] == 'h' else np.float32) for b in HALVES + WIDE}
    case = f'program = "kernel.pto"\ntarget = "{target}"\n'
    for name, array in kernel.values(start).items():
        np.save(folder / f'{name}.npy', start[name])
        np.save(folder / f'{name}_out.npy', array)
        kind = 'f16' if name[0] == 'h' else 'f32'
        case += f'[[arg]]\nname = "{name}"\ndtype = "{kind}"\nshape = [{N * (TURNS + 1)}, {N}]\ninput = "{name}.npy"\n'
        case += f'expect = "{name}_out.npy"\ncompare = {{ atol = 4e-3, rtol = 4e-3 }}\n'
    case += f'[[arg]]\nname = "open"\ndtype = "i64"\nvalue = {TURNS}\n'
    (folder / 'case.toml').write_text(case)


if __name__ == '__main__':
    main()
