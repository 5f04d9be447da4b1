# The first SIGINT ends the run, and the report so far is written; the exit code is the one that shells know.
# RUN: cd $T && (pto-sim endless.pto --stats s.json > out 2> err & p=$!; sleep 1; kill -INT $p; wait $p; echo $?); grep -oE "error\\[.*" err | sed -E 's/[0-9,]+/N/g'; head -n 1 out | grep -oE "^[A-Z]+, 1 error"; python3 -c 'import json; s = json.load(open("s.json")); print(s["outcome"], s["total_cycles"] > 1000, [f["id"] for f in s["findings"]])'
# RUN: cd $T && (pto-sim scalar.pto --report json > out 2> /dev/null & p=$!; sleep 0.5; kill -INT $p; wait $p; echo $?); python3 -c 'import json; print([f["id"] for f in json.load(open("out"))["findings"]])'
# RUN: cd $T && (pto-sim scope.pto --report json > out 2> /dev/null & p=$!; sleep 0.5; kill -INT $p; wait $p; echo $?); python3 -c 'import json; print([f["id"] for f in json.load(open("out"))["findings"]])'
# FILE: endless.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %true = arith.constant true
#:     scf.while : () -> () {
#:       scf.condition(%true)
#:     } do {
#:       pto.barrier #pto.pipe<PIPE_V>
#:       scf.yield
#:     }
#:     return
#:   }
#: }
# FILE: scalar.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %much = arith.constant 250000000 : index
#:     scf.for %i = %c0 to %much step %c1 {
#:     }
#:     return
#:   }
#: }
# FILE: scope.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %much = arith.constant 1000000000 : index
#:     pto.vecscope {
#:       scf.for %i = %c0 to %much step %c1 {
#:       }
#:     }
#:     return
#:   }
#: }

#= exit 0
#| 130
#| error[INTERRUPTED]: the run was interrupted in cycle N; all that is reported is about the time before
#| FAILED, 1 error
#| failed True ['INTERRUPTED']
#= exit 0
#| 130
#| ['INTERRUPTED']
#= exit 0
#| 130
#| ['INTERRUPTED']
