# Warnings do not hide errors: 25 stores of a tile that nobody wrote stand before two races. Warnings of one rule in one function are one, with a count and lines; with -Werror each counts. The limit counts errors and warnings apart, what is hidden is counted, and the exit code comes from the counts.
# RUN: cd $T && python3 make.py 25 > k.pto && bash run.sh k.pto 2>&1 | grep -oE "(error|warning)\[[A-Z-]*\]|k.pto: .*|[0-9]* more of .*" | sort | uniq -c
# RUN: cd $T && bash run.sh k.pto > /dev/null 2>&1
# RUN: cd $T && bash run.sh k.pto -w
# RUN: cd $T && bash run.sh k.pto -Wno-uninit --max-errors 1
# RUN: cd $T && bash run.sh k.pto -Werror=UNINIT --max-errors 2 2>&1 | grep -E "(error|warning)\[|k.pto: "
# RUN: cd $T && bash run.sh k.pto --max-errors 0 2>&1 | grep -c UNINIT
# RUN: cd $T && python3 make.py 2 > two.pto && bash run.sh two.pto -Wno-RACE 2>&1 | grep -oE "(error|warning)\[[A-Z-]*\]"
# RUN: cd $T && bash run.sh k.pto -Wno-DEADLOCK
# RUN: cd $T && bash run.sh k.pto -Wno-unimit
# RUN: cd $T && R=json bash run.sh k.pto 2> /dev/null | python3 -c 'import json, sys; r = json.load(sys.stdin); print({k: r[k] for k in ("outcome", "errors", "warnings", "hidden_errors", "hidden_warnings")}, len(r["findings"]))'
# RUN: cd $T && bash run.sh k.pto --diagnostics=json 2>&1 | python3 -c 'import json, sys; r = json.load(sys.stdin); print(len(r), r[-1]["severity"], r[-1]["message"], r[0]["switch"])'
# RUN: cd $T && R=text bash run.sh k.pto 2> /dev/null | head -n 1 | cut -d : -f 1
# RUN: cd $T && R=text bash run.sh k.pto -Werror 2> /dev/null | head -n 1 | cut -d : -f 1
# FILE: run.sh
#: file=$1
#: shift
#: pto-sim $file --sync explicit --fill-uninit 0 --mode check --report ${R:-none} --arg a=f32[16x64]:1.5 --arg o=f32[16x64] "$@"
# FILE: make.py
#: import sys
#: store = '    pto.tstore ins(%tu : !pto.tile_buf<vec, 16x64xf32>) outs(%po : !pto.partition_tensor_view<16x64xf32>)\n'
#: print(open('kernel.txt').read().replace('    @STORES@\n', store * int(sys.argv[1])), end='')
# FILE: kernel.txt
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%a: !pto.ptr<f32>, %o: !pto.ptr<f32>) attributes {pto.entry} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %c16 = arith.constant 16 : index
#:     %c64 = arith.constant 64 : index
#:     %va = pto.make_tensor_view %a, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
#:     %pa = pto.partition_view %va, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x64xf32>
#:     %vo = pto.make_tensor_view %o, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
#:     %po = pto.partition_view %vo, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x64xf32>
#:     %z0 = arith.constant 0 : i64
#:     %z1 = arith.constant 4096 : i64
#:     %ta = pto.alloc_tile addr = %z0 : !pto.tile_buf<vec, 16x64xf32>
#:     %tb = pto.alloc_tile addr = %z1 : !pto.tile_buf<vec, 16x64xf32>
#:     %z2 = arith.constant 8192 : i64
#:     %tu = pto.alloc_tile addr = %z2 : !pto.tile_buf<vec, 16x64xf32>
#:     @STORES@
#:     pto.tload ins(%pa : !pto.partition_tensor_view<16x64xf32>) outs(%ta : !pto.tile_buf<vec, 16x64xf32>)
#:     pto.texp ins(%ta : !pto.tile_buf<vec, 16x64xf32>) outs(%tb : !pto.tile_buf<vec, 16x64xf32>)
#:     pto.tstore ins(%tb : !pto.tile_buf<vec, 16x64xf32>) outs(%po : !pto.partition_tensor_view<16x64xf32>)
#:     return
#:   }
#: }

#= exit 0
#|       1 24 more of this rule in @k, at lines 18, 19, 20, 21, 22, 23, 24, 25, .. (--max-errors 0 shows each)
#|       2 error[RACE]
#|       1 warning[UNINIT]
#= exit 1
#= exit 1
#! k.pto:43:5: error[RACE]: pto.texp on V reads %ta (4,096 bytes of ub at 0x0) that pto.tload on MTE2 writes; nothing orders the two
#!    43 |     pto.texp ins(%ta : !pto.tile_buf<…>) outs(%tb : !pto.tile_buf<…>)
#!       |     ^~~~~~~~
#! k.pto:42:5: note: the other access is pto.tload (MTE2, k.pto:42), in cycle 27 on AIV0 of block 0
#!    42 |     pto.tload ins(%pa : !pto.partition_tensor_view<…>) outs(%ta : !pto.tile_buf<…>)
#!       |     ^~~~~~~~~
#!   note: in cycle 28 on AIV0 of block 0
#!   help: add pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>] after k.pto:42 and pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>] before k.pto:43
#! k.pto:44:5: error[RACE]: pto.tstore on MTE3 reads %tb (4,096 bytes of ub at 0x1000) that pto.texp on V writes; nothing orders the two
#!    44 |     pto.tstore ins(%tb : !pto.tile_buf<…>) outs(%po : !pto.partition_tensor_view<…>)
#!       |     ^~~~~~~~~~
#! k.pto:43:5: note: the other access is pto.texp (V, k.pto:43), in cycle 28 on AIV0 of block 0
#!    43 |     pto.texp ins(%ta : !pto.tile_buf<…>) outs(%tb : !pto.tile_buf<…>)
#!       |     ^~~~~~~~
#!   note: in cycle 29 on AIV0 of block 0
#!   help: add pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>] after k.pto:43 and pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>] before k.pto:44
#= exit 1
#! k.pto:43:5: error[RACE]: pto.texp on V reads %ta (4,096 bytes of ub at 0x0) that pto.tload on MTE2 writes; nothing orders the two
#!    43 |     pto.texp ins(%ta : !pto.tile_buf<…>) outs(%tb : !pto.tile_buf<…>)
#!       |     ^~~~~~~~
#! k.pto:42:5: note: the other access is pto.tload (MTE2, k.pto:42), in cycle 27 on AIV0 of block 0
#!    42 |     pto.tload ins(%pa : !pto.partition_tensor_view<…>) outs(%ta : !pto.tile_buf<…>)
#!       |     ^~~~~~~~~
#!   note: in cycle 28 on AIV0 of block 0
#!   help: add pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>] after k.pto:42 and pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>] before k.pto:43
#! k.pto: 1 more error is not shown; --max-errors 0 shows all
#= exit 0
#| k.pto:43:5: error[RACE]: pto.texp on V reads %ta (4,096 bytes of ub at 0x0) that pto.tload on MTE2 writes; nothing orders the two
#| k.pto:44:5: error[RACE]: pto.tstore on MTE3 reads %tb (4,096 bytes of ub at 0x1000) that pto.texp on V writes; nothing orders the two
#| k.pto: 25 more errors are not shown; --max-errors 0 shows all
#= exit 0
#| 25
#= exit 0
#| error[RACE]
#| error[RACE]
#| warning[UNINIT]
#= exit 2
#! pto-sim: error: --warn: 'DEADLOCK' is an error, only warnings can be switched
#= exit 2
#! pto-sim: error: --warn: there is no warning 'unimit'; did you mean 'UNINIT'?
#= exit 0
#| {'outcome': 'failed', 'errors': 2, 'warnings': 1, 'hidden_errors': 0, 'hidden_warnings': 0} 3
#= exit 0
#| 3 warning pto.tstore on MTE3 reads 4,096 bytes of %tu, all of them never written, the first in ub at 0x2000
#= exit 0
#| FAILED, 2 errors, 1 warning
#= exit 0
#| FAILED, 27 errors
