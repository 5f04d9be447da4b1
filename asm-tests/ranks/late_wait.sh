# Two ranks tell each other a number in turns. Who waits for exactly that number never sees it when the other one has gone on: nothing tells the sender that the wait is over. With >= nothing is lost, nor
# where each answers behind its wait and the other one waits for the answer. What happened in the run does not matter.
# RUN: cd $T; pto-sim case.toml --report none 2>&1 | grep -E "error|note: the wait|help"
# RUN: cd $T; sed 's/wait_cmp eq/wait_cmp ge/' k.pto > ge.pto; sed 's/k.pto/ge.pto/' case.toml > ge.toml; pto-sim ge.toml --report none && echo clean
# RUN: cd $T; sed 's|// answer ||' k.pto > told.pto; sed 's/k.pto/told.pto/' case.toml > told.toml; pto-sim told.toml --report none && echo clean
# FILE: k.pto
#: !word = !pto.partition_tensor_view<1xi32>
#: module attributes {pto.target_arch = "a2a3"} {
#:   func.func @k(%sig: !pto.ptr<i32>, %ack: !pto.ptr<i32>, %nsig: !pto.ptr<i32>, %nack: !pto.ptr<i32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c3 = arith.constant 3 : index
#:     %sv = pto.make_tensor_view %sig, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:     %av = pto.make_tensor_view %ack, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:     %nsv = pto.make_tensor_view %nsig, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:     %nav = pto.make_tensor_view %nack, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
#:     %s = pto.partition_view %sv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:     %a = pto.partition_view %av, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:     %ns = pto.partition_view %nsv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:     %na = pto.partition_view %nav, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
#:     scf.for %i = %c0 to %c3 step %c1 {
#:       %t = arith.addi %i, %c1 : index
#:       %turn = arith.index_cast %t : index to i32
#:       pto.comm.tnotify(%ns, %turn : !word, i32) {notifyOp = #pto<notify_op set>}
#:       pto.comm.twait(%s, %turn : !word, i32) {cmp = #pto<wait_cmp eq>}
#:       // answer pto.comm.tnotify(%na, %turn : !word, i32) {notifyOp = #pto<notify_op set>}
#:       // answer pto.comm.twait(%a, %turn : !word, i32) {cmp = #pto<wait_cmp ge>}
#:     }
#:     return
#:   }
#: }
# FILE: case.toml
#: program = "k.pto"
#: ranks = 2
#: [[arg]]
#: name = "sig"
#: dtype = "i32"
#: shape = [1]
#: fill = 0
#: [[arg]]
#: name = "ack"
#: dtype = "i32"
#: shape = [1]
#: fill = 0
#: [[arg]]
#: name = "nsig"
#: peer = "sig@{next}"
#: [[arg]]
#: name = "nack"
#: peer = "ack@{next}"

#= exit 0
#| k.pto:18:7: error[SIGNAL-LOST]: rank 1 sets argument 'sig' at byte 0 of rank 0 to 2, and is not ordered after the wait for == 1: with a late rank 0 that wait never sees its value and hangs
#| k.pto:19:7: note: the wait
#|   help: wait for >= 1 if the values grow, or answer after the wait and notify again when the answer has come
#= exit 0
#| clean
#= exit 0
#| clean
