# a buffer id that is no number; no program file of its own, as its operation has no canonical text
# RUN: cd %t && pto-as a.pto -o a.bin
# FILE: a.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @cube(%i: i32) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
#:     "pto.get_buf"() {op_type = #pto.pipe<PIPE_V>, buf_id = "one"} : () -> ()
#:     return
#:   }
#: }

#= exit 1
#! a.pto:3:51: error[E0314]: attribute 'buf_id' of pto.get_buf must be an integer
#!     3 |     "pto.get_buf"() {op_type = #pto.pipe<PIPE_V>, buf_id = "one"} : () -> ()
#!       |                                                   ^~~~~~~~~~~~~~
#!   help: write buf_id = ..
