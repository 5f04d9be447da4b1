# What a sweep finds is what single runs find; a point that cannot run is a row like the others.
# RUN: ./exhaustive.py 3
# RUN: cd $T && cp $OLDPWD/gemm.* . && pto-sim sweep fails.toml; echo $?; cat fails.csv; ls fails.*
# RUN: cd $T && python3 -c "import struct; [open(name + '.bin', 'wb').write(struct.pack('<f', value) * 1024) for name, value in (('right', 128), ('wrong', 127))]" && pto-sim sweep values.toml --report json | python3 -c "import json, sys; d = json.load(sys.stdin); print(d['points'], d['ok'], [(r['case.arg.c.expect'], r['state'], r['message'][:15]) for r in map(json.loads, open('values.jsonl'))])"
# RUN: cd $T && printf more >> wrong.bin && pto-sim sweep values.toml
# RUN: cd $T && pto-sim sweep effects.toml --report json > e.json && python3 effects.py
# RUN: cd $T && pto-sim sweep none.toml; echo $?
# RUN: cd $T && pto-sim sweep program.toml --report none && cat program.csv | cut -d, -f 1-6
# FILE: fails.toml
#: case = "gemm.toml"
#: mode = "time"
#: [grid]
#: M = [64, 48]
#: N = [64]
#: K = [64]
#: TM = [64, 30, 4096]
# FILE: values.toml
#: # 64 products of 1 and 2
#: case = "gemm.toml"
#: [grid]
#: M = [32]
#: N = [32]
#: K = [64]
#: case.arg.c.expect = ["right.bin", "wrong.bin", "missing.bin"]
# FILE: effects.toml
#: case = "gemm.toml"
#: mode = "time"
#: per = ["M"]
#: [grid]
#: M = [64, 128]
#: N = [64]
#: K = [64]
#: TM = [16, 32, 64]
#: TN = [16, 64]
# FILE: effects.py
#: # Shares once more: squares of the values' means over squares of all, of logarithms, within one M.
#: import json, math
#: rows, told = [json.loads(line) for line in open('effects.jsonl')], {e['parameter']: e for e in json.load(open('e.json'))['effects']}
#: mean = lambda values: sum(values) / len(values)
#: for name in ('TM', 'TN'):
#:     all = between = 0
#:     off = {}
#:     for m in (64, 128):
#:         group = [(r[name], math.log(r['cycles'])) for r in rows if r['M'] == m]
#:         middle = mean([x for _, x in group])
#:         for value, x in group:
#:             own = mean([y for v, y in group if v == value])
#:             all, between = all + (x - middle) ** 2, between + (own - middle) ** 2
#:             off.setdefault(value, []).append(x - middle)
#:     best = min(off, key=lambda v: mean(off[v]))
#:     print(name, best == told[name]['best'], abs(between / all - told[name]['share']) < 0.001)
#: print(sorted(told))
# FILE: none.toml
#: program = "gemm.pto"
#: [grid]
#: TL = [1]
# FILE: program.toml
#: program = "gemm.pto"
#: args = ["a=f16[${M}x64]", "b=f16[64x64]", "c=f32[${M}x64]"]
#: mode = "time"
#: [grid]
#: M = [32, 64]
#: case.target = ["a5"]

#= exit 0
#| 3 of 3 shapes: the best tile of the sweep is the best of all single runs
#| every point is one of the runs: True
#= exit 0
#| 6 points: 1 ok, 5 not: E0362 1, E0376 2, E0384 2
#|   point 1: error[E0384]: !pto.tile_buf<mat, 30x32xf16, blayout=col_major, slayout=row_major> does not consist of whole boxes of 16x16 (line 26)
#|
#| best cycles:
#|   point   M   N   K  TM  cycles     us  tflops
#|       0  64  64  64  64   10727  6.501   0.081
#| 0
#| point,M,N,K,TM,state,cycles,kernel_cycles,us,tflops,read_bytes,written_bytes,ub_bytes,l1_bytes,l0a_bytes,l0b_bytes,l0c_bytes,errors,warnings,message
#| 0,64,64,64,64,ok,10727,897,6.501,0.081,24576,16384,0,12288,8192,4096,8192,0,0,
#| 1,64,64,64,30,finding,,,,,,,,,,,,,,"error[E0384]: !pto.tile_buf<mat, 30x32xf16, blayout=col_major, slayout=row_major> does not consist of whole boxes of 16x16 (line 26)"
#| 2,64,64,64,4096,finding,,,,,,,,,,,,,,error[E0376]: %a0 takes 256 KiB; left has 64 KiB on a5 (line 28)
#| 3,48,64,64,64,finding,,,,,,,,,,,,,,"error[E0362]: dimension 0 of pto.partition_view covers 0 to 64, the view has 48 (line 34)"
#| 4,48,64,64,30,finding,,,,,,,,,,,,,,"error[E0384]: !pto.tile_buf<mat, 30x32xf16, blayout=col_major, slayout=row_major> does not consist of whole boxes of 16x16 (line 26)"
#| 5,48,64,64,4096,finding,,,,,,,,,,,,,,error[E0376]: %a0 takes 256 KiB; left has 64 KiB on a5 (line 28)
#| fails.csv
#| fails.jsonl
#| fails.toml
#= exit 0
#| 3 1 [('right.bin', 'ok', ''), ('wrong.bin', 'finding', 'error[MISMATCH]'), ('missing.bin', 'unusable', "'c': expect can")]
#= exit 2
#! pto-sim sweep: error: values.jsonl:1: a row of another sweep (the sweep file, the program, arrays or the options have changed); remove the file, or give another --out
#= exit 0
#| TM True True
#| TN True True
#| ['TM', 'TN']
#= exit 0
#| 1 point: 0 ok, 1 not: unusable 1
#|   point 0: -D TL=1: gemm.pto has no ${TL} and no constant with pto.param = "TL"; it has K, M, N, TK, TM, TN
#| 1
#= exit 0
#| point,M,case.target,state,cycles,kernel_cycles
#| 0,32,a5,ok,10627,797
#| 1,64,a5,ok,11147,1317
