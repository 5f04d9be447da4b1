# Findings of a run take the same forms and switches as errors of the text.
# RUN: cd $T && pto-sim --mode check --report none --arg s=f32:1 k.pto
# RUN: cd $T && pto-sim --mode check --report none --arg s=f32:1 --diagnostics=json k.pto
# RUN: cd $T && pto-sim --mode check --report none --arg s=f32:1 --diagnostics=sarif k.pto 2>&1 | grep -E '"(ruleId|level|startLine|switch)"'
# RUN: cd $T && pto-sim --mode check --report none --arg s=f32:1 -Wno-ignored-attribute k.pto 2>&1 | grep -c W0312
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%s: f32) attributes {pto.kernel} {
#:     %a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
#:     pto.texpands ins(%s : f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>) {remark = 1 : i32}
#:     pto.set_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]
#:     return
#:   }
#: }

#= exit 1
#! k.pto:4:74: warning[W0312]: pto.texpands has no attribute 'remark' [-Wignored-attribute]
#!     4 |     pto.texpands ins(%s : f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>) {remark = 1 : i32}
#!       |                                                                          ^~~~~~
#!   help: it has none; this one is kept and has no effect
#! k.pto:5:5: error[FLAG-LEFT]: flag PIPE_V -> PIPE_MTE3 EVENT_ID0 is still set when the kernel ends on AIV0
#!     5 |     pto.set_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]
#!       |     ^~~~~~~~~~~~
#!   note: in cycle 2 on AIV0 of block 0
#!   help: remove pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>] at k.pto:5, or wait for it: nothing does
#= exit 1
#! [
#!   {
#!     "id": "W0312",
#!     "severity": "warning",
#!     "message": "pto.texpands has no attribute 'remark'",
#!     "switch": "-Wignored-attribute",
#!     "file": "k.pto",
#!     "location": {
#!       "line": 4,
#!       "column": 74,
#!       "end_line": 4,
#!       "end_column": 80,
#!       "begin": 224,
#!       "end": 230
#!     },
#!     "unsupported": false,
#!     "notes": [],
#!     "help": "it has none; this one is kept and has no effect"
#!   },
#!   {
#!     "id": "FLAG-LEFT",
#!     "severity": "error",
#!     "message": "flag PIPE_V -> PIPE_MTE3 EVENT_ID0 is still set when the kernel ends on AIV0",
#!     "switch": "",
#!     "file": "k.pto",
#!     "location": {
#!       "line": 5,
#!       "column": 5,
#!       "end_line": 5,
#!       "end_column": 17,
#!       "begin": 246,
#!       "end": 258
#!     },
#!     "unsupported": false,
#!     "notes": [
#!       {
#!         "message": "in cycle 2 on AIV0 of block 0",
#!         "location": {
#!           "line": 0,
#!           "column": 0,
#!           "end_line": 0,
#!           "end_column": 0,
#!           "begin": 0,
#!           "end": 0
#!         }
#!       }
#!     ],
#!     "help": "remove pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>] at k.pto:5, or wait for it: nothing does"
#!   }
#! ]
#= exit 0
#|                 "level": "warning"
#|                 "level": "error"
#|           "ruleId": "W0312",
#|           "level": "warning",
#|                   "startLine": 4,
#|             "switch": "-Wignored-attribute"
#|           "ruleId": "FLAG-LEFT",
#|           "level": "error",
#|                   "startLine": 5,
#= exit 1
#| 0
