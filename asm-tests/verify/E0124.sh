# not program text: an object, and a file with zero bytes
# RUN: cd %t && pto-as k.pto -o k.bin && pto-as k.bin -o a.bin
# RUN: cd %t && printf '\001\000\002' > junk.pto && pto-as junk.pto -o a.bin
# FILE: k.pto
#: func.func @k() { return }

#= exit 1
#! k.bin: error[E0124]: this is an assembled object, not program text
#!   help: pto-dis prints it as text, pto-sim runs it
#= exit 1
#! junk.pto: error[E0124]: this is not a text file: it has zero bytes
#!   help: give the .pto file
