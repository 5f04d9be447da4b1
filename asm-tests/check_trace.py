#!/usr/bin/env python3
"""Checks a trace of pto-sim as a viewer would: python3 check_trace.py TRACE.json. Prints one line of counts.

Slices of a track lie apart or one inside the other, arrows come in pairs that go forward in time and end in slices,
events are in the order of time, tracks have names and their order is that of the data flow.
"""
import collections
import json
import sys

ORDER = ['PIPE_S', 'PIPE_MTE2', 'PIPE_MTE1', 'PIPE_M', 'PIPE_V', 'PIPE_FIX', 'PIPE_MTE3', 'block', 'launch']


def main():
    events = json.load(open(sys.argv[1], encoding='utf-8'))['traceEvents']
    names = {(e['pid'], e['tid']): e['args']['name'] for e in events if e['name'] == 'thread_name'}
    order = {(e['pid'], e['tid']): e['args']['sort_index'] for e in events if e['name'] == 'thread_sort_index'}
    for pid in {pid for pid, _ in names}:
        tracks = sorted((key for key in names if key[0] == pid), key=order.get)
        assert [names[key] for key in tracks] == sorted((names[key] for key in tracks), key=ORDER.index), 'order of tracks'
    values = {}
    last, ends, starts = 0, collections.defaultdict(list), {}
    counts = collections.Counter()
    for event in events:
        if event['ph'] == 'M' or event.get('cat') == 'block':  # the tracks of blocks are told at the end
            continue
        if event['ph'] == 'C':
            last, (value,) = max(last, event['ts']), event['args'].values()
            assert value >= 0, 'a counter below 0'
            values[event['pid'], event['name']] = value
            counts['C'] += 1
            continue
        time, track = event['ts'], (event['pid'], event['tid'])
        assert time >= last, 'time runs backwards'
        assert track in names, 'a track without a name'
        last, stack = time, ends[track]
        while stack and stack[-1] <= time:
            stack.pop()
        counts[event['cat'] if event['ph'] == 'X' else event['ph']] += 1
        if event['ph'] == 'X':
            assert not stack or time + event['dur'] <= stack[-1], 'slices overlap'
            stack.append(time + event['dur'])
        else:
            assert stack, 'an arrow outside every slice'
            if event['ph'] == 's':
                assert starts.setdefault(event['id'], time) == time, 'an arrow begins twice'
            else:
                assert starts.pop(event['id']) <= time, 'an arrow goes back in time'
    assert not starts, 'an arrow without end'
    assert not any(values.values()), 'a counter that does not come back to 0'
    print(f"{len(names)} tracks, {counts['instruction']} instructions, {counts['stall']} waits, {counts['f']} arrows, {len(values)} counters")


if __name__ == '__main__':
    main()
