# A sum of a tile of which only half was loaded: a warning where nothing says which rows count, an error where a case compares them, a warning again where it compares the loaded rows only.
# RUN: cd $T && python3 make.py && pto-sim k.pto --report none --sync explicit --arg a=f32[16x64]:1 --arg o=f32[16x64]
# RUN: cd $T && pto-sim all.toml --report none
# RUN: cd $T && pto-sim all.toml --report none --fill-uninit 0
# RUN: cd $T && pto-sim half.toml --report none
# Without the sum the bytes are only moved, which says nothing by itself: an error where values are compared with them, be they wrong already.
# RUN: cd $T && sed '/pto.tadd/d' k.pto > m.pto && sed 's/k.pto/m.pto/; s/all.bin/ones.bin/' all.toml > m.toml && pto-sim m.toml --report none 2>&1 | grep -o 'error.UNINIT.*'
# RUN: cd $T && sed 's/k.pto/m.pto/; s/half.bin/one.bin/' half.toml > m.toml && pto-sim m.toml --report none
# FILE: make.py
#: import struct
#: half = struct.pack('<512f', *[2.0] * 512)
#: open('half.bin', 'wb').write(half)
#: open('all.bin', 'wb').write(half + bytes(len(half)))
#: one = struct.pack('<512f', *[1.0] * 512)
#: open('one.bin', 'wb').write(one)
#: open('ones.bin', 'wb').write(one + one)
# FILE: all.toml
#: program = "k.pto"
#: sync = "explicit"
#: [[arg]]
#: name = "a"
#: dtype = "f32"
#: shape = [16, 64]
#: fill = 1
#: [[arg]]
#: name = "o"
#: dtype = "f32"
#: shape = [16, 64]
#: expect = "all.bin"
# FILE: half.toml
#: program = "k.pto"
#: sync = "explicit"
#: [[arg]]
#: name = "a"
#: dtype = "f32"
#: shape = [16, 64]
#: fill = 1
#: [[arg]]
#: name = "o"
#: dtype = "f32"
#: shape = [16, 64]
#: expect = "half.bin"
#: select = { offset = 0, rows = 8, cols = 64, stride = 64 }
# FILE: k.pto
#: module attributes {pto.target_arch = "a3"} {
#:   func.func @unwritten(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>) attributes {pto.entry} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c8 = arith.constant 8 : index
#:     %c16 = arith.constant 16 : index
#:     %c64 = arith.constant 64 : index
#:     %at0 = arith.constant 0 : i64
#:     %at1 = arith.constant 8192 : i64
#:     %av = pto.make_tensor_view %a, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
#:     %ov = pto.make_tensor_view %o, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
#:     %ap = pto.partition_view %av, offsets = [%c0, %c0], sizes = [%c8, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x64xf32>
#:     %op = pto.partition_view %ov, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x64xf32>
#:     %half = pto.alloc_tile addr = %at0 : !pto.tile_buf<vec, 8x64xf32>
#:     %x = pto.alloc_tile addr = %at0 : !pto.tile_buf<vec, 16x64xf32>
#:     %y = pto.alloc_tile addr = %at1 : !pto.tile_buf<vec, 16x64xf32>
#:     pto.tload ins(%ap : !pto.partition_tensor_view<8x64xf32>) outs(%half : !pto.tile_buf<vec, 8x64xf32>)
#:     pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
#:     pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
#:     pto.tadd ins(%x, %x : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%x : !pto.tile_buf<vec, 16x64xf32>)
#:     pto.set_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]
#:     pto.wait_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]
#:     pto.tstore ins(%x : !pto.tile_buf<vec, 16x64xf32>) outs(%op : !pto.partition_tensor_view<16x64xf32>)
#:     return
#:   }
#: }

#= exit 0
#! k.pto:20:5: warning[UNINIT]: pto.tadd on V reads 4,096 bytes of %x, 2,048 of them never written, the first in ub at 0x800; output 'o' depends on their values [-Wuninitialised-read]
#!    20 |     pto.tadd ins(%x, %x : !pto.tile_buf<…>, !pto.tile_buf<…>) outs(%x : !pto.tile_buf<…>)
#!       |     ^~~~~~~~
#!   note: in cycle 269 on AIV0 of block 0
#!   help: load or fill these bytes before this read; if something does, a flag between the two is missing
#= exit 1
#! k.pto:20:5: error[UNINIT]: pto.tadd on V reads 4,096 bytes of %x, 2,048 of them never written, the first in ub at 0x800; output 'o' depends on their values, where the case expects something
#!    20 |     pto.tadd ins(%x, %x : !pto.tile_buf<…>, !pto.tile_buf<…>) outs(%x : !pto.tile_buf<…>)
#!       |     ^~~~~~~~
#!   note: in cycle 269 on AIV0 of block 0
#!   help: load or fill these bytes before this read; if something does, a flag between the two is missing
#= exit 0
#! k.pto:20:5: warning[UNINIT]: pto.tadd on V reads 4,096 bytes of %x, 2,048 of them never written, the first in ub at 0x800 [-Wuninitialised-read]
#!    20 |     pto.tadd ins(%x, %x : !pto.tile_buf<…>, !pto.tile_buf<…>) outs(%x : !pto.tile_buf<…>)
#!       |     ^~~~~~~~
#!   note: in cycle 269 on AIV0 of block 0
#!   help: load or fill these bytes before this read; if something does, a flag between the two is missing
#= exit 0
#! k.pto:20:5: warning[UNINIT]: pto.tadd on V reads 4,096 bytes of %x, 2,048 of them never written, the first in ub at 0x800; output 'o' depends on their values [-Wuninitialised-read]
#!    20 |     pto.tadd ins(%x, %x : !pto.tile_buf<…>, !pto.tile_buf<…>) outs(%x : !pto.tile_buf<…>)
#!       |     ^~~~~~~~
#!   note: in cycle 269 on AIV0 of block 0
#!   help: load or fill these bytes before this read; if something does, a flag between the two is missing
#= exit 0
#| error[UNINIT]: pto.tstore on MTE3 reads 4,096 bytes of %x, 2,048 of them never written, the first in ub at 0x800; an output depends on their values, where the case expects something
#= exit 0
