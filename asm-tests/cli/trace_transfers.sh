# L2 and HBM in the trace. 1 MiB is read twice in tiles of 32 KiB and 32 KiB are written at the end. With an L2 of 64 KiB nothing of the first pass is there
# in the second, so each of these bytes comes from HBM once; a first touch is not told apart from what an earlier run left.
# in the second, so each of these bytes comes from HBM once (one line of 32 is looked at: within 16 KiB); a first touch is not told apart from what an earlier run left.
# RUN: cd %t && pto-sim $T/twice.pto --mode time --report none --arg x=f32[1024x256] --arg y=f32[32x256] --trace t.json && python3 $T/sums.py t.json
# FILE: twice.pto
#: module attributes {pto.target_arch = "a2a3"} {
#:   func.func @twice(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c2 = arith.constant 2 : index
#:     %c32 = arith.constant 32 : index
#:     %c256 = arith.constant 256 : index
#:     %c1024 = arith.constant 1024 : index
#:     %xv = pto.make_tensor_view %x, shape = [%c1024, %c256], strides = [%c256, %c1] : !pto.tensor_view<?x?xf32>
#:     %yv = pto.make_tensor_view %y, shape = [%c32, %c256], strides = [%c256, %c1] : !pto.tensor_view<?x?xf32>
#:     %yp = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%c32, %c256] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<32x256xf32>
#:     %t = pto.alloc_tile : !pto.tile_buf<vec, 32x256xf32>
#:     scf.for %pass = %c0 to %c2 step %c1 {
#:       scf.for %i = %c0 to %c1024 step %c32 {
#:         %xp = pto.partition_view %xv, offsets = [%i, %c0], sizes = [%c32, %c256] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<32x256xf32>
#:         pto.tload ins(%xp : !pto.partition_tensor_view<32x256xf32>) outs(%t : !pto.tile_buf<vec, 32x256xf32>)
#:       }
#:     }
#:     pto.tstore ins(%t : !pto.tile_buf<vec, 32x256xf32>) outs(%yp : !pto.partition_tensor_view<32x256xf32>)
#:     return
#:   }
#: }
# FILE: sums.py
#: import collections, json, sys
#: sums, last = collections.Counter(), {}
#: for event in json.load(open(sys.argv[1]))['traceEvents']:
#:     if event['ph'] != 'C' or event['name'][:3] not in ('L2 ', 'HBM'): continue
#:     (rate,) = event['args'].values()
#:     time, before = last.get(event['name'], (0, 0))
#:     sums[event['name']] += before * (event['ts'] - time)
#:     last[event['name']] = event['ts'], rate
#: for name in sorted(sums): print(name, f'{sums[name] / 1024:.0f} KiB')

#= exit 0
#| L2 reads 2048 KiB
#| L2 writes 32 KiB
