# -W switches: off, error, by id and by name; unknown names are refused with the nearest one.
# RUN: cd $T && pto-as k.pto -o k.bin
# RUN: cd $T && pto-as -Wno-ignored-attribute k.pto -o k.bin
# RUN: cd $T && pto-as -Wno-W0312 k.pto -o k.bin
# RUN: cd $T && pto-as -Werror k.pto -o k.bin; echo $?
# RUN: cd $T && pto-as -Werror=ignored-attribute k.pto -o k.bin; echo $?
# RUN: cd $T && pto-as -Werror -Wno-error=W0312 k.pto -o k.bin; echo $?
# RUN: cd $T && pto-as -Werror -w k.pto -o k.bin; echo $?
# RUN: cd $T && pto-as --warn no-ignored-attribute k.pto -o k.bin
# RUN: cd $T && pto-sim --report none --arg s=f32:1 k.pto
# RUN: cd $T && pto-sim --report none --arg s=f32:1 -Werror k.pto
# RUN: cd $T && pto-as -Wno-ignored-atribute k.pto -o k.bin
# RUN: cd $T && pto-as -Werror=E0301 k.pto -o k.bin
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%s: f32) attributes {pto.kernel} {
#:     %a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
#:     pto.texpands ins(%s : f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>) {remark = 1 : i32}
#:     return
#:   }
#: }

#= exit 0
#! k.pto:4:74: warning[W0312]: pto.texpands has no attribute 'remark' [-Wignored-attribute]
#!     4 |     pto.texpands ins(%s : f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>) {remark = 1 : i32}
#!       |                                                                          ^~~~~~
#!   help: it has none; this one is kept and has no effect
#= exit 0
#= exit 0
#= exit 0
#| 1
#! k.pto:4:74: error[W0312]: pto.texpands has no attribute 'remark' [-Werror=ignored-attribute]
#!     4 |     pto.texpands ins(%s : f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>) {remark = 1 : i32}
#!       |                                                                          ^~~~~~
#!   help: it has none; this one is kept and has no effect
#= exit 0
#| 1
#! k.pto:4:74: error[W0312]: pto.texpands has no attribute 'remark' [-Werror=ignored-attribute]
#!     4 |     pto.texpands ins(%s : f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>) {remark = 1 : i32}
#!       |                                                                          ^~~~~~
#!   help: it has none; this one is kept and has no effect
#= exit 0
#| 0
#! k.pto:4:74: warning[W0312]: pto.texpands has no attribute 'remark' [-Wignored-attribute]
#!     4 |     pto.texpands ins(%s : f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>) {remark = 1 : i32}
#!       |                                                                          ^~~~~~
#!   help: it has none; this one is kept and has no effect
#= exit 0
#| 0
#= exit 0
#= exit 0
#! k.pto:4:74: warning[W0312]: pto.texpands has no attribute 'remark' [-Wignored-attribute]
#!     4 |     pto.texpands ins(%s : f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>) {remark = 1 : i32}
#!       |                                                                          ^~~~~~
#!   help: it has none; this one is kept and has no effect
#= exit 1
#! k.pto:4:74: error[W0312]: pto.texpands has no attribute 'remark' [-Werror=ignored-attribute]
#!     4 |     pto.texpands ins(%s : f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>) {remark = 1 : i32}
#!       |                                                                          ^~~~~~
#!   help: it has none; this one is kept and has no effect
#= exit 2
#! pto-as: error: --warn: there is no warning 'ignored-atribute'; did you mean 'ignored-attribute'?
#= exit 2
#! pto-as: error: --warn: 'E0301' is an error, only warnings can be switched
