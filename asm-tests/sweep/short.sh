# A host that gives no threads: the one that is there does all points. Too little memory for the parser of cases is an end with words.
# UNSANITIZED: the address sanitizer reserves more than the limit
# RUN: cd $T && cp $OLDPWD/gemm.* . && pto-sim sweep s.toml --out one --jobs 1 --report none && (ulimit -s 4000000; ulimit -v 3000000; pto-sim sweep s.toml --out few --jobs 16 --report none) && cmp one.jsonl few.jsonl && echo same
# FILE: s.toml
#: case = "gemm.toml"
#: mode = "time"
#: [grid]
#: M = [64]
#: N = [64]
#: K = [64]
#: TM = [16, 32, 64]
#: TN = [16, 32, 64]

#= exit 0
#| same
