# What is wrong at the end names the instruction that wrote it last, and the rank where that ran.
# RUN: cd $T && python3 make.py && cp $OLDPWD/put.pto . && pto-sim bad.toml --report none
# FILE: bad.toml
#: program = "put.pto"
#: ranks = 3
#: [[arg]]
#: name = "x"
#: dtype = "f32"
#: shape = [1, 64]
#: fill = "{rank}"
#: [[arg]]
#: name = "window"
#: dtype = "f32"
#: shape = [1, 64]
#: expect = "window.{rank}.npy"
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [1]
#: fill = 0
#: [[arg]]
#: name = "y"
#: dtype = "f32"
#: shape = [1, 64]
#: expect = "y.{rank}.npy"
#: [[arg]]
#: name = "next_window"
#: peer = "window@{next}"
#: [[arg]]
#: name = "next_signal"
#: peer = "signal@{next}"
# FILE: make.py
#: # Of the right values (a row holds its rank, a window the rank before, y their sum) two are wrong.
#: import struct
#: def npy(name, values):
#:     head = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 64), }"
#:     head += ' ' * (117 - len(head)) + '\n'
#:     open(name, 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + struct.pack('<64f', *values))
#: for rank in range(3):
#:     before = (rank - 1) % 3
#:     window, y = [before] * 64, [rank + before] * 64
#:     if rank == 1: window[5] = 9
#:     if rank == 2: y[7] = 9
#:     npy(f'window.{rank}.npy', window)
#:     npy(f'y.{rank}.npy', y)

#= exit 1
#! put.pto:28:5: error[MISMATCH]: rank 1: window: 1 of 64 elements differ; first at element [0, 5] (index 5): expected 9 (0x41100000), got 0 (0x0), 1091567616 ulp apart; written last by pto.comm.tput of rank 0 at put.pto:28 in cycle 424
#!    28 |     pto.comm.tput(%np, %xp, buf(%stage) : !row, !row, !tile)
#!       |     ^~~~~~~~~~~~~
#! put.pto:35:5: error[MISMATCH]: rank 2: y: 1 of 64 elements differ; first at element [0, 7] (index 7): expected 9 (0x41100000), got 3 (0x40400000), 13631488 ulp apart; written last by pto.tstore at put.pto:35 in cycle 2,561
#!    35 |     pto.tstore ins(%a : !tile) outs(%yp : !row)
#!       |     ^~~~~~~~~~
#!   note: in cycle 2,561 on rank 2, AIV0 of block 0
