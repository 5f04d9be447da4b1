# The inside of vector functions in the trace. The 16 passes over 1,000 elements of 64 make a mask, load, double, clamp and store:
# 16 of each, two loads or one store in a cycle, each within the time of its function, results behind their operands.
# RUN: pto-sim ../examples/vector_function/case.toml --report none --trace %t/t.json && python3 $T/inside.py %t/t.json
# FILE: inside.py
#: import collections, json, sys
#: events = json.load(open(sys.argv[1]))['traceEvents']
#: launch = next(e['dur'] for e in events if e.get('cat') == 'launch')
#: tracks = {e['tid']: e['args']['name'] for e in events if e['name'] == 'thread_name'}
#: steps = [e for e in events if e.get('cat') == 'vector step']
#: scope = next(e for e in events if e.get('cat') == 'instruction' and e['name'] == 'pto.vecscope')
#: for (name, track), times in sorted(collections.Counter((e['name'], tracks[e['tid']].rsplit(' ', 1)[0]) for e in steps).items()): print(times, name, 'in', track)
#: print('within the function', all(scope['ts'] <= e['ts'] and e['args']['visible'] <= scope['args']['visible'] for e in steps))
#: print('one at a time on a track', len({(e['tid'], e['ts']) for e in steps}) == len(steps))
#: starts = lambda name: sorted(e['ts'] for e in steps if e['name'] == name)
#: chain = [starts(name) for name in ('pto.vlds', 'pto.vmuls', 'pto.vrelu', 'pto.vsts')]
#: print('each behind what it needs', all(a < b < c < d for a, b, c, d in zip(*chain)))

#= exit 0
#| 16 pto.plt_b32 in V alu
#| 16 pto.vlds in V ld/st
#| 16 pto.vmuls in V alu
#| 16 pto.vrelu in V alu
#| 16 pto.vsts in V ld/st
#| within the function True
#| one at a time on a track True
#| each behind what it needs True
