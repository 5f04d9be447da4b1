# command lines of the reference assembler: what changes nothing is noted once, what is not made is refused
# RUN: cd $T && pto-as k.pto --pto-arch=a5 --pto-level=level3 --enable-insert-sync --emit-pto-ir -o k.out.pto && grep -c func.func k.out.pto
# RUN: cd $T && pto-as k.pto -o k.bin --pto-backend=vpto --enable-op-fusion --cann-output-version=9.0.0
# RUN: cd $T && pto-as k.pto -o k.bin --mlir-print-ir-after=pto-plan-memory --enable-shape-inference=true -Wno-ptoas-option
# RUN: cd $T && pto-as k.pto -o k.cpp; pto-as k.pto --emit-vpto -o k.txt; pto-sim k.pto --emit-vpto-llvm-ir
# RUN: cd $T && pto-sim k.pto --pto-arch=a5 --pto-level=level3 --enable-insert-sync --emit-pto-ir --report none
# RUN: cd $T && pto-sim profile k.pto --plan-memory-impl=modern | tail -1
# RUN: cd $T && printf 'PTOBC\0rest' > k.ptobc && pto-as k.ptobc; echo $?; pto-sim k.ptobc
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.kernel} { return }
#: }

