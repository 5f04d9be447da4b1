# Memory follows what the blocks of a launch touch: 16,000 blocks, each with 256 KiB of UB, stay below 1 GiB and take the cycles of their waves: 250 of 64.
# RUN: cd %t; for n in 1 16000; do python3 -c 'import resource, subprocess, sys; p = subprocess.run(sys.argv[1:], capture_output=True, text=True); print(p.returncode, p.stdout.split(" cycles")[0], "below 1 GiB" if resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 1 << 20 else "too much memory")' pto-sim k.pto --target a5 --no-launch --blocks $n --arg a=f32[16x16]:1; done
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%a: !pto.ptr<f32>) attributes {pto.entry} {
#:     %c16 = arith.constant 16 : index
#:     %c1 = arith.constant 1 : index
#:     %c0 = arith.constant 0 : index
#:     %t = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
#:     %v = pto.make_tensor_view %a, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
#:     %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
#:     pto.tload ins(%p : !pto.partition_tensor_view<16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)
#:     pto.tadd ins(%t, %t : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)
#:     return
#:   }
#: }

#= exit 0
#| 0 ok: 235 below 1 GiB
#| 0 ok: 61,250 below 1 GiB
