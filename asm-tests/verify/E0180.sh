# An operation of five million commas is refused before it takes gigabytes
# RUN: (echo 'func.func @k() {'; printf 'pto.x '; head -c 5000000 /dev/zero | tr '\0' ','; echo; echo 'return'; echo '}') > %t/k.pto; pto-as %t/k.pto -o %t/a.bin 2>&1 | cut -c1-120; exit ${PIPESTATUS[0]}

#= exit 1
#| %t/k.pto:2:4194311: error[E0180]: one operation has more than 4194304 items
#|     2 | …,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,…
#|       |                                               ^
