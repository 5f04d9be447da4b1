# Accesses of two ranks to the same bytes that no signal orders: a put and who reads what comes without waiting; a put of the next
# turn and who still reads what came in this one; two puts. With the wait, with a window for every other turn, with sums, there are
# none; nor where one rank hears of another by way of a third.
# RUN: cp *.pto $T && cd $T && grep -v twait put.pto > bad.pto && pto-sim put.toml --report none
# RUN: cd $T && sed -i s/bad.pto/put.pto/ put.toml && pto-sim put.toml --report none && echo clean
# RUN: cd $T && pto-sim turns.toml -D WINDOWS=1 --report none
# RUN: cd $T && pto-sim turns.toml -D WINDOWS=2 --report none && echo clean
# RUN: cd $T && pto-sim turns.toml -D WINDOWS=2 --ranks 3 --report none
# RUN: cd $T && sed "s/window@{next}/window@0/; s/ranks = 2/ranks = 3/" put.toml > two.toml && pto-sim two.toml --report none
# RUN: cd $T && sed "/tput/s/!tile)$/!tile) {atomicType = #pto<atomic_type atomic_add>}/" put.pto > bad.pto && sed -i s/put.pto/bad.pto/ two.toml && pto-sim two.toml --report none
# RUN: cd $T && pto-sim relay.toml --report none && echo clean
# RUN: cd $T && grep -v told.it relay.pto > early.pto && sed s/relay/early/ relay.toml > early.toml && pto-sim early.toml --report none
# FILE: put.toml
#: program = "bad.pto"
#: ranks = 2
#: [[arg]]
#: name = "x"
#: dtype = "f32"
#: shape = [1, 64]
#: fill = "{rank}"
#: [[arg]]
#: name = "window"
#: dtype = "f32"
#: shape = [1, 64]
#: fill = 0
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [1]
#: fill = 0
#: [[arg]]
#: name = "y"
#: dtype = "f32"
#: shape = [1, 64]
#: [[arg]]
#: name = "next_window"
#: peer = "window@{next}"
#: [[arg]]
#: name = "next_signal"
#: peer = "signal@{next}"
# FILE: turns.toml
#: program = "turns.pto"
#: ranks = 2
#: [[arg]]
#: name = "x"
#: dtype = "f32"
#: shape = [1, 64]
#: fill = "{rank}"
#: [[arg]]
#: name = "window"
#: dtype = "f32"
#: shape = [2, 64]
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [1]
#: fill = 0
#: [[arg]]
#: name = "y"
#: dtype = "f32"
#: shape = [3, 64]
#: [[arg]]
#: name = "next_window"
#: peer = "window@{next}"
#: [[arg]]
#: name = "next_signal"
#: peer = "signal@{next}"
# FILE: relay.toml
#: program = "relay.pto"
#: ranks = 3
#: [[arg]]
#: name = "x"
#: dtype = "i32"
#: shape = [1]
#: fill = "{rank}"
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [1]
#: fill = 0
#: [[arg]]
#: name = "last_x"
#: peer = "x@2"
#: [[arg]]
#: name = "next_signal"
#: peer = "signal@{next}"
#: [[arg]]
#: name = "rank"
#: dtype = "i32"
#: value = "{rank}"
# FILE: relay.pto
#: // Rank 0 stores at rank 2 and tells rank 1, which tells rank 2.
#: !word = !pto.partition_tensor_view<1xi32>
#: module attributes {pto.target_arch = "a2a3"} {
#:   func.func @k(%x: !pto.ptr<i32>, %signal: !pto.ptr<i32>, %last_x: !pto.ptr<i32>, %next_signal: !pto.ptr<i32>, %rank: i32) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %zero = arith.constant 0 : i32
#:     %one = arith.constant 1 : i32
#:     %two = arith.constant 2 : i32
#:     %sv = pto.make_tensor_view %signal, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:     %nv = pto.make_tensor_view %next_signal, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:     %own = pto.partition_view %sv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:     %other = pto.partition_view %nv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:     %first = arith.cmpi eq, %rank, %zero : i32
#:     scf.if %first {
#:       pto.store_scalar %one, %last_x[%c0] : !pto.ptr<i32>, i32
#:       pto.comm.tnotify(%other, %one : !word, i32) {notifyOp = #pto<notify_op set>}
#:     } else {
#:       pto.comm.twait(%own, %one : !word, i32) {cmp = #pto<wait_cmp eq>}  // told it
#:       %second = arith.cmpi eq, %rank, %one : i32
#:       scf.if %second {
#:         pto.comm.tnotify(%other, %one : !word, i32) {notifyOp = #pto<notify_op set>}
#:       } else {
#:         %y = pto.load_scalar %x[%c0] : !pto.ptr<i32> -> i32
#:         %z = arith.addi %y, %y : i32
#:         pto.store_scalar %z, %signal[%c0] : !pto.ptr<i32>, i32
#:       }
#:     }
#:     return
#:   }
#: }

#= exit 1
#! bad.pto:32:5: error[RANK-RACE]: pto.tload of rank 0 reads 256 bytes of argument 'window' at byte 0 of rank 0 that pto.comm.tput of rank 1 writes; no signal orders the two
#!    32 |     pto.tload ins(%wp : !row) outs(%b : !tile)
#!       |     ^~~~~~~~~
#! bad.pto:28:5: note: the other access is pto.comm.tput of rank 1
#!    28 |     pto.comm.tput(%np, %xp, buf(%stage) : !row, !row, !tile)
#!       |     ^~~~~~~~~~~~~
#!   note: the same on rank 1
#!   note: in cycle 1,443 on rank 0, AIV0 of block 0
#!   help: one of them comes first: that rank notifies behind it, and the other one waits for that: rank 0 in front of bad.pto:32, or rank 1 in front of bad.pto:28
#= exit 0
#| clean
#= exit 1
#! turns.pto:36:7: error[RANK-RACE]: pto.comm.tput of rank 1 writes 256 bytes of argument 'window' at byte 0 of rank 0 that pto.tload of rank 0 reads; no signal orders the two
#!    36 |       pto.comm.tput(%np, %xp, buf(%stage) : !row, !row, !tile)
#!       |       ^~~~~~~~~~~~~
#! turns.pto:41:7: note: the other access is pto.tload of rank 0, in cycle 2,447 on rank 0, AIV0 of block 0, iteration 1 of the loop at line 29 (%t = 0)
#!    41 |       pto.tload ins(%wp : !row) outs(%b : !tile)
#!       |       ^~~~~~~~~
#!   note: the same on rank 1
#!   help: one of them comes first: that rank notifies behind it, and the other one waits for that: rank 1 in front of turns.pto:36, or rank 0 in front of turns.pto:41
#= exit 0
#| clean
#= exit 1
#! turns.pto:36:7: error[RANK-RACE]: pto.comm.tput of rank 2 writes 256 bytes of argument 'window' at byte 0 of rank 0 that pto.tload of rank 0 reads; no signal orders the two
#!    36 |       pto.comm.tput(%np, %xp, buf(%stage) : !row, !row, !tile)
#!       |       ^~~~~~~~~~~~~
#! turns.pto:41:7: note: the other access is pto.tload of rank 0, in cycle 2,447 on rank 0, AIV0 of block 0, iteration 1 of the loop at line 29 (%t = 0)
#!    41 |       pto.tload ins(%wp : !row) outs(%b : !tile)
#!       |       ^~~~~~~~~
#!   note: the same on ranks 1, 2
#!   help: one of them comes first: that rank notifies behind it, and the other one waits for that: rank 2 in front of turns.pto:36, or rank 0 in front of turns.pto:41
#= exit 1
#! put.pto:28:5: error[RANK-RACE]: pto.comm.tput of rank 1 writes 256 bytes of argument 'window' at byte 0 of rank 0 that pto.comm.tput of rank 0 writes; no signal orders the two
#!    28 |     pto.comm.tput(%np, %xp, buf(%stage) : !row, !row, !tile)
#!       |     ^~~~~~~~~~~~~
#! put.pto:28:5: note: the other access is pto.comm.tput of rank 0, in cycle 0 on rank 0, AIV0 of block 0
#!    28 |     pto.comm.tput(%np, %xp, buf(%stage) : !row, !row, !tile)
#!       |     ^~~~~~~~~~~~~
#!   help: one of them comes first: that rank notifies behind it, and the other one waits for that: rank 1 in front of put.pto:28, or rank 0 in front of put.pto:28
#= exit 1
#! bad.pto:33:5: error[RANK-RACE]: pto.tload of rank 0 reads 256 bytes of argument 'window' at byte 0 of rank 0 that pto.comm.tput of rank 1 adds to; no signal orders the two
#!    33 |     pto.tload ins(%wp : !row) outs(%b : !tile)
#!       |     ^~~~~~~~~
#! bad.pto:28:5: note: the other access is pto.comm.tput of rank 1
#!    28 |     pto.comm.tput(%np, %xp, buf(%stage) : !row, !row, !tile) {atomicType = #pto<…>}
#!       |     ^~~~~~~~~~~~~
#!   note: in cycle 2,443 on rank 0, AIV0 of block 0
#!   help: one of them comes first: that rank notifies behind it, and the other one waits for that: rank 0 in front of bad.pto:33, or rank 1 in front of bad.pto:28
#= exit 0
#| clean
#= exit 1
#! early.pto:12:12: warning[W0104]: nothing loads or stores through %own, a part of %signal [-Wunused-window]
#!    12 |     %own = pto.partition_view %sv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32…
#!       |            ^~~~~~~~~~~~~~~~~~
#!   help: use %own, or remove it
#! early.pto:16:7: error[RANK-RACE]: pto.store_scalar of rank 0 writes 4 bytes of argument 'x' at byte 0 of rank 2 that pto.load_scalar of rank 2 reads; no signal orders the two
#!    16 |       pto.store_scalar %one, %last_x[%c0] : !pto.ptr<i32>, i32
#!       |       ^~~~~~~~~~~~~~~~
#! early.pto:23:14: note: the other access is pto.load_scalar of rank 2, in cycle 4 on rank 2, AIV0 of block 0
#!    23 |         %y = pto.load_scalar %x[%c0] : !pto.ptr<i32> -> i32
#!       |              ^~~~~~~~~~~~~~~
#!   help: one of them comes first: that rank notifies behind it, and the other one waits for that: rank 0 in front of early.pto:16, or rank 2 in front of early.pto:23
