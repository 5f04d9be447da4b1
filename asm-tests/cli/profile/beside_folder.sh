# a text of two kernels beside a folder of its name that holds a program named like one of them
# RUN: cd $T && mkdir -p build/a && mv a.pto build && mv second.pto build/a && pto-sim profile build --out out && find out -name report.txt | sort
# FILE: a.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @first() attributes {pto.kernel} {
#:     return
#:   }
#:   func.func @second() attributes {pto.kernel} {
#:     return
#:   }
#: }
# FILE: second.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @second() attributes {pto.kernel} {
#:     return
#:   }
#: }

#= exit 0
#| kernel            cycles         us  bound by             findings
#| a/second           9,690        5.9  no work              -
#| a-2 @first         9,690        5.9  no work              -
#| a-2 @second        9,690        5.9  no work              -
#| 3 kernels: 3 ok
#| out/a-2/first/report.txt
#| out/a-2/second/report.txt
#| out/a/second/report.txt
