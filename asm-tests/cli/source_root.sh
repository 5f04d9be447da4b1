# The text an object was made from is shown from beside the object or from --source-root, and from nowhere else.
# RUN: cd $T && mkdir made elsewhere && mv k.pto made && pto-as --no-verify made/k.pto -o made/k.bin && bash lines made/k.bin
# RUN: cd $T && mv made/k.bin elsewhere && bash lines elsewhere/k.bin; bash lines elsewhere/k.bin --source-root made; bash lines elsewhere/k.bin --source-root .; bash lines elsewhere/k.bin --source-root none
# RUN: cd $T && (cd elsewhere && pto-as --no-verify ../made/k.pto -o up.bin) && bash lines elsewhere/up.bin; bash lines elsewhere/up.bin --source-root elsewhere
# RUN: cd $T && mkfifo elsewhere/k.pto && bash lines elsewhere/k.bin; rm elsewhere/k.pto
# RUN: cd $T && ln -s ../made/k.pto elsewhere/k.pto && bash lines elsewhere/k.bin; rm elsewhere/k.pto
# RUN: cd $T && ln -s /dev/zero elsewhere/k.pto && bash lines elsewhere/k.bin --source-root .; rm elsewhere/k.pto
# RUN: cd $T && cp made/k.pto elsewhere/k.pto && bash lines elsewhere/k.bin; truncate -s 65M elsewhere/k.pto && bash lines elsewhere/k.bin
# An object names what it likes; only texts of programs are looked at.
# RUN: cd $T && mkdir -p home/.ssh src/.ssh && cp made/k.pto home/.ssh/id_rsa && cp made/k.pto src/.ssh/id_rsa && cp made/k.pto home/.ssh/k.pto && (cd src && cp .ssh/id_rsa .ssh/k.pto && pto-as --no-verify .ssh/id_rsa -o ../home/key.bin && pto-as --no-verify .ssh/k.pto -o ../home/text.bin); bash lines home/key.bin; bash lines home/key.bin --source-root home; bash lines home/text.bin; bash lines home/text.bin --source-root home
# FILE: lines
#: timeout 20 pto-sim "$@" --report none 2>&1 | grep -c '    3 |     pto.set_flag'
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k() attributes {pto.kernel} {
#:     pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
#:     return
#:   }
#: }

#= exit 0
#| 1
#= exit 1
#| 0
#| 1
#| 1
#| 0
#= exit 1
#| 0
#| 0
#= exit 0
#| 0
#= exit 0
#| 0
#= exit 0
#| 1
#= exit 1
#| 1
#| 0
#= exit 0
#| 0
#| 0
#| 0
#| 1
