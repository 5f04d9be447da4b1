# A notify writes its word before it waits for the pipes (pto-isa include/pto/comm/a2a3/TNotify.hpp:44-64): a store in front of it may come later. A fence, a barrier of all pipes or a flag from MTE3 to the
# scalar unit orders the two, a flag to another pipe does not. tput ends without telling the scalar unit (TPut.hpp: MTE3 to MTE2 only), so the same holds for it.
# RUN: cd $T; pto-sim case.toml --report none 2>&1 | grep -E "error|the other access|help"
# RUN: cd $T; for between in 'pto.fence.barrier_all #pto.fence_scope<gm>' 'pto.barrier <PIPE_ALL>' 'pto.set_flag[<PIPE_MTE3>, <PIPE_S>, <EVENT_ID0>] pto.wait_flag[<PIPE_MTE3>, <PIPE_S>, <EVENT_ID0>]' 'pto.set_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>] pto.wait_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]'; do echo "$between"; sed "s|// between|${between/] /]\\n}|" k.pto > b.pto; sed 's/k.pto/b.pto/' case.toml > b.toml; pto-sim b.toml --report none 2>&1 | grep -E "error"; done
# RUN: cd $T; sed 's|pto.tstore ins(%buf : !tile) outs(%np : !row)|pto.comm.tput(%np, %xp, buf(%buf) : !row, !row, !tile)|; /tload ins(%xp/,/wait_flag/d' k.pto > put.pto; sed 's/k.pto/put.pto/' case.toml > put.toml; pto-sim put.toml --report none 2>&1 | grep -E "error"; sed -i 's|// between|pto.fence.barrier_all #pto.fence_scope<gm>|' put.pto; pto-sim put.toml --report none && echo ordered
# FILE: k.pto
#: !row = !pto.partition_tensor_view<1x64xf32>
#: !tile = !pto.tile_buf<vec, 1x64xf32>
#: !word = !pto.partition_tensor_view<1xi32>
#: module attributes {pto.target_arch = "a2a3"} {
#:   func.func @k(%x: !pto.ptr<f32>, %win: !pto.ptr<f32>, %sig: !pto.ptr<i32>, %y: !pto.ptr<f32>, %nwin: !pto.ptr<f32>, %nsig: !pto.ptr<i32>)
#:       attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c64 = arith.constant 64 : index
#:     %one = arith.constant 1 : i32
#:     %z = arith.constant 0 : i64
#:     %xv = pto.make_tensor_view %x, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
#:     %wv = pto.make_tensor_view %win, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
#:     %nv = pto.make_tensor_view %nwin, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
#:     %yv = pto.make_tensor_view %y, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
#:     %sv = pto.make_tensor_view %sig, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:     %tv = pto.make_tensor_view %nsig, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:     %xp = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !row
#:     %wp = pto.partition_view %wv, offsets = [%c0, %c0], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !row
#:     %np = pto.partition_view %nv, offsets = [%c0, %c0], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !row
#:     %yp = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !row
#:     %sp = pto.partition_view %sv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:     %tp = pto.partition_view %tv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:     %buf = pto.alloc_tile addr = %z : !tile
#:     pto.tload ins(%xp : !row) outs(%buf : !tile)
#:     pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
#:     pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
#:     pto.tstore ins(%buf : !tile) outs(%np : !row)
#:     // between
#:     pto.comm.tnotify(%tp, %one : !word, i32) {notifyOp = #pto<notify_op atomic_add>}
#:     pto.comm.twait(%sp, %one : !word, i32) {cmp = #pto<wait_cmp ge>}
#:     pto.barrier <PIPE_ALL>
#:     pto.tload ins(%wp : !row) outs(%buf : !tile)
#:     pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
#:     pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
#:     pto.tstore ins(%buf : !tile) outs(%yp : !row)
#:     return
#:   }
#: }
# FILE: case.toml
#: program = "k.pto"
#: ranks = 2
#: [[arg]]
#: name = "x"
#: dtype = "f32"
#: shape = [1, 64]
#: fill = "{rank}"
#: [[arg]]
#: name = "win"
#: dtype = "f32"
#: shape = [1, 64]
#: fill = -1
#: [[arg]]
#: name = "sig"
#: dtype = "i32"
#: shape = [1]
#: fill = 0
#: [[arg]]
#: name = "y"
#: dtype = "f32"
#: shape = [1, 64]
#: [[arg]]
#: name = "nwin"
#: peer = "win@{next}"
#: [[arg]]
#: name = "nsig"
#: peer = "sig@{next}"

#= exit 0
#| k.pto:33:5: error[RANK-RACE]: pto.tload of rank 0 reads 256 bytes of argument 'win' at byte 0 of rank 0 that pto.tstore of rank 1 writes; no signal orders the two
#| k.pto:28:5: note: the other access is pto.tstore of rank 1
#|   help: one of them comes first: that rank notifies behind it, and the other one waits for that: rank 0 in front of k.pto:33, or rank 1 in front of k.pto:28
#= exit 0
#| pto.fence.barrier_all #pto.fence_scope<gm>
#| pto.barrier <PIPE_ALL>
#| pto.set_flag[<PIPE_MTE3>, <PIPE_S>, <EVENT_ID0>] pto.wait_flag[<PIPE_MTE3>, <PIPE_S>, <EVENT_ID0>]
#| pto.set_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>] pto.wait_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]
#| b.pto:34:5: error[RANK-RACE]: pto.tload of rank 0 reads 256 bytes of argument 'win' at byte 0 of rank 0 that pto.tstore of rank 1 writes; no signal orders the two
#= exit 0
#| put.pto:30:5: error[RANK-RACE]: pto.tload of rank 0 reads 256 bytes of argument 'win' at byte 0 of rank 0 that pto.comm.tput of rank 1 writes; no signal orders the two
#| ordered
