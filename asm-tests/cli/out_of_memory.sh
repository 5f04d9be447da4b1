# Too little memory is one clear line and exit 70, not a crash
# UNSANITIZED: the address sanitizer reserves more than the limit
# RUN: (echo 'func.func @k(%a: i32) {'; for i in {1..200000}; do echo "  %x$i = arith.addi %a, %a : i32"; done; echo '  return'; echo '}') > %t/k.pto; ulimit -v 16000; pto-as %t/k.pto -o %t/a.bin
# RUN: cd $T && (ulimit -v 400000; pto-sim s.pto --report none --arg c=f32[200000000]:1)
# FILE: s.pto
#: func.func @k(%c: !pto.ptr<f32>) attributes {pto.kernel} {
#:   return
#: }

#= exit 70
#! pto-as: error: out of memory
#= exit 70
#! pto-sim: error: out of memory
