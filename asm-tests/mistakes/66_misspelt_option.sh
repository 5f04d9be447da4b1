# --pto-aarch=a5
# RUN: cd %t && pto-as --pto-aarch=a5 k.pto -o a.bin
# RUN: cd %t && pto-as --emmit text k.pto -o a.bin
# RUN: cd %t && pto-as k.pto k2.pto
# RUN: cd %t && pto-as kk.pto
# FILE: k.pto
#: module attributes {pto.target_arch = "a3"} {
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

#= exit 2
#! pto-as: error: unknown option '--pto-aarch'; did you mean '--pto-arch'?
#= exit 2
#! pto-as: error: unknown option '--emmit'; did you mean '--emit'?
#= exit 2
#! pto-as: error: 'k2.pto' is one file too many
#= exit 2
#! pto-as: error: cannot read kk.pto: No such file or directory
