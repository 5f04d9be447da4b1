# Ranks run on threads of the host: reports and findings are the same bytes on any number of them.
# RUN: cp put.pto $T && cd $T && for n in 1 2 4; do mkdir $n && (cd $n && cp ../*.pto ../*.toml . && pto-sim case.toml --threads $n --trace t.json --stats s.json --events e.jsonl --report json > r.json; pto-sim race.toml --threads $n > race.txt 2>&1; echo $?); done; diff -r 1 2 && diff -r 1 4 && ls 1
# RUN: cd $T && pto-sim race.toml --threads 3 --report none 2>&1 | grep -c 'error.RANK-RACE'
# FILE: case.toml
#: program = "put.pto"
#: ranks = 5
#: [[arg]]
#: name = "x"
#: dtype = "f32"
#: shape = [1, 64]
#: fill = "{rank}"
#: [[arg]]
#: name = "window"
#: dtype = "f32"
#: shape = [1, 64]
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
# FILE: race.pto
#: !row = !pto.partition_tensor_view<1x64xf32>
#: !tile = !pto.tile_buf<vec, 1x64xf32>
#: module attributes {pto.target_arch = "a2a3"} {
#:   func.func @k(%x: !pto.ptr<f32>, %window: !pto.ptr<f32>, %next_window: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %n = arith.constant 64 : index
#:     %at = arith.constant 0 : i64
#:     %t = pto.alloc_tile addr = %at : !tile
#:     %xv = pto.make_tensor_view %x, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
#:     %wv = pto.make_tensor_view %window, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
#:     %nv = pto.make_tensor_view %next_window, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
#:     %xp = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c1, %n] : !pto.tensor_view<?x?xf32> -> !row
#:     %wp = pto.partition_view %wv, offsets = [%c0, %c0], sizes = [%c1, %n] : !pto.tensor_view<?x?xf32> -> !row
#:     %np = pto.partition_view %nv, offsets = [%c0, %c0], sizes = [%c1, %n] : !pto.tensor_view<?x?xf32> -> !row
#:     pto.comm.tput(%np, %xp, buf(%t) : !row, !row, !tile)
#:     pto.comm.tput(%xp, %wp, buf(%t) : !row, !row, !tile)
#:     return
#:   }
#: }
# FILE: race.toml
#: program = "race.pto"
#: ranks = 7
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
#: name = "next_window"
#: peer = "window@{next}"

#= exit 0
#| 1
#| 1
#| 1
#| case.toml
#| e.jsonl
#| put.pto
#| r.json
#| race.pto
#| race.toml
#| race.txt
#| s.json
#| t.json
#= exit 0
#| 1
