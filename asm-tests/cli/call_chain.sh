# A chain of 100,000 calls, callers first and callees first, is assembled, planned and run in time that grows with its length.
# RUN: chain() { echo 'func.func @f0(%a: !pto.ptr<i32>, %x: i32) -> i32 {'; echo '%c = arith.constant 0 : index pto.store_scalar %x, %a[%c] : !pto.ptr<i32>, i32 return %x : i32 }'; for i in $(seq $1); do echo "func.func @f$i(%a: !pto.ptr<i32>, %x: i32) -> i32 { %r = func.call @f$((i-1))(%a, %x) : (!pto.ptr<i32>, i32) -> i32 return %r : i32 }"; done; echo "func.func @k(%a: !pto.ptr<i32>, %x: i32) attributes {pto.entry} { %r = func.call @f$1(%a, %x) : (!pto.ptr<i32>, i32) -> i32 return }"; }; chain 100000 > %t/down.pto; tac %t/down.pto | sed 's/^%c/func.func @f0(%a: !pto.ptr<i32>, %x: i32) -> i32 { %c/; /^func.func @f0.*{$/d' > %t/up.pto; cd %t; for f in down up; do timeout 60 pto-as $f.pto -o $f.bin; echo $?; timeout 60 pto-as $f.pto --emit pto -o /dev/null; echo $?; timeout 60 pto-sim $f.bin --arg a=i32[4] --arg x=i32:7 --out a=a.npy --report none; echo $?; tail -c 16 a.npy | od -An -td4; timeout 60 pto-sim $f.bin --mode time --arg a=i32[4] --arg x=i32:7 --report none; echo $?; done
# Every function calls the next one twice: the checks that walk the program give up instead of walking 2^40 calls.
# RUN: { echo 'func.func @f0() { pto.barrier <PIPE_ALL> return }'; for i in $(seq 40); do echo "func.func @f$i() { func.call @f$((i-1))() : () -> () func.call @f$((i-1))() : () -> () return }"; done; } > %t/twice.pto; cd %t; timeout 60 pto-as twice.pto -o twice.bin; echo $?

#= exit 0
#| 0
#| 0
#| 0
#|            7           0           0           0
#| 0
#| 0
#| 0
#| 0
#|            7           0           0           0
#| 0
#! down.pto: warning[UNWRITTEN]: a: 3 of 4 elements were never written (blocks=1) [-Woutput-written-in-part]
#!   help: launch as many blocks as the kernel divides its work into; bytes that are not written keep their values
#! up.pto: warning[UNWRITTEN]: a: 3 of 4 elements were never written (blocks=1) [-Woutput-written-in-part]
#!   help: launch as many blocks as the kernel divides its work into; bytes that are not written keep their values
#= exit 0
#| 0
