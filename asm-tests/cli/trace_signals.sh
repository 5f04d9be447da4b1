# Arrows of the trace between cores, and its counters. The kernel signals three times there and three times back, reads 512 + 1,024 bytes of
# GM and writes 1,024 three times; UB holds three tiles of 1,024 bytes.
# RUN: cd ../faults && pto-sim signals.a5.pto --report none --sync explicit --arg a=f16[16x16]:1 --arg b=f32[16x16]:1 --arg o=f32[16x16] --trace %t/t.json && python3 ../check_trace.py %t/t.json && python3 $T/ends.py %t/t.json
# RUN: cd ../faults && pto-sim queue.a5.pto --report none --sync explicit --arg a=f16[16x16]:1 --arg o=f32[16x16] --trace %t/t.json && python3 ../check_trace.py %t/t.json && python3 $T/ends.py %t/t.json
# FILE: ends.py
#: import collections, json, sys
#: events = json.load(open(sys.argv[1]))['traceEvents']
#: cores = {e['pid']: e['args']['name'] for e in events if e['name'] == 'process_name'}
#: slices = {(e['pid'], e['tid'], e['ts']): f"{e['name']} of {cores[e['pid']]}" for e in events if e.get('cat') == 'signal' and e['ph'] == 'X'}
#: ends = {}
#: arrows = collections.Counter()
#: for e in events:
#:     if e.get('cat') == 'signal' and e['ph'] in 'sf':
#:         end = slices[e['pid'], e['tid'], e['ts']]
#:         if e['ph'] == 's': ends[e['id']] = end
#:         else: arrows[f"{ends[e['id']]} -> {end}"] += 1
#: for arrow, times in sorted(arrows.items()): print(times, arrow)
#: moved, last, most = collections.Counter(), {}, collections.Counter()
#: for e in events:
#:     if e['ph'] != 'C': continue
#:     (value,) = e['args'].values()
#:     key = e['name'] if ' in use' not in e['name'] else f"{e['name']} of {cores[e['pid']]}"
#:     time, rate = last.get(key, (0, 0))
#:     moved[key] += rate * (e['ts'] - time)
#:     last[key] = e['ts'], value
#:     most[key] = max(most[key], value)
#: for key in sorted(last): print(key, f'{moved[key]:.0f} bytes' if ' in use' not in key else f'at most {most[key]} bytes')

#= exit 0
#| 10 tracks, 14 instructions, 21 waits, 16 arrows, 9 counters
#| 3 pto.sync.set of AIC 0 -> pto.sync.wait of AIV 0.0
#| 3 pto.sync.set of AIV 0.0 -> pto.sync.wait of AIC 0
#| GM reads 1536 bytes
#| GM writes 3072 bytes
#| L2 reads 1536 bytes
#| L2 writes 3072 bytes
#| l0a in use of AIC 0 at most 512 bytes
#| l0b in use of AIC 0 at most 512 bytes
#| l0c in use of AIC 0 at most 1024 bytes
#| l1 in use of AIC 0 at most 512 bytes
#| ub in use of AIV 0.0 at most 3072 bytes
#= exit 0
#| 9 tracks, 13 instructions, 16 waits, 12 arrows, 9 counters
#| 3 pto.tpush_to_aiv of AIC 0 -> pto.tpop_from_aic of AIV 0.0
#| GM reads 512 bytes
#| GM writes 3072 bytes
#| L2 reads 512 bytes
#| L2 writes 3072 bytes
#| l0a in use of AIC 0 at most 512 bytes
#| l0b in use of AIC 0 at most 512 bytes
#| l0c in use of AIC 0 at most 1024 bytes
#| l1 in use of AIC 0 at most 512 bytes
#| ub in use of AIV 0.0 at most 4096 bytes
