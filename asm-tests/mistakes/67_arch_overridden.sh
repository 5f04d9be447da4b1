# the module says a5, the command line says a3
# RUN: cd %t && pto-as --pto-arch=a3 t.pto -o a.bin
# RUN: cd %t && pto-as --target a5 t.pto -o a.bin
# FILE: k.pto
#: module attributes {pto.target_arch = "a5", pto.kernel_kind = #pto.kernel_kind<vector>} {
#:   func.func @twice(%src: !pto.ptr<f32, gm>, %dst: !pto.ptr<f32, gm>) attributes {pto.kernel} {
#:     %c0 = arith.constant 0 : index
#:     %c64 = arith.constant 64 : index
#:     %c1024 = arith.constant 1024 : index
#:     %c0_i64 = arith.constant 0 : i64
#:     %c32_i64 = arith.constant 32 : i64
#:     %c128_i64 = arith.constant 128 : i64
#:     %c4096_i64 = arith.constant 4096 : i64
#:     %in = pto.castptr %c0_i64 : i64 -> !pto.ptr<f32, ub>
#:     %out = pto.castptr %c4096_i64 : i64 -> !pto.ptr<f32, ub>
#:     pto.mte_gm_ub %src, %in, %c0_i64, %c128_i64 nburst(%c32_i64, %c128_i64, %c128_i64)
#:       : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
#:     pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
#:     pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
#:     pto.vecscope {
#:       %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
#:       scf.for %i = %c0 to %c1024 step %c64 {
#:         %v = pto.vlds %in[%i] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
#:         %sum = pto.vadd %v, %v, %all : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
#:         pto.vsts %sum, %out[%i], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
#:       }
#:     }
#:     pto.set_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]
#:     pto.wait_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]
#:     pto.mte_ub_gm %out, %dst, %c128_i64 nburst(%c32_i64, %c128_i64, %c128_i64)
#:       : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
#:     pto.barrier #pto.pipe<PIPE_ALL>
#:     return
#:   }
#: }
# FILE: t.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @double(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) attributes {pto.kernel} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c32 = arith.constant 32 : index
#:     %x = pto.make_tensor_view %src, shape = [%c32, %c32], strides = [%c32, %c1] : !pto.tensor_view<32x32xf32>
#:     %y = pto.make_tensor_view %dst, shape = [%c32, %c32], strides = [%c32, %c1] : !pto.tensor_view<32x32xf32>
#:     %xp = pto.partition_view %x, offsets = [%c0, %c0], sizes = [%c32, %c32] : !pto.tensor_view<32x32xf32> -> !pto.partition_tensor_view<32x32xf32>
#:     %yp = pto.partition_view %y, offsets = [%c0, %c0], sizes = [%c32, %c32] : !pto.tensor_view<32x32xf32> -> !pto.partition_tensor_view<32x32xf32>
#:     %a = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=32, cols=32, v_row=32, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>
#:     %b = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=32, cols=32, v_row=32, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>
#:     pto.tload ins(%xp : !pto.partition_tensor_view<32x32xf32>) outs(%a : !pto.tile_buf<loc=vec, dtype=f32, rows=32, cols=32, v_row=32, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
#:     pto.tadd ins(%a, %a : !pto.tile_buf<loc=vec, dtype=f32, rows=32, cols=32, v_row=32, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>, !pto.tile_buf<loc=vec, dtype=f32, rows=32, cols=32, v_row=32, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>) outs(%b : !pto.tile_buf<loc=vec, dtype=f32, rows=32, cols=32, v_row=32, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
#:     pto.tstore ins(%b : !pto.tile_buf<loc=vec, dtype=f32, rows=32, cols=32, v_row=32, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>) outs(%yp : !pto.partition_tensor_view<32x32xf32>)
#:     return
#:   }
#: }

#= exit 0
#! t.pto:1:38: warning[W0101]: the module is written for a5, but is assembled for a2a3 [-Wtarget-overridden]
#!     1 | module attributes {pto.target_arch = "a5"} {
#!       |                                      ^~~~
#!   help: --target wins; leave it out, or change the module
#= exit 0
