# a folder: programs in and below it by name, kernels one by one, the same for any number of threads; the worst exit code
# RUN: cd $T && mkdir -p build/deeper && mv two.pto readme.txt build && mv broken.pto build/deeper && pto-sim profile build 2>/dev/null
# RUN: cd $T && pto-sim profile build --jobs 1 2>/dev/null > one; pto-sim profile build --jobs 3 2>/dev/null | cmp - one && echo same
# RUN: cd $T && mkdir empty && pto-sim profile empty
# RUN: cd $T && pto-sim profile nothing
# RUN: cd $T && pto-sim profile two.pto --no-such
# FILE: two.pto
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
# FILE: broken.pto
#: module { func.func @k() { %x = arith.addi %y, %y : i32 } }
# FILE: readme.txt
#: not a program

#= exit 1
#| kernel              cycles         us  bound by             findings
#| deeper/broken            -          -  -                    1 error: error[E0112]: %y is not defined
#| two @first           9,710        5.9  S 100 %              -
#| two @second          9,690        5.9  no work              -
#| 3 kernels: 2 ok, 1 with errors
#= exit 0
#| same
#= exit 2
#! pto-sim profile: error: empty holds no program (.pto or an object)
#= exit 2
#! pto-sim profile: error: nothing: no such file or folder
#= exit 2
#! pto-sim: error: unknown option '--no-such'; did you mean '--no-launch'?
