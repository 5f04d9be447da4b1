# The names of the JSON reports, and that busy and stalled cycles of every pipe add up to the total.
# RUN: cd ../kernels && pto-sim matmul_tile.a2a3.toml --report json | python3 $T/names.py
# RUN: cd ../kernels && pto-sim matmul_tile.a2a3.toml --report none --stats %t/stats.json && python3 $T/names.py < %t/stats.json
# RUN: cd ../kernels && pto-sim matmul_tile.a2a3.toml --mode check --report json | python3 -c "import json, sys; print(json.load(sys.stdin)['findings'])"
# FILE: names.py
#: import json, sys
#: report = json.load(sys.stdin)
#: print(*report)
#: core = report['cores'][0]
#: print(*core)
#: for pipe in core['pipes']:
#:     total = pipe['busy_cycles'] + sum(pipe['stall_cycles'].values())
#:     print(pipe['name'], *pipe, 'sum is right' if total == report['total_cycles'] else f'sum is {total}')
#: for name in ('instructions', 'mnemonics', 'lines', 'waits'):
#:     if name in report:
#:         print(name, *report[name][0])
#: print(*report['cost_basis'])
