# cases one after the other: a summary, and the worst exit code
# RUN: cd $T && pto-sim good.toml good.toml --report none
# RUN: cd $T && pto-sim good.toml bad.toml --report none 2>/dev/null
# RUN: cd $T && pto-sim good.toml missing.toml bad.toml --report none 2>&1
# RUN: cd $T && pto-sim bad.toml good.toml good.toml --fail-fast --report none 2>/dev/null
# RUN: cd $T && pto-sim good.toml good.toml --quiet
# RUN: cd $T && pto-sim good.toml bad.toml --quiet 2>&1 | grep -v "^ "
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%a: !pto.ptr<i32>, %i: index) attributes {pto.kernel} {
#:     %x = pto.load_scalar %a[%i] : !pto.ptr<i32> -> i32
#:     return
#:   }
#: }
# FILE: good.toml
#: program = "k.pto"
#: [[arg]]
#: name = "a"
#: dtype = "i32"
#: shape = [4]
#: fill = "iota"
#: [[arg]]
#: name = "i"
#: dtype = "i64"
#: value = 3
# FILE: bad.toml
#: program = "k.pto"
#: [[arg]]
#: name = "a"
#: dtype = "i32"
#: shape = [4]
#: fill = "iota"
#: [[arg]]
#: name = "i"
#: dtype = "i64"
#: value = 4

#= exit 0
#| 2 programs: 2 ok
#= exit 1
#| 2 programs: 1 ok; not ok: bad.toml
#= exit 2
#| pto-sim: error: cannot read missing.toml: No such file or directory
#| k.pto:3:10: error[BOUNDS]: access out of bounds: 4 bytes at 0x100000000010 of gm: bytes 16..19 of argument 'a' (16 bytes): 4 bytes beyond its end (%a)
#|     3 |     %x = pto.load_scalar %a[%i] : !pto.ptr<i32> -> i32
#|       |          ^~~~~~~~~~~~~~~
#|   note: in cycle 0 on AIV0 of block 0
#|   help: give the argument as many bytes as the kernel reaches, or lower the offset, size or stride of the view or window that leaves it
#| 3 programs: 1 ok; not ok: missing.toml, bad.toml
#= exit 1
#| 3 programs: 0 ok; not ok: bad.toml; not run: 2
#= exit 0
#= exit 0
#| k.pto:3:10: error[BOUNDS]: access out of bounds: 4 bytes at 0x100000000010 of gm: bytes 16..19 of argument 'a' (16 bytes): 4 bytes beyond its end (%a)
#| 2 programs: 1 ok; not ok: bad.toml
