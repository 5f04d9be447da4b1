# without their addresses and flags, kernels are planned no worse than by hand: 3 percent in the mean at most, values the same
# RUN: ../../tools/bench/plan-compare ../kernels/matmul_tile.a2a3.toml ../kernels/matmul_tile.a5.toml ../kernels/matmul_tf32.a5.toml ../examples/gemm/case.toml ../examples/vector_function/case.toml ../examples/softmax/case.toml --sim "$(command -v pto-sim)" --values --check 3 | tail -1
# RUN: ../../tools/bench/plan-compare ../examples/vector_add/case.toml --sim "$(command -v pto-sim)"

#= exit 0
#| 5 compared, 0 left out
#= exit 1
#| nothing to compare
