# What advice does not say: that one tile should move away from itself (square.pto); anything of a flag that a finding is about (open.pto: its wait is missing);
# which of the flags order nothing that the tools put in themselves (auto.pto).
# RUN: cd %t && pto-sim square.pto --no-launch --report none --advice --arg x=f32[16x256]:1 | grep -A9 'help\|further' | grep -c bank
# RUN: cd %t && pto-sim open.pto --no-launch --report none --sync explicit --advice --arg x=f32[16x256]:1 2>/dev/null | grep 'orders nothing'
# RUN: cd %t && sed 's|//wait||' open.pto > closed.pto && pto-sim closed.pto --no-launch --report none --sync explicit --advice --arg x=f32[16x256]:1 | grep 'orders nothing'
# RUN: cd %t && sed '/_flag/d' open.pto > auto.pto && pto-sim auto.pto --no-launch --report none --advice --arg x=f32[16x256]:1 | grep 'orders nothing'
# FILE: square.pto
#: !v = !pto.tensor_view<?x?xf32>
#: !p = !pto.partition_tensor_view<16x256xf32>
#: !t = !pto.tile_buf<vec, 16x256xf32>
#: module attributes {pto.target_arch = "a3"} {
#:   func.func @k(%x: !pto.ptr<f32>) attributes {pto.entry} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c16 = arith.constant 16 : index
#:     %c256 = arith.constant 256 : index
#:     %vx = pto.make_tensor_view %x, shape = [%c16, %c256], strides = [%c256, %c1] : !v
#:     %px = pto.partition_view %vx, offsets = [%c0, %c0], sizes = [%c16, %c256] : !v -> !p
#:     %t = pto.alloc_tile : !t
#:     %u = pto.alloc_tile : !t
#:     pto.tload ins(%px : !p) outs(%t : !t)
#:     pto.tmul ins(%t, %t : !t, !t) outs(%u : !t)
#:     pto.tstore ins(%u : !t) outs(%px : !p)
#:     return
#:   }
#: }
# FILE: open.pto
#: !v = !pto.tensor_view<?x?xf32>
#: !p = !pto.partition_tensor_view<16x256xf32>
#: !t = !pto.tile_buf<vec, 16x256xf32>
#: module attributes {pto.target_arch = "a3"} {
#:   func.func @k(%x: !pto.ptr<f32>) attributes {pto.entry} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c16 = arith.constant 16 : index
#:     %c256 = arith.constant 256 : index
#:     %a0 = arith.constant 0 : i64
#:     %vx = pto.make_tensor_view %x, shape = [%c16, %c256], strides = [%c256, %c1] : !v
#:     %px = pto.partition_view %vx, offsets = [%c0, %c0], sizes = [%c16, %c256] : !v -> !p
#:     %t = pto.alloc_tile addr = %a0 : !t
#:     pto.tload ins(%px : !p) outs(%t : !t)
#:     pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
#:     pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]
#:     pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
#:     //wait pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]
#:     pto.tabs ins(%t : !t) outs(%t : !t)
#:     pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
#:     pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
#:     pto.tstore ins(%t : !t) outs(%px : !p)
#:     return
#:   }
#: }

#= exit 1
#| 0
#= exit 1
#= exit 0
#| - the flag MTE2 -> V (set on line 16, waited for on line 18) orders nothing that is not ordered without it: no cycles, but an id
#= exit 1
