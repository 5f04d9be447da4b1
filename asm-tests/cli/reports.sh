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
#:     print(pipe['name'], *pipe, 'sum is right' if total == report['total_cycles'] - report['launch_cycles'] else f'sum is {total}')
#: for name in ('instructions', 'mnemonics', 'lines', 'waits'):
#:     if name in report:
#:         print(name, *report[name][0])
#: print(*report['cost_basis'])

#= exit 0
#| instructions outcome errors warnings hidden_errors hidden_warnings verdict target program total_cycles launch_cycles total_instructions cores agreements findings cost_basis
#| index kind block subblock pipes
#| PIPE_MTE2 name busy_cycles instructions stall_cycles sum is right
#| PIPE_MTE1 name busy_cycles instructions stall_cycles sum is right
#| PIPE_M name busy_cycles instructions stall_cycles sum is right
#| PIPE_FIX name busy_cycles instructions stall_cycles sum is right
#| PIPE_S name busy_cycles instructions stall_cycles sum is right
#| instructions pc line mnemonic core pipe issue start end basis
#| measured simulator documented assumed unknown_instructions
#= exit 0
#| outcome errors warnings hidden_errors hidden_warnings verdict target program total_cycles launch_cycles total_instructions cores agreements mnemonics lines waits source findings cost_basis
#| index kind block subblock pipes
#| PIPE_MTE2 name busy_cycles instructions stall_cycles sum is right
#| PIPE_MTE1 name busy_cycles instructions stall_cycles sum is right
#| PIPE_M name busy_cycles instructions stall_cycles sum is right
#| PIPE_FIX name busy_cycles instructions stall_cycles sum is right
#| PIPE_S name busy_cycles instructions stall_cycles sum is right
#| mnemonics mnemonic count cycles
#| lines line count cycles
#| waits core pipe reason cycles times pc line col
#| measured simulator documented assumed unknown_instructions
#= exit 0
#| []
