# bytes that are not UTF-8
# RUN: printf 'func.func @k() attributes {note = "\xff\xfe"} { return }\n' > %t/k.pto; pto-as %t/k.pto -o %t/a.bin

#= exit 1
#! %t/k.pto:1:35: error[E0105]: the string is not valid UTF-8
#!     1 | func.func @k() attributes {note = "??"} { return }
#!       |                                   ^~~~
