# A report that nobody gets is exit 2, with a message where there is still somewhere to say it.
# RUN: cd $T && for report in text json; do pto-sim k.pto --report $report > /dev/full; echo $?; done
# RUN: cd $T && pto-sim k.pto --report json >&-; echo $?
# RUN: cd $T && pto-sim k.pto --report none --timeline > /dev/full
# RUN: cd $T && pto-sim k.pto --report none >&-; echo $?
# RUN: cd $T && pto-as bad.pto 2> /dev/full; echo $?; pto-as bad.pto 2>&-; echo $?; pto-as bad.pto --diagnostics=json 2> /dev/full; echo $?
# RUN: pto-as --list-rules > /dev/full
# RUN: pto-as --list-instructions > /dev/full
# RUN: pto-as --explain E0112 > /dev/full
# RUN: for tool in pto-as pto-sim pto-dis; do $tool --help > /dev/full; echo $?; $tool --version >&-; echo $?; done
# RUN: cd $T && pto-as k.pto -o - > /dev/full; echo $?; pto-as k.pto && pto-dis k.bin > /dev/full; echo $?; pto-dis k.bin -o - >&-
# RUN: cd $T && set -o pipefail; pto-as --list-instructions --format json 2> err | head -n 1 | wc -l; echo ${PIPESTATUS[0]}; cat err
# RUN: cd $T && pto-sim k.pto --report json --trace t.json >&- 2> err; head -c 16 t.json; cat err
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.kernel} {
#:     return
#:   }
#: }
# FILE: bad.pto
#: func.func @k() {
#:   pto.tad
#:   return
#: }

#= exit 0
#| 2
#| 2
#! pto-sim: error: cannot write standard output: No space left on device
#! pto-sim: error: cannot write standard output: No space left on device
#= exit 0
#| 2
#! pto-sim: error: cannot write standard output: Bad file descriptor
#= exit 2
#! pto-sim: error: cannot write standard output: No space left on device
#= exit 0
#| 0
#= exit 0
#| 2
#| 2
#| 2
#= exit 2
#! pto-as: error: cannot write standard output: No space left on device
#= exit 2
#! pto-as: error: cannot write standard output: No space left on device
#= exit 2
#! pto-as: error: cannot write standard output: No space left on device
#= exit 0
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#! pto-as: error: cannot write standard output: No space left on device
#! pto-as: error: cannot write standard output: Bad file descriptor
#! pto-sim: error: cannot write standard output: No space left on device
#! pto-sim: error: cannot write standard output: Bad file descriptor
#! pto-dis: error: cannot write standard output: No space left on device
#! pto-dis: error: cannot write standard output: Bad file descriptor
#= exit 2
#| 2
#| 2
#! pto-as: error: cannot write standard output: No space left on device
#! pto-dis: error: cannot write standard output: No space left on device
#! pto-dis: error: cannot write standard output: Bad file descriptor
#= exit 0
#| 1
#| 2
#= exit 0
#| {"displayTimeUnipto-sim: error: cannot write standard output: Bad file descriptor
