# What a terminal would act on is spelt out, and what is very long is shortened: file names, options, names in programs and objects.
# RUN: cd $T && name=$(printf 'a\033[31m.pto') && cp k.pto "$name" && sed -i 's/@k/@k\n  pto.tad/' "$name" && pto-as "$name"
# RUN: cd $T && pto-as "$(printf 'none\033]0;x\007\n.pto')"
# RUN: cd $T && pto-sim k.pto --entry "$(printf 'x\033[2J\302\205')"
# RUN: cd $T && pto-sim k.pto --mode "$(printf '\033[2J')"
# RUN: cd $T && pto-sim k.pto --target "$(printf '\033[2J')"
# RUN: cd $T && pto-sim k.pto --arg "$(printf '\342\200\256=f33')"
# RUN: cd $T && pto-sim k.pto -D "$(printf '\033')"
# RUN: cd $T && printf 'program = "k.pto"\n"a\\u001bb" = 1\n' > case.toml && pto-sim case.toml
# RUN: cd $T && (printf 'func.func @k(%%a: i32) {\n  %%b = arith.addi %%a, %%'; head -c 3000000 /dev/zero | tr '\0' n; printf ' : i32\n  return\n}\n') > long.pto && pto-as long.pto 2> err; wc -c < err | awk '{print ($1 < 3000)}'; grep -c 'is not defined' err; pto-as long.pto --diagnostics=json 2>&1 | wc -c | awk '{print ($1 < 3000)}'
# RUN: cd $T && pto-sim k.pto --entry "$(head -c 100000 /dev/zero | tr '\0' n)" 2>&1 | wc -c | awk '{print ($1 < 6000)}'
# RUN: cd $T && printf '\357\273\277func.func @k() {\n  \342\200\213pto.tad\n}\n' > zero.pto && pto-as zero.pto
# RUN: cd $T && printf '\n\357\273\277' > mark.pto && pto-as mark.pto
# RUN: cd $T && name=$(printf 'e\033[31m.pto') && cp k.pto "$name" && pto-as "$name" -o e.bin && pto-dis e.bin | grep -c "$(printf '\033')"; python3 -c 'import pty; pty.spawn(["pto-dis", "e.bin"])' | tr -d '\r' | grep -o -m 1 'loc(.*'
# FILE: k.pto
#: func.func @k() attributes {pto.kernel} {
#:   return
#: }

#= exit 1
#! a\x1b[31m.pto:1:13: error[E0101]: func.func: expected '(' and the arguments here
#!     1 | func.func @k
#!       |             ^
#! a\x1b[31m.pto:2:3: error[E0111]: there is no instruction pto.tad
#!     2 |   pto.tad() attributes {pto.kernel} {
#!       |   ^~~~~~~
#!   help: did you mean 'pto.tadd'?
#= exit 2
#! pto-as: error: cannot read none\x1b]0;x\x07\x0a.pto: No such file or directory
#= exit 2
#! pto-sim: error: no function @x\x1b[2J\u{0085}; the program defines @k
#= exit 2
#! pto-sim: error: --mode: '\x1b[2J' is not one of run, time, check
#= exit 2
#! pto-sim: error: \x1b[2J: no such target or configuration file (targets: 910b1, 910b2, 910b3, 910b4, a2a3, a5, cpu)
#= exit 2
#! pto-sim: error: --arg \u{202e}=f33: 'f33' is neither a .npy file nor begins with a dtype; did you mean f32?
#= exit 2
#! pto-sim: error: -D \x1b: write NAME=VALUE
#= exit 2
#! pto-sim: error: case.toml:2: unknown key 'a\x1bb'; known here: program, entry, target, blocks, ranks, topology, level, sync, watch, arg, meta
#= exit 0
#| 1
#| 1
#| 1
#= exit 0
#| 1
#= exit 1
#! zero.pto:2:3: error[E0122]: U+200B ZERO WIDTH SPACE is not allowed here
#!     2 |   <U+200B>pto.tad
#!       |   ^~~~~~~~
#!   help: outside of strings and comments, programs are ASCII
#= exit 1
#! mark.pto:2:1: error[E0122]: U+FEFF BYTE ORDER MARK is not allowed here
#!     2 | <U+FEFF>
#!       | ^~~~~~~~
#!   help: outside of strings and comments, programs are ASCII
#= exit 0
#| 3
#| loc("e\x1b[31m.pto":0:0)
