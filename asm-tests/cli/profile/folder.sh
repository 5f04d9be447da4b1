# a folder: programs in and below it by name, kernels one by one, the same for any number of threads; the worst exit code
# RUN: cd $T && pto-sim profile build 2>/dev/null
# RUN: cd $T && pto-sim profile build --jobs 1 2>/dev/null > one; pto-sim profile build --jobs 3 2>/dev/null | cmp - one && echo same
# RUN: cd $T && mkdir empty && pto-sim profile empty
# RUN: cd $T && pto-sim profile nothing
# RUN: cd $T && pto-sim profile build/two.pto --no-such
# FILE: build/two.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @first(%a: !pto.ptr<i32>) attributes {pto.kernel} {
#:     %c0 = arith.constant 0 : index
#:     %x = pto.load_scalar %a[%c0] : !pto.ptr<i32> -> i32
#:     return
#:   }
#:   func.func @second() attributes {pto.kernel} {
#:     return
#:   }
#: }
# FILE: build/deeper/broken.pto
#: module { func.func @k() { %x = arith.addi %y, %y : i32 } }
# FILE: build/readme.txt
#: not a program

