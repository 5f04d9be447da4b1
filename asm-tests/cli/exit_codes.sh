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
#:     pto.tpow ins(%a, %a : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>) outs(%a : !pto.tile_buf<vec, 16x16xf32>)
#:     return
#:   }
#: }
