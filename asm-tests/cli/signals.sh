# What ends a program leaves no unfinished files behind, and nothing is put in place.
# RUN: cd $T && for signal in TERM HUP; do bash stop.sh $signal --trace t.json --stats s.json 2> /dev/null; ls -A | grep -cE '^(\.pto-|t.json|s.json)'; done
# The second interrupt does the same; a signal that is ignored stays so.
# RUN: cd $T && bash stop.sh "INT INT" --trace t.json > /dev/null 2>&1; ls -A | grep -cE '^\.pto-'; (trap '' HUP; bash stop.sh "HUP KILL" 2> /dev/null); ls -A | grep -cE '^\.pto-'
# FILE: stop.sh
#: # Sends signals to a run that has begun its files.
#: signals=$1; shift
#: pto-sim endless.pto "$@" --report none 2> /dev/null &
#: p=$!
#: for i in $(seq 500); do [ $((0x$(awk "/SigCgt/ {print \$2}" /proc/$p/status) & 0x4000)) = 0 ] || break; sleep 0.02; done
#: sleep 1
#: for signal in $signals; do kill -$signal $p; sleep 0.1; done
#: wait $p
#: echo "$signals $?"
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

#= exit 1
#| TERM 143
#| 0
#| HUP 129
#| 0
#= exit 1
#| 0
#| HUP KILL 137
#| 0
