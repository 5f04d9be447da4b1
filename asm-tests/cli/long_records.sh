# Traces and reports of single events are written while the run goes on: a long run has all of them, an endless one ends when nobody
# takes them, and a file that was there before stays.
# RUN: cd $T && bash run 12000 --report json --trace t.json > r.json && python3 $T/count.py; wc -l < t.json
# RUN: cd $T && printf old > a.bin && bash run 1000000000 --report none --trace /dev/full --out a=a.bin; echo $?; cat a.bin
# RUN: cd $T && mkfifo f && { head -c 1 f > /dev/null & bash run 1000000000 --report none --trace f; echo $?; }
# RUN: cd $T && bash run 1000000000 --report json 2> err | head -n 2; echo ${PIPESTATUS[0]}; sed -E 's/cycle [0-9]+/cycle N/' err
# RUN: cd $T && bash run 1000000000 --report none --trace missing/t.json
# FILE: run
#: n=$1; shift
#: exec pto-sim k.pto --no-launch --mode time --arg a=f32[64] --arg o=f32[64] --arg n=i64:$n "$@"
# FILE: count.py
#: import collections, json
#: events = json.load(open('t.json'))['traceEvents']
#: print(*sorted(collections.Counter(e.get('cat', 'names') + ' ' + e['ph'] for e in events).items()))
#: report = json.load(open('r.json'))
#: last = report['instructions'][-1]
#: print(len(report['instructions']), report['total_cycles'], last['mnemonic'], last['end'])
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>, %n: index) attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %c0 = arith.constant 0 : i64
#:     %c1 = arith.constant 1 : i64
#:     %c256 = arith.constant 256 : i64
#:     %i0 = arith.constant 0 : index
#:     %i1 = arith.constant 1 : index
#:     %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
#:     scf.for %i = %i0 to %n step %i1 {
#:       pto.mte_gm_ub %a, %u, %c0, %c256 nburst(%c1, %c256, %c256)
#:         : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
#:       pto.set_flag["PIPE_MTE2", "PIPE_MTE3", "EVENT_ID0"]
#:       pto.wait_flag["PIPE_MTE2", "PIPE_MTE3", "EVENT_ID0"]
#:       pto.mte_ub_gm %u, %o, %c256 nburst(%c1, %c256, %c256)
#:         : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
#:       pto.set_flag["PIPE_MTE3", "PIPE_MTE2", "EVENT_ID1"]
#:       pto.wait_flag["PIPE_MTE3", "PIPE_MTE2", "EVENT_ID1"]
#:     }
#:     return
#:   }
#: }

#= exit 0
#| ('block X', 1) ('flag X', 48000) ('flag f', 24000) ('flag s', 24000) ('instruction X', 24000) ('names C', 48000) ('names M', 10) ('stall X', 47981)
#| 24000 4656003 pto.mte_ub_gm 4656003
#| 215996
#= exit 0
#| 2
#| old
#! pto-sim: error: cannot write /dev/full: No space left on device
#= exit 0
#| 2
#! pto-sim: error: cannot write f: Broken pipe
#= exit 0
#| {
#|  "instructions": [
#| 2
#| k.pto: error[INTERRUPTED]: the run was interrupted in cycle N; all that is reported is about the time before
#= exit 2
#! pto-sim: error: cannot write missing/t.json: No such file or directory
