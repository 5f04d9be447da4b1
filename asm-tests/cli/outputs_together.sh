# All outputs of a run are put in place, or every file stays as it was. An output is no input, and no two outputs are one file.
# RUN: cd $T && printf old > first.bin && mkdir folder.bin && bash run --out a=first.bin --out b=folder.bin || echo $? && cat first.bin
# RUN: cd $T && bash run --out a=first.bin --trace missing/t.json || echo $? && cat first.bin
# RUN: cd $T && bash run --out a=first.bin --out b=./first.bin || echo $? && cat first.bin
# RUN: cd $T && bash run --out a=new.bin --out b=new.bin || ls
# RUN: cd $T && ln first.bin hard.bin && ln -s first.bin soft.bin && bash run --out a=first.bin --out b=hard.bin; bash run --out a=first.bin --trace soft.bin; cat first.bin
# RUN: cd $T && bash run --out a=k.pto || echo $? && head -c 6 k.pto
# RUN: cd $T && pto-sim case.toml --report none --out a=case.toml || echo $? && head -n 1 case.toml
# RUN: cd $T && head -c 16 /dev/zero > in.bin && pto-sim k.pto --report none --arg a=f32[4]@in.bin --arg b=f32[4] --out b=in.bin
# RUN: cd $T && pto-sim case.toml --report none --out a=golden.bin
# RUN: cd $T && bash run --trace t.json --stats t.json; bash run --trace - --stats -
# RUN: cd $T && bash run --out a=/dev/null --out b=/dev/null
# RUN: cd $T && pto-as k.pto -o k.pto; ln -s k.pto same.pto; pto-as k.pto -o same.pto; pto-as k.pto && pto-dis k.bin -o k.bin; head -c 6 k.pto
# RUN: cd $T && cp k.bin other.bin && pto-as other.bin
# RUN: cd $T && pto-sim k.pto --arg a=f32[4]:1 --arg b=f32[4]:2 --out a=first.bin --out b=second.bin --trace trace.json --stats stats.json --report none && ls first.bin second.bin trace.json stats.json && od -A n -t f4 first.bin second.bin; ls -A | grep '^[.]pto'
# FILE: run
#: pto-sim k.pto --report none --arg a=f32[4]:1 --arg b=f32[4]:2 "$@"
# FILE: golden.bin
#: 0123456
# FILE: case.toml
#: program = "k.pto"
#: [[arg]]
#: name = "a"
#: dtype = "f32"
#: shape = [2]
#: expect = "golden.bin"
#: [[arg]]
#: name = "b"
#: dtype = "f32"
#: shape = [2]
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>) attributes {pto.kernel} {
#:     return
#:   }
#: }

#= exit 0
#| 2
#| old
#! pto-sim: error: cannot write folder.bin: it is a directory
#= exit 0
#| 2
#| old
#! pto-sim: error: cannot write missing/t.json: No such file or directory
#= exit 0
#| 2
#| old
#! pto-sim: error: the output of 'b' and the output of 'a' are one file: ./first.bin
#= exit 0
#| case.toml
#| first.bin
#| folder.bin
#| golden.bin
#| k.pto
#| run
#! pto-sim: error: the output of 'b' and the output of 'a' are one file: new.bin
#= exit 0
#| old
#! pto-sim: error: the output of 'b' and the output of 'a' are one file: hard.bin
#! pto-sim: error: --trace and the output of 'a' are one file: soft.bin
#= exit 0
#| 2
#| module
#! pto-sim: error: the output of 'a' and the program are one file: k.pto
#= exit 0
#| 2
#| program = "k.pto"
#! pto-sim: error: the output of 'a' and the case file are one file: case.toml
#= exit 2
#! pto-sim: error: the output of 'b' and the input of 'a' are one file: in.bin
#= exit 2
#! pto-sim: error: the output of 'a' and the expectation of 'a' are one file: golden.bin
#= exit 2
#! pto-sim: error: --stats and --trace are one file: t.json
#! pto-sim: error: --stats and --trace are one file: -
#= exit 0
#= exit 0
#| module
#! pto-as: error: the output and the program are one file: k.pto
#! pto-as: error: the output and the program are one file: same.pto
#! pto-dis: error: the output and the object are one file: k.bin
#= exit 2
#! pto-as: error: the output and the program are one file: other.bin
#= exit 1
#| first.bin
#| second.bin
#| stats.json
#| trace.json
#|                1               1               1               1
#|                2               2               2               2
