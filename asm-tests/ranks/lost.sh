# Three ranks set one word of a fourth: two of the notifies are lost. Added, none is.
# RUN: cd $T && pto-sim bad.toml --report none
# RUN: cd $T && sed "s/notify_op set/notify_op atomic_add/" bad.pto > good.pto && pto-sim good.toml --report none && echo clean
# FILE: bad.pto
#: !word = !pto.partition_tensor_view<1xi32>
#: module attributes {pto.target_arch = "a2a3"} {
#:   func.func @k(%signal: !pto.ptr<i32>, %first: !pto.ptr<i32>, %rank: i32) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %one = arith.constant 1 : i32
#:     %zero = arith.constant 0 : i32
#:     %fv = pto.make_tensor_view %first, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:     %w = pto.partition_view %fv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:     %sends = arith.cmpi ne, %rank, %zero : i32
#:     scf.if %sends {
#:       pto.comm.tnotify(%w, %one : !word, i32) {notifyOp = #pto<notify_op set>}
#:     }
#:     return
#:   }
#: }
# FILE: bad.toml
#: program = "bad.pto"
#: ranks = 4
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [1]
#: fill = 0
#: [[arg]]
#: name = "first"
#: peer = "signal@0"
#: [[arg]]
#: name = "rank"
#: dtype = "i32"
#: value = "{rank}"
# FILE: good.toml
#: program = "good.pto"
#: ranks = 4
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [1]
#: fill = 0
#: [[arg]]
#: name = "first"
#: peer = "signal@0"
#: [[arg]]
#: name = "rank"
#: dtype = "i32"
#: value = "{rank}"

#= exit 1
#! bad.pto:12:7: error[SIGNAL-LOST]: rank 2 sets argument 'signal' at byte 0 of rank 0 to 1, over a notification of rank 1 for which no wait has passed
#!    12 |       pto.comm.tnotify(%w, %one : !word, i32) {notifyOp = #pto<notify_op set>}
#!       |       ^~~~~~~~~~~~~~~~
#! bad.pto:12:7: note: the notify of rank 1: it made 1 of 0
#!    12 |       pto.comm.tnotify(%w, %one : !word, i32) {notifyOp = #pto<notify_op set>}
#!       |       ^~~~~~~~~~~~~~~~
#!   help: give every sender a word of its own, or let all of them add to one (atomic_add)
#= exit 0
#| clean
