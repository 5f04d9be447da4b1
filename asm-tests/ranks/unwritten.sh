# A tile that nobody loads is sent to an output: an error, as runs of all ranks with other bytes there come out otherwise.
# RUN: cp put.pto $T && cd $T && sed '/ins(%xp : !row) outs(%a/d; /pto.tadd/d' put.pto > bad.pto && pto-sim case.toml --report none
# RUN: cd $T && cp put.pto bad.pto && pto-sim case.toml --report none && echo clean
# FILE: case.toml
#: program = "bad.pto"
#: ranks = 2
#: [[arg]]
#: name = "x"
#: dtype = "f32"
#: shape = [1, 64]
#: fill = "{rank}"
#: [[arg]]
#: name = "window"
#: dtype = "f32"
#: shape = [1, 64]
#: fill = 0
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [1]
#: fill = 0
#: [[arg]]
#: name = "y"
#: dtype = "f32"
#: shape = [1, 64]
#: [[arg]]
#: name = "next_window"
#: peer = "window@{next}"
#: [[arg]]
#: name = "next_signal"
#: peer = "signal@{next}"

#= exit 1
#! bad.pto:33:5: error[UNINIT]: pto.tstore on MTE3 reads 256 bytes of %a, all of them never written, the first in ub at 0x100; output 'y of rank 0' depends on their values
#!    33 |     pto.tstore ins(%a : !tile) outs(%yp : !row)
#!       |     ^~~~~~~~~~
#!   note: the same on rank 1
#!   note: in cycle 2,289 on rank 0, AIV0 of block 0
#!   help: load or fill these bytes before this read; if something does, a flag between the two is missing
#= exit 0
#| clean
