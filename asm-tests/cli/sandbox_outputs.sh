# --sandbox holds for every file that a run writes, not for those alone that the command line names: links of a stranger lead nowhere.
# RUN: cd $T && mkdir in in/w out && mv *.pto *.toml in && echo precious > out/victim && ln -s $T/out/victim in/w/t-0001.npy && pto-sim in/k.pto --sandbox --arg a=f32[16x16]:1 --arg o=f32[16x16] --watch t --watch-out in/w --report none 2>&1 | sed "s#$T/##"; cat out/victim
# RUN: cd $T && ln -s $T/out/victim in/w/rank0-t-0001.npy && pto-sim in/k.pto --sandbox --ranks 2 --arg a=f32[16x16]:1 --arg o=f32[16x16] --watch t --watch-out in/w --report none; cat out/victim; ls in/w
# RUN: cd $T && ln -s $T/out/victim in/s.csv && pto-sim sweep in/s.toml --sandbox --report none; cat out/victim; ls in/*.jsonl; rm in/s.csv
# RUN: cd $T && ln -s $T/out/victim in/s.jsonl && pto-sim sweep in/s.toml --sandbox --report none; cat out/victim; rm in/s.jsonl
# RUN: cd $T && pto-sim sweep in/s.toml --sandbox --out out/s --report none; pto-sim sweep in/up.toml --sandbox --report none; ls out
# RUN: cd $T && pto-sim sweep in/s.toml --sandbox --shard 0/1 --report none; mv in/s.shard-0-of-1.jsonl out && ln -s $T/out/s.shard-0-of-1.jsonl in/ && pto-sim sweep in/s.toml --sandbox --merge --report none; rm in/s.shard*
# RUN: cd $T && mkdir in/p && ln -s $T/out in/p/k && pto-sim profile in/k.pto --sandbox --out in/p | tail -n 2; pto-sim profile in --sandbox --out in/p | tail -n 2; ls out
# RUN: cd $T && ln -s $T/out/victim in/k.toml && pto-sim profile in/k.pto --sandbox --save-case in | tail -n 1; cat out/victim; pto-sim profile in/k.pto --sandbox --save-case in/q | tail -n 1; ls in/q
# RUN: cd $T && pto-sim diff in/k.pto in/k.pto --sandbox --arg a=f32[16x16]:1 --arg o=f32[16x16] --report none --html in/../out/p.html; ls out
# A case of a stranger sees no environment variables either.
# RUN: cd $T && mkdir env && cp in/k.pto env && printf 'program = "k.pto"\nentry = "${PTO_SECRET}"\n' > env/case.toml && export PTO_SECRET=hidden && pto-sim env/case.toml --sandbox; pto-sim env/case.toml --sandbox -D PTO_SECRET=k --arg a=f32[16x16]:1 --arg o=f32[16x16] --report none
# FILE: s.toml
#: program = "k.pto"
#: args = ["a=f32[16x16]:1", "o=f32[16x16]"]
#: mode = "time"
#: [grid]
#: target.machine.queue_depth = [4, 8]
# FILE: up.toml
#: program = "../out/k.pto"
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

#= exit 0
#| pto-sim: error: --sandbox: an output lies outside of the folder in: in/w/t-0001.npy
#| precious
#= exit 0
#| precious
#| rank0-t-0001.npy
#| t-0001.npy
#! pto-sim: error: --sandbox: an output lies outside of the folder in: in/w/rank0-t-0001.npy
#= exit 0
#| precious
#! pto-sim sweep: error: --sandbox: the table lies outside of the folder in: in/s.csv
#! ls: cannot access 'in/*.jsonl': No such file or directory
#= exit 0
#| precious
#! pto-sim sweep: error: --sandbox: the file of rows lies outside of the folder in: in/s.jsonl
#= exit 0
#| victim
#! pto-sim sweep: error: --sandbox: the table lies outside of the folder in: out/s.csv
#! pto-sim sweep: error: --sandbox: the program or case of the sweep lies outside of the folder in: out/k.pto
#= exit 0
#! pto-sim sweep: error: --sandbox: a shard lies outside of the folder in: in/s.shard-0-of-1.jsonl
#= exit 0
#| k                     -          -  -                    --sandbox: an output lies outside of the folder in: in/p/k/trace.json
#| 1 kernel: 0 ok, 1 not run
#| k                     -          -  -                    --sandbox: an output lies outside of the folder in: in/p/k/trace.json
#| 1 kernel: 0 ok, 1 not run
#| s.shard-0-of-1.jsonl
#| victim
#! pto-sim profile: error: in/k.pto: --sandbox: an output lies outside of the folder in: in/p/k/trace.json
#! pto-sim profile: error: in/k.pto: --sandbox: an output lies outside of the folder in: in/p/k/trace.json
#= exit 0
#| 1 kernel: 0 ok, 1 not run
#| precious
#| 1 kernel: 1 ok
#| k.toml
#! pto-sim profile: error: in/k.pto: --sandbox: an output lies outside of the folder in: in/k.toml
#= exit 0
#| s.shard-0-of-1.jsonl
#| victim
#! pto-sim diff: error: --sandbox: an output lies outside of the folder in: in/../out/p.html
#= exit 0
#! pto-sim: error: env/case.toml:2: ${PTO_SECRET}: --sandbox reads no environment variables; pass -D PTO_SECRET=..
