# An output of which the kernel writes nothing: a warning with counts where it is written to a file or compared, none where it has contents before, or nobody asks for it.
# RUN: cd $T && pto-sim k.pto --report none --arg n=i64:4 --arg o=f32[8x64] --out o=o.npy
# RUN: cd $T && pto-sim k.pto --report none --arg n=i64:0 --arg o=f32[8x64] --out o=o.npy
# RUN: cd $T && for o in 'f32[8x64]:1'; do pto-sim k.pto --report none --arg n=i64:4 --arg o=$o --out o=o.npy; done; pto-sim k.pto --report none --arg n=i64:4 --arg o=f32[8x64]
# RUN: cd $T && pto-sim out.toml --report none 2>&1 | grep UNWRITTEN; sed 's/output.*/expect = "e.bin"/' out.toml > e.toml && python3 -c 'open("e.bin", "wb").write(bytes(2048))' && pto-sim e.toml --report none 2>&1 | grep -oE "^.*UNWRITTEN.*$|error.MISMATCH"
# RUN: cd $T && sed '$afill = 2' out.toml > fill.toml && pto-sim fill.toml --report none
# FILE: out.toml
#: program = "k.pto"
#: [[arg]]
#: name = "n"
#: dtype = "i64"
#: value = 4
#: [[arg]]
#: name = "o"
#: dtype = "f32"
#: shape = [8, 64]
#: output = "o.npy"
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%n: index, %o: !pto.ptr<f32>) attributes {pto.kernel} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c8 = arith.constant 8 : index
#:     %c64 = arith.constant 64 : index
#:     %f = arith.constant 1.0 : f32
#:     %w = pto.make_tensor_view %o, shape = [%c8, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
#:     %q = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c8, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x64xf32>
#:     %u = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>
#:     pto.texpands ins(%f : f32) outs(%u : !pto.tile_buf<vec, 8x64xf32>)
#:     %b = arith.cmpi eq, %n, %c0 : index
#:     scf.if %b {
#:       pto.tstore ins(%u : !pto.tile_buf<vec, 8x64xf32>) outs(%q : !pto.partition_tensor_view<8x64xf32>)
#:     }
#:     return
#:   }
#: }

#= exit 0
#! k.pto: warning[UNWRITTEN]: o: 0 of 512 elements were written (blocks=1) [-Woutput-written-in-part]
#!   help: check the branches and loop bounds around the stores to it; all its bytes are uninitialised
#= exit 0
#= exit 0
#= exit 0
#| k.pto: warning[UNWRITTEN]: o: 0 of 512 elements were written (blocks=1) [-Woutput-written-in-part]
#| k.pto: warning[UNWRITTEN]: o: 0 of 512 elements were written (blocks=1) [-Woutput-written-in-part]
#= exit 0
