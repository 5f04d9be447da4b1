# Missing, short and wrong input files, and wrong options: exit 2 and one clear line each; outputs that exist stay.
# RUN: pto-sim %t/none.pto
# RUN: cd $T && pto-sim k.pto --arg a=none.npy
# RUN: cd $T && printf 123 > a.bin && pto-sim k.pto --arg a=f32[4]@a.bin
# RUN: cd $T && printf 123 > a.npy && pto-sim k.pto --arg a=a.npy
# RUN: cd $T && pto-sim k.pto --arg a=f33[4]
# RUN: cd $T && for a in index:50 index[4] float:1 zzz; do pto-sim k.pto --arg a=$a; done
# RUN: cd $T && pto-sim k.pto --arg a=f32[4] --out b=b.bin
# RUN: cd $T && pto-sim k.pto --target a9 --arg a=f32[4]
# RUN: cd $T && pto-sim k.pto --entry other --arg a=f32[4]
# RUN: cd $T && pto-sim k.pto
# RUN: cd $T && printf old > out.bin && pto-sim k.pto --arg a=f32[4]:0 --out a=missing/out.bin; cat out.bin
# RUN: pto-sim
# RUN: pto-sim x.pto --mode fast
# RUN: pto-sim x.pto --max-cycles -1; pto-sim prove x.pto --max-seconds=-1; pto-sim x.pto --fill-uninit 1,-2; pto-as x.pto --max-errors -1
# RUN: cd $T && pto-sim k.pto --arg a=f32[4]:0 --report none --max-cycles 18446744073709551615 && pto-sim prove k.pto --max-seconds 18446744073709551615
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%a: !pto.ptr<f32>) attributes {pto.kernel} {
#:     return
#:   }
#: }

#= exit 2
#! pto-sim: error: cannot read %t/none.pto: No such file or directory
#= exit 2
#! pto-sim: error: cannot read none.npy: No such file or directory
#= exit 2
#! pto-sim: error: 'a': a.bin: has 3 bytes, 4 elements of f32 need 16
#= exit 2
#! pto-sim: error: a.npy: not a valid .npy file: no magic number
#= exit 2
#! pto-sim: error: --arg a=f33[4]: 'f33[4]' is neither a .npy file nor begins with a dtype; did you mean f32[4]?
#= exit 2
#! pto-sim: error: --arg a=index:50: 'index' is no dtype; an index is i64: write i64:50
#! pto-sim: error: --arg a=index[4]: 'index' is no dtype; an index is i64: write i64[4]
#! pto-sim: error: --arg a=float:1: 'float:1' is neither a .npy file nor begins with a dtype (f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, bool, hif8, f8e4m3, f8e5m2, f8e8m0, f4e1m2x2, f4e2m1x2)
#! pto-sim: error: --arg a=zzz: 'zzz' is neither a .npy file nor begins with a dtype (f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, bool, hif8, f8e4m3, f8e5m2, f8e8m0, f4e1m2x2, f4e2m1x2)
#= exit 2
#! pto-sim: error: --out b=b.bin: there is no argument of that name; there are: a
#= exit 2
#! pto-sim: error: a9: no such target or configuration file (targets: 910b1, 910b2, 910b3, 910b4, a2a3, a5, cpu), did you mean 'a5'?
#= exit 2
#! pto-sim: error: no function @other; the program defines @k
#= exit 2
#! pto-sim: error: @k takes 1 arguments, 0 given
#= exit 0
#| old
#! pto-sim: error: cannot write missing/out.bin: No such file or directory
#= exit 2
#! pto-sim: error: no input file; --help shows the options
#= exit 2
#! pto-sim: error: --mode: 'fast' is not one of run, time, check
#= exit 2
#! pto-sim: error: --max-cycles: -1 is less than 0
#! pto-sim: error: --max-seconds: -1 is less than 0
#! pto-sim: error: --fill-uninit: -2 is less than 0
#! pto-as: error: --max-errors: -1 is less than 0
#= exit 0
#| k.pto: k: proved: no deadlock, no race, nothing left over, for every input and every timing (one block; 1 run)
