# Products with scales whose text has no tget_scale_addr: the planner puts the tiles of scales where the products read, also those of
# operands that do not lie at 0. Values are NumPy's.
# RUN: /usr/bin/python3 %t/scaled.py %t; for mode in run check; do pto-sim %t/case.toml --mode $mode --report none || echo $mode; done
# FILE: scaled.py
#: import pathlib, sys
#: import numpy as np
#: folder = pathlib.Path(sys.argv[1])
#: M, K, N, E4M3 = 32, 128, 32, {1: 0x38, 2: 0x40, -1: 0xb8, 3: 0x44, 0: 0}
#: rng, case, meaning = np.random.default_rng(8), 'program = "k.pto"\ntarget = "a5"\n', []
#: def arg(name, dtype, shape, data, key='input'):
#:     global case
#:     data.tofile(folder / f'{name}.bin')
#:     case += f'[[arg]]\nname = "{name}"\ndtype = "{dtype}"\nshape = {list(shape)}\n{key} = "{name}.bin"\n'
#: def boxes(scales):  # [rows, groups] as boxes of 16 by 2
#:     return scales.reshape(scales.shape[0] // 16, 16, -1, 2).transpose(0, 2, 1, 3).copy()
#: T = {'ma': f'mat, {M}x{K}xf8E4M3FN, blayout=col_major, slayout=row_major', 'mb': f'mat, {K}x{N}xf8E4M3FN, blayout=col_major, slayout=row_major',
#:      'msa': f'mat, {M}x{K // 32}xf8E8M0FNU, blayout=row_major, slayout=row_major, fractal=32', 'msb': f'mat, {K // 32}x{N}xf8E8M0FNU, blayout=col_major, slayout=col_major, fractal=32',
#:      'l': f'left, {M}x{K}xf8E4M3FN, blayout=col_major, slayout=row_major', 'r': f'right, {K}x{N}xf8E4M3FN, blayout=row_major, slayout=col_major',
#:      'xa': f'scaling, {M}x{K // 32}xf8E8M0FNU, blayout=row_major, slayout=row_major, fractal=32', 'xb': f'scaling, {K // 32}x{N}xf8E8M0FNU, blayout=col_major, slayout=col_major, fractal=32',
#:      'acc': f'acc, {M}x{N}xf32, blayout=col_major, slayout=row_major, fractal=1024'}
#: T = {name: f'!pto.tile_buf<{text}>' for name, text in T.items()}
#: V = {'a': (M, K), 'b': (K, N), 'sa': (1, M // 16, K // 64, 16, 2), 'sb': (1, N // 16, K // 64, 16, 2), 'o': (M, N)}
#: ELEM = {'a': 'f8E4M3FN', 'b': 'f8E4M3FN', 'sa': 'f8E8M0FNU', 'sb': 'f8E8M0FNU', 'o': 'f32'}
#: LAYOUT = {'sa': ' {layout = #pto.layout<mx_a_zz>}', 'sb': ' {layout = #pto.layout<mx_b_nn>}'}
#: body, params, loads, products = '', [], '', ''
#: for p in '01':
#:     for v, shape in V.items():
#:         strides = [int(np.prod(shape[i + 1:])) for i in range(len(shape))]
#:         any_, c = '?x' * len(shape), lambda numbers: ', '.join(f'%c{x}' for x in numbers)
#:         view, part = f'!pto.tensor_view<{any_}{ELEM[v]}>', f'!pto.partition_tensor_view<{"".join(f"{x}x" for x in shape)}{ELEM[v]}>'
#:         params.append(f'%{v}{p}: !pto.ptr<{ELEM[v]}>')
#:         body += f'%v{v}{p} = pto.make_tensor_view %{v}{p}, shape = [{c(shape)}], strides = [{c(strides)}]{LAYOUT.get(v, "")} : {view}\n'
#:         body += f'%p{v}{p} = pto.partition_view %v{v}{p}, offsets = [{c([0] * len(shape))}], sizes = [{c(shape)}] : {view} -> {part}\n'
#:         if v != 'o': loads += f'pto.tload ins(%p{v}{p} : {part}) outs(%m{v}{p} : {T["m" + v]})\n'
#:     for t, text in T.items(): body += f'%{t}{p} = pto.alloc_tile : {text}\n'
#:     for source, to in (('msa', 'xa'), ('msb', 'xb'), ('ma', 'l'), ('mb', 'r')): loads += f'pto.tmov ins(%{source}{p} : {T[source]}) outs(%{to}{p} : {T[to]})\n'
#:     products += f'pto.tmatmul.mx ins(%l{p}, %xa{p}, %r{p}, %xb{p} : {T["l"]}, {T["xa"]}, {T["r"]}, {T["xb"]}) outs(%acc{p} : {T["acc"]})\n'
#:     products += f'pto.tstore ins(%acc{p} : {T["acc"]}) outs(%po{p} : !pto.partition_tensor_view<{M}x{N}xf32>)\n'
#:     a, b = rng.choice(list(E4M3), (M, K)), rng.choice(list(E4M3), (K, N))
#:     sa, sb = rng.integers(125, 130, (M, K // 32)), rng.integers(125, 130, (N, K // 32))
#:     encode = np.vectorize(lambda x: E4M3[x])
#:     arg(f'a{p}', 'f8e4m3', [M * K], encode(a).astype(np.uint8)), arg(f'b{p}', 'f8e4m3', [K * N], encode(b).astype(np.uint8))
#:     arg(f'sa{p}', 'f8e8m0', [sa.size], boxes(sa).astype(np.uint8)), arg(f'sb{p}', 'f8e8m0', [sb.size], boxes(sb).astype(np.uint8))
#:     scaled_a, scaled_b = a * 2.0 ** (sa - 127).repeat(32, 1), b * 2.0 ** (sb.T - 127).repeat(32, 0)
#:     arg(f'o{p}', 'f32', [M, N], (scaled_a @ scaled_b).astype(np.float32), 'expect')
#: numbers = sorted({0, 1} | {x for shape in V.values() for i in range(len(shape)) for x in (shape[i], int(np.prod(shape[i:])))})
#: constants = ''.join(f'%c{x} = arith.constant {x} : index\n' for x in numbers)
#: text = 'module attributes {pto.target_arch = "a5"} {\nfunc.func @k(' + ', '.join(params) + ') attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<cube>} {\n'
#: (folder / 'k.pto').write_text(text + constants + body + loads + products + 'return\n}\n}\n')
#: (folder / 'case.toml').write_text(case)

#= exit 0
