# programs of one name from several folders: each has its own files
# RUN: cd $T && mkdir -p x y && cp a.pto x/a.pto && cp two.pto y/a.pto && pto-sim profile x y a.pto --out out --save-case cases && find out cases -name "*.toml" | sort
# RUN: cd $T && pto-sim profile a.pto missing.pto
# FILE: a.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @first() attributes {pto.kernel} {
#:     return
#:   }
#: }
# FILE: two.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @first() attributes {pto.kernel} {
#:     return
#:   }
#:   func.func @second() attributes {pto.kernel} {
#:     return
#:   }
#: }

#= exit 0
#| kernel            cycles         us  bound by             findings
#| a @first           9,690        5.9  no work              -
#| a-2 @first         9,690        5.9  no work              -
#| a-2 @second        9,690        5.9  no work              -
#| a-3 @first         9,690        5.9  no work              -
#| 4 kernels: 4 ok
#| cases/a-2/first.toml
#| cases/a-2/second.toml
#| cases/a-3.toml
#| cases/a.toml
#| out/a-2/first/case.toml
#| out/a-2/second/case.toml
#| out/a-3/case.toml
#| out/a/case.toml
#= exit 2
#! pto-sim profile: error: missing.pto: no such file or folder
