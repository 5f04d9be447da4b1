# Twenty errors are shown and the others counted; the number can be chosen. Duplicates do not count.
# RUN: cd $T && pto-as k.pto 2>&1 | grep -c error
# RUN: cd $T && pto-as k.pto 2>&1 | tail -n 1
# RUN: cd $T && pto-as --max-errors 2 k.pto
# RUN: cd $T && pto-as --max-errors 0 k.pto 2>&1 | grep -c 'error\['
# RUN: cd $T && pto-as --max-errors 39 k.pto 2>&1 | tail -n 1
# RUN: cd $T && (echo 'module {'; seq 300000 | sed 's/.*/%x& = arith.addi %y&, %z& : i32/'; echo '}') > many.pto && timeout 20 pto-as many.pto 2>&1 | tail -n 1
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.kernel} {
#:     pto.frobnicate_0 %x
#:     pto.frobnicate_1 %x
#:     pto.frobnicate_2 %x
#:     pto.frobnicate_3 %x
#:     pto.frobnicate_4 %x
#:     pto.frobnicate_5 %x
#:     pto.frobnicate_6 %x
#:     pto.frobnicate_7 %x
#:     pto.frobnicate_8 %x
#:     pto.frobnicate_9 %x
#:     pto.frobnicate_10 %x
#:     pto.frobnicate_11 %x
#:     pto.frobnicate_12 %x
#:     pto.frobnicate_13 %x
#:     pto.frobnicate_14 %x
#:     pto.frobnicate_15 %x
#:     pto.frobnicate_16 %x
#:     pto.frobnicate_17 %x
#:     pto.frobnicate_18 %x
#:     pto.frobnicate_19 %x
#:     pto.frobnicate_20 %x
#:     pto.frobnicate_21 %x
#:     pto.frobnicate_22 %x
#:     pto.frobnicate_23 %x
#:     pto.frobnicate_24 %x
#:     pto.frobnicate_25 %x
#:     pto.frobnicate_26 %x
#:     pto.frobnicate_27 %x
#:     pto.frobnicate_28 %x
#:     pto.frobnicate_29 %x
#:     pto.frobnicate_30 %x
#:     pto.frobnicate_31 %x
#:     pto.frobnicate_32 %x
#:     pto.frobnicate_33 %x
#:     pto.frobnicate_34 %x
#:     pto.frobnicate_35 %x
#:     pto.frobnicate_36 %x
#:     pto.frobnicate_37 %x
#:     pto.frobnicate_38 %x
#:     pto.frobnicate_39 %x
#:     return
#:   }
#: }

#= exit 0
#| 21
#= exit 0
#| k.pto: 20 more errors are not shown; --max-errors 0 shows all
#= exit 1
#! k.pto:3:5: error[E0111]: there is no instruction pto.frobnicate_0
#!     3 |     pto.frobnicate_0 %x
#!       |     ^~~~~~~~~~~~~~~~
#! k.pto:4:5: error[E0111]: there is no instruction pto.frobnicate_1
#!     4 |     pto.frobnicate_1 %x
#!       |     ^~~~~~~~~~~~~~~~
#! k.pto: 38 more errors are not shown; --max-errors 0 shows all
#= exit 0
#| 40
#= exit 0
#| k.pto: 1 more error is not shown; --max-errors 0 shows all
#= exit 0
#| many.pto: 599980 more errors are not shown; --max-errors 0 shows all
