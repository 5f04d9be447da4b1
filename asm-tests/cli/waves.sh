# Blocks beyond the cores run in waves: a block begins where one has ended. One vector core's block takes 235 cycles of which 174 are MTE2's;
# 64 at a time share L2, which costs them 10 more. 65 blocks are two waves, 128 two full ones; a cube kernel has half as many places.
# RUN: cd %t; for n in 1 64 65 128; do pto-sim k.pto --target a5 --no-launch --mode time --arg a=f32[16x16] --blocks $n | grep -E '^ok|waves'; done
# RUN: cd %t; pto-sim k.pto --target a5 --set machine.clusters=4 --mode time --arg a=f32[16x16] --blocks 80 | grep -E '^ok|waves|us at'
# RUN: cd %t; pto-sim profile --target a5 k.pto --blocks 96 | tail -n 3
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%a: !pto.ptr<f32>) attributes {pto.entry} {
#:     %c16 = arith.constant 16 : index
#:     %c1 = arith.constant 1 : index
#:     %c0 = arith.constant 0 : index
#:     %t = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
#:     %v = pto.make_tensor_view %a, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
#:     %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
#:     pto.tload ins(%p : !pto.partition_tensor_view<16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)
#:     pto.tadd ins(%t, %t : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)
#:     return
#:   }
#: }

#= exit 0
#| ok: 235 cycles, bound by MTE2 (74 % busy); it is done after 74 %
#| ok: 245 cycles, bound by MTE2 on AIV 0.0 (71 % busy); it is done after 76 %
#| ok: 480 cycles, bound by waves: the second is 2 % full; MTE2 works 72 % while blocks run, 37 % of the whole
#| 65 blocks on 64 vector cores: 2 waves, the second 2 % full
#| ok: 490 cycles, bound by MTE2 (71 % busy, the mean of 64 cores)
#| 128 blocks on 64 vector cores: 2 waves, the second full
#= exit 0
#| ok: 14,070 cycles (11,720 of them launch), bound by the launch (83 % of the time)
#| 80 blocks on 8 vector cores: 10 waves, the last full
#| 8.53 us at 1.65 GHz (7.10 us launch, assumed); GM reads 57.5 GB/s (1 % of L2)
#= exit 0
#| k                28,440       17.2  waves (MTE2 54 %)    -
#|     a = f32[16, 16]:0
#| 1 kernel: 1 ok
