# A barrier for every tile whose numbers are 1, 2, 1, ..: from the third tile on it holds nobody back (after pypto#1829). With
# numbers that grow it does.
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
#:     %trips = arith.constant 3 : index
#:     scf.for %t = %c0 to %trips step %c1 {
#:       %c2 = arith.constant 2 : index
#:       %turn = arith.remui %t, %c2 : index
#:       %number = arith.addi %turn, %c1 : index
#:       %epoch = arith.index_cast %number : index to i32
#:       scf.for %peer = %c0 to %n step %c1 {
#:         %other = arith.cmpi ne, %peer, %me : index
#:         scf.if %other {
#:           %p = func.call @remote(%signal, %ctx, %me, %peer) : (!pto.ptr<i32>, !pto.ptr<i64>, index, index) -> !pto.ptr<i32>
#:           %pv = pto.make_tensor_view %p, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:           %w = pto.partition_view %pv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:           pto.comm.tnotify(%w, %epoch : !word, i32) {notifyOp = #pto<notify_op set>}
#:         }
#:       }
#:       scf.for %peer = %c0 to %n step %c1 {
#:         %other = arith.cmpi ne, %peer, %me : index
#:         scf.if %other {
#:           %w = pto.partition_view %sv, offsets = [%peer], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:           pto.comm.twait(%w, %epoch : !word, i32) {cmp = #pto<wait_cmp ge>}
#:         }
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
#:     %trips = arith.constant 3 : index
#:     scf.for %t = %c0 to %trips step %c1 {
#:       %number = arith.addi %t, %c1 : index
#:       %epoch = arith.index_cast %number : index to i32
#:       scf.for %peer = %c0 to %n step %c1 {
#:         %other = arith.cmpi ne, %peer, %me : index
#:         scf.if %other {
#:           %p = func.call @remote(%signal, %ctx, %me, %peer) : (!pto.ptr<i32>, !pto.ptr<i64>, index, index) -> !pto.ptr<i32>
#:           %pv = pto.make_tensor_view %p, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:           %w = pto.partition_view %pv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:           pto.comm.tnotify(%w, %epoch : !word, i32) {notifyOp = #pto<notify_op set>}
#:         }
#:       }
#:       scf.for %peer = %c0 to %n step %c1 {
#:         %other = arith.cmpi ne, %peer, %me : index
#:         scf.if %other {
#:           %w = pto.partition_view %sv, offsets = [%peer], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:           pto.comm.twait(%w, %epoch : !word, i32) {cmp = #pto<wait_cmp ge>}
#:         }
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
#: ranks = 4
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [4]
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
#: ranks = 4
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [4]
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
#! bad.pto:29:11: error[SIGNAL-STALE]: this wait of rank 0 never blocks: argument 'signal' at byte 4 is >= 1 since its wait at line 29
#!    29 |           pto.comm.twait(%w, %epoch : !word, i32) {cmp = #pto<wait_cmp ge>}
#!       |           ^~~~~~~~~~~~~~
#! bad.pto:29:11: note: the wait before, in cycle 9,349 on rank 0, AIV0 of block 0
#!    29 |           pto.comm.twait(%w, %epoch : !word, i32) {cmp = #pto<wait_cmp ge>}
#!       |           ^~~~~~~~~~~~~~
#! bad.pto:22:11: note: rank 1 notifies the word again here; it is 1 then
#!    22 |           pto.comm.tnotify(%w, %epoch : !word, i32) {notifyOp = #pto<notify_op set>}
#!       |           ^~~~~~~~~~~~~~~~
#!   note: the same on ranks 1, 2, 3
#!   note: in cycle 15,526 on rank 0, AIV0 of block 0
#!   help: wait for a value that grows with every use, or reset the word before it is used again
#! bad.pto:22:11: error[SIGNAL-LOST]: rank 1 sets argument 'signal' at byte 4 of rank 0 to 1, and is not ordered after the wait for >= 2: with a late rank 0 that wait never sees its value and hangs
#!    22 |           pto.comm.tnotify(%w, %epoch : !word, i32) {notifyOp = #pto<notify_op set>}
#!       |           ^~~~~~~~~~~~~~~~
#! bad.pto:29:11: note: the wait
#!    29 |           pto.comm.twait(%w, %epoch : !word, i32) {cmp = #pto<wait_cmp ge>}
#!       |           ^~~~~~~~~~~~~~
#!   note: the same on ranks 1, 2, 3
#!   help: wait for >= 2 if the values grow, or answer after the wait and notify again when the answer has come
#= exit 0
#| clean
