# Random kernels that mix both cores: values as NumPy computes them in the order of the text, and no finding whatever the timing
# (mixed_random.py). One seed in three has several buffers. By hand: seeds 1 to 200 on both targets,
# also with short queues and slow issue; seed 141 has no instruction of the cube core, so that one vector core runs it.
# RUN: for s in 1 2 3 5 8 10 11 13 14 16 17 24; do for t in a2a3 a5; do /usr/bin/python3 mixed_random.py %t/$s.$t $s $t; m=off; [ $((s % 3)) = 0 ] && m=auto; for mode in run check; do pto-sim %t/$s.$t/case.toml --mode $mode --multi-buffer $m --report none || echo "seed $s $t $mode"; done; done; done

#= exit 0
