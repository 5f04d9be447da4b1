# The first SIGINT ends the run, and the report so far is written; the exit code is the one that shells know.
# RUN: cd $T && bash stop.sh endless.pto --stats s.json > out 2> err; echo $?; grep -oE "error\\[.*" err | sed -E 's/[0-9,]+/N/g'; head -n 1 out | grep -oE "^[A-Z]+, 1 error"; python3 -c 'import json; s = json.load(open("s.json")); print(s["outcome"], [f["id"] for f in s["findings"]])'
# RUN: cd $T && bash stop.sh scalar.pto --report json > out 2> /dev/null; echo $?; python3 -c 'import json; print([f["id"] for f in json.load(open("out"))["findings"]])' 2>&1
# RUN: cd $T && bash stop.sh scope.pto --report json > out 2> /dev/null; echo $?; python3 -c 'import json; print([f["id"] for f in json.load(open("out"))["findings"]])' 2>&1
# What stood in an output stays, and nothing is left beside it.
# RUN: cd $T && printf before > c.bin && bash stop.sh argument.pto --arg c=i32[4] --out c=c.bin --quiet > out 2> /dev/null; echo $?; cat out c.bin; ls | grep -c c.bin
# FILE: argument.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%c: !pto.ptr<i32>) attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %true = arith.constant true
#:     %zero = arith.constant 0 : index
#:     %seven = arith.constant 7 : i32
#:     pto.store_scalar %seven, %c[%zero] : !pto.ptr<i32>, i32
#:     scf.while : () -> () {
#:       scf.condition(%true)
#:     } do {
#:       pto.barrier #pto.pipe<PIPE_V>
#:       scf.yield
#:     }
#:     return
#:   }
#: }
# FILE: stop.sh
#: # Interrupts a run as soon as it catches the signal.
#: pto-sim "$@" &
#: p=$!
#: while [ $((0x$(awk '/SigCgt/ {print $2}' /proc/$p/status) & 2)) = 0 ]; do sleep 0.02; done
#: sleep 0.2
#: kill -INT $p
#: wait $p
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
#| failed ['INTERRUPTED']
#= exit 0
#| 130
#| ['INTERRUPTED']
#= exit 0
#| 130
#| ['INTERRUPTED']
#= exit 0
#| 130
#| before1
