# The check of rules and tests finds what it is for: a rule without a test, a test of no rule, one behaviour stated twice, an
# unknown family or aspect, a rule of another family than its instruction, a sentence without an id, an open entry that is done.
# RUN: cd %t && mkdir -p docs/reference tools/scripts/lint src asm-tests && mv *.md docs/reference/ && mv rules.toml tools/scripts/lint/ && mv a_test.cpp src/ && mv a.pto asm-tests/ && python3 "$OLDPWD/../../tools/scripts/lint/rules.py" --root .
# RUN: cd %t && sed -i '/fault/d' docs/reference/*.md tools/scripts/lint/rules.toml src/a_test.cpp asm-tests/a.pto && python3 "$OLDPWD/../../tools/scripts/lint/rules.py" --root .
# RUN: cd %t && echo "// RUN: true" >> asm-tests/a.pto && python3 "$OLDPWD/../../tools/scripts/lint/rules.py" --root .
# FILE: numerics.md
#: # Numerics
#: Text above the first section is no rule.
#: ## Maxima
#: These hold:
#: - `tmax` gives NaN. [N-max-nan]
#: - fault: no test. [N-max-zero]
#: - fault: `tmin` is of another family. [N-max-tie]
#: - fault: an aspect that is not in the list. [N-max-unordered]
#: - fault: a family that is not in the list. [N-tmax-zero]
#: - fault: a rule without an id.
#: - fault: two rules [N-max-zero] in one. [N-max-nan]
#:
#: | operation | result | rule |
#: |---|---|---|
#: | min | the smaller | [N-min-nan] |
#:
#: ## Micro instructions
#: - fault: vectors differ. [M-max-nan]
# FILE: rules.toml
#: [family]
#: max = ["tmax"]
#: min = ["tmin"]
#: [aspect]
#: names = ["nan", "zero", "tie"]
#: [open]
#: untested = ["N-max-nan"] # fault
#: twice = ["min-nan"] # fault
# FILE: a_test.cpp
#: TEST_CASE("maxima", "[tile][N-max-nan]") {}
#: TEST_CASE("fault", "[N-min-gone][M-max-nan]") {}
#: // [N-max-zero] outside of a test's tags does not count
# FILE: a.pto
#: // covers: N-min-nan
#: // RUN: true   fault

#= exit 1
#| docs/reference/numerics.md:10: no id: - fault: a rule without an id.
#| docs/reference/numerics.md:11: several ids in one rule: N-max-zero N-max-nan
#| docs/reference/numerics.md:7: N-max-tie names tmin, none of which is of that family
#| docs/reference/numerics.md:8: N-max-unordered: no such aspect: unordered
#| docs/reference/numerics.md:9: N-tmax-zero: no such family: tmax
#| docs/reference/numerics.md:5 and docs/reference/numerics.md:11: two rules for one behaviour: max-nan
#| docs/reference/numerics.md:6 and docs/reference/numerics.md:11: two rules for one behaviour: max-zero
#| tools/scripts/lint/rules.toml: open.twice lists min-nan, which is stated once: remove it
#| docs/reference/numerics.md:6: no test names N-max-zero
#| docs/reference/numerics.md:7: no test names N-max-tie
#| docs/reference/numerics.md:8: no test names N-max-unordered
#| docs/reference/numerics.md:9: no test names N-tmax-zero
#| docs/reference/numerics.md:11: no test names N-max-zero
#| src/a_test.cpp: no rule N-min-gone
#| tools/scripts/lint/rules.toml: open.untested lists N-max-nan, which is tested or gone: remove it
#| open: 1 rules without a test, 1 stated twice
#| 0 passed, 15 failed
#= exit 1
#| asm-tests/a.pto: names rules but runs nothing
#| 1 passed, 1 failed
#= exit 0
#| 2 passed, 0 failed
