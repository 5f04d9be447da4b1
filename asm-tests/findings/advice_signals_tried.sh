# Advice on signals between cores, tried before it is given: one fault in a kernel each, and what to do. The clean kernels are those of ../faults.
# RUN: bash %s
show() {  # KERNEL EDIT: what is said once each, of errors
  case $1 in
    signals.a5) arguments="--arg a=f16[16x16]:1 --arg b=f32[16x16]:1 --arg o=f32[16x16]" ;;
    both_cores.a5) arguments="--arg a=f16[16x16]:1 --arg s=f32[32x16] --arg o=f32[32x16]" ;;
    groups.a3) arguments="--arg f=i64[64]:0 --arg a=f16[16x16]:1 --arg s=f32[16x16] --arg h=f16[16x16] --arg o=f32[16x16]" ;;
    slots.a5) arguments="--arg a=f16[16x16]:1 --arg o=f32[8x256]" ;;
  esac
  echo "$1: $2"
  sed "$2" ../faults/$1.pto > $T/k.pto
  pto-sim $T/k.pto --report none --mode check --sync explicit -w $arguments 2>&1 | sed -n 's/^  help: /  /p' | sort -u
}
# A signal or a wait is missing, one line after the other.
show both_cores.a5 28d
show both_cores.a5 34d
show both_cores.a5 59d
show both_cores.a5 60d
show both_cores.a5 61d
show both_cores.a5 62d
show groups.a3 33d
show groups.a3 34d
show groups.a3 51d
show groups.a3 61d
# Another id, the other vector core, a mode too much, another mode, the other side.
show both_cores.a5 '60s/16/3/'
show both_cores.a5 '34s/, 1/, 17/'
show signals.a5 '57s/$/ {ffts_mode = 1 : i32}/'
show groups.a3 '33s/mode = 2/mode = 0/'
show both_cores.a5 '28s/wait/set/'
show groups.a3 '61s/set/wait/'
# Another pipe, and too early or too late.
show signals.a5 '31s/PIPE_V/PIPE_FIX/'
show groups.a3 '33s/PIPE_FIX/PIPE_V/'
show both_cores.a5 '62{h;d};63G'
show groups.a3 '32{h;d};33G'
# Nothing orders the cores at all.
show signals.a5 '/sync\./d'
show groups.a3 '/sync\./d'
show both_cores.a5 '/_block </d'
# Two faults: no single edit is enough, and nothing is said that was not tried.
show both_cores.a5 '34d;60d'
# An entry of a tile queue that is given back twice: no signals are missing beside the queue.
show slots.a5 54p

#= exit 0
#| both_cores.a5: 28d
#|   add pto.wait_intra_block <PIPE_V>, 0 before k.pto:28: tried, and nothing is out of order then
#|   load or fill these bytes before this read; if something does, a flag between the two is missing
#| both_cores.a5: 34d
#|   add pto.set_intra_block <PIPE_MTE3>, 1 after k.pto:32: tried, and nothing is out of order then
#| both_cores.a5: 59d
#|   add pto.set_intra_block <PIPE_FIX>, 0 after the loop at k.pto:56: tried, and nothing is out of order then
#| both_cores.a5: 60d
#|   add pto.set_intra_block <PIPE_FIX>, 16 after the loop at k.pto:56: tried, and nothing is out of order then
#| both_cores.a5: 61d
#|   add pto.wait_intra_block <PIPE_MTE2>, 1 before k.pto:62: tried, and nothing is out of order then
#| both_cores.a5: 62d
#|   add pto.wait_intra_block <PIPE_MTE2>, 17 before k.pto:62: tried, and nothing is out of order then
#| groups.a3: 33d
#|   add pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2 : i32} after k.pto:32: tried, and nothing is out of order then
#| groups.a3: 34d
#|   add pto.sync.wait <PIPE_MTE2>, 1 {ffts_mode = 2 : i32} before k.pto:34: tried, and nothing is out of order then
#| groups.a3: 51d
#|   add pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2 : i32} before k.pto:51: tried, and nothing is out of order then
#| groups.a3: 61d
#|   add pto.sync.set <PIPE_MTE3>, 1 {ffts_mode = 2 : i32} after k.pto:59: tried, and nothing is out of order then
#| both_cores.a5: 60s/16/3/
#|   write pto.set_intra_block <PIPE_FIX>, 16 at k.pto:60: tried, and nothing is out of order then
#| both_cores.a5: 34s/, 1/, 17/
#|   write pto.set_intra_block <PIPE_V>, 1 at k.pto:34: tried, and nothing is out of order then
#| signals.a5: 57s/$/ {ffts_mode = 1 : i32}/
#|   write pto.sync.set <PIPE_FIX>, 0 at k.pto:57: tried, and nothing is out of order then
#| groups.a3: 33s/mode = 2/mode = 0/
#|   write pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2 : i32} at k.pto:33: tried, and nothing is out of order then
#| both_cores.a5: 28s/wait/set/
#|   load or fill these bytes before this read; if something does, a flag between the two is missing
#|   write pto.wait_intra_block <PIPE_V>, 0 at k.pto:28: tried, and nothing is out of order then
#| groups.a3: 61s/set/wait/
#|   write pto.sync.set <PIPE_V>, 1 {ffts_mode = 2 : i32} at k.pto:61: tried, and nothing is out of order then
#| signals.a5: 31s/PIPE_V/PIPE_FIX/
#|   write pto.sync.set <PIPE_V>, 1 at k.pto:31: tried, and nothing is out of order then
#| groups.a3: 33s/PIPE_FIX/PIPE_V/
#|   write pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2 : i32} at k.pto:33: tried, and nothing is out of order then
#| both_cores.a5: 62{h;d};63G
#|   move pto.wait_intra_block <PIPE_MTE2>, 17 from k.pto:63 before k.pto:62: tried, and nothing is out of order then
#| groups.a3: 32{h;d};33G
#|   move pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2 : i32} from k.pto:32 after k.pto:33: tried, and nothing is out of order then
#| signals.a5: /sync\./d
#|   add pto.set_intra_block <PIPE_FIX>, 0 after k.pto:54 and add pto.wait_intra_block <PIPE_FIX>, 1 after k.pto:54 and add pto.wait_intra_block <PIPE_V>, 0 before k.pto:29 and add pto.set_intra_block <PIPE_V>, 1 after k.pto:29: tried, and nothing is out of order then
#| groups.a3: /sync\./d
#|   the accesses are on AIC 0 and AIV 0.0: order them with pto.sync.set and pto.sync.wait, or give the cores separate bytes
#|   the accesses are on AIV 0.0 and AIC 0: order them with pto.sync.set and pto.sync.wait, or give the cores separate bytes
#| both_cores.a5: /_block </d
#|   load or fill these bytes before this read; if something does, a flag between the two is missing
#|   the accesses are on AIV 0.0 and AIC 0: order them with pto.sync.set and pto.sync.wait, or give the cores separate bytes
#| both_cores.a5: 34d;60d
#|   as many signals as waits; between two cores of A5, AIV0 has ids 0..15 and AIV1 ids 16..31
#|   no other core signals id 1
#| slots.a5: 54p
#|   remove pto.tfree_from_aic {split = 0} at k.pto:55: tried, the error is gone then and none has come
