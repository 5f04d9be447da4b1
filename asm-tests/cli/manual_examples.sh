# the examples of the manual pages run, in their order, each page in an empty folder
# RUN: for t in pto-as pto-dis pto-sim pto-lsp; do mkdir -p $T/$t && cd $T/$t; $t --man | awk '/^\.EE/ {on = 0} on {print} /^\.EX/ {on = 1}' | sed 's/\\-/-/g; s/\\e/\\/g' > commands; grep -c . commands; bash -e commands > out 2> err || { echo "$t: exit $?"; cat err; }; done

#= exit 0
#| 4
#| 4
#| 9
#| 1
