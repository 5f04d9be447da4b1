# An instruction without a cost row is refused, or takes one cycle and is counted when asked for: tile instructions, and vector
# instructions in a vector function.
# RUN: grep -v '^"tile.texp" = { model' ../../sim-configs/a5.toml > %t/a5.toml; cd %t; pto-sim exp.pto --target a5.toml --mode time --report none; echo $?; pto-sim exp.pto --target a5.toml --mode time --allow-unknown-cost | grep -E 'V  *2|warning'; pto-sim exp.pto --target a5.toml --mode time --allow-unknown-cost --report json | grep unknown
# RUN: grep -v '^"vec.\*"' ../../sim-configs/a5.toml > %t/a5.toml; cd %t; pto-sim load.pto --target a5.toml --mode time --arg a=f32[64] --report none; echo $?; pto-sim load.pto --target a5.toml --mode time --arg a=f32[64] --allow-unknown-cost | grep warning; pto-sim load.pto --mode time --arg a=f32[64] | grep warning
# FILE: exp.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.entry} {
#:     %t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
#:     pto.texp ins(%t : !pto.tile_buf<vec, 16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
#:     pto.texp ins(%t : !pto.tile_buf<vec, 16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
#:     return
#:   }
#: }
# FILE: load.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%a: !pto.ptr<f32>) attributes {pto.entry} {
#:     %c0 = arith.constant 0 : index
#:     %at = arith.constant 0 : i64
#:     %u = pto.castptr %at : i64 -> !pto.ptr<f32, ub>
#:     pto.vecscope {
#:       %v = pto.vlds %u[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
#:     }
#:     return
#:   }
#: }

#= exit 0
#| 3
#| AIV 0.0   V                2    67 %             2  not_issued 33 %
#| warning: 2 instructions without a cost row counted as 1 cycle each (--allow-unknown-cost)
#|   "unknown_instructions": 2
#! pto-sim: error: exp.pto: the target has no cost for pto.texp: no cost row for class 'tile.texp'
#= exit 1
#| 3
#| warning: 1 instruction without a cost row counted as 1 cycle each (--allow-unknown-cost)
#! pto-sim: error: load.pto: the target has no cost for pto.vlds: no cost row for class 'vec.vlds'
