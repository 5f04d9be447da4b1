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
#! k.pto:7:1: error[E0103]: the region of 'func.func' is not closed: '}' is missing
#!     7 |
#!       | ^
#! k.pto:2:3: note: it was opened here
#!     2 |   func.func @k(%c: i1) attributes {pto.kernel} {
#!       |   ^~~~~~~~~
