# an empty file, and one that holds only comments
# RUN: cd %t && : > empty.pto && pto-as empty.pto -o a.bin
# RUN: cd %t && pto-as c.pto -o a.bin
# RUN: cd %t && printf '\n\n' > blank.pto && pto-as blank.pto -o a.bin
# RUN: cd %t && : | pto-as - -o a.bin
# FILE: c.pto
#: // to be written

#= exit 1
#! empty.pto: error[E0100]: the file is empty
#!   help: a program is at least one func.func
#= exit 1
#! c.pto: error[E0100]: the file holds no operation
#!   help: a program is at least one func.func
#= exit 1
#! blank.pto: error[E0100]: the file holds no operation
#!   help: a program is at least one func.func
#= exit 1
#! <stdin>: error[E0100]: the file is empty
#!   help: a program is at least one func.func
