# command lines of the reference assembler: what changes nothing is noted once, what is not made is refused
# RUN: cd $T && pto-as k.pto --pto-arch=a5 --pto-level=level3 --enable-insert-sync --emit-pto-ir -o k.out.pto && grep -c func.func k.out.pto
# RUN: cd $T && pto-as k.pto -o k.bin --pto-backend=vpto --enable-op-fusion --cann-output-version=9.0.0
# RUN: cd $T && pto-as k.pto -o k.bin --mlir-print-ir-after=pto-plan-memory --enable-shape-inference=true -Wno-ptoas-option
# RUN: cd $T && pto-as k.pto -o k.cpp; pto-as k.pto --emit-vpto -o k.txt; pto-sim k.pto --emit-vpto-llvm-ir
# RUN: cd $T && pto-sim k.pto --pto-arch=a5 --pto-level=level3 --enable-insert-sync --emit-pto-ir --report none
# RUN: cd $T && pto-sim profile k.pto --plan-memory-impl=modern | tail -1
# RUN: cd $T && printf 'PTOBC\0rest' > k.ptobc && pto-as k.ptobc; echo $?; pto-sim k.ptobc
# RUN: cd $T && pto-as k.pto -o k.bin --plan-memory-impl=typo; pto-as k.pto -o k.bin --pto-backend=cpp; pto-as k.pto -o k.bin --vpto-scheduler=onn; pto-sim k.pto --bisheng-vf-auto-sync=all
# RUN: cd $T && pto-as k.pto -o k.bin --target a5 --enable-bufid_sync -Wno-ptoas-option; pto-as k.pto -o k.bin --target a3 --enable-bufid_sync; pto-sim k.pto --target a3 --enable-op-fusion
# RUN: cd $T && pto-as k.pto --pto-backend=vpto --emit text; pto-sim k.pto --pto-backend=vpto --simt-fastmath --report none
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.kernel} { return }
#: }

#= exit 0
#| 1
#= exit 0
#! k.pto: warning[W0110]: --enable-op-fusion, --cann-output-version of ptoas have no effect here [-Wptoas-option]
#= exit 0
#= exit 2
#! pto-as: error: -o k.cpp: C++ output is not supported; pto-as writes objects and PTO text (--emit text|pto)
#! pto-as: error: --emit-vpto: code generation for VPTO and LLVM is not supported; pto-as writes objects and PTO text (--emit text|pto)
#! pto-sim: error: --emit-vpto-llvm-ir: code generation for VPTO and LLVM is not supported; pto-as writes objects and PTO text (--emit text|pto)
#= exit 0
#! k.pto: warning[W0110]: --emit-pto-ir of ptoas has no effect here [-Wptoas-option]
#= exit 0
#| 1 kernel: 1 ok
#! pto-sim: warning[W0110]: --plan-memory-impl of ptoas has no effect here [-Wptoas-option]
#= exit 3
#| 3
#! pto-as: error: k.ptobc is PTO bytecode (.ptobc), which is not supported: ptobc decode converts it to text
#! pto-sim: error: k.ptobc is PTO bytecode (.ptobc), which is not supported: ptobc decode converts it to text
#= exit 2
#! pto-as: error: --plan-memory-impl: 'typo' is not one of legacy, modern
#! pto-as: error: --pto-backend: 'cpp' is not one of emitc, vpto
#! pto-as: error: --vpto-scheduler: 'onn' is not one of off, analyze, on; did you mean 'on'?
#! pto-sim: error: --bisheng-vf-auto-sync: 'all' is not one of off, fused, global
#= exit 2
#! pto-as: error: --enable-bufid_sync needs --target a5
#! pto-sim: error: --enable-op-fusion needs --target a5
#= exit 0
#| module attributes {pto.target_arch = "a5", pto.backend = "vpto"} {
#|   func.func @k() attributes {pto.kernel} {
#|     return
#|   }
#| }
#! k.pto: warning[W0110]: --simt-fastmath, --pto-backend of ptoas have no effect here [-Wptoas-option]
