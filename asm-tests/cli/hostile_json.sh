# JSON of strangers: nested deeply, with texts and lists where numbers belong, or no UTF-8.
# RUN: cd $T && python3 -c 'd = 100000; print("{\"cores\":" + "[" * d + "]" * d + ",\"total_cycles\":1}")' > deep.json && pto-sim diff deep.json deep.json
# RUN: cd $T && for stalls in '{"x":"a"}' '{"x":[1]}' '[1]' '"a"' 1e400 '{"x":1e308}' null; do echo '{"total_cycles":1,"cores":[{"pipes":[{"name":"PIPE_V","stall_cycles":'$stalls'}]}]}' > s.json; pto-sim diff s.json s.json --report none; echo $?; done
# RUN: cd $T && printf '{"total_cycles":1,"cores":[],"lines":[{"line":-1},{"line":1e300},{"line":"x"},5]}' > l.json && pto-sim diff l.json l.json --report none
# RUN: cd $T && printf 'subject,types,shape\npto.tadd\377,f32,16x16\n' > c.csv && pto-sim --cost-table c.csv --target a5 | grep -c '"subject": "pto.tadd.*",'
# RUN: cd $T && pto-sim sweep s.toml --report none && python3 -c 'd = 100000; open("s.jsonl", "a").write("[" * d + "]" * d + "\n")' && pto-sim sweep s.toml --report none
# FILE: s.toml
#: program = "k.pto"
#: args = ["a=f32[16x16]:1", "o=f32[16x16]"]
#: mode = "time"
#: [grid]
#: target.machine.queue_depth = [4, 8]
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%a: !pto.ptr<f32>, %o: !pto.ptr<f32>) attributes {pto.entry} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c16 = arith.constant 16 : index
#:     %v = pto.make_tensor_view %a, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
#:     %w = pto.make_tensor_view %o, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
#:     %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
#:     %q = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
#:     %t = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
#:     pto.tload ins(%p : !pto.partition_tensor_view<16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)
#:     pto.tstore ins(%t : !pto.tile_buf<vec, 16x16xf32>) outs(%q : !pto.partition_tensor_view<16x16xf32>)
#:     return
#:   }
#: }

#= exit 2
#! pto-sim diff: error: deep.json: these are no statistics of a run; --stats writes them
#= exit 0
#| 0
#| 0
#| 0
#| 0
#| 2
#| 0
#| 0
#! pto-sim diff: error: s.json: these are no statistics of a run; --stats writes them
#= exit 0
#= exit 0
#| 1
#= exit 2
#! pto-sim sweep: error: s.jsonl:3: this is no row of a sweep
