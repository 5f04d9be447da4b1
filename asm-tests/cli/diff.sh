# Two runs compared: the parts of their critical paths, matched by line, are the difference; the rows that are listed are at least 90 % of it.
# RUN: cd ../kernels && pto-sim diff attention.a2a3.toml attention.a5.toml --rows 4
# RUN: cd ../kernels && python3 $T/explained.py attention.a2a3.toml attention.a5.toml
# RUN: cd ../kernels && pto-sim attention.a2a3.toml --report none --stats %t/a.json && pto-sim attention.a2a3.toml --report none --advice --stats %t/b.json > %t/text && pto-sim diff %t/a.json %t/b.json && python3 $T/keys.py %t/b.json
# RUN: cd ../kernels && pto-sim diff attention.a2a3.toml missing.toml
# RUN: cd ../kernels && pto-sim diff attention.a2a3.toml
# RUN: pto-sim diff
# RUN: cd ../kernels && echo '{}' > %t/no.json && pto-sim diff %t/no.json %t/no.json
# FILE: explained.py
#: # The same from the JSON reports of the two runs, computed here: both texts have the same lines.
#: import collections, json, subprocess, sys
#: def path(case):
#:     report = json.loads(subprocess.run(['pto-sim', case, '--report', 'json', '--advice'], capture_output=True, check=True).stdout)
#:     sums = collections.Counter()
#:     for part in report['critical_path']:
#:         pipe = part['pipe'].removeprefix('PIPE_')
#:         sums[pipe, 0 if pipe == 'S' else part['line']] += part['end'] - part['begin']
#:     return report, sums
#: (first, a), (second, b) = map(path, sys.argv[1:])
#: expected = {key: b[key] - a[key] for key in a | b if a[key] != b[key]}
#: diff = json.loads(subprocess.run(['pto-sim', 'diff', *sys.argv[1:], '--report', 'json'], capture_output=True, check=True).stdout)
#: rows = {(row['pipe'], row.get('line_a', row.get('line_b', 0))): row['change'] for row in diff['path']}
#: print('rows are the differences of the paths:', rows == expected)
#: total = second['total_cycles'] - first['total_cycles']
#: launch = second['launch_cycles'] - first['launch_cycles']
#: print('and add up to the difference:', sum(rows.values()) + launch == total == diff['difference'])
#: listed = sum(abs(row['change']) for row in diff['path'][:12]) + abs(launch)
#: every = sum(map(abs, expected.values())) + abs(launch)
#: print('the 12 rows of the text are at least 90 %:', listed / every >= 0.9 and abs(diff['explained'] - listed / every) < 1e-9)
# FILE: keys.py
#: import json, sys
#: stats = json.load(open(sys.argv[1]))
#: print(*stats)
#: print(sum(part['cycles'] for part in stats['path']) == stats['total_cycles'] - stats['launch_cycles'], *stats['path'][0], stats['source'][0])

#= exit 0
#| A: attention.a2a3.pto on a2a3: 14,465 cycles (11,460 of them launch)
#| B: attention.a5.pto on a5: 12,722 cycles (10,260 of them launch)
#| B takes 1,743 cycles less (-12 %): launch -1,200, kernel -543
#|
#| along the critical paths (the rows are 76 % of all changes)
#|       change           A           B  pipe  line         instruction
#|         +140         147         287  MTE3  73           pto.tstore, each 147 -> 287
#|         -138         306         168  FIX   86           pto.tstore, each 160 -> 168
#|         -112         313         201  MTE2  42           pto.tload, each 157 -> 131
#|         -105         113           8  S                  scalar unit
#|
#| busy cycles of pipes, means over cores
#|       change           A           B  pipe  line
#|         +140         147         287  MTE3               busy
#|         -125         303         178  MTE1               busy
#|          +80         320         400  FIX                busy
#|          +71         702         773  V                  busy
#|
#| waits, sums over cores
#|       change           A           B  pipe  line         reason
#|       -1,102       3,874       2,772  MTE3  73           not_issued
#|       -1,078       3,814       2,736  V     66           not_issued
#|       -1,078       3,806       2,728  MTE2  65           not_issued
#|       -1,008       3,700       2,692  S     65           cross_core
#= exit 0
#| rows are the differences of the paths: True
#| and add up to the difference: True
#| the 12 rows of the text are at least 90 %: True
#= exit 0
#| A: attention.a2a3.pto on a2a3: 14,465 cycles (11,460 of them launch)
#| B: attention.a2a3.pto on a2a3: 14,465 cycles (11,460 of them launch)
#| B takes as many cycles as A
#|
#| without critical paths, lines are not compared: give programs, or write --stats with --advice
#| outcome errors warnings hidden_errors hidden_warnings verdict target program total_cycles launch_cycles total_instructions cores inserted agreements mnemonics lines waits path source findings cost_basis
#| True pipe cycles times mnemonic pc line col {'line': 6, 'text': 'module attributes {pto.target_arch = "a3"} {'}
#= exit 2
#! pto-sim diff: error: cannot read missing.toml: No such file or directory
#= exit 2
#! pto-sim diff: error: two runs are compared, but only attention.a2a3.toml is given: pto-sim diff A B
#= exit 2
#! pto-sim diff: error: two runs are compared, but none is given: pto-sim diff A B
#= exit 2
#! pto-sim diff: error: %t/no.json: these are no statistics of a run; --stats writes them
