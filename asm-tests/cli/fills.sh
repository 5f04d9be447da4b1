# contents of buffers by name, on the command line and in case files
# RUN: cp ../mistakes/00_correct_tile.pto $T/double.pto && cd $T && for fill in zeros iota range:3:5 1.5; do pto-sim double.pto --arg src=f32[32x32]:$fill --arg dst=f32[32x32] --out dst=$fill.bin --report none; od -An -tf4 -N20 $fill.bin; done
# RUN: cp ../mistakes/00_correct_tile.pto $T/double.pto && cd $T && pto-sim case.toml --report none; od -An -tf4 -N20 c.bin
# RUN: cp ../mistakes/00_correct_tile.pto $T/double.pto && cd $T && pto-sim double.pto --arg src=f32[32x32]:ones
# RUN: cp ../mistakes/00_correct_tile.pto $T/double.pto && cd $T && pto-sim wrong.toml
# FILE: case.toml
#: program = "double.pto"
#: [[arg]]
#: name = "src"
#: dtype = "f32"
#: shape = [32, 32]
#: fill = "range:-1:2"
#: [[arg]]
#: name = "dst"
#: dtype = "f32"
#: shape = [32, 32]
#: output = "c.bin"
# FILE: wrong.toml
#: program = "double.pto"
#: [[arg]]
#: dtype = "f32"
#: shape = [32, 32]
#: fill = "range:2:1"

#= exit 0
#|                0               0               0               0
#|                0
#|                0               2               4               6
#|                8
#|                6               8               6               8
#|                6
#|                3               3               3               3
#|                3
#= exit 0
#|               -2               0               2              -2
#|                0
#= exit 2
#! pto-sim: error: --arg src=f32[32x32]:ones: 'ones' is not a value of f32
#= exit 2
#! pto-sim: error: wrong.toml:2: argument 0: fill 'range:2:1': write range:A:B with A less than B
