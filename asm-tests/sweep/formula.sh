# Texts of a sweep that spreadsheets would run as formulas get an apostrophe in the table; numbers do not.
# RUN: cd $T && pto-sim sweep f.toml --report none; cut -d, -f1-3 f.csv
# A shard so large that the next point would be counted beyond 64 bits is one point.
# RUN: cd $T && pto-sim sweep f.toml --report none --shard 1/18446744073709551615; wc -l < f.shard-1-of-18446744073709551615.jsonl
# FILE: f.toml
#: case = "c.toml"
#: mode = "time"
#: [grid]
#: case.target = ["=cmd|calc!A0", "@SUM(1)", "+1+2", "-2+3", "a5"]
# FILE: c.toml
#: program = "k.pto"
#: target = "a5"
#: [[arg]]
#: name = "a"
#: dtype = "f32"
#: shape = [16, 16]
#: fill = 1
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
#| point,case.target,state
#| 0,'=cmd|calc!A0,unusable
#| 1,'@SUM(1),unusable
#| 2,'+1+2,unusable
#| 3,'-2+3,unusable
#| 4,a5,ok
#= exit 0
#| 1
