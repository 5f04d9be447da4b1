# The rows of a sweep are the same for every number of threads, for every number of shards however they are started, and after
# a kill in the middle; launchers that are not installed are stood in for by the environment that they give.
# RUN: cd $T && cp $OLDPWD/gemm.* . && pto-sim sweep small.toml --out one --jobs 1 --report none && pto-sim sweep small.toml --out two --jobs 2 && cmp one.jsonl two.jsonl && cmp one.csv two.csv && head -n 3 one.csv && wc -l one.csv
# RUN: cd $T && for n in 1 2 5; do seq 0 $((n - 1)) | $OLDPWD/with parallel 'pto-sim sweep small.toml --out p --report none --shard {}/'$n && pto-sim sweep small.toml --out p --merge --report none && cmp one.jsonl p.jsonl && cmp one.csv p.csv && rm p.* && echo $n same; done
# RUN: cd $T && $OLDPWD/with mpi 3 pto-sim sweep small.toml --out m --shard auto --report none && pto-sim sweep small.toml --out m --merge --report none && cmp one.jsonl m.jsonl && ls m.*
# RUN: cd $T && $OLDPWD/with slurm 4 pto-sim sweep small.toml --out s --shard auto --report none && pto-sim sweep small.toml --out s --merge --report none && cmp one.jsonl s.jsonl && echo same
# RUN: cd $T && for bytes in 0 100 1000 4001; do head -c $bytes one.jsonl > torn.jsonl && pto-sim sweep small.toml --out torn --report none && cmp one.jsonl torn.jsonl && cmp one.csv torn.csv && echo $bytes same; done
# RUN: cd $T && { pto-sim sweep small.toml --out k --jobs 1 --report none & }; until [ -s k.jsonl ]; do sleep 0.01; done; kill -9 $!; wait $! 2>/dev/null; pto-sim sweep small.toml --out k --report none; cmp one.jsonl k.jsonl && cmp one.csv k.csv && echo same
# RUN: cd $T && pto-sim sweep small.toml --out g --shard 0/2 && pto-sim sweep small.toml --out g --merge
# RUN: cd $T && pto-sim sweep small.toml --out g --shard 1/2 --report none && echo "# changed" >> small.toml && pto-sim sweep small.toml --out g --merge
# RUN: cd $T && pto-sim sweep small.toml --out one
# RUN: cd $T && (exec 9<>lock.jsonl; flock -x 9; pto-sim sweep small.toml --out lock)
# RUN: cd $T && sed -i '$d' small.toml && { (exec 9<>late.jsonl; flock -x 9; touch locked; sleep 0.4) & } && until [ -e locked ]; do sleep 0.01; done && pto-sim sweep small.toml --out late --report none && cmp one.jsonl late.jsonl && echo same
# FILE: small.toml
#: case = "gemm.toml"
#: mode = "time"
#: constraints = ["TM * TN <= 2048"]
#: pareto = ["cycles", "l1_bytes"]
#: [grid]
#: M = [64]
#: N = [64]
#: K = [64]
#: TM = [16, 64, 3]
#: TN = { from = 16, to = 64, times = 2 }
#: case.target = ["a2a3", "a5"]
#: target.machine.queue_depth = [4, 32]

#= exit 0
#| 32 points: 20 ok, 12 not: E0384 12
#|   point 20: error[E0384]: !pto.tile_buf<mat, 3x32xf16, blayout=col_major, slayout=row_major> does not consist of whole boxes of 16x16 (line 26)
#|
#| best cycles:
#|   point   M   N   K  TM  TN  case.target  target.machine.queue_depth  cycles     us  tflops  l1_bytes
#|      19  64  64  64  64  32           a5                          32   10727  6.501   0.081     12288
#|
#| Pareto front of cycles, l1_bytes:
#|   point   M   N   K  TM  TN  case.target  target.machine.queue_depth  cycles     us  tflops  l1_bytes
#|       3  64  64  64  16  16           a5                          32   13881  8.413   0.062      4096
#|       7  64  64  64  16  32           a5                          32   12055  7.306   0.072      6144
#|      11  64  64  64  16  64           a5                          32   11171   6.77   0.077     10240
#|      19  64  64  64  64  32           a5                          32   10727  6.501   0.081     12288
#|
#| what cycles depends on:
#|   case.target                  33 % of the differences, best on average at a5
#|   TN                           22 % of the differences, best on average at 64
#|   TM                           20 % of the differences, best on average at 64
#|   target.machine.queue_depth    3 % of the differences, best on average at 32
#| point,M,N,K,TM,TN,case.target,target.machine.queue_depth,state,cycles,kernel_cycles,us,tflops,read_bytes,written_bytes,ub_bytes,l1_bytes,l0a_bytes,l0b_bytes,l0c_bytes,errors,warnings,message
#| 0,64,64,64,16,16,a2a3,4,ok,18129,7149,9.799,0.054,65536,16384,0,4096,2048,2048,1024,0,0,
#| 1,64,64,64,16,16,a2a3,32,ok,16194,5214,8.754,0.06,65536,16384,0,4096,2048,2048,1024,0,0,
#| 33 one.csv
#= exit 0
#| 1 same
#| 2 same
#| 5 same
#= exit 0
#| m.csv
#| m.jsonl
#| m.shard-0-of-3.jsonl
#| m.shard-1-of-3.jsonl
#| m.shard-2-of-3.jsonl
#= exit 0
#| same
#= exit 0
#| 0 same
#| 100 same
#| 1000 same
#| 4001 same
#= exit 0
#| same
#= exit 2
#| shard 0 of 2: 16 points, 10 ok
#! pto-sim sweep: error: 16 of 32 points have no row yet, the first is 1; run their shards again
#= exit 2
#! pto-sim sweep: error: g.shard-0-of-2.jsonl:1: a row of another sweep (the sweep file, the program, arrays or the options have changed)
#= exit 2
#! pto-sim sweep: error: one.jsonl:1: a row of another sweep (the sweep file, the program, arrays or the options have changed); remove the file, or give another --out
#= exit 2
#! pto-sim sweep: error: lock.jsonl: another run is writing it
#= exit 0
#| same
