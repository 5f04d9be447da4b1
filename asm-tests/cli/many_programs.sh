# several programs: one after the other, a line at the end, the worst exit code; options of one run are refused
# RUN: cd $T && pto-sim good.pto good.pto --report none
# RUN: cd $T && pto-sim good.pto bad.pto missing.pto --report none
# RUN: cd $T && pto-sim good.pto good.pto --trace t.json
# FILE: good.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.kernel} { return }
#: }
# FILE: bad.pto
#: module { func.func @k() { %x = arith.addi %y, %y : i32 } }

#= exit 0
#| 2 programs: 2 ok
#= exit 2
#| 3 programs: 1 ok; not ok: bad.pto, missing.pto
#! bad.pto:1:43: error[E0112]: %y is not defined
#!     1 | module { func.func @k() { %x = arith.addi %y, %y : i32 } }
#!       |                                           ^~
#! pto-sim: error: cannot read missing.pto: No such file or directory
#= exit 2
#! pto-sim: error: --trace is for one program, 2 are given; pto-sim profile --out writes the files of many
