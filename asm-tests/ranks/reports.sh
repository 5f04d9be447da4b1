# Reports of three ranks: one trace with their tracks and what goes between them, one set of statistics, the page and the texts of one rank.
# RUN: cp put.pto $T && cd $T && pto-sim case.toml --trace t.json --stats s.json --events e.jsonl --html p.html --report none && python3 look.py
# RUN: cd $T && for n in 0 1 2; do pto-sim case.toml --rank $n --html p$n.html --report none; done && python3 pages.py
# RUN: cd $T && pto-sim case.toml --report json > r.json && python3 -c "import json; r = json.load(open('r.json')); print(r['outcome'], [len(x['instructions']) for x in r['ranks']])"
# RUN: cd $T && pto-sim case.toml --rank 1 --advice
# RUN: cd $T && pto-sim case.toml --timeline
# RUN: cd $T && pto-sim case.toml --what-if links.full_mesh.latency.value=1000 | head -n 10
# RUN: cd $T && pto-sim case.toml --watch y --report none | head -n 4 && pto-sim case.toml --watch y --watch-out w --report none && ls w
# RUN: cd $T && pto-sim case.toml --rank 3
# RUN: cd $T && pto-sim put.pto --rank 3
# FILE: case.toml
#: program = "put.pto"
#: ranks = 3
#: [[arg]]
#: name = "x"
#: dtype = "f32"
#: shape = [1, 64]
#: fill = "{rank}"
#: [[arg]]
#: name = "window"
#: dtype = "f32"
#: shape = [1, 64]
#: [[arg]]
#: name = "signal"
#: dtype = "i32"
#: shape = [1]
#: fill = 0
#: [[arg]]
#: name = "y"
#: dtype = "f32"
#: shape = [1, 64]
#: [[arg]]
#: name = "next_window"
#: peer = "window@{next}"
#: [[arg]]
#: name = "next_signal"
#: peer = "signal@{next}"
# FILE: pages.py
#: # The page of all ranks puts together what the page of each rank is.
#: import json, re
#: page = open('p.html').read()
#: scripts = dict(re.findall(r'<script type="application/json" id="(\w+)">(.*?)</script>', page, re.S))
#: head, tail = json.loads(scripts['page'])
#: print(sorted(scripts), [head + scripts[f'rank{n}'] + tail == open(f'p{n}.html').read() for n in range(3)])
#: print(re.findall(r'<button value="(\d)" aria-pressed="(\w+)">(.*?)</button>', page))
# FILE: look.py
#: import json
#: events = json.load(open('t.json'))['traceEvents']
#: process = {e['pid']: e['args']['name'] for e in events if e['name'] == 'process_name'}
#: thread = {(e['pid'], e['tid']): e['args']['name'] for e in events if e['name'] == 'thread_name'}
#: place = lambda e: (process[e['pid']], thread[e['pid'], e['tid']])
#: print(*process.values(), sep='\n')
#: slices = [e for e in events if e['ph'] == 'X']
#: inside = lambda end: [s['name'] for s in slices if (s['pid'], s['tid']) == (end['pid'], end['tid']) and s['ts'] <= end['ts'] < s['ts'] + s['dur']]
#: begins = {e['id']: e for e in events if e['ph'] == 's' and e['cat'] == 'link'}
#: for e in events:
#:     if e['ph'] == 'f' and e['cat'] == 'link':
#:         b = begins[e['id']]
#:         assert b['ts'] <= e['ts'] and inside(b) and inside(e)
#:         print(inside(b)[-1], *place(b), '->', *place(e))
#: s = json.load(open('s.json'))
#: print(s['outcome'], s['total_cycles'], [(r['rank'], r['sent_bytes'], r['notifies'], r['total_cycles']) for r in s['ranks']], len(s['source']))
#: lines = [json.loads(line) for line in open('e.jsonl')]
#: print([sum(x['rank'] == r and x['event'] == 'write' for x in lines) for r in range(3)])
#: print('wait' in open('p.html').read())

#= exit 0
#| rank 0, AIV 0.0
#| rank 0, launch
#| rank 0, links
#| rank 1, AIV 0.0
#| rank 1, launch
#| rank 1, links
#| rank 2, AIV 0.0
#| rank 2, launch
#| rank 2, links
#| pto.comm.tput rank 2, AIV 0.0 PIPE_S -> rank 0, links from rank 2
#| pto.comm.tnotify rank 2, AIV 0.0 PIPE_S -> rank 0, AIV 0.0 PIPE_S
#| pto.comm.tput rank 0, AIV 0.0 PIPE_S -> rank 1, links from rank 0
#| pto.comm.tnotify rank 0, AIV 0.0 PIPE_S -> rank 1, AIV 0.0 PIPE_S
#| pto.comm.tput rank 1, AIV 0.0 PIPE_S -> rank 2, links from rank 1
#| pto.comm.tnotify rank 1, AIV 0.0 PIPE_S -> rank 2, AIV 0.0 PIPE_S
#| ok 13384 [(0, 256, 1, 13384), (1, 256, 1, 13384), (2, 256, 1, 13384)] 11
#| [5, 5, 5]
#| True
#= exit 0
#| ['page', 'rank0', 'rank1', 'rank2'] [True, True, True]
#| [('0', 'true', 'rank 0: 13,384 cycles<small>bound by S 86 %; sent 256, read 0 bytes; 1 notifies</small>'), ('1', 'false', 'rank 1: 13,384 cycles<small>bound by S 86 %; sent 256, read 0 bytes; 1 notifies</small>'), ('2', 'false', 'rank 2: 13,384 cycles<small>bound by S 86 %; sent 256, read 0 bytes; 1 notifies</small>')]
#= exit 0
#| ok [7, 7, 7]
#= exit 0
#| ok: 13,384 cycles on 3 ranks
#|
#| rank       cycles   bytes sent   bytes read  notifies  bound by
#|    0       13,384          256            0         1  S 86 %
#|    1       13,384          256            0         1  S 86 %
#|    2       13,384          256            0         1  S 86 %
#|
#| rank 1:
#|
#| ok: 13,384 cycles (10,823 of them launch), bound by S (86 % busy); it is done after 86 %
#|
#| core      pipe   busy cycles    busy  instructions  idle because of
#| AIV 0.0   S            2,203    86 %            28  finished 14 %
#| AIV 0.0   MTE2           104   4.1 %             2  not_issued 86 %, finished 10 %
#| AIV 0.0   V                7   0.3 %             1  not_issued 86 %, flag 9.5 %, finished 4.3 %
#| AIV 0.0   MTE3            92   3.6 %             1  not_issued 86 %, flag 10 %
#| 7.23 us at 1.85 GHz (5.85 us launch, measured); GM reads 0.4 GB/s (0 % of L2); GM writes 0.2 GB/s (0 % of L2)
#| cost basis: 100 % measured (of 203 busy cycles)
#| note: put in 4 set_flag, wait_flag and barrier, which the program leaves to the tools (--sync explicit leaves them out)
#|
#| critical path: 2,561 cycles in 5 parts: S 86 %, MTE2 9.6 %, MTE3 3.6 %, V 1.0 %
#|        2,196    86 %  S     scalar unit, 1 time
#|          195   7.6 %  MTE2  pto.tload at put.pto:33, 1 time
#|           92   3.6 %  MTE3  pto.tstore at put.pto:35, 1 time
#|           52   2.0 %  MTE2  pto.tload at put.pto:32, 1 time
#|           26   1.0 %  V     pto.tadd at put.pto:34, 1 time
#| flags: the cycles that their waits took, and by how many the set came before at least
#|          267          V -> MTE3, line 34 to 35, waited 1 of 1 times
#|          244          MTE2 -> V, line 33 to 34, waited 1 of 1 times
#| event ids left of 8: MTE2 -> V 7, V -> MTE3 7
#| cycles if a pipe took no time: MTE2 2,318, MTE3 2,469, V 2,535
#| nothing found that would help
#= exit 0
#| ok: 13,384 cycles on 3 ranks
#|
#| rank       cycles   bytes sent   bytes read  notifies  bound by
#|    0       13,384          256            0         1  S 86 %
#|    1       13,384          256            0         1  S 86 %
#|    2       13,384          256            0         1  S 86 %
#|
#| rank 0, which ends last:
#|
#|                                   0                                                            2,561
#|   28 S pto.comm.tput              #####
#|   30 S pto.comm.tnotify               ###########################
#|   31 S pto.comm.twait                                           ###########################
#|   32 MTE2 pto.tload                                                                       ##----
#|   33 MTE2 pto.tload                                                                       .###---
#|   34 V pto.tadd                                                                           ......##
#|   35 MTE3 pto.tstore                                                                      .......###
#| . queued   # pipe busy   - result on its way
#= exit 0
#| ok: 13,384 cycles on 3 ranks
#|
#| rank       cycles   bytes sent   bytes read  notifies  bound by
#|    0       13,384          256            0         1  S 86 %
#|    1       13,384          256            0         1  S 86 %
#|    2       13,384          256            0         1  S 86 %
#|
#| what if                                  cycles
#| as it is                                 13,384
#| links.full_mesh.latency.value=1000       13,384  no change
#= exit 0
#| rank 0: put.pto:35: %y in cycle 2,561 on AIV0 of block 0
#| [0]:   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000   2.0000
#| rank 1: put.pto:35: %y in cycle 2,561 on AIV0 of block 0
#| [0]:   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000
#| rank0-y-0001.npy
#| rank1-y-0001.npy
#| rank2-y-0001.npy
#= exit 2
#! pto-sim: error: --rank 3: there are ranks 0 to 2
#= exit 2
#! pto-sim: error: --rank is for several devices: --ranks
