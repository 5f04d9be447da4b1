# --sandbox: a case reads and writes only below its own folder, whatever links and ".." say.
# RUN: cd $T && mkdir in && mv k.pto case.toml in && pto-sim in/case.toml --sandbox --report none && ls in/c.bin
# RUN: cd $T && sed -i 's#c.bin#../c.bin#' in/case.toml && pto-sim in/case.toml --report none && ls c.bin && rm c.bin && pto-sim in/case.toml --sandbox --report none; ls c.bin
# RUN: cd $T && ln -s .. in/up && sed -i 's#\.\./c.bin#up/c.bin#' in/case.toml && pto-sim in/case.toml --sandbox --report none; ls c.bin
# RUN: cd $T && ln -s ../c.bin in/dangling && sed -i 's#up/c.bin#dangling#' in/case.toml && pto-sim in/case.toml --sandbox --report none; ls c.bin
# RUN: cd $T && sed -i 's#dangling#c.bin#; s#"k.pto"#"../k.pto"#' in/case.toml && cp in/k.pto . && pto-sim in/case.toml --sandbox --report none
# RUN: cd $T && pto-sim k.pto --sandbox --report none --arg c=f32[4]@/dev/zero
# RUN: cd $T && pto-sim k.pto --sandbox --report none --arg c=f32[4] --trace /tmp/pto-sandbox-trace.json
# RUN: cd $T && pto-sim in/k.pto --sandbox --report none --arg c=f32[4] --target ./k.pto
# RUN: cd $T && pto-sim in/k.pto --sandbox --report none --arg c=f32[4] --source-root .; pto-sim in/k.pto --sandbox --report none --arg c=f32[4] --source-root in
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%c: !pto.ptr<f32>) attributes {pto.kernel} {
#:     return
#:   }
#: }
# FILE: case.toml
#: program = "k.pto"
#: [[arg]]
#: name = "c"
#: dtype = "f32"
#: shape = [4]
#: output = "c.bin"

#= exit 0
#| in/c.bin
#! in/k.pto: warning[UNWRITTEN]: c: 0 of 4 elements were written (blocks=1) [-Woutput-written-in-part]
#!   help: check the branches and loop bounds around the stores to it; all its bytes are uninitialised
#= exit 2
#| c.bin
#! in/k.pto: warning[UNWRITTEN]: c: 0 of 4 elements were written (blocks=1) [-Woutput-written-in-part]
#!   help: check the branches and loop bounds around the stores to it; all its bytes are uninitialised
#! pto-sim: error: --sandbox: the output of 'c' lies outside of the folder in: c.bin
#! ls: cannot access 'c.bin': No such file or directory
#= exit 2
#! pto-sim: error: --sandbox: the output of 'c' lies outside of the folder in: in/up/c.bin
#! ls: cannot access 'c.bin': No such file or directory
#= exit 2
#! pto-sim: error: --sandbox: the output of 'c' lies outside of the folder in: in/dangling
#! ls: cannot access 'c.bin': No such file or directory
#= exit 2
#! pto-sim: error: --sandbox: the program lies outside of the folder in: k.pto
#= exit 2
#! pto-sim: error: --sandbox: the input of 'c' lies outside of the folder .: /dev/zero
#= exit 2
#! pto-sim: error: --sandbox: --trace lies outside of the folder .: /tmp/pto-sandbox-trace.json
#= exit 2
#! pto-sim: error: --sandbox: the configuration lies outside of the folder in: ./k.pto
#= exit 0
#! pto-sim: error: --sandbox: --source-root lies outside of the folder in: .
