# Input that has no end, no text or too many parts: a bound before it is read or parsed, and the right words.
# UNSANITIZED: the address sanitizer reserves more than the limits
# RUN: cd $T && (ulimit -v 4000000; timeout 60 pto-sim k.pto --target /dev/zero; timeout 60 pto-as - -o x.bin < /dev/zero; timeout 60 pto-sim k.pto --arg c=f32[4]@/dev/zero)
# RUN: cd $T && (ulimit -v 4000000; mkfifo pipe; (cat /dev/zero > pipe 2> /dev/null & timeout 60 pto-dis pipe))
# RUN: cd $T && ln -s /dev/zero zero.toml && timeout 60 pto-sim zero.toml
# RUN: cd $T && truncate -s 9M large.toml && pto-sim k.pto --target large.toml; truncate -s 17M large.toml && pto-sim large.toml
# RUN: cd $T && pto-sim k.pto --target .; pto-sim k.pto --target none.toml; pto-sim .
# RUN: cd $T && : > empty.toml && pto-sim empty.toml; pto-sim k.pto --target empty.toml; printf ' \n' > blank.toml && pto-sim blank.toml
# RUN: cd $T && (printf 'x = 1\n[a'; for i in {1..50000}; do printf .a; done; printf ']\n') > deep.toml && pto-sim deep.toml; pto-sim k.pto --target deep.toml
# RUN: cd $T && (printf 'program = "k.pto"\nmeta.note = "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w."\n[[arg]]\nname = "c"\ndtype = "f32"\nshape = [4]\n') > dots.toml && pto-sim dots.toml --report none
# RUN: cd $T && awk 'BEGIN { print "program = \"k.pto\""; for (i = 0; i < 250000; ++i) printf "[[arg]]\nname = \"a%d\"\ndtype = \"i32\"\nvalue = 1\n", i }' > many.toml && timeout 60 pto-sim many.toml
# RUN: cd $T && awk 'BEGIN { print "program = \"k.pto\""; for (i = 0; i < 100000; ++i) printf "[[arg]]\ndtype = \"i32\"\nshape = [1]\noutput = \"o%d\"\n", i }' > outputs.toml && timeout 60 pto-sim outputs.toml
# RUN: sed 's/^l0a_mx = .*/ub = 1099511627776/' ../../sim-configs/a5.toml > %t/big.toml; cd $T && pto-sim k.pto --arg c=f32[4] --target big.toml
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%c: !pto.ptr<f32>) attributes {pto.kernel} {
#:     return
#:   }
#: }

#= exit 2
#! pto-sim: error: cannot read /dev/zero: it has more than 8388608 bytes, the most such a file may have
#! pto-as: error: cannot read -: it has more than 1073741824 bytes, the most such a file may have
#! pto-sim: error: 'c': cannot read /dev/zero: it has more than 16 bytes, the most such a file may have
#= exit 2
#! pto-dis: error: cannot read pipe: it has more than 1073741824 bytes, the most such a file may have
#= exit 2
#! pto-sim: error: cannot read zero.toml: it has more than 16777216 bytes, the most such a file may have
#= exit 2
#! pto-sim: error: cannot read large.toml: it has more than 8388608 bytes, the most such a file may have
#! pto-sim: error: cannot read large.toml: it has more than 16777216 bytes, the most such a file may have
#= exit 2
#! pto-sim: error: cannot read .: it is a directory
#! pto-sim: error: none.toml: no such target or configuration file (targets: 910b1, 910b2, 910b3, 910b4, a2a3, a5, cpu)
#! pto-sim: error: cannot read .: it is a directory
#= exit 2
#! pto-sim: error: empty.toml: the file is empty
#! pto-sim: error: empty.toml:1: 'machine' is missing
#! pto-sim: error: blank.toml: the file is empty
#= exit 2
#! pto-sim: error: deep.toml:2: the key has more than 16 parts
#! pto-sim: error: deep.toml:2: the key has more than 16 parts
#= exit 0
#= exit 2
#! pto-sim: error: @k takes 1 argument, 250000 given
#= exit 2
#! pto-sim: error: @k takes 1 argument, 100000 given
#= exit 2
#! pto-sim: error: big.toml:24: 'machine.bytes.ub' must be from 32 to 268435456
