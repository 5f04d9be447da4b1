# A logical vector takes the cycles of its registers: loops with the same work written on registers and on lanes, one and two registers, loop-carried.
# RUN: cd %t && for f in one two lanes64 lanes128; do python3 -c "import sys; print(open('k.pto').read().replace('BODY', open(sys.argv[1]).read()))" $f > $f.pto; echo $f $(pto-sim $f.pto --no-launch --mode time --arg a=f32[1024] --report json | python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["cores"][0]["pipes"][0]["busy_cycles"])'); done
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%a: !pto.ptr<f32, gm>) attributes {pto.entry} {
#:     %z = arith.constant 0 : i64
#:     %i0 = arith.constant 0 : index
#:     %i1 = arith.constant 1 : index
#:     %i64 = arith.constant 64 : index
#:     %i128 = arith.constant 128 : index
#:     %i1024 = arith.constant 1024 : index
#:     %f = arith.constant 1.0 : f32
#:     %u = pto.castptr %z : i64 -> !pto.ptr<f32, ub>
#:     pto.vecscope {
#:       %m = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
#: BODY
#:     }
#:     return
#:   }
#: }
# FILE: one
#: %s = pto.vdup %f, %m : f32, !pto.mask<b32> -> !pto.vreg<64xf32>
#: %r = scf.for %i = %i0 to %i1024 step %i64 iter_args(%acc = %s) -> (!pto.vreg<64xf32>) {
#:   %x = pto.vlds %u[%i] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
#:   %y = pto.vmul %acc, %x, %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
#:   scf.yield %y : !pto.vreg<64xf32>
#: }
#: pto.vsts %r, %u[%i0], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
# FILE: lanes64
#: %s = pto.vmi.vbrc %f : f32 -> !pto.vmi.vreg<64xf32>
#: %r = scf.for %i = %i0 to %i1024 step %i64 iter_args(%acc = %s) -> (!pto.vmi.vreg<64xf32>) {
#:   %x = pto.vmi.vload %u[%i] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>
#:   %y = pto.vmi.vmul %acc, %x : !pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32> -> !pto.vmi.vreg<64xf32>
#:   scf.yield %y : !pto.vmi.vreg<64xf32>
#: }
#: pto.vmi.vstore %r, %u[%i0] : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>
# FILE: two
#: %s = pto.vdup %f, %m : f32, !pto.mask<b32> -> !pto.vreg<64xf32>
#: %s2 = pto.vdup %f, %m : f32, !pto.mask<b32> -> !pto.vreg<64xf32>
#: %r, %r2 = scf.for %i = %i0 to %i1024 step %i128 iter_args(%acc = %s, %acc2 = %s2) -> (!pto.vreg<64xf32>, !pto.vreg<64xf32>) {
#:   %j = arith.addi %i, %i64 : index
#:   %x = pto.vlds %u[%i] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
#:   %x2 = pto.vlds %u[%j] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
#:   %y = pto.vmul %acc, %x, %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
#:   %y2 = pto.vmul %acc2, %x2, %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
#:   scf.yield %y, %y2 : !pto.vreg<64xf32>, !pto.vreg<64xf32>
#: }
#: pto.vsts %r, %u[%i0], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
#: pto.vsts %r2, %u[%i64], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
# FILE: lanes128
#: %s = pto.vmi.vbrc %f : f32 -> !pto.vmi.vreg<128xf32>
#: %r = scf.for %i = %i0 to %i1024 step %i128 iter_args(%acc = %s) -> (!pto.vmi.vreg<128xf32>) {
#:   %x = pto.vmi.vload %u[%i] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<128xf32>
#:   %y = pto.vmi.vmul %acc, %x : !pto.vmi.vreg<128xf32>, !pto.vmi.vreg<128xf32> -> !pto.vmi.vreg<128xf32>
#:   scf.yield %y : !pto.vmi.vreg<128xf32>
#: }
#: pto.vmi.vstore %r, %u[%i0] : !pto.vmi.vreg<128xf32>, !pto.ptr<f32, ub>

#= exit 0
#| one 119
#| two 88
#| lanes64 119
#| lanes128 90
