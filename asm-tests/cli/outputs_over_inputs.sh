# No file that a run reads is overwritten by one that it writes: sweeps, profiles, what is watched, pages.
# RUN: cd $T && cp k.pto s.csv && pto-sim sweep s.toml --report none; cmp k.pto s.csv && echo intact
# RUN: cd $T && cp k.pto s.jsonl && sed -i 's/s.csv/s.jsonl/' s.toml && pto-sim sweep s.toml --report none; cmp k.pto s.jsonl && echo intact
# RUN: cd $T && cp s.toml x.csv && sed -i 's/s.jsonl/k.pto/' x.csv && pto-sim sweep x.csv --out x --report none; head -n 1 x.csv
# RUN: cd $T && pto-sim profile k.pto k.toml --save-case . | tail -n 1; head -n 1 k.toml
# RUN: cd $T && python3 -c 'import struct; open("t-0001.npy", "wb").write(b"\x93NUMPY\x01\x00\x76\x00" + b"{\x27descr\x27: \x27<f4\x27, \x27fortran_order\x27: False, \x27shape\x27: (16, 16), }".ljust(117) + b"\n" + struct.pack("<256f", *[2.0] * 256))' && cp t-0001.npy before && pto-sim k.pto --arg a=t-0001.npy --arg o=f32[16x16] --watch t --watch-out . --report none; cmp before t-0001.npy && echo intact
# RUN: cd $T && pto-sim k.pto --arg a=f32[16x16]:1 --arg o=f32[16x16] --stats a.json --report none && cp a.json b.json && pto-sim diff a.json b.json --report none --html a.json; cmp a.json b.json && echo intact
# FILE: s.toml
#: program = "s.csv"
#: args = ["a=f32[16x16]:1", "o=f32[16x16]"]
#: mode = "time"
#: [grid]
#: target.machine.queue_depth = [4, 8]
# FILE: k.toml
#: program = "k.pto"
#: [[arg]]
#: name = "a"
#: dtype = "f32"
#: shape = [16, 16]
#: [[arg]]
#: name = "o"
#: dtype = "f32"
#: shape = [16, 16]
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
#| intact
#! pto-sim sweep: error: the table and a file that the sweep reads are one file: s.csv
#= exit 0
#| intact
#! pto-sim sweep: error: the file of rows and a file that the sweep reads are one file: s.jsonl
#= exit 0
#| program = "k.pto"
#! pto-sim sweep: error: the table and the sweep file are one file: x.csv
#= exit 0
#| 2 kernels: 1 ok, 1 not run
#| program = "k.pto"
#! pto-sim profile: error: k.pto: an output and a program of the profile are one file: ./k.toml
#= exit 0
#| intact
#! pto-sim: error: an output and the input of 'a' are one file: ./t-0001.npy
#= exit 0
#| intact
#! pto-sim diff: error: an output and a compared file are one file: a.json
