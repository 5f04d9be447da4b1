# 300 brackets inside each other are refused, not followed down
# RUN: (echo 'func.func @k() {'; printf 'pto.x '; printf '(%.0s' {1..300}; echo; echo '}') > %t/k.pto; pto-as %t/k.pto -o %t/a.bin 2>&1 | cut -c1-120; exit ${PIPESTATUS[0]}

#= exit 1
#| %t/k.pto:2:207: error[E0104]: brackets are nested too deeply
#|     2 | …((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((…
#|       |                                               ^
