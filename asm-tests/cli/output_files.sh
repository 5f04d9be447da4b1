# Where outputs go: links, pipes and devices are written through, modes are kept, read-only files refused; nothing is left behind.
# RUN: cd $T && printf old > real.npy && chmod 600 real.npy && ln -s real.npy link.npy && bash run --out c=link.npy; stat -c '%F %a' link.npy real.npy; wc -c < real.npy
# RUN: cd $T && ln -s later.bin dangling.bin && bash run --out c=dangling.bin; stat -c %F dangling.bin later.bin; wc -c < later.bin
# RUN: cd $T && mkfifo pipe && (timeout 20 cat pipe | wc -c) & cd $T; while [ ! -p pipe ]; do :; done; bash run --out c=pipe; wait; stat -c %F pipe
# RUN: cd $T && bash run --out c=/dev/null; stat -c %F /dev/null
# RUN: cd $T && bash run --out c=/dev/stdout | od -A n -t f4
# RUN: cd $T && printf old > fixed.bin && chmod 444 fixed.bin; bash run --out c=fixed.bin || echo $? $(cat fixed.bin; stat -c %a fixed.bin)
# RUN: cd $T && umask 027 && bash run --out c=new.bin; stat -c %a new.bin
# RUN: cd $T && printf old > big.bin; (ulimit -f 1; pto-sim k.pto --report none --arg c=f32[4096] --out c=big.bin) || echo $? $(cat big.bin; ls -A | grep '^[.]pto')
# RUN: cd $T && (ulimit -f 0; pto-as k.pto -o small.bin) || echo $? $(ls -A | grep -e small -e '^[.]pto')
# RUN: cd $T && ls -A
# FILE: run
#: pto-sim k.pto --report none --arg c=f32[4]:1.5 "$@"
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%c: !pto.ptr<f32>) attributes {pto.kernel} {
#:     return
#:   }
#: }

#= exit 0
#| symbolic link 777
#| regular file 600
#| 144
#= exit 0
#| symbolic link
#| regular file
#| 16
#= exit 0
#| 16
#| fifo
#= exit 0
#| character special file
#= exit 0
#|              1.5             1.5             1.5             1.5
#= exit 0
#| 2 old444
#! pto-sim: error: cannot replace fixed.bin: it is read-only
#= exit 0
#| 640
#= exit 0
#| 2 old
#! k.pto: warning[UNWRITTEN]: c: 0 of 4,096 elements were written (blocks=1) [-Woutput-written-in-part]
#!   help: check the branches and loop bounds around the stores to it; all its bytes are uninitialised
#! pto-sim: error: cannot write big.bin: File too large
#= exit 0
#| 2
#! pto-as: error: cannot write small.bin: File too large
#= exit 0
#| big.bin
#| dangling.bin
#| fixed.bin
#| k.pto
#| later.bin
#| link.npy
#| new.bin
#| pipe
#| real.npy
#| run
