# A barrier of eight ranks that a rank without work does not come to (after pypto#2778), and one that all come to.
# RUN: cd $T && pto-sim bad.toml --report none
# RUN: cd $T && pto-sim good.toml --report none && echo clean
# FILE: bad.pto
#: !word = !pto.partition_tensor_view<1xi32>
#: module attributes {pto.target_arch = "a2a3"} {
#:   func.func @k(%signal: !pto.ptr<i32>, %ctx: !pto.ptr<i64>, %rank: i32, %ranks: i32, %work: i32) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %one = arith.constant 1 : i32
#:     %me = arith.index_cast %rank : i32 to index
#:     %n = arith.index_cast %ranks : i32 to index
#:     %sv = pto.make_tensor_view %signal, shape = [%n], strides = [%c1] : !pto.tensor_view<?xi32>
#:     %c0_i32 = arith.constant 0 : i32
#:     %busy = arith.cmpi ne, %work, %c0_i32 : i32
#:     scf.if %busy {
#:       scf.for %peer = %c0 to %n step %c1 {
#:         %other = arith.cmpi ne, %peer, %me : index
#:         scf.if %other {
#:           %p = func.call @remote(%signal, %ctx, %me, %peer) : (!pto.ptr<i32>, !pto.ptr<i64>, index, index) -> !pto.ptr<i32>
#:           %pv = pto.make_tensor_view %p, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:           %w = pto.partition_view %pv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:           pto.comm.tnotify(%w, %one : !word, i32) {notifyOp = #pto<notify_op atomic_add>}
#:         }
#:       }
#:       scf.for %peer = %c0 to %n step %c1 {
#:         %other = arith.cmpi ne, %peer, %me : index
#:         scf.if %other {
#:           %w = pto.partition_view %sv, offsets = [%peer], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:           pto.comm.twait(%w, %one : !word, i32) {cmp = #pto<wait_cmp ge>}
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
#:   func.func @k(%signal: !pto.ptr<i32>, %ctx: !pto.ptr<i64>, %rank: i32, %ranks: i32, %work: i32) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
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
#:         pto.comm.tnotify(%w, %one : !word, i32) {notifyOp = #pto<notify_op atomic_add>}
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
#: ranks = 8
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [8]
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
#: [[arg]]
#: name = "work"
#: dtype = "i32"
#: value = "{rank}"
# FILE: good.toml
#: program = "good.pto"
#: ranks = 8
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [8]
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
#: [[arg]]
#: name = "work"
#: dtype = "i32"
#: value = "{rank}"

#= exit 1
#! bad.pto:26:11: error[DEADLOCK]: AIV0 of rank 1 waits until argument 'signal' at byte 0 is >= 1; it is 0 and no rank notifies it any more
#!    26 |           pto.comm.twait(%w, %one : !word, i32) {cmp = #pto<wait_cmp ge>}
#!       |           ^~~~~~~~~~~~~~
#!   note: no rank has notified this word
#!   note: rank 0 has ended
#!   note: the same on ranks 2, 3, 4, 5, 6, 7
#!   note: in cycle 7,375 on rank 1, AIV0 of block 0, iteration 1 of the loop at line 22 (%peer = 0)
#!   help: a notify for every wait: does the sender's address name this word of this rank?
#= exit 0
#| clean
