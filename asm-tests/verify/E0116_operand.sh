# an operand that the instruction needs is not given
# RUN: cd %t && pto-as k.pto -o a.bin
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.kernel} {
#:     %a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
#:     "pto.tadd"(%a, %a) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) -> ()
#:     return
#:   }
#: }

#= exit 1
#! k.pto:4:6: error[E0116]: pto.tadd: operand 'src1' is missing
#!     4 |     "pto.tadd"(%a, %a) <{operandSegmentSizes = array<…>}> : (!pto.tile_buf<…>, !pto.tile_b…
#!       |      ^~~~~~~~
