# Laws over whole kernels: assembling what the disassembler prints gives the same bytes; printing is a fixed point; an object
# computes what its text computes; planned text is a level 3 program with the same values.
# RUN: cd ../kernels && for f in *.pto; do pto-as $f -o %t/a.bin && pto-dis %t/a.bin > %t/b.pto && pto-as %t/b.pto -o %t/b.bin && cmp %t/a.bin %t/b.bin && echo $f; done
# RUN: cd ../kernels && for f in *.pto; do pto-as $f --emit=text > %t/a.pto && pto-as %t/a.pto --emit=text | cmp - %t/a.pto && echo $f; done
# RUN: cd ../kernels && for k in *.toml; do pto-as ${k%.toml}.pto -o %t/k.bin && sed "s|^program = .*|program = \"%t/k.bin\"|; s|\"data/|\"$PWD/data/|" $k > %t/k.toml && pto-sim %t/k.toml --report none && echo $k; done
# RUN: cd ../kernels && for k in *.toml; do pto-as ${k%.toml}.pto --emit=pto > %t/k.pto && sed "s|^program = .*|program = \"%t/k.pto\"|; s|\"data/|\"$PWD/data/|" $k > %t/k.toml && pto-sim %t/k.toml --report none -Wno-missing-set-ffts && echo $k; done

#= exit 0
#| attention.a2a3.pto
#| attention.a5.pto
#| gemm_24_cores.pto
#| idle_vector_core.pto
#| matmul_tf32.a2a3.pto
#| matmul_tf32.a5.pto
#| matmul_tile.a2a3.pto
#| matmul_tile.a5.pto
#| scaled_product.pto
#= exit 0
#| attention.a2a3.pto
#| attention.a5.pto
#| gemm_24_cores.pto
#| idle_vector_core.pto
#| matmul_tf32.a2a3.pto
#| matmul_tf32.a5.pto
#| matmul_tile.a2a3.pto
#| matmul_tile.a5.pto
#| scaled_product.pto
#= exit 0
#| attention.a2a3.toml
#| attention.a5.toml
#| matmul_tf32.a2a3.toml
#| matmul_tf32.a5.toml
#| matmul_tile.a2a3.toml
#| matmul_tile.a5.toml
#= exit 0
#| attention.a2a3.toml
#| attention.a5.toml
#| matmul_tf32.a2a3.toml
#| matmul_tf32.a5.toml
#| matmul_tile.a2a3.toml
#| matmul_tile.a5.toml
