# Every rank puts its row into the window of the next one and tells it; who is told adds what has come to its own.
# RUN: cp put.pto $T && cd $T && python3 golden.py 2 && pto-sim case.toml
# RUN: cd $T && python3 golden.py 5 && pto-sim case.toml --ranks 5 --report none && echo the same for 5
# RUN: cd $T && python3 golden.py 2 && pto-sim case.toml --set links.full_mesh.latency.value=1000 | head -n 1
# RUN: cd $T && pto-sim case.toml --topology ring | head -n 1
# RUN: cd $T && pto-sim case.toml --topology torus
# RUN: cd $T && pto-sim case.toml --mode time
# FILE: case.toml
#: program = "put.pto"
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
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [1]
#: fill = 0
#: [[arg]]
#: name = "y"
#: dtype = "f32"
#: shape = [1, 64]
#: output = "y.{rank}.bin"
#: expect = "golden.{rank}.bin"
#: [[arg]]
#: name = "next_window"
#: peer = "window@{next}"
#: [[arg]]
#: name = "next_signal"
#: peer = "signal@{next}"
# FILE: golden.py
#: import struct, sys
#: n = int(sys.argv[1])
#: for r in range(n):
#:     open(f'golden.{r}.bin', 'wb').write(struct.pack('<64f', *[r + (r - 1) % n] * 64))

#= exit 0
#| ok: 13,384 cycles on 2 ranks
#| rank 0: y: 64 elements agree exactly
#| rank 1: y: 64 elements agree exactly
#|
#| rank       cycles   bytes sent   bytes read  notifies  bound by
#|    0       13,384          256            0         1  S 86 %
#|    1       13,384          256            0         1  S 86 %
#= exit 0
#| the same for 5
#= exit 0
#| ok: 13,384 cycles on 2 ranks
#= exit 0
#| ok: 13,384 cycles on 2 ranks
#= exit 2
#! pto-sim: error: the target has no topology 'torus'; it has full_mesh, hub, ring
#= exit 0
#| ok: 13,384 cycles on 2 ranks
#|
#| rank       cycles   bytes sent   bytes read  notifies  bound by
#|    0       13,384          256            0         1  S 86 %
#|    1       13,384          256            0         1  S 86 %
