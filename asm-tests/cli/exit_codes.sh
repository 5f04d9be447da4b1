# 0 ok; 1 the program has a finding; 2 usage; 3 unsupported instruction.
# RUN: cd $T && pto-as ok.pto -o ok.bin && pto-sim ok.bin --report none
# RUN: cd $T && pto-as error.pto -o error.bin; echo $?; test -e error.bin
# RUN: cd $T && pto-as no_such_option --frobnicate
# RUN: cd $T && pto-as unknown.pto -o u.bin
# RUN: cd $T && pto-as unsupported.pto -o u.bin && pto-sim u.bin
# FILE: ok.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.kernel} {
#:     return
#:   }
#: }
# FILE: error.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.kernel} {
#:     %x = arith.addi %y, %y : i32
#:     return
#:   }
#: }
# FILE: unknown.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.kernel} {
#:     pto.tadx ins() outs()
#:     return
#:   }
#: }
# FILE: unsupported.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.kernel} {
#:     %a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
#:     %z = arith.constant 0 : i16
#:     pto.timg2col ins(%a, %z, %z : !pto.tile_buf<vec, 16x16xf32>, i16, i16) outs(%a : !pto.tile_buf<vec, 16x16xf32>)
#:     return
#:   }
#: }

#= exit 0
#= exit 1
#| 1
#! error.pto:3:21: error[E0112]: %y is not defined
#!     3 |     %x = arith.addi %y, %y : i32
#!       |                     ^~
#= exit 2
#! pto-as: error: unknown option '--frobnicate'; --help lists them
#= exit 1
#! unknown.pto:3:5: error[E0111]: there is no instruction pto.tadx
#!     3 |     pto.tadx ins() outs()
#!       |     ^~~~~~~~
#!   help: did you mean 'pto.tadd'?
#= exit 3
#! pto-sim: error: unsupported.pto:5: pto.timg2col is not supported by the simulator yet
