# Arguments beside the views of the kernel: rows of another length are told before the run; a view that is larger than its array when an access leaves it. Arrays of one dimension, transposed
# views and views of a part are taken as they come. An output of which a part was never written is told, unless it was filled, is compared, or is read as well.
# RUN: cd $T; for a in 64x16 32x32 16x64 1024 2x8x64 32x64; do echo "a=f32[$a]"; pto-sim k.pto --report none --arg a=f32[$a]:1 --arg o=f32[16x64] --blocks 2 2>&1 | grep -E "warning|error|argument"; done
# RUN: cd $T; for a in 8x64 512; do echo "a=f32[$a]"; pto-sim k.pto --report none --arg a=f32[$a]:1 --arg o=f32[16x64] --blocks 2 2>&1 | grep -E "warning|error|argument"; done
# RUN: cd $T; for o in "" :0; do echo "o=f32[16x64]$o"; pto-sim k.pto --report none --arg a=f32[16x64]:1 --arg o=f32[16x64]$o 2>&1 | grep -E "warning|error"; done
# RUN: cd $T; sed 's/tstore ins(%buf : !tile) outs(%ow : !part)/& {atomicType = #pto<atomic_type atomic_add>}/' k.pto > add.pto; pto-sim add.pto --report none --arg a=f32[16x64]:1 --arg o=f32[16x64] -Wno-UNINIT
# RUN: cd $T; sed 's/strides = .%c64, %c1./strides = [%c1, %c16]/; s/%av : !view/&/' k.pto > t.pto; pto-sim t.pto --report none --arg a=f32[64x16]:1 --arg o=f32[16x64] --blocks 2 2>&1 | grep SHAPE
# RUN: cd $T; pto-sim case.toml --report none
# FILE: case.toml
#: program = "k.pto"
#: [[arg]]
#: name = "a"
#: dtype = "f32"
#: shape = [16, 64]
#: fill = 1
#: [[arg]]
#: name = "o"
#: dtype = "f32"
#: shape = [16, 64]
#: output = "o.npy"
# FILE: k.pto
#: !view = !pto.tensor_view<?x?xf32>
#: !part = !pto.partition_tensor_view<8x64xf32>
#: !tile = !pto.tile_buf<vec, 8x64xf32>
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%a: !pto.ptr<f32>, %o: !pto.ptr<f32>) attributes {pto.kernel} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c8 = arith.constant 8 : index
#:     %c16 = arith.constant 16 : index
#:     %c64 = arith.constant 64 : index
#:     %block = pto.get_block_idx
#:     %b = arith.index_cast %block : i64 to index
#:     %row = arith.muli %b, %c8 : index
#:     %av = pto.make_tensor_view %a, shape = [%c16, %c64], strides = [%c64, %c1] : !view
#:     %ov = pto.make_tensor_view %o, shape = [%c16, %c64], strides = [%c64, %c1] : !view
#:     %aw = pto.partition_view %av, offsets = [%row, %c0], sizes = [%c8, %c64] : !view -> !part
#:     %ow = pto.partition_view %ov, offsets = [%row, %c0], sizes = [%c8, %c64] : !view -> !part
#:     %buf = pto.alloc_tile : !tile
#:     pto.tload ins(%aw : !part) outs(%buf : !tile)
#:     pto.tstore ins(%buf : !tile) outs(%ow : !part)
#:     return
#:   }
#: }

#= exit 1
#| a=f32[64x16]
#| k.pto:14:11: warning[SHAPE]: argument a is 64x16, the kernel views it as 16x64 (line 14) [-Wargument-of-another-shape]
#|   help: give the argument the shape that the kernel expects, or use a view with its real shape
#| a=f32[32x32]
#| k.pto:14:11: warning[SHAPE]: argument a is 32x32, the kernel views it as 16x64 (line 14) [-Wargument-of-another-shape]
#|   help: give the argument the shape that the kernel expects, or use a view with its real shape
#| a=f32[16x64]
#| a=f32[1024]
#| a=f32[2x8x64]
#| a=f32[32x64]
#= exit 0
#| a=f32[8x64]
#| k.pto:19:5: error[BOUNDS]: access out of bounds: 2048 bytes at 0x100000000800 of gm: bytes 2048..4095 of argument 'a' (2048 bytes): 2048 bytes beyond its end
#| k.pto:14:11: note: argument a is 8x64, the kernel views it as 16x64 (line 14)
#|   help: give the argument as many bytes as the kernel reaches, or lower the offset, size or stride of the view or window that leaves it
#| a=f32[512]
#| k.pto:19:5: error[BOUNDS]: access out of bounds: 2048 bytes at 0x100000000800 of gm: bytes 2048..4095 of argument 'a' (2048 bytes): 2048 bytes beyond its end
#| k.pto:14:11: note: argument a is 512, the kernel views it as 16x64 (line 14)
#|   help: give the argument as many bytes as the kernel reaches, or lower the offset, size or stride of the view or window that leaves it
#= exit 1
#| o=f32[16x64]
#| k.pto: warning[UNWRITTEN]: o: 512 of 1,024 elements were never written (blocks=1) [-Woutput-written-in-part]
#| o=f32[16x64]:0
#= exit 0
#= exit 0
#| t.pto:15:11: warning[SHAPE]: argument o is 16x64, the kernel views it as 16x64 with strides [1, 16] (line 15) [-Wargument-of-another-shape]
#= exit 0
#! k.pto: warning[UNWRITTEN]: o: 512 of 1,024 elements were never written (blocks=1) [-Woutput-written-in-part]
#!   help: launch as many blocks as the kernel divides its work into; bytes that are not written keep their values
