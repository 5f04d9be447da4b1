# -D: constants with a name, in texts and in objects; placeholders in texts and in every value of a case; what nobody asks for is an error.
# RUN: cd $T && pto-as k.pto -D TURNS=3 -D SCALE=1.5 -D ROWS=16 --emit text | grep -E "constant|tile_buf"
# RUN: cd $T && pto-as generic.pto -D N=0x10 -D ON=true --emit text | grep constant
# RUN: cd $T && pto-as k.pto -o k.bin && for f in k.pto k.bin; do pto-sim --target a5 $f --mode time --arg x=f32[16] -D TURNS=1 | grep -E "^AIV0 +V"; pto-sim --target a5 $f --mode time --arg x=f32[16] -D TURNS=9 | grep -E "^AIV0 +V"; done
# RUN: cd $T && pto-dis k.bin | grep -o "constant {pto.*"
# RUN: cd $T && pto-as k.pto -D TURN=3 -o k.bin
# RUN: cd $T && pto-sim k.bin -D TURN=3
# RUN: cd $T && pto-sim k.bin -D ROWS=3
# RUN: cd $T && pto-as k.pto -D TURNS=many -o k.bin
# RUN: cd $T && pto-sim k.bin -D SCALE=1x
# RUN: cd $T && pto-as k.pto -D BYTE=256 -o k.bin; pto-as k.pto -D BYTE=-128 -o k.bin
# RUN: cd $T && pto-as k.pto -D "ROWS=1$(printf '\n')6"; pto-as k.pto -D "$(printf 'ROWS=1\n6')"
# RUN: cd $T && pto-as k.pto -D ROWS=0 -o k.bin
# RUN: cd $T && pto-as names.pto -o k.bin
# RUN: cd $T && pto-sim case.toml -D KERNEL=k -D LENGTH=1024 -D BLOCKS=2 -D TURNS=2 -q && echo ran
# RUN: cd $T && pto-sim case.toml -D KERNEL=k -D LENGTH=long
# RUN: cd $T && pto-sim case.toml -D KERNEL=k -D LENGHT=64
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%x: !pto.ptr<f32>) attributes {pto.entry} {
#:     %c0 = arith.constant 0 : index
#:     %c1 = arith.constant 1 : index
#:     %turns = arith.constant {pto.param = "TURNS"} 2 : index
#:     %scale = arith.constant {pto.param = "SCALE"} 2.5 : f32
#:     %byte = arith.constant {pto.param = "BYTE"} 7 : i8
#:     %t = pto.alloc_tile : !pto.tile_buf<vec, ${ROWS:-8}x64xf32>
#:     scf.for %i = %c0 to %turns step %c1 {
#:       pto.texpands ins(%scale : f32) outs(%t : !pto.tile_buf<vec, ${ROWS:-8}x64xf32>)
#:     }
#:     return
#:   }
#: }
# FILE: generic.pto
#: module {
#:   func.func @k() {
#:     %n = "arith.constant"() {pto.param = "N", value = 4 : i32} : () -> i32
#:     %on = "arith.constant"() <{value = false}> {pto.param = "ON"} : () -> i1
#:     return
#:   }
#: }
# FILE: names.pto
#: module {
#:   func.func @k() {
#:     %a = arith.constant {pto.param = "no name"} 1 : i32
#:     %b = arith.constant {pto.param = "LANES"} dense<0> : vector<4xi32>
#:     return
#:   }
#: }
# FILE: case.toml
#: program = "${KERNEL}.pto"
#: blocks = "${BLOCKS:-1}"
#: [[arg]]
#: name = "x"
#: dtype = "f32"
#: shape = ["${LENGTH}"]
#: fill = 0

#= exit 0
#|     %c0 = arith.constant 0 : index
#|     %c1 = arith.constant 1 : index
#|     %turns = arith.constant {pto.param = "TURNS"} 3 : index
#|     %scale = arith.constant {pto.param = "SCALE"} 1.5 : f32
#|     %byte = arith.constant {pto.param = "BYTE"} 7 : i8
#|     %t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
#|       pto.texpands ins(%scale : f32) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
#= exit 0
#|     %n = arith.constant {pto.param = "N"} 16 : i32
#|     %on = arith.constant {pto.param = "ON"} true
#= exit 1
#= exit 0
#| constant {pto.param = "TURNS"} 2 : index loc("k.pto":5:14)
#| constant {pto.param = "SCALE"} 2.5 : f32 loc("k.pto":6:14)
#| constant {pto.param = "BYTE"} 7 : i8 loc("k.pto":7:13)
#= exit 2
#! pto-as: error: -D TURN=3: k.pto has no ${TURN} and no constant with pto.param = "TURN"; did you mean 'TURNS'?
#= exit 2
#! pto-sim: error: -D TURN=3: k.bin has no ${TURN} and no constant with pto.param = "TURN"; did you mean 'TURNS'?
#= exit 2
#! pto-sim: error: -D ROWS=3: k.bin has no ${ROWS} and no constant with pto.param = "ROWS"; it has BYTE, SCALE, TURNS
#= exit 2
#! pto-as: error: -D TURNS=many: the constant of k.pto:5:14 is index, which 'many' is no value of
#= exit 2
#! pto-sim: error: -D SCALE=1x: the constant of k.pto:6:14 is f32, which '1x' is no value of
#= exit 0
#! pto-as: error: -D BYTE=256: the constant of k.pto:7:13 is i8, which '256' is no value of
#= exit 2
#! pto-as: error: -D ROWS=1\x0a6: a value is one line
#= exit 1
#! k.pto:8:46: error[E0107]: a tile's rows are a positive integer, not 0
#!     8 |     %t = pto.alloc_tile : !pto.tile_buf<vec, ${ROWS:-8}x64xf32>
#!       |                                              ^~~~~~~~~~~~~~~~~
#= exit 1
#! names.pto:3:26: error[E0313]: 'no name' is no name of a parameter
#!     3 |     %a = arith.constant {pto.param = "no name"} 1 : i32
#!       |                          ^~~~~~~~~~~~~~~~~~~~~
#!   help: letters, digits and '_', a letter first
#! names.pto:4:26: error[E0313]: arith.constant names a parameter, but is vector<4xi32>
#!     4 |     %b = arith.constant {pto.param = "LANES"} dense<0> : vector<4xi32>
#!       |                          ^~~~~~~~~~~~~~~~~~~
#!   help: only scalars can be given by -D
#= exit 0
#| ran
#= exit 2
#! pto-sim: error: case.toml:6: 'shape' must hold integers of at least 0
#= exit 2
#! pto-sim: error: case.toml:6: ${LENGTH} is not set; set the environment variable or pass -D LENGTH=..
