# binary data: garbage, an object file, another program, UTF-16
# RUN: cd %t && printf '\001\002\377\376\000garbage' > junk.pto && pto-as junk.pto -o a.bin
# RUN: cd %t && pto-as k.pto -o k.bin && pto-as k.bin -o a.bin
# RUN: cd %t && printf '\177ELF\002\001\001\000\000' > prog.pto && pto-as prog.pto -o a.bin
# RUN: cd %t && printf '\377\376m\000o\000d\000' > wide.pto && pto-as wide.pto -o a.bin
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

#= exit 1
#! junk.pto: error[E0124]: this is not a text file: it has zero bytes
#!   help: give the .pto file
#= exit 1
#! k.bin: error[E0124]: this is an assembled object, not program text
#!   help: pto-dis prints it as text, pto-sim runs it
#= exit 1
#! prog.pto: error[E0124]: this is an ELF file, not program text
#!   help: give the .pto file
#= exit 1
#! wide.pto: error[E0124]: this is UTF-16, not UTF-8
#!   help: store the file as UTF-8
