# Deep nesting is refused before anything goes through it by recursion.
# RUN: cd $T && for kind in for if; do python3 nest.py 10000 $kind > n.pto && for mode in auto off 2; do pto-as n.pto --emit=pto --multi-buffer $mode -o e.pto 2>&1 | grep -o "error.*"; done; pto-sim n.pto --arg a=f32[4] --arg n=i64:1 2>&1 | grep -o "error.*"; pto-sim profile n.pto | grep -o "error.*"; pto-sim prove n.pto 2>&1 | grep -o "error.*"; pto-as n.pto -o n.bin && pto-sim n.bin --arg a=f32[4] --arg n=i64:1 2>&1 | grep -o "error.*"; done
# With flags of its own nothing is planned; what goes deeper than a run can is unsupported.
# RUN: cd $T && for kind in for if vmi; do python3 nest.py 10000 $kind flags > n.pto && pto-as n.pto -o n.bin; for n in n.pto n.bin; do pto-sim $n --arg a=f32[4] --arg n=i64:1 --report none 2>&1 | grep -oE "(error|structures).*"; pto-sim profile $n | grep -oE "structures.*"; pto-sim prove $n 2>&1 | grep -oE "structures.*"; done; done
# FILE: nest.py
#: import sys
#: n, kind = int(sys.argv[1]), sys.argv[2]
#: T = '!pto.tile_buf<vec, 16x16xf32>'
#: flags = len(sys.argv) > 3
#: micro = 'pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>' if flags else 'pto.entry'
#: print('module attributes {pto.target_arch = "a5"} {\nfunc.func @k(%a: !pto.ptr<f32>, %n: index) attributes {' + micro + '} {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index')
#: print('%z = arith.constant 0 : i64\n%u = pto.castptr %z : i64 -> !pto.ptr<f32, ub>' if flags else '%t = pto.alloc_tile : ' + T)
#: if kind == 'for': print(''.join(f'scf.for %i{i} = %c0 to %n step %c1 {{\n' for i in range(n)))
#: else: print('%b = arith.cmpi eq, %n, %c0 : index\n' + 'scf.if %b {\n' * n)
#: work = 'pto.vecscope {\n%v = pto.vmi.vload %u[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>\n}' if kind == 'vmi' else 'pto.set_flag["PIPE_MTE2", "PIPE_MTE3", "EVENT_ID0"]\npto.wait_flag["PIPE_MTE2", "PIPE_MTE3", "EVENT_ID0"]'
#: print((work if flags else f'pto.tadd ins(%t, %t : {T}, {T}) outs(%t : {T})') + '\n}' * n + '\nreturn\n}\n}')

#= exit 0
#| error[E0604]: structures are nested deeper than 200
#| error[E0604]: structures are nested deeper than 200
#| error[E0604]: structures are nested deeper than 200
#| error[E0604]: structures are nested deeper than 200
#| error: error[E0604]: structures are nested deeper than 200
#| errors
#| error[E0604]: structures are nested deeper than 200
#| error[E0604]: structures are nested deeper than 200
#| error[E0604]: structures are nested deeper than 200
#| error[E0604]: structures are nested deeper than 200
#| error[E0604]: structures are nested deeper than 200
#| error[E0604]: structures are nested deeper than 200
#| error: error[E0604]: structures are nested deeper than 200
#| errors
#| error[E0604]: structures are nested deeper than 200
#| error[E0604]: structures are nested deeper than 200
#! n.pto:204:1: error[E0604]: structures are nested deeper than 200
#!   204 | scf.for %i198 = %c0 to %n step %c1 {
#!       | ^~~~~~~
#! n.pto:205:1: error[E0604]: structures are nested deeper than 200
#!   205 | scf.if %b {
#!       | ^~~~~~
#= exit 0
#| error[E0604]: structures are nested deeper than 200
#| structures are nested deeper than 200
#| structures are nested deeper than 200
#| error[E0604]: structures are nested deeper than 200
#| structures are nested deeper than 200
#| structures are nested deeper than 200
#| error[E0604]: structures are nested deeper than 200
#| structures are nested deeper than 200
#| structures are nested deeper than 200
#| error[E0604]: structures are nested deeper than 200
#| structures are nested deeper than 200
#| structures are nested deeper than 200
#| error[E0604]: structures are nested deeper than 200
#| structures are nested deeper than 200
#| structures are nested deeper than 200
#| error[E0604]: structures are nested deeper than 200
#| structures are nested deeper than 200
#| structures are nested deeper than 200
#! n.pto:205:1: error[E0604]: structures are nested deeper than 200
#!   205 | scf.for %i198 = %c0 to %n step %c1 {
#!       | ^~~~~~~
#! n.bin:205:1: error[E0604]: structures are nested deeper than 200
#!   205 | scf.for %i198 = %c0 to %n step %c1 {
#!       | ^~~~~~~
#! n.pto:206:1: error[E0604]: structures are nested deeper than 200
#!   206 | scf.if %b {
#!       | ^~~~~~
#! n.bin:206:1: error[E0604]: structures are nested deeper than 200
#!   206 | scf.if %b {
#!       | ^~~~~~
#! n.pto:206:1: error[E0604]: structures are nested deeper than 200
#!   206 | scf.if %b {
#!       | ^~~~~~
#! n.bin:206:1: error[E0604]: structures are nested deeper than 200
#!   206 | scf.if %b {
#!       | ^~~~~~
