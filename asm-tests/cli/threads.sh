# Any number of threads gives the same: values, cycles, findings, traces, statistics, prints. Every kernel runs on 1, 2, 4 and 7 threads, and what the
# runs write is compared byte by byte: GEMM on 24 cores, attention with signals between cores, two products, programs with findings.
# RUN: kernels=$(realpath ../kernels) && cd %t && bash $T/all $kernels
# FILE: all
#: same() {  # NAME OPTION..: every run against the one on a single thread
#:   name=$1; shift
#:   for n in 1 2 4 7; do
#:     mkdir -p $n
#:     (cd $n; pto-sim --threads $n --report json --stats stats.json --trace trace.json --events events.json "$@" > report.json 2> messages; echo $? > code)
#:   done
#:   for n in 2 4 7; do diff -r 1 $n > /dev/null || echo "$name: $n threads differ"; done
#:   echo "$name: exit $(cat 1/code), $(ls 1 | wc -l) files"
#:   rm -r 1 2 4 7
#: }
#: kernels=$(realpath $1)
#: gemm="--blocks 24 --arg a=f16[1536x1536]:0.5 --arg b=f16[1536x1536]:0.25 --arg c=f32[1536x1536] --out c=c.bin"
#: same gemm $kernels/gemm_24_cores.pto $gemm
#: for each in attention matmul_tile matmul_tf32; do
#:   for target in a2a3 a5; do same $each.$target $kernels/$each.$target.toml; done
#: done
#: sed '/pto.wait_flag\[<PIPE_MTE2>, <PIPE_MTE1>, <EVENT_ID1>\]/d' $kernels/gemm_24_cores.pto > race.pto
#: gemm=${gemm/24/4}
#: same race $(realpath race.pto) $gemm
#: sed 's/f16\[1536x1536\]:0.25/f16[1536x100]:0.25/' <<< "$gemm" > short
#: same bounds $kernels/gemm_24_cores.pto $(cat short)

#= exit 0
#| gemm: exit 0, 7 files
#| attention.a2a3: exit 0, 6 files
#| attention.a5: exit 0, 6 files
#| matmul_tile.a2a3: exit 0, 6 files
#| matmul_tile.a5: exit 0, 6 files
#| matmul_tf32.a2a3: exit 0, 6 files
#| matmul_tf32.a5: exit 0, 6 files
#| race: exit 1, 7 files
#| bounds: exit 1, 7 files
