# Arguments of 2 GiB that a run in --mode time never reads take no memory; a run reads what it reads.
# UNSANITIZED: sanitizers take memory of their own
# RUN: cd %t; for mode in time check run; do python3 -c 'import resource, subprocess, sys; p = subprocess.run(sys.argv[1:], capture_output=True, text=True); print(p.returncode, p.stderr, "below 64 MiB" if resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 1 << 16 else "too much memory")' pto-sim k.pto --target a5 --mode $mode --report none --fill-uninit 0 --arg a=f32[16384x16384] --arg o=f32[16384x16384]; done
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%a: !pto.ptr<f32>, %o: !pto.ptr<f32>) attributes {pto.entry} {
#:     %c16 = arith.constant 16 : index
#:     %c1 = arith.constant 1 : index
#:     %c0 = arith.constant 0 : index
#:     %t = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
#:     %v = pto.make_tensor_view %a, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
#:     %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
#:     %one = arith.constant 1.0 : f32
#:     pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 16x16xf32>)
#:     pto.tadd ins(%t, %t : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)
#:     %w = pto.make_tensor_view %o, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
#:     %q = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
#:     pto.tstore ins(%t : !pto.tile_buf<vec, 16x16xf32>) outs(%q : !pto.partition_tensor_view<16x16xf32>)
#:     return
#:   }
#: }

#= exit 0
#| 0 k.pto:7:10: warning[SHAPE]: argument a is 16384x16384, the kernel views it as 16x16 (line 7) [-Wargument-of-another-shape]
#|     7 |     %v = pto.make_tensor_view %a, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tenso…
#|       |          ^~~~~~~~~~~~~~~~~~~~
#|   help: give the argument the shape that the kernel expects, or use a view with its real shape
#| k.pto:12:10: warning[SHAPE]: argument o is 16384x16384, the kernel views it as 16x16 (line 12) [-Wargument-of-another-shape]
#|    12 |     %w = pto.make_tensor_view %o, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tenso…
#|       |          ^~~~~~~~~~~~~~~~~~~~
#|   help: give the argument the shape that the kernel expects, or use a view with its real shape
#|  below 64 MiB
#| 0 k.pto:7:10: warning[SHAPE]: argument a is 16384x16384, the kernel views it as 16x16 (line 7) [-Wargument-of-another-shape]
#|     7 |     %v = pto.make_tensor_view %a, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tenso…
#|       |          ^~~~~~~~~~~~~~~~~~~~
#|   help: give the argument the shape that the kernel expects, or use a view with its real shape
#| k.pto:12:10: warning[SHAPE]: argument o is 16384x16384, the kernel views it as 16x16 (line 12) [-Wargument-of-another-shape]
#|    12 |     %w = pto.make_tensor_view %o, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tenso…
#|       |          ^~~~~~~~~~~~~~~~~~~~
#|   help: give the argument the shape that the kernel expects, or use a view with its real shape
#| k.pto: warning[UNWRITTEN]: o: 268,435,200 of 268,435,456 elements were never written (blocks=1) [-Woutput-written-in-part]
#|   help: launch as many blocks as the kernel divides its work into; bytes that are not written keep their values
#|  below 64 MiB
#| 0 k.pto:7:10: warning[SHAPE]: argument a is 16384x16384, the kernel views it as 16x16 (line 7) [-Wargument-of-another-shape]
#|     7 |     %v = pto.make_tensor_view %a, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tenso…
#|       |          ^~~~~~~~~~~~~~~~~~~~
#|   help: give the argument the shape that the kernel expects, or use a view with its real shape
#| k.pto:12:10: warning[SHAPE]: argument o is 16384x16384, the kernel views it as 16x16 (line 12) [-Wargument-of-another-shape]
#|    12 |     %w = pto.make_tensor_view %o, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tenso…
#|       |          ^~~~~~~~~~~~~~~~~~~~
#|   help: give the argument the shape that the kernel expects, or use a view with its real shape
#| k.pto: warning[UNWRITTEN]: o: 268,435,200 of 268,435,456 elements were never written (blocks=1) [-Woutput-written-in-part]
#|   help: launch as many blocks as the kernel divides its work into; bytes that are not written keep their values
#|  below 64 MiB
