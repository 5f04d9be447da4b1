# --help: at most 100 columns, no types of CLI11, every option in a group (an option without one is an internal error)
# RUN: for c in pto-as pto-dis pto-sim pto-lsp "pto-sim profile" "pto-sim prove" "pto-sim diff" "pto-sim sweep"; do $c --help > $T/help || echo "$c: exit $?"; awk -v c="$c" 'length > 100 || /TEXT|UINT|INT in|OPTIONS:/ {print c ": " $0}' $T/help; grep -E '^[A-Z][a-z]+:$' $T/help | tr -d '\n'; echo; done

#= exit 0
#| Program:Target:Compilation:Output:Diagnostics:Reference:General:
#| Program:Output:General:
#| Program:Launch:Target:Compilation:Simulation:Output:Reports:Diagnostics:Reference:General:
#| General:
#| Program:Launch:Target:Compilation:Simulation:Output:Reports:Diagnostics:General:
#| Program:Launch:Target:Compilation:Simulation:Diagnostics:General:
#| Program:Launch:Target:Compilation:Simulation:Output:Reports:Diagnostics:General:
#| Program:Launch:Target:Compilation:Simulation:Output:Reports:Diagnostics:General:
