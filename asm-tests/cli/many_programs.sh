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

