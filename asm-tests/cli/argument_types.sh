# Elements and scalars against the kernel's parameter types. The same width is taken for another type only where that is asked for.
# RUN: cd $T && bash run --arg x=f64[4]
# RUN: cd $T && bash run --arg x=i32[4]
# RUN: cd $T && bash run --arg x=i32[4]:1065353216:bits --out x=x.bin && od -A n -t f4 x.bin
# RUN: cd $T && bash run --arg x=f64[4]:bits
# RUN: cd $T && bash run --arg x=f32[4] --arg rows=f32:8192.0
# RUN: cd $T && bash run --arg x=f32[4] --arg rows=i32:64 && bash run --arg x=f32[4] --arg rows=u64:64
# RUN: cd $T && bash run --arg x=f32[4] --arg rows=u64:18446744073709551615
# RUN: cd $T && bash run --arg x=f32[4] --arg n=i64:300 && bash run --arg x=f32[4] --arg n=i64:70000
# RUN: cd $T && bash run --arg x=f32[4] --arg n=bf16:1
# RUN: cd $T && bash run --arg x=f32[4] --arg n=bf16:1:bits
# RUN: cd $T && bash run --arg x=f32[4] --arg s=f64:1.0; bash run --arg x=f32[4] --arg s=i32:1; bash run --arg x=f32[4] --arg s=i32:1:bits
# RUN: cd $T && bash run --arg x=f32[4] --arg u=i32[4] && bash run --arg x=f32[4] --arg u=u32[4]
# RUN: cd $T && bash run --arg x=f32[4] --arg e=u8[4] && bash run --arg x=f32[4] --arg e=i8[4] && bash run --arg x=f32[4] --arg e=f8e4m3[4]
# RUN: cd $T && bash run --arg x=f32[4] --arg e=f8e5m2[4]
# RUN: cd $T && bash run --arg x=f32[4] --arg e=f8e5m2[4]:bits
# RUN: cd $T && bash run --arg x=f32[4] --arg b=u16[4] && bash run --arg x=f32[4] --arg b=f16[4]
# RUN: cd $T && head -c 4 /dev/zero > u.bin; bash run --arg x=f32[4] --arg u=u8[4]@u.bin && bash run --arg x=f32[4] --arg u=i8[4]
# RUN: cd $T && (printf '\223NUMPY\1\0v\0'; printf '%-117s\n' "{'descr': '|u1', 'fortran_order': False, 'shape': (4,), }"; head -c 4 /dev/zero) > u.npy; bash run --arg x=f32[4] --arg u=u.npy
# RUN: cd $T && bash run --arg x=u8[16]
# RUN: cd $T && bash run --arg x=i32:1
# RUN: cd $T && pto-sim case.toml --report none
# RUN: cd $T && sed -i 's/^bits = true//' case.toml && pto-sim case.toml --report none
# RUN: cd $T && sed -i 's/^shape = .*/&\nbits = 1/' case.toml && pto-sim case.toml --report none
# FILE: run
#: for pair in rows=i64:1 n=i16:1 s=f32:1 u=u32[4] e=f8e4m3[4] b=bf16[4]; do
#:   case " $* " in *" ${pair%%=*}="*) ;; *) set -- "$@" --arg $pair ;; esac
#: done
#: pto-sim k.pto --report none "$@"
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%x: !pto.ptr<f32>, %rows: index, %n: i16, %s: f32, %u: !pto.ptr<ui32>, %e: !pto.ptr<f8E4M3FN>, %b: !pto.ptr<bf16>) attributes {pto.kernel} {
#:     return
#:   }
#: }
# FILE: one.pto
#: func.func @k(%x: !pto.ptr<f32>) attributes {pto.kernel} {
#:   return
#: }
# FILE: case.toml
#: program = "one.pto"
#: [[arg]]
#: dtype = "i32"
#: shape = [4]
#: bits = true

#= exit 2
#! pto-sim: error: 'x': a buffer of f64 is given, the kernel's parameter is !pto.ptr<f32, gm>: give f32
#= exit 2
#! pto-sim: error: 'x': a buffer of i32 is given, the kernel's parameter is !pto.ptr<f32, gm>: give f32, or take the bits as they are (':bits' behind --arg, 'bits = true' in a case file)
#= exit 0
#|                1               1               1               1
#= exit 2
#! pto-sim: error: 'x': a buffer of f64 is given, the kernel's parameter is !pto.ptr<f32, gm>: give f32
#= exit 2
#! pto-sim: error: 'rows': a scalar of f32 is given, the kernel's parameter is index: give i64
#= exit 0
#= exit 2
#! pto-sim: error: 'rows': '18446744073709551615' is not a value of index
#= exit 2
#! pto-sim: error: 'n': '70000' is not a value of i16
#= exit 2
#! pto-sim: error: 'n': a scalar of bf16 is given, the kernel's parameter is i16: give i16, or take the bits as they are (':bits' behind --arg, 'bits = true' in a case file)
#= exit 0
#= exit 0
#! pto-sim: error: 's': a scalar of f64 is given, the kernel's parameter is f32: give f32
#! pto-sim: error: 's': a scalar of i32 is given, the kernel's parameter is f32: give f32, or take the bits as they are (':bits' behind --arg, 'bits = true' in a case file)
#= exit 0
#= exit 0
#= exit 2
#! pto-sim: error: 'e': a buffer of f8e5m2 is given, the kernel's parameter is !pto.ptr<f8E4M3FN, gm>: give f8e4m3, or take the bits as they are (':bits' behind --arg, 'bits = true' in a case file)
#= exit 0
#= exit 2
#! pto-sim: error: 'b': a buffer of f16 is given, the kernel's parameter is !pto.ptr<bf16, gm>: give bf16, or take the bits as they are (':bits' behind --arg, 'bits = true' in a case file)
#= exit 2
#! pto-sim: error: 'u': a buffer of i8 is given, the kernel's parameter is !pto.ptr<ui32, gm>: give u32
#= exit 2
#! pto-sim: error: 'u': a buffer of u8 is given, the kernel's parameter is !pto.ptr<ui32, gm>: give u32
#= exit 2
#! pto-sim: error: 'x': a buffer of u8 is given, the kernel's parameter is !pto.ptr<f32, gm>: give f32
#= exit 2
#! pto-sim: error: argument x of @k is a buffer, but a scalar is given
#= exit 0
#= exit 2
#! pto-sim: error: argument 0: a buffer of i32 is given, the kernel's parameter is !pto.ptr<f32, gm>: give f32, or take the bits as they are (':bits' behind --arg, 'bits = true' in a case file)
#= exit 2
#! pto-sim: error: case.toml:5: 'bits' must be true or false
