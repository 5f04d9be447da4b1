# --set KEY=VALUE: over any target, TOML values, the last one wins; wrong keys and values are told as those of a file.
# RUN: cd %t && pto-sim k.pto --no-launch --mode time --report json --set machine.issue_cycles=500 | grep -A1 -E 'settings|total_cycles'; pto-sim k.pto --no-launch --mode time --report json --target my.toml --set machine.issue_cycles=500 --set machine.issue_cycles=9 | grep total_cycles
# RUN: cd %t && pto-sim k.pto --no-launch --mode time --report json --set 'cost."tile.tadd"={ busy = 1000, basis = "assumed", source = "none" }' | grep total_cycles
# RUN: cd %t && pto-sim k.pto --report none --set machine.bytes.ub=2048
# RUN: cd %t && for s in machine.queue_dpeth=4 queue_depth=4 machine.queue_depth=0 machine.queue_depth=1.5 machine=4 machine.queue_depth machine.chip=mine! 'base="a2a3"' 'machine.target="a2a3"'; do pto-sim k.pto --report none --set "$s"; echo $?; done
# RUN: cd %t && pto-sim k.pto --report none --set 'cost."tile.tadd".busy=1' 2>&1 | sed 's/toml:[0-9]*/toml:LINE/'
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.entry} {
#:     %t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
#:     pto.tadd ins(%t, %t : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
#:     return
#:   }
#: }
# FILE: my.toml
#: base = "a5"
#: machine.queue_depth = 2

#= exit 0
#|  "total_cycles": 575,
#|  "launch_cycles": 0,
#| --
#|  "settings": [
#|   "machine.issue_cycles=500"
#|  "total_cycles": 84,
#= exit 0
#|  "total_cycles": 1001,
#= exit 1
#! k.pto:4:5: error[E0601]: the tiles in vec take 4 KiB at this point, a5 with --set has 2 KiB
#!     4 |     pto.tadd ins(%t, %t : !pto.tile_buf<…>, !pto.tile_buf<…>) outs(%t : !pto.tile_buf<…>)
#!       |     ^~~~~~~~
#!   note: live tiles there:
#!         KiB      at byte  tile               line  in use
#!           4            0  %t                    3  line 4, beyond the end
#!   help: use smaller tiles, or split the work so that fewer tiles are live at the same time
#= exit 0
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#! pto-sim: error: --set machine.queue_dpeth=4: 'machine.queue_dpeth' is not a known key, did you mean 'queue_depth'?
#! pto-sim: error: --set queue_depth=4: 'queue_depth' is not a known key, did you mean 'machine.queue_depth'?
#! pto-sim: error: --set machine.queue_depth=0: 'machine.queue_depth' must be from 1 to 1048576
#! pto-sim: error: --set machine.queue_depth=1.5: 'machine.queue_depth' must be an integer
#! pto-sim: error: --set machine=4: 'machine' must be a table
#! pto-sim: error: --set machine.queue_depth: Error while parsing key-value pair: encountered end-of-file (write KEY=VALUE as in a file: machine.queue_depth=4)
#! pto-sim: error: --set machine.chip=mine!: Error while parsing value: could not determine value type (write KEY=VALUE as in a file: machine.queue_depth=4)
#! pto-sim: error: --set base="a2a3": 'base' is a key of files only
#! pto-sim: error: --set machine.target="a2a3": the target is chosen by --target
#= exit 0
#| pto-sim: error: sim-configs/a5.toml:LINE: 'cost."tile.tadd"' needs one of busy, use and model
