# what the action for continuous integration runs: a line per file, a SARIF document for each
# RUN: ../../tools/scripts/check-kernels --sarif $T/sarif ../examples/softmax/case.toml ../examples/vector_add/vector_add.pto && ls $T/sarif && python3 -c 'import json, sys; print([json.load(open(name))["version"] for name in sys.argv[1:]])' $T/sarif/*
# RUN: ../../tools/scripts/check-kernels --sarif $T/sarif --target a5 ../mistakes/16_unknown_dtype.pto ../examples/softmax/case.toml missing.toml 2>&1 | grep -E "^(ok|FAILED|[0-9]+ ok)"; ls $T/sarif
# RUN: ../../tools/scripts/check-kernels

#= exit 0
#| ok      ../examples/softmax/case.toml
#| ok      ../examples/vector_add/vector_add.pto
#| 2 ok, 0 failed
#| 1.sarif
#| 2.sarif
#| ['2.1.0', '2.1.0']
#= exit 0
#| FAILED  ../mistakes/16_unknown_dtype.pto (exit code 1)
#| ok      ../examples/softmax/case.toml
#| FAILED  missing.toml (exit code 2)
#| 1 ok, 2 failed
#| 1.sarif
#| 2.sarif
#= exit 2
#! check-kernels: no files
