# base = ".." of a configuration: everything is inherited, what is named is changed; chains, wrong bases and wrong keys.
# RUN: cd %t && mkdir sub && mv slower.toml small.toml sub/ && pto-sim k.pto --no-launch --mode time --report json --target a5 | grep total_cycles; pto-sim k.pto --no-launch --mode time --report json --target same.toml | grep total_cycles; pto-sim k.pto --no-launch --mode time --report json --target slow.toml | grep total_cycles
# RUN: cd %t && pto-sim k.pto --no-launch --mode time --report json --target sub/slower.toml | grep total_cycles; pto-sim k.pto --report none --target sub/small.toml
# RUN: cd %t && for f in cycle self unknown near typo row; do pto-sim k.pto --report none --target $f.toml; done
# RUN: cd %t && mkdir in && cp k.pto in/ && printf 'base = "../slow.toml"\n' > in/out.toml && pto-sim in/k.pto --sandbox --report none --target in/out.toml
# RUN: cd %t && pto-sim k.pto --mode time --report none --target sub/slower.toml --stats slow.toml
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.entry} {
#:     %t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
#:     pto.tadd ins(%t, %t : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
#:     return
#:   }
#: }
# FILE: same.toml
#: base = "a5"
# FILE: slow.toml
#: base = "a5"
#: [cost]
#: "tile.tadd" = { busy = 1000, basis = "assumed", source = "none" }
# FILE: slower.toml
#: base = "../slow.toml"
#: [machine]
#: issue_cycles = 500
# FILE: small.toml
#: base = "./slower.toml"
#: [machine.bytes]
#: ub = 2048
# FILE: cycle.toml
#: base = "other.toml"
# FILE: other.toml
#: # one
#: base = "cycle.toml"
# FILE: self.toml
#: base = "self.toml"
# FILE: unknown.toml
#: base = "sub/nothing.toml"
# FILE: near.toml
#: base = "a23"
# FILE: typo.toml
#: base = "a5"
#: [machine]
#: queue_dept = 3
# FILE: row.toml
#: base = "a5"
#: [cost]
#: "tile.tad" = { busy = 1000, basis = "assumed", source = "none" }

#= exit 0
#|  "total_cycles": 76,
#|  "total_cycles": 76,
#|  "total_cycles": 1001,
#= exit 1
#|  "total_cycles": 1500,
#! k.pto:4:5: error[E0601]: the tiles in vec take 4 KiB at this point, sub/small.toml has 2 KiB
#!     4 |     pto.tadd ins(%t, %t : !pto.tile_buf<…>, !pto.tile_buf<…>) outs(%t : !pto.tile_buf<…>)
#!       |     ^~~~~~~~
#!   note: live tiles there:
#!         KiB      at byte  tile               line  in use
#!           4            0  %t                    3  line 4, beyond the end
#!   help: use smaller tiles, or split the work so that fewer tiles are live at the same time
#= exit 2
#! pto-sim: error: other.toml:2: 'base' leads back to cycle.toml
#! pto-sim: error: self.toml:1: 'base' leads back to self.toml
#! pto-sim: error: unknown.toml:1: 'base': sub/nothing.toml: no such target or configuration file (targets: 910b1, 910b2, 910b3, 910b4, a2a3, a5, cpu)
#! pto-sim: error: near.toml:1: 'base': a23: no such target or configuration file (targets: 910b1, 910b2, 910b3, 910b4, a2a3, a5, cpu), did you mean 'a2a3'?
#! pto-sim: error: typo.toml:3: 'machine.queue_dept' is not a known key, did you mean 'queue_depth'?
#! pto-sim: error: row.toml:3: no instruction has cost class 'tile.tad', did you mean 'tile.tadd'?
#= exit 2
#! pto-sim: error: --sandbox: a base of the configuration lies outside of the folder in: in/../slow.toml
#= exit 2
#! pto-sim: error: --stats and a base of the configuration are one file: slow.toml
