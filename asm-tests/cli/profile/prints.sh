# what kernels print: shown for one kernel, in report.txt for each
# RUN: cd $T && pto-sim profile one.pto --out out && head -2 out/one/report.txt
# RUN: cd $T && mkdir -p two && mv one.pto two && mv several.pto two && pto-sim profile two --out out && head -2 out/several/second/report.txt
# FILE: one.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @first() attributes {pto.kernel} {
#:     %x = arith.constant 41 : i32
#:     pto.print ins("x = %d", %x : i32)
#:     return
#:   }
#: }
# FILE: several.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @first() attributes {pto.kernel} {
#:     return
#:   }
#:   func.func @second() attributes {pto.kernel} {
#:     %x = arith.constant 42 : i32
#:     pto.print ins("x = %d", %x : i32)
#:     return
#:   }
#: }

#= exit 0
#| one.pto:4: print in cycle 0 on AIV0 of block 0
#| x = 41
#| kernel           cycles         us  bound by             findings
#| one @first        9,691        5.9  S 100 %              -
#| 1 kernel: 1 ok
#| one.pto:4: print in cycle 0 on AIV0 of block 0
#| x = 41
#= exit 0
#| kernel                cycles         us  bound by             findings
#| one @first             9,691        5.9  S 100 %              -
#| several @first         9,690        5.9  no work              -
#| several @second        9,691        5.9  S 100 %              -
#| 3 kernels: 3 ok
#| two/several.pto:7: print in cycle 0 on AIV0 of block 0
#| x = 42
