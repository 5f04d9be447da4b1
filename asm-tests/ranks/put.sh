# Every rank puts its row into the window of the next one and tells it; who is told adds what has come to its own.
# RUN: cd $T && python3 golden.py 2 && pto-sim case.toml
# RUN: cd $T && python3 golden.py 5 && pto-sim case.toml --ranks 5 --report none && echo the same for 5
# RUN: cd $T && python3 golden.py 2 && pto-sim case.toml --set links.full_mesh.latency.value=1000 | head -n 1
# RUN: cd $T && pto-sim case.toml --topology ring | head -n 1
# RUN: cd $T && pto-sim case.toml --topology torus
# RUN: cd $T && pto-sim case.toml --mode time
# RUN: cd $T && pto-sim case.toml --trace t.json
# FILE: put.pto
#: !row = !pto.partition_tensor_view<1x64xf32>
#: !tile = !pto.tile_buf<vec, 1x64xf32>
#: !word = !pto.partition_tensor_view<1xi32>
#: module attributes {pto.target_arch = "a2a3"} {
#:   func.func @put(%x: !pto.ptr<f32>, %window: !pto.ptr<f32>, %signal: !pto.ptr<i32>, %y: !pto.ptr<f32>,
#:                  %next_window: !pto.ptr<f32>, %next_signal: !pto.ptr<i32>)
#:       attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c64 = arith.constant 64 : index
#:     %one = arith.constant 1 : i32
#:     %xv = pto.make_tensor_view %x, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
#:     %wv = pto.make_tensor_view %window, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
#:     %yv = pto.make_tensor_view %y, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
#:     %nv = pto.make_tensor_view %next_window, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
#:     %sv = pto.make_tensor_view %signal, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:     %nsv = pto.make_tensor_view %next_signal, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:     %xp = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !row
#:     %wp = pto.partition_view %wv, offsets = [%c0, %c0], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !row
#:     %yp = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !row
#:     %np = pto.partition_view %nv, offsets = [%c0, %c0], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !row
#:     %sp = pto.partition_view %sv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:     %nsp = pto.partition_view %nsv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:     %stage = pto.alloc_tile : !tile
#:     %a = pto.alloc_tile : !tile
#:     %b = pto.alloc_tile : !tile
#:     pto.comm.tput(%np, %xp, buf(%stage) : !row, !row, !tile)
#:     pto.comm.tnotify(%nsp, %one : !word, i32) {notifyOp = #pto<notify_op atomic_add>}
#:     pto.comm.twait(%sp, %one : !word, i32) {cmp = #pto<wait_cmp ge>}
#:     pto.tload ins(%xp : !row) outs(%a : !tile)
#:     pto.tload ins(%wp : !row) outs(%b : !tile)
#:     pto.tadd ins(%a, %b : !tile, !tile) outs(%a : !tile)
#:     pto.tstore ins(%a : !tile) outs(%yp : !row)
#:     return
#:   }
#: }
# FILE: case.toml
#: program = "put.pto"
#: ranks = 2
#: [[arg]]
#: name = "x"
#: dtype = "f32"
#: shape = [1, 64]
#: fill = "{rank}"
#: [[arg]]
#: name = "window"
#: dtype = "f32"
#: shape = [1, 64]
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [1]
#: fill = 0
#: [[arg]]
#: name = "y"
#: dtype = "f32"
#: shape = [1, 64]
#: output = "y.{rank}.bin"
#: expect = "golden.{rank}.bin"
#: [[arg]]
#: name = "next_window"
#: peer = "window@{next}"
#: [[arg]]
#: name = "next_signal"
#: peer = "signal@{next}"
# FILE: golden.py
#: import struct, sys
#: n = int(sys.argv[1])
#: for r in range(n):
#:     open(f'golden.{r}.bin', 'wb').write(struct.pack('<64f', *[r + (r - 1) % n] * 64))

#= exit 0
#| ok: 14,190 cycles on 2 ranks
#| rank 0: y: 64 elements agree exactly
#| rank 1: y: 64 elements agree exactly
#|
#| rank       cycles   bytes sent   bytes read  notifies  bound by
#|    0       14,190          256            0         1  S 89 %
#|    1       14,190          256            0         1  S 89 %
#= exit 0
#| the same for 5
#= exit 0
#| ok: 14,254 cycles on 2 ranks
#= exit 0
#| ok: 14,190 cycles on 2 ranks
#= exit 2
#! pto-sim: error: the target has no topology 'torus'; it has full_mesh, hub, ring
#= exit 2
#! pto-sim: error: several devices need data, to know what they send each other: --mode run or check
#= exit 2
#! pto-sim: error: --trace is for one device, not for --ranks
