# Rounds in which the cube core multiplies, and each vector core halves its rows of the product and then reads those of the other one.
# Signals between cube and vector cores take more and more ids; the one with which the vector cores meet is kept for them.
# RUN: for n in 1 3 5 6 7 8 12 20; do for t in a2a3 a5; do /usr/bin/python3 %t/rounds.py %t/$n.$t $n $t; for mode in run check; do pto-sim %t/$n.$t/case.toml --mode $mode --report none || echo "$n rounds on $t, $mode"; done; done; done
# RUN: for n in 1 6; do pto-as --emit=pto %t/$n.a5/k.pto -o - 2>/dev/null | grep -o 'sync.set.*' | sort | uniq -c | sed 's/^ *//'; done
# FILE: rounds.py
#: import pathlib, sys
#: import numpy as np
#: folder, n, target = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
#: folder.mkdir()
#: types = '''!v16 = !pto.tensor_view<?x?xf16>
#: !v32 = !pto.tensor_view<?x?xf32>
#: !p16 = !pto.partition_tensor_view<32x32xf16>
#: !p32 = !pto.partition_tensor_view<32x32xf32>
#: !q16 = !pto.partition_tensor_view<16x32xf16>
#: !q32 = !pto.partition_tensor_view<16x32xf32>
#: !l1 = !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>
#: !l0a = !pto.tile_buf<left, 32x32xf16, blayout=col_major, slayout=row_major>
#: !l0b = !pto.tile_buf<right, 32x32xf16, blayout=row_major, slayout=col_major>
#: !acc = !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>
#: !ub = !pto.tile_buf<vec, 16x32xf32>
#: !ub16 = !pto.tile_buf<vec, 16x32xf16>
#: '''
#: head = '''  %c0 = arith.constant 0 : index
#:   %c1 = arith.constant 1 : index
#:   %c16 = arith.constant 16 : index
#:   %c32 = arith.constant 32 : index
#:   %half = arith.constant 0.5 : f32
#:   %vh = pto.make_tensor_view %h, shape = [%c32, %c32], strides = [%c32, %c1] : !v16
#:   %vw = pto.make_tensor_view %w, shape = [%c32, %c32], strides = [%c32, %c1] : !v32
#:   %ph = pto.partition_view %vh, offsets = [%c0, %c0], sizes = [%c32, %c32] : !v16 -> !p16
#:   %pw = pto.partition_view %vw, offsets = [%c0, %c0], sizes = [%c32, %c32] : !v32 -> !p32
#: '''
#: turn = '''  pto.section.cube {
#:     %m# = pto.alloc_tile : !l1
#:     %l# = pto.alloc_tile : !l0a
#:     %r# = pto.alloc_tile : !l0b
#:     %a# = pto.alloc_tile : !acc
#:     pto.tload ins(%ph : !p16) outs(%m# : !l1)
#:     pto.tmov ins(%m# : !l1) outs(%l# : !l0a)
#:     pto.tmov ins(%m# : !l1) outs(%r# : !l0b)
#:     pto.tmatmul ins(%l#, %r# : !l0a, !l0b) outs(%a# : !acc)
#:     pto.tstore ins(%a# : !acc) outs(%pw : !p32)
#:   }
#:   pto.section.vector {
#:     %k# = pto.get_subblock_idx
#:     %x# = arith.index_cast %k# : i64 to index
#:     %o# = arith.muli %x#, %c16 : index
#:     %q# = arith.subi %c16, %o# : index
#:     %own# = pto.partition_view %vw, offsets = [%o#, %c0], sizes = [%c16, %c32] : !v32 -> !q32
#:     %oth# = pto.partition_view %vw, offsets = [%q#, %c0], sizes = [%c16, %c32] : !v32 -> !q32
#:     %to# = pto.partition_view %vh, offsets = [%q#, %c0], sizes = [%c16, %c32] : !v16 -> !q16
#:     %t# = pto.alloc_tile : !ub
#:     %u# = pto.alloc_tile : !ub16
#:     pto.tload ins(%own# : !q32) outs(%t# : !ub)
#:     pto.tmuls ins(%t#, %half : !ub, f32) outs(%t# : !ub)
#:     pto.tstore ins(%t# : !ub) outs(%own# : !q32)
#:     pto.tload ins(%oth# : !q32) outs(%t# : !ub)
#:     pto.tcvt ins(%t# : !ub) outs(%u# : !ub16)
#:     pto.tstore ins(%u# : !ub16) outs(%to# : !q16)
#:   }
#: '''
#: text = types + 'module attributes {pto.target_arch = "%s"} {\nfunc.func @k(%%h: !pto.ptr<f16>, %%w: !pto.ptr<f32>) attributes {pto.entry} {\n' % target
#: text += head + ''.join(turn.replace('#', str(i)) for i in range(n)) + '  return\n}\n}\n'
#: (folder / 'k.pto').write_text(text)
#: h = 2 * np.eye(32)[np.random.default_rng(n).permutation(32)]  # twice a permutation stays one
#: np.save(folder / 'h.npy', h.astype(np.float16))
#: for _ in range(n): h = 0.5 * (h @ h)
#: np.save(folder / 'h_out.npy', h.astype(np.float16))
#: np.save(folder / 'w_out.npy', h.astype(np.float32))
#: case = 'program = "k.pto"\ntarget = "%s"\n' % target
#: case += '[[arg]]\nname = "h"\ndtype = "f16"\nshape = [32, 32]\ninput = "h.npy"\nexpect = "h_out.npy"\n'
#: case += '[[arg]]\nname = "w"\ndtype = "f32"\nshape = [32, 32]\nexpect = "w_out.npy"\n'
#: (folder / 'case.toml').write_text(case)

#= exit 0
#= exit 0
#| 1 sync.set #pto.pipe<PIPE_FIX>, 0 {ffts_mode = 2 : i32}
#| 1 sync.set #pto.pipe<PIPE_MTE3>, 1 {ffts_mode = 1 : i32}
#| 11 sync.set #pto.pipe<PIPE_FIX>, 0 {ffts_mode = 2 : i32}
#| 11 sync.set #pto.pipe<PIPE_MTE3>, 1 {ffts_mode = 2 : i32}
#| 11 sync.set #pto.pipe<PIPE_MTE3>, 2 {ffts_mode = 1 : i32}
