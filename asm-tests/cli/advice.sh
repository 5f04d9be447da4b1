# --advice and --what-if: a kernel with one buffer, a flag that orders nothing, a barrier of all pipes, and sources in one bank group.
# RUN: cd %t && pto-sim k.pto --no-launch --mode time --arg a=f32[192x64] --arg o=f32[64x64] --advice --what-if "free PIPE_MTE2" --what-if "no-wait 23" --what-if "bandwidth x2" --what-if machine.queue_depth=64
# RUN: cd %t && for q in "free PIPE_S" "no-wait 22" "bandwidth fast" faster machine.queue_dpeth=4; do pto-sim k.pto --no-launch --mode time --report none --arg a=f32[192x64] --arg o=f32[64x64] --what-if "$q"; echo $?; done
# RUN: cd %t && pto-sim k.pto --no-launch --mode time --arg a=f32[192x64] --arg o=f32[64x64] --report json --advice --what-if "free V" | python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["total_cycles"], sum(p["end"] - p["begin"] for p in r["critical_path"]), [a["kind"] for a in r["advice"]], r["what_if"], r["event_ids"][0], sorted(r["flags"][0]))'
# RUN: cd %t && pto-sim k.pto --no-launch --mode time --arg a=f32[192x64] --arg o=f32[64x64] --report none --advice --trace t.json > /dev/null && grep -c '"cat":"critical path"' t.json
# FILE: k.pto
#: !tile = !pto.tile_buf<vec, 16x64xf32>
#: !view = !pto.tensor_view<?x?xf32>
#: !part = !pto.partition_tensor_view<16x64xf32>
#: module attributes {pto.target_arch = "a3", pto.kernel_kind = #pto.kernel_kind<vector>} {
#:   func.func @k(%a: !pto.ptr<f32>, %o: !pto.ptr<f32>) attributes {pto.entry} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c4 = arith.constant 4 : index
#:     %c16 = arith.constant 16 : index
#:     %c64 = arith.constant 64 : index
#:     %c192 = arith.constant 192 : index
#:     %z = arith.constant 0 : i64
#:     %at4k = arith.constant 4096 : i64
#:     %av = pto.make_tensor_view %a, shape = [%c192, %c64], strides = [%c64, %c1] : !view
#:     %ov = pto.make_tensor_view %o, shape = [%c64, %c64], strides = [%c64, %c1] : !view
#:     %x = pto.alloc_tile addr = %z : !tile
#:     %y = pto.alloc_tile addr = %at4k : !tile
#:     pto.set_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]
#:     scf.for %i = %c0 to %c4 step %c1 {
#:       %r = arith.muli %i, %c16 : index
#:       %ap = pto.partition_view %av, offsets = [%r, %c0], sizes = [%c16, %c64] : !view -> !part
#:       %op = pto.partition_view %ov, offsets = [%r, %c0], sizes = [%c16, %c64] : !view -> !part
#:       pto.wait_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]
#:       pto.tload ins(%ap : !part) outs(%x : !tile)
#:       pto.tload ins(%ap : !part) outs(%y : !tile)
#:       pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
#:       pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]
#:       pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
#:       pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]
#:       pto.tadd ins(%x, %y : !tile, !tile) outs(%x : !tile)
#:       pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
#:       pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
#:       pto.tstore ins(%x : !tile) outs(%op : !part)
#:       pto.set_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]
#:     }
#:     pto.wait_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]
#:     pto.barrier <PIPE_ALL>
#:     return
#:   }
#: }

#= exit 0
#| ok: 2,082 cycles, bound by waiting: the busiest pipe, MTE2, works 33 % of the time; it waits for MTE3 (EVENT_ID0) at k.pto:23 for 50 % of the time
#|
#| core      pipe   busy cycles    busy  instructions  idle because of
#| AIV 0.0   S               60   2.9 %            72  barrier 97 %
#| AIV 0.0   MTE2           688    33 %             8  flag 67 %, not_issued 0.2 %, finished <0.1 %
#| AIV 0.0   V              144   6.9 %             4  flag 85 %, barrier 8.1 %, not_issued 0.4 %, finished <0.1 %
#| AIV 0.0   MTE3           588    28 %             4  flag 71 %, not_issued 0.6 %, finished <0.1 %
#| 1.13 us at 1.85 GHz; GM reads 29.1 GB/s (1 % of L2); GM writes 14.6 GB/s (0 % of L2)
#| cost basis: 100 % measured (of 1,420 busy cycles)
#|
#| critical path: 2,082 cycles in 18 parts: MTE2 61 %, MTE3 28 %, V 11 %, S 0.3 %
#|          916    44 %  MTE2  pto.tload at k.pto:25, 4 times
#|          588    28 %  MTE3  pto.tstore at k.pto:33, 4 times
#|          344    17 %  MTE2  pto.tload at k.pto:24, 4 times
#|          228    11 %  V     pto.tadd at k.pto:30, 4 times
#|            6   0.3 %  S     scalar unit, 2 times
#| flags: the cycles that their waits took, and by how many the set came before at least
#|        1,760          MTE2 -> V, line 26 to 28, waited 4 of 4 times
#|        1,480          V -> MTE3, line 31 to 32, waited 4 of 4 times
#|        1,041          MTE3 -> MTE2, line 34 to 23, waited 3 of 3 times
#|          347          MTE3 -> MTE2, line 34 to 36, waited 1 of 1 times
#|                       2 others
#| event ids left of 8: MTE2 -> V 6, V -> MTE3 7, MTE3 -> MTE2 7
#| cycles if a pipe took no time: MTE2 828, MTE3 1,494, V 1,854
#| possible savings:
#| - twice the buffers that MTE2 fills in the loop on line 19 save 866 cycles (42 %), 4 times 1,041 cycles (50 %), more nothing
#| - pto.tadd on line 30 loses 64 cycles (4 times) because both sources lie in one bank group of UB: the second one 256 bytes further on saves 64 cycles (3.1 %)
#| - the flag MTE2 -> V (set on line 27, waited for on line 29) orders nothing that is not ordered without it: no cycles, but an id
#|
#| what if                      cycles
#| as it is                      2,082
#| free PIPE_MTE2                  828  -1,254 (-60 %)
#| no-wait 23                    1,041  -1,041 (-50 %)
#| bandwidth x2                  1,842  -240 (-12 %)
#| machine.queue_depth=64        2,082  no change
#= exit 0
#| 2
#| 2
#| 2
#| 2
#| 2
#! pto-sim: error: --what-if free PIPE_S: 'PIPE_S' is no pipe with a queue; these are PIPE_MTE2, PIPE_MTE1, PIPE_M, PIPE_V, PIPE_FIX, PIPE_MTE3
#! pto-sim: error: --what-if no-wait 22: nothing waits on line 22; the nearest wait is on line 23
#! pto-sim: error: --what-if bandwidth fast: 'fast' is no factor: write "bandwidth x2"
#! pto-sim: error: --what-if faster: this is no change; write "free PIPE_MTE2", "no-wait LINE", "bandwidth x2", or a setting as "machine.queue_depth=64"
#! pto-sim: error: --what-if machine.queue_dpeth=4: --set machine.queue_dpeth=4: 'machine.queue_dpeth' is not a known key, did you mean 'queue_depth'?
#= exit 0
#| 2082 2082 ['buffers', 'bank_conflicts', 'ordered_flag'] [{'change': 'free V', 'total_cycles': 1854, 'ended': True}] {'src': 'PIPE_MTE2', 'dst': 'PIPE_V', 'used': 2, 'of': 8} ['dst', 'event_ids', 'least_slack', 'set', 'src', 'times', 'wait', 'waited_cycles', 'waited_times']
#= exit 0
#| 18
