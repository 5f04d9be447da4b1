# --explain takes ids and names; the catalogue can be listed.
# RUN: pto-as --explain W0361
# RUN: pto-as --explain element-count
# RUN: pto-as --explain element-cuont
# RUN: pto-as --explain E9999
# RUN: pto-as --list-rules | grep -E '^(## |\| W0361 )'
# RUN: pto-as --list-rules --format json | python3 -c 'import json, sys; rules = json.load(sys.stdin); print(sorted(rules[0])); print([r["name"] for r in rules if r["id"] == "W0361"])'

#= exit 0
#| W0361: element count (element-count)
#|
#| A window of GM and the tile's valid region hold different numbers of elements.
#|
#| Example:
#| pto.tload of 16x64 into valid=16x60
#|
#| Fix: Make both agree.
#= exit 0
#| W0361: element count (element-count)
#|
#| A window of GM and the tile's valid region hold different numbers of elements.
#|
#| Example:
#| pto.tload of 16x64 into valid=16x60
#|
#| Fix: Make both agree.
#= exit 2
#! pto-as: error: there is no rule 'element-cuont'; did you mean 'element-count'?
#= exit 2
#! pto-as: error: there is no rule 'E9999'; --list-rules shows all
#= exit 0
#| ## Assembler: shape, names and types of the text
#| ## Verifier: operands, attributes, element types, tiles, memory
#| ## Verifier: structure, vector scopes, micro instructions
#| ## Static checks of synchronisation and memory
#| ## Planner: addresses and flags
#| ## Warnings
#| | W0361 | `element-count` | A window of GM and the tile's valid region hold different numbers of elements. |
#| ## Findings of a run
#= exit 0
#| ['cause', 'example', 'family', 'fix', 'id', 'name', 'title']
#| ['element-count']
