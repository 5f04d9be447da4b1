# a region without its closing brace: the note shows where it was opened
# RUN: cd %t && pto-as k.pto -o a.bin
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%c: i1) attributes {pto.kernel} {
#:     scf.if %c {
#:       pto.barrier <PIPE_ALL>
#:     return
#:   }

#= exit 1
#! k.pto:6:3: error[E0103]: a '}' is missing in front of this line, judged by the indentation
#!     6 |   }
#!       |   ^
#! k.pto:3:15: note: this '{' of line 3 is not closed
#!     3 |     scf.if %c {
#!       |               ^
