# The same programs on other targets: cpu computes what a2a3 does; the TF32 values of a5 are not those of a2a3 and cpu.
# RUN: cd ../kernels && for k in attention.a2a3 matmul_tile.a2a3 matmul_tf32.a2a3 attention.a5; do pto-sim $k.toml --target cpu --report none && echo $k; done
# RUN: cd ../kernels && for t in a5 a2a3 cpu; do pto-sim matmul_tf32.a5.toml --target $t --report none 2>&1 | grep -o 'MISMATCH.*elements differ'; echo $t ${PIPESTATUS[0]}; done

#= exit 0
#| attention.a2a3
#| matmul_tile.a2a3
#| matmul_tf32.a2a3
#| attention.a5
#= exit 0
#| a5 0
#| MISMATCH]: c: 4095 of 4096 elements differ
#| a2a3 1
#| MISMATCH]: c: 4095 of 4096 elements differ
#| cpu 1
