# What the page knows of vectors and of memory, from the data in it.
# views: 16 x 64 are loaded in two halves; all of it is added, then the exponent of the upper half taken: 1024 + 512 elements. The halves are %t.
# mask: 4 repeats of 64 f32, then 2 repeats under a mask of ten elements: 256 + 20.
# vector_function: 16 passes of vmuls and vrelu on 64 lanes; loads, stores and predicates are no work of the unit.
# scaled_product: 2 * 16 * 32 * 64 operations of matrices; the scales are in their memories under their names.
# RUN: cd $T && pto-sim views.pto --report none --arg x=f32[16x64]:1 --arg y=f32[16x64] --html p.html && python3 facts.py p.html
# RUN: cd $T && pto-sim mask.pto --report none --arg x=f32[8x64]:1 --html p.html && python3 facts.py p.html
# RUN: cd ../examples/vector_function && pto-sim case.toml --report none --html $T/p.html && python3 $T/facts.py $T/p.html
# RUN: cd ../kernels && pto-sim scaled_product.pto --report none --arg a=f8e4m3[16x64]:1 --arg b=f8e4m3[64x32]:1 --arg sa=f8e8m0[16x2]:1 --arg sb=f8e8m0[2x32]:1 --arg o=f32[16x32] --html $T/p.html && python3 $T/facts.py $T/p.html
# FILE: facts.py
#: import json, re, sys
#: data = json.loads(re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', open(sys.argv[1], encoding='utf-8').read(), re.S)[1])
#: chip, memory = data['chip'], data['memory']
#: print('matrices', chip['cube_ops'], 'vectors', chip['vector_ops'], 'of', chip['vector_peak'], 'per cycle and unit')
#: for space, low, size, name in sorted(set(zip(memory['space'], memory['low'], memory['bytes'], memory['name']))):
#:     print(memory['spaces'][space], low, size, memory['names'][name])
# FILE: views.pto
#: !view = !pto.tensor_view<16x64xf32>
#: !half = !pto.partition_tensor_view<8x64xf32>
#: !all = !pto.partition_tensor_view<16x64xf32>
#: !tile = !pto.tile_buf<vec, 16x64xf32>
#: !part = !pto.tile_buf<vec, 8x64xf32>
#: module attributes {pto.target_arch = "a2a3"} {
#:   func.func @views(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c8 = arith.constant 8 : index
#:     %c16 = arith.constant 16 : index
#:     %c64 = arith.constant 64 : index
#:     %vx = pto.make_tensor_view %x, shape = [%c16, %c64], strides = [%c64, %c1] : !view
#:     %vy = pto.make_tensor_view %y, shape = [%c16, %c64], strides = [%c64, %c1] : !view
#:     %above = pto.partition_view %vx, offsets = [%c0, %c0], sizes = [%c8, %c64] : !view -> !half
#:     %below = pto.partition_view %vx, offsets = [%c8, %c0], sizes = [%c8, %c64] : !view -> !half
#:     %out = pto.partition_view %vy, offsets = [%c0, %c0], sizes = [%c16, %c64] : !view -> !all
#:     %t = pto.alloc_tile : !tile
#:     %u = pto.alloc_tile : !tile
#:     %upper = pto.subview %t[%c0, %c0] sizes [8, 64] : !tile -> !part
#:     %lower = pto.subview %t[%c8, %c0] sizes [8, 64] : !tile -> !part
#:     %first = pto.subview %u[%c0, %c0] sizes [8, 64] : !tile -> !part
#:     pto.tload ins(%above : !half) outs(%upper : !part)
#:     pto.tload ins(%below : !half) outs(%lower : !part)
#:     pto.tadd ins(%t, %t : !tile, !tile) outs(%u : !tile)
#:     pto.texp ins(%first : !part) outs(%first : !part)
#:     pto.tstore ins(%u : !tile) outs(%out : !all)
#:     return
#:   }
#: }
# FILE: mask.pto
#: module attributes {pto.target_arch = "a2a3"} {
#:   func.func @mask(%x: !pto.ptr<f32, gm>) attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
#:     %n0 = arith.constant 0 : i64
#:     %n1 = arith.constant 1 : i64
#:     %n2 = arith.constant 2 : i64
#:     %n4 = arith.constant 4 : i64
#:     %n8 = arith.constant 8 : i64
#:     %ten = arith.constant 1023 : i64
#:     %n2048 = arith.constant 2048 : i64
#:     %a = pto.castptr %n0 : i64 -> !pto.ptr<f32, ub>
#:     %b = pto.castptr %n2048 : i64 -> !pto.ptr<f32, ub>
#:     pto.mte_gm_ub %x, %a, %n0, %n2048 nburst(%n1, %n2048, %n2048) : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
#:     pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
#:     pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
#:     "pto.ub.vadd"(%b, %a, %a, %n4, %n1, %n1, %n1, %n8, %n8, %n8) : (!pto.ptr<f32, ub>, !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64, i64, i64) -> ()
#:     pto.barrier <PIPE_V>
#:     "pto.ub.set_mask"(%ten, %n0) : (i64, i64) -> ()
#:     "pto.ub.vmul"(%b, %a, %a, %n2, %n1, %n1, %n1, %n8, %n8, %n8) : (!pto.ptr<f32, ub>, !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64, i64, i64) -> ()
#:     return
#:   }
#: }

#= exit 0
#| matrices 0 vectors 1536 of 128.0 per cycle and unit
#| ub 0 4096 %t
#| ub 4096 4096 %u
#= exit 0
#| matrices 0 vectors 276 of 128.0 per cycle and unit
#| ub 0 2048 %a
#| ub 2048 1024 %b
#= exit 0
#| matrices 0 vectors 2048 of 256.0 per cycle and unit
#| ub 0 4096 %in
#| ub 4096 4000 %out
#= exit 0
#| matrices 65536 vectors 0 of 256.0 per cycle and unit
#| l1 0 1024 %ma
#| l1 4096 2048 %mb
#| l1 8192 32 %msa
#| l1 8704 64 %msb
#| l0a 0 1024 %l
#| l0b 0 2048 %r
#| l0c 0 2048 %acc
#| l0a_mx 0 32 %ls
#| l0b_mx 0 64 %rs
