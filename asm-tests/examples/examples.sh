# Every example as pto-as writes it: the files are those of this folder, its values are right on both targets, nothing is found.
# RUN: pto-as --example list
# RUN: pto-as --example softmx
# RUN: pto-as --example softmax | cmp - softmax/softmax.pto
# RUN: pto-as --example gemm --output-dir $T/gemm 2>&1 && diff -r gemm $T/gemm && pto-sim $T/gemm/case.toml --quiet
# RUN: for t in a2a3 a5; do for e in vector_add softmax gemm attention; do pto-sim $e/case.toml --target $t -Werror 2>&1 | sed -n "s/:.*cycles.*//; 1,2 s/^/$t $e: /p"; done; done
# RUN: pto-sim vector_function/case.toml -Werror | sed -n 2p
# RUN: for e in */case.toml; do pto-sim $e --mode check -q -Werror || echo $e; done

#= exit 0
#| vector_add       c = a + b on 128 x 64 f32 elements, by 4 blocks; runs on a2a3 and a5.
#| softmax          y = softmax(x) over rows of 128 f32 elements, 64 rows, by 2 blocks; runs on a2a3 and a5.
#| gemm             C[64x64] = A[64x256] * B[256x64], f16 in, f32 out, with double buffering; runs on a2a3 and a5.
#| attention        One head of attention, O = softmax(Q * K^T / 8) * V: 64 queries, 128 keys, head size 64, by 2 blocks; a2a3, a5.
#| vector_function  y = max(2 * x, 0) on 1000 f32 elements with micro instructions, on a5.
#= exit 2
#! pto-as: error: there is no example 'softmx'; did you mean 'softmax'?
#= exit 0
#= exit 0
#| run it: pto-sim %t/gemm/case.toml
#= exit 0
#| a2a3 vector_add: ok
#| a2a3 vector_add: c: 8,192 elements agree exactly
#| a2a3 softmax: ok
#| a2a3 softmax: y: 8,192 elements agree, largest error 3e-07 at [2, 25]
#| a2a3 gemm: ok
#| a2a3 gemm: c: 4,096 elements agree, largest error 4.6e-05 at [18, 0]
#| a2a3 attention: ok
#| a2a3 attention: out: 4,096 elements agree, largest error 0.00013 at [12, 19]
#| a5 vector_add: ok
#| a5 vector_add: c: 8,192 elements agree exactly
#| a5 softmax: ok
#| a5 softmax: y: 8,192 elements agree, largest error 1.8e-07 at [37, 64]
#| a5 gemm: ok
#| a5 gemm: c: 4,096 elements agree, largest error 4.6e-05 at [18, 0]
#| a5 attention: ok
#| a5 attention: out: 4,096 elements agree, largest error 0.00013 at [12, 19]
#= exit 0
#| y: 1,000 elements agree exactly
#= exit 0
