# Warnings of one rule in one function are one, with the lines of the others; each unknown attribute is one of its own. A run tells those of what it runs: @one, and
# @helper, which it calls. --max-errors 0 shows all of all functions.
# RUN: cd %t && python3 make.py > k.pto && pto-as k.pto -o k.bin
# RUN: cd %t && pto-sim k.pto --entry one --report none --arg a=f32[32x64]:1
# RUN: cd %t && pto-sim k.pto --entry two --report none --arg a=f32[32x64]:1
# RUN: cd %t && pto-sim k.pto --entry one --report none --arg a=f32[32x64]:1 --max-errors 0 2>&1 | grep -c warning
# RUN: cd %t && pto-as k.pto -o k.bin --diagnostics=json 2>&1 | python3 -c 'import json, sys; print([(d["id"], d["location"]["line"], len(d["notes"])) for d in json.load(sys.stdin)])'
# FILE: make.py
#: print('!v = !pto.tensor_view<?x?xf32>')
#: print('!t = !pto.tile_buf<vec, 16x64xf32>')
#: print('module attributes {pto.target_arch = "a5"} {')
#: def function(name, marks, lines, mark=" attributes {pto.entry}"):
#:     print(f'  func.func @{name}(%a: !pto.ptr<f32>){mark} {{')
#:     print('    %z = arith.constant 0.0 : f32')
#:     print('    %x = pto.alloc_tile : !t')
#:     print('    pto.texpands ins(%z : f32) outs(%x : !t)')
#:     for i in range(lines):
#:         print(f'    pto.tabs ins(%x : !t) outs(%x : !t) {{{marks[i % len(marks)]} = 1}}')
#:     if name == "one": print('    func.call @helper(%a) : (!pto.ptr<f32>) -> ()')
#:     print('    return')
#:     print('  }')
#: function("helper", ["colour"], 2, "")
#: function("two", ["shade"], 30)
#: function("one", ["colour", "shade"], 23)
#: print('}')

#= exit 0
#! k.pto:8:42: warning[W0312]: pto.tabs has no attribute 'colour' [-Wignored-attribute]
#!     8 |     pto.tabs ins(%x : !t) outs(%x : !t) {colour = 1}
#!       |                                          ^~~~~~
#!   note: 1 more of this rule in @helper, at line 9 (--max-errors 0 shows each)
#!   help: it has none; this one is kept and has no effect
#! k.pto:16:42: warning[W0312]: pto.tabs has no attribute 'shade' [-Wignored-attribute]
#!    16 |     pto.tabs ins(%x : !t) outs(%x : !t) {shade = 1}
#!       |                                          ^~~~~
#!   note: 29 more of this rule in @two, at lines 17, 18, 19, 20, 21, 22, 23, 24, .. (--max-errors 0 shows each)
#!   help: it has none; this one is kept and has no effect
#! k.pto:52:42: warning[W0312]: pto.tabs has no attribute 'colour' [-Wignored-attribute]
#!    52 |     pto.tabs ins(%x : !t) outs(%x : !t) {colour = 1}
#!       |                                          ^~~~~~
#!   note: 11 more of this rule in @one, at lines 54, 56, 58, 60, 62, 64, 66, 68, .. (--max-errors 0 shows each)
#!   help: it has none; this one is kept and has no effect
#! k.pto:53:42: warning[W0312]: pto.tabs has no attribute 'shade' [-Wignored-attribute]
#!    53 |     pto.tabs ins(%x : !t) outs(%x : !t) {shade = 1}
#!       |                                          ^~~~~
#!   note: 10 more of this rule in @one, at lines 55, 57, 59, 61, 63, 65, 67, 69, .. (--max-errors 0 shows each)
#!   help: it has none; this one is kept and has no effect
#= exit 0
#! k.pto:8:42: warning[W0312]: pto.tabs has no attribute 'colour' [-Wignored-attribute]
#!     8 |     pto.tabs ins(%x : !t) outs(%x : !t) {colour = 1}
#!       |                                          ^~~~~~
#!   note: 1 more of this rule in @helper, at line 9 (--max-errors 0 shows each)
#!   help: it has none; this one is kept and has no effect
#! k.pto:52:42: warning[W0312]: pto.tabs has no attribute 'colour' [-Wignored-attribute]
#!    52 |     pto.tabs ins(%x : !t) outs(%x : !t) {colour = 1}
#!       |                                          ^~~~~~
#!   note: 11 more of this rule in @one, at lines 54, 56, 58, 60, 62, 64, 66, 68, .. (--max-errors 0 shows each)
#!   help: it has none; this one is kept and has no effect
#! k.pto:53:42: warning[W0312]: pto.tabs has no attribute 'shade' [-Wignored-attribute]
#!    53 |     pto.tabs ins(%x : !t) outs(%x : !t) {shade = 1}
#!       |                                          ^~~~~
#!   note: 10 more of this rule in @one, at lines 55, 57, 59, 61, 63, 65, 67, 69, .. (--max-errors 0 shows each)
#!   help: it has none; this one is kept and has no effect
#= exit 0
#! k.pto:16:42: warning[W0312]: pto.tabs has no attribute 'shade' [-Wignored-attribute]
#!    16 |     pto.tabs ins(%x : !t) outs(%x : !t) {shade = 1}
#!       |                                          ^~~~~
#!   note: 29 more of this rule in @two, at lines 17, 18, 19, 20, 21, 22, 23, 24, .. (--max-errors 0 shows each)
#!   help: it has none; this one is kept and has no effect
#= exit 0
#| 55
#= exit 0
#| [('W0312', 8, 1), ('W0312', 16, 1), ('W0312', 52, 1), ('W0312', 53, 1)]
