# Missing, short and wrong input files, and wrong options: exit 2 and one clear line each; outputs that exist stay.
# RUN: pto-sim %t/none.pto
# RUN: cd $T && pto-sim k.pto --arg a=none.npy
# RUN: cd $T && printf 123 > a.bin && pto-sim k.pto --arg a=f32[4]@a.bin
# RUN: cd $T && printf 123 > a.npy && pto-sim k.pto --arg a=a.npy
# RUN: cd $T && pto-sim k.pto --arg a=f33[4]
# RUN: cd $T && pto-sim k.pto --arg a=f32[4] --out b=b.bin
# RUN: cd $T && pto-sim k.pto --target a9 --arg a=f32[4]
# RUN: cd $T && pto-sim k.pto --entry other --arg a=f32[4]
# RUN: cd $T && pto-sim k.pto
# RUN: cd $T && printf old > out.bin && pto-sim k.pto --arg a=f32[4]:0 --out a=missing/out.bin; cat out.bin
# RUN: pto-sim
# RUN: pto-sim x.pto --mode fast
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%a: !pto.ptr<f32>) attributes {pto.kernel} {
#:     return
#:   }
#: }
