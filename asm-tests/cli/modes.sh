# Time mode takes the cycles of run mode; limits, entries and blocks.
# RUN: cd ../kernels && for k in attention.a2a3 matmul_tf32.a5; do diff <(pto-sim $k.toml | head -1) <(pto-sim $k.toml --mode time | head -1) && echo same; done
# RUN: cd ../kernels && pto-sim matmul_tf32.a5.toml --max-cycles 10 --report none
# RUN: cd $T && pto-sim two.pto --report none
# RUN: cd $T && pto-sim two.pto --report none --entry second --blocks 3
# RUN: cd $T && pto-sim two.pto --report none --entry third
# FILE: two.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @first() attributes {pto.kernel} {
#:     return
#:   }
#:   func.func @second() attributes {pto.kernel} {
#:     return
#:   }
#: }

#= exit 0
#| same
#| same
#= exit 1
#! matmul_tf32.a5.pto: error[MAX-CYCLES]: the kernel was still running at the limit of 10 cycles
#= exit 2
#! pto-sim: error: the program has several kernels; name one as entry: @first @second
#= exit 0
#= exit 2
#! pto-sim: error: no function @third; the program defines @first @second
