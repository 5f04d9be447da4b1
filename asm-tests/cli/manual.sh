# manual pages and completion, from the description that --help shows
# RUN: for t in pto-as pto-dis pto-sim pto-lsp; do $t --man > $T/$t.1 && head -n 4 $T/$t.1 && grep -c '^\.TP' $T/$t.1; done
# RUN: for t in pto-as pto-dis pto-sim pto-lsp; do $t --completion bash > $T/$t.bash && bash -n $T/$t.bash || echo $t; done
# RUN: source <(pto-sim --completion bash); COMP_WORDS=(pto-sim --mode ""); COMP_CWORD=2; _pto_sim; echo ${COMPREPLY[@]}; COMP_WORDS=(pto-sim --tim); COMP_CWORD=1; _pto_sim; echo ${COMPREPLY[@]}; COMP_WORDS=(pto-sim --save-c); _pto_sim; echo ${COMPREPLY[@]}
# RUN: pto-sim --completion zsh | grep -E "quiet|--mode"; pto-sim --completion fish | grep -E "profile|-l mode"
# RUN: pto-as --completion csh
# RUN: for t in pto-as pto-dis pto-sim pto-lsp; do $t --completion bash > $T/$t.bash; $t --help | grep -oE "^  [-][^ ]+" | tr -d " " | tr , "\n" | grep -vE ":" | while read -r o; do grep -qF -- "$o" $T/$t.bash || echo "$t $o"; done; done

#= exit 0
#| .TH PTO\-AS 1 "" "pto 0.2.0" "PTO tool set"
#| .SH NAME
#| pto\-as \- Assembles PTO program text into an object file.
#| .SH SYNOPSIS
#| 40
#| .TH PTO\-DIS 1 "" "pto 0.2.0" "PTO tool set"
#| .SH NAME
#| pto\-dis \- Disassembles a PTO object into canonical program text.
#| .SH SYNOPSIS
#| 15
#| .TH PTO\-SIM 1 "" "pto 0.2.0" "PTO tool set"
#| .SH NAME
#| pto\-sim \- Simulates PTO programs: values, cycles and findings.
#| .SH SYNOPSIS
#| 201
#| .TH PTO\-LSP 1 "" "pto 0.2.0" "PTO tool set"
#| .SH NAME
#| pto\-lsp \- Language server for PTO program text. Editors start it and exchange messages over standard input and output.
#| .SH SYNOPSIS
#| 11
#= exit 0
#= exit 0
#| run time check
#| --timeline
#| --save-case
#= exit 0
#|   '*--mode[run\: values and cycles (default); time\: cycles; check\: synchronisation and memory]:value:(run time check)' \
#|   '*--quiet[print only errors and warnings; for several runs, also the names of those that are not ok]' \
#|   '*--mode[run\: values and cycles (default); time\: cycles; check\: synchronisation and memory]:value:(run time check)' \
#|   '*--mode[run\: values and cycles (default); time\: cycles; check\: synchronisation and memory]:value:(run time check)' \
#|   '*--mode[run\: values and cycles (default); time\: cycles; check\: synchronisation and memory]:value:(run time check)' \
#|   '*--mode[run\: values and cycles (default); time\: cycles; check\: synchronisation and memory]:value:(run time check)' \
#| complete -c pto-sim -n __fish_use_subcommand -a profile -d 'Runs every kernel of programs and folders with inferred arguments.'
#| complete -c pto-sim -l mode -x -a 'run time check' -d 'run: values and cycles (default); time: cycles; check: synchronisation and memory'
#| complete -c pto-sim -l mode -x -a 'run time check' -d 'run: values and cycles (default); time: cycles; check: synchronisation and memory'
#| complete -c pto-sim -l mode -x -a 'run time check' -d 'run: values and cycles (default); time: cycles; check: synchronisation and memory'
#| complete -c pto-sim -l mode -x -a 'run time check' -d 'run: values and cycles (default); time: cycles; check: synchronisation and memory'
#| complete -c pto-sim -l mode -x -a 'run time check' -d 'run: values and cycles (default); time: cycles; check: synchronisation and memory'
#= exit 2
#! pto-as: error: --completion: 'csh' is not one of bash, zsh, fish
#= exit 0
