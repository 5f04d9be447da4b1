# Who orders the pipes: --sync auto inserts flags, --sync explicit leaves the program as it is and says what is missing.
# RUN: cd $T && pto-as k.pto --emit pto | grep -c set_flag
# RUN: cd $T && pto-as k.pto --emit pto --enable-insert-sync | grep -c set_flag
# RUN: cd $T && pto-as k.pto --emit pto --sync explicit --diagnostics json 2>&1 | grep -c E0511
# RUN: cd $T && pto-as k.pto --emit pto --sync explicit --no-verify | grep -c set_flag
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%p: !pto.ptr<f32>, %q: !pto.ptr<f32>) attributes {pto.entry} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c16 = arith.constant 16 : index
#:     %pv = pto.make_tensor_view %p, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
#:     %qv = pto.make_tensor_view %q, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
#:     %from = pto.partition_view %pv, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
#:     %to = pto.partition_view %qv, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
#:     %a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
#:     pto.tload ins(%from : !pto.partition_tensor_view<16x16xf32>) outs(%a : !pto.tile_buf<vec, 16x16xf32>)
#:     pto.tstore ins(%a : !pto.tile_buf<vec, 16x16xf32>) outs(%to : !pto.partition_tensor_view<16x16xf32>)
#:     return
#:   }
#: }

#= exit 0
#| 1
#= exit 0
#| 1
#= exit 0
#| 1
#= exit 1
#| 0
