# what does not fit is said of the machine that was asked for
# RUN: bash %s
printf 'base = "a2a3"\n[machine.bytes]\nub = 4096\n' > "$T/small.toml"
pto-sim fixed_tile.pto --target "$T/small.toml" --arg a=f32[16x64]:2 --arg o=f32[16x64] --report none 2>&1 | sed "s#$T#T#g" | grep -A12 E0601

#= exit 0
#| fixed_tile.pto:22:5: error[E0601]: the tiles in vec take 12 KiB at this point, T/small.toml has 4 KiB
#|    22 |     pto.tadd ins(%x, %fixed : !pto.tile_buf<…>, !pto.tile_buf<…>) outs(%y : !pto.tile_buf…
#|       |     ^~~~~~~~
#|   note: live tiles there:
#|         KiB      at byte  tile               line  in use
#|           4            0  %x                   17  lines 20 to 23
#|           4         4096  %fixed               18  lines 21 to 22, at its own address
#|           4         8192  %y                   19  lines 22 to 24, beyond the end
#|   help: use smaller tiles, split the work, or move the tiles that have an address to one end of the memory
