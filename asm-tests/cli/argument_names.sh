# Arguments by name, in any order; once one name is a parameter's, an unknown one is a mistake. Without any they go by position.
# RUN: cd $T && bash run --arg beta=f32[2]:2 --arg alpha=f32[4]:1 --out alpha=o.bin && od -A n -t f4 o.bin
# RUN: cd $T && bash run --arg beta=f32[2]:2 --arg alpah=f32[4]:1
# RUN: cd $T && bash run --arg beta=f32[2]:2 --arg zzz=f32[4]:1
# RUN: cd $T && bash run --arg x=f32[4]:1 --arg y=f32[2]:2 --out x=o.bin && od -A n -t f4 o.bin
# RUN: cd $T && bash run --arg beta=f32[2]
# RUN: cd $T && bash run --arg x=f32[4] --arg y=f32[4] --arg z=f32[4]
# RUN: cd $T && pto-sim case.toml --report none --arg second=f32[2]:2
# RUN: cd $T && pto-sim case.toml --report none --arg secnd=f32[2]:2
# FILE: run
#: pto-sim k.pto --report none "$@"
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%alpha: !pto.ptr<f32>, %beta: !pto.ptr<f32>) attributes {pto.kernel} {
#:     return
#:   }
#: }
# FILE: case.toml
#: program = "k.pto"
#: [[arg]]
#: name = "first"
#: dtype = "f32"
#: shape = [4]
#: [[arg]]
#: name = "second"
#: dtype = "f32"
#: shape = [2]

#= exit 0
#|                1               1               1               1
#= exit 2
#! pto-sim: error: --arg alpah: @k has no parameter of that name, did you mean 'alpha'?
#= exit 2
#! pto-sim: error: --arg zzz: @k has no parameter of that name; it has 'alpha', 'beta'
#= exit 0
#|                1               1               1               1
#= exit 2
#! pto-sim: error: @k takes 2 arguments, 1 given: 'alpha' is missing
#= exit 2
#! pto-sim: error: --arg x: @k has no parameter of that name; it has 'alpha', 'beta'
#= exit 0
#= exit 2
#! pto-sim: error: --arg secnd: @k has no parameter of that name; it has 'alpha', 'beta'
