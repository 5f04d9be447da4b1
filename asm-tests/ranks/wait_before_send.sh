# Two ranks that wait before they send (after pypto#2397), and the same in the right order.
# RUN: cd $T && pto-sim bad.toml --report none
# RUN: cd $T && pto-sim good.toml --report none && echo clean
# FILE: bad.pto
#: !word = !pto.partition_tensor_view<1xi32>
#: module attributes {pto.target_arch = "a2a3"} {
#:   func.func @k(%signal: !pto.ptr<i32>, %ctx: !pto.ptr<i64>, %rank: i32, %ranks: i32) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %one = arith.constant 1 : i32
#:     %me = arith.index_cast %rank : i32 to index
#:     %n = arith.index_cast %ranks : i32 to index
#:     %sv = pto.make_tensor_view %signal, shape = [%n], strides = [%c1] : !pto.tensor_view<?xi32>
#:     scf.for %peer = %c0 to %n step %c1 {
#:       %other = arith.cmpi ne, %peer, %me : index
#:       scf.if %other {
#:         %w = pto.partition_view %sv, offsets = [%peer], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:         pto.comm.twait(%w, %one : !word, i32) {cmp = #pto<wait_cmp ge>}
#:       }
#:     }
#:     scf.for %peer = %c0 to %n step %c1 {
#:       %other = arith.cmpi ne, %peer, %me : index
#:       scf.if %other {
#:         %p = func.call @remote(%signal, %ctx, %me, %peer) : (!pto.ptr<i32>, !pto.ptr<i64>, index, index) -> !pto.ptr<i32>
#:         %pv = pto.make_tensor_view %p, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:         %w = pto.partition_view %pv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:         pto.comm.tnotify(%w, %one : !word, i32) {notifyOp = #pto<notify_op set>}
#:       }
#:     }
#:     return
#:   }
#:   // Where word %me of rank %peer lies, seen from here.
#:   func.func private @remote(%signal: !pto.ptr<i32>, %ctx: !pto.ptr<i64>, %me: index, %peer: index) -> !pto.ptr<i32> {
#:     %c4 = arith.constant 4 : index
#:     %size = arith.constant 4 : i64
#:     %mine = arith.addi %c4, %me : index
#:     %theirs = arith.addi %c4, %peer : index
#:     %a = pto.load_scalar %ctx[%mine] : !pto.ptr<i64> -> i64
#:     %b = pto.load_scalar %ctx[%theirs] : !pto.ptr<i64> -> i64
#:     %bytes = arith.subi %b, %a : i64
#:     %words = arith.divsi %bytes, %size : i64
#:     %off = arith.index_cast %words : i64 to index
#:     %there = arith.addi %off, %me : index
#:     %p = pto.addptr %signal, %there : !pto.ptr<i32> -> !pto.ptr<i32>
#:     return %p : !pto.ptr<i32>
#:   }
#: }
# FILE: good.pto
#: !word = !pto.partition_tensor_view<1xi32>
#: module attributes {pto.target_arch = "a2a3"} {
#:   func.func @k(%signal: !pto.ptr<i32>, %ctx: !pto.ptr<i64>, %rank: i32, %ranks: i32) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %one = arith.constant 1 : i32
#:     %me = arith.index_cast %rank : i32 to index
#:     %n = arith.index_cast %ranks : i32 to index
#:     %sv = pto.make_tensor_view %signal, shape = [%n], strides = [%c1] : !pto.tensor_view<?xi32>
#:     scf.for %peer = %c0 to %n step %c1 {
#:       %other = arith.cmpi ne, %peer, %me : index
#:       scf.if %other {
#:         %p = func.call @remote(%signal, %ctx, %me, %peer) : (!pto.ptr<i32>, !pto.ptr<i64>, index, index) -> !pto.ptr<i32>
#:         %pv = pto.make_tensor_view %p, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:         %w = pto.partition_view %pv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:         pto.comm.tnotify(%w, %one : !word, i32) {notifyOp = #pto<notify_op set>}
#:       }
#:     }
#:     scf.for %peer = %c0 to %n step %c1 {
#:       %other = arith.cmpi ne, %peer, %me : index
#:       scf.if %other {
#:         %w = pto.partition_view %sv, offsets = [%peer], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:         pto.comm.twait(%w, %one : !word, i32) {cmp = #pto<wait_cmp ge>}
#:       }
#:     }
#:     return
#:   }
#:   // Where word %me of rank %peer lies, seen from here.
#:   func.func private @remote(%signal: !pto.ptr<i32>, %ctx: !pto.ptr<i64>, %me: index, %peer: index) -> !pto.ptr<i32> {
#:     %c4 = arith.constant 4 : index
#:     %size = arith.constant 4 : i64
#:     %mine = arith.addi %c4, %me : index
#:     %theirs = arith.addi %c4, %peer : index
#:     %a = pto.load_scalar %ctx[%mine] : !pto.ptr<i64> -> i64
#:     %b = pto.load_scalar %ctx[%theirs] : !pto.ptr<i64> -> i64
#:     %bytes = arith.subi %b, %a : i64
#:     %words = arith.divsi %bytes, %size : i64
#:     %off = arith.index_cast %words : i64 to index
#:     %there = arith.addi %off, %me : index
#:     %p = pto.addptr %signal, %there : !pto.ptr<i32> -> !pto.ptr<i32>
#:     return %p : !pto.ptr<i32>
#:   }
#: }
# FILE: bad.toml
#: program = "bad.pto"
#: ranks = 2
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [2]
#: fill = 0
#: [[arg]]
#: name = "ctx"
#: dtype = "i64"
#: shape = [132]
#: fill = "context"
#: [[arg]]
#: name = "rank"
#: dtype = "i32"
#: value = "{rank}"
#: [[arg]]
#: name = "ranks"
#: dtype = "i32"
#: value = "{nranks}"
# FILE: good.toml
#: program = "good.pto"
#: ranks = 2
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [2]
#: fill = 0
#: [[arg]]
#: name = "ctx"
#: dtype = "i64"
#: shape = [132]
#: fill = "context"
#: [[arg]]
#: name = "rank"
#: dtype = "i32"
#: value = "{rank}"
#: [[arg]]
#: name = "ranks"
#: dtype = "i32"
#: value = "{nranks}"

#= exit 1
#! bad.pto:14:9: error[DEADLOCK]: AIV0 of rank 0 waits until argument 'signal' at byte 4 is >= 1; it is 0, and who would notify it waits as well
#!    14 |         pto.comm.twait(%w, %one : !word, i32) {cmp = #pto<wait_cmp ge>}
#!       |         ^~~~~~~~~~~~~~
#!   note: no rank has notified this word
#! bad.pto:23:9: note: rank 1 would notify it here, behind its wait at line 14
#!    23 |         pto.comm.tnotify(%w, %one : !word, i32) {notifyOp = #pto<notify_op set>}
#!       |         ^~~~~~~~~~~~~~~~
#!   note: the same on rank 1
#!   note: in cycle 8 on rank 0, AIV0 of block 0, iteration 2 of the loop at line 10 (%peer = 1)
#!   help: every rank waits before it notifies: notify (at line 23) before line 14
#= exit 0
#| clean
