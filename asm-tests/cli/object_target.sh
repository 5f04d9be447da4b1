# An object that is run for another target than it was assembled for is told like a text, unless that target is cpu.
# RUN: cd $T && pto-as k.pto && pto-sim --target a5 k.bin --report none
# RUN: cd $T && pto-sim --target a5 k.pto --report none
# RUN: cd $T && pto-sim --target a2a3 k.bin --report none
# RUN: cd $T && pto-sim --target cpu k.bin --report none
# RUN: cd $T && pto-sim --target a5 k.bin --report none -Wno-target-overridden
# RUN: cd $T && pto-sim --target a5 k.bin --report none -Werror
# RUN: cd $T && pto-as open.pto && pto-sim --target a5 open.bin --report none
# FILE: k.pto
#: module attributes {pto.target_arch = "a3"} {
#:   func.func @k() attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     return
#:   }
#: }
# FILE: open.pto
#: func.func @k() attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
#:   return
#: }

#= exit 0
#! k.bin: warning[W0101]: the object is assembled for a2a3, but is run for a5 [-Wtarget-overridden]
#!   help: --target wins; leave it out, or assemble for that target
#= exit 0
#! k.pto:1:38: warning[W0101]: the module is written for a2a3, but is assembled for a5 [-Wtarget-overridden]
#!     1 | module attributes {pto.target_arch = "a3"} {
#!       |                                      ^~~~
#!   help: --target wins; leave it out, or change the module
#= exit 0
#= exit 0
#= exit 0
#= exit 1
#! k.bin: error[W0101]: the object is assembled for a2a3, but is run for a5 [-Werror=target-overridden]
#!   help: --target wins; leave it out, or assemble for that target
#= exit 0
