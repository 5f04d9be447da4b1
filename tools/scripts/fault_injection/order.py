"""Faults of synchronisation: flags, barriers, buffer ids, signals between cores, mem_bar, queues."""
import re

from fault_injection.text import BUFFER, SIGNAL, SYNC, WORK, changed, edit, moved, with_id


def drop_pair(t):
    for s, w, key in t.pairs():
        yield s, f"without the set and the wait of line {w + 1}", edit(t, {s, w})


def drop_flag(kind):
    def go(t):
        for i, k, *_ in t.flags:
            if k == kind:
                yield i, "dropped", edit(t, {i})
    return go


def double_flag(kind):
    def go(t):
        for i, k, *_ in t.flags:
            if k == kind:
                yield i, "twice", edit(t, after={i: [t.lines[i]]})
    return go


def swap_id(kind):
    def go(t):
        for i, k, src, dst, event in t.flags:
            if k == kind:
                yield i, "another id", edit(t, replaced={i: with_id(t.lines[i], (event + 1) % 8)})
    return go


def swap_id_both(t):
    for s, w, (_, _, event) in t.pairs():
        new = (event + 1) % 8
        yield s, f"another id here and at line {w + 1}", edit(t, replaced={s: with_id(t.lines[s], new), w: with_id(t.lines[w], new)})


def exchanged(line):
    first, second = re.findall(r"PIPE_\w+", line)[:2]
    return re.sub(r"PIPE_\w+", lambda m: {first: second, second: first}.get(m[0], m[0]), line)


def swap_pipes_set(t):
    for i, k, src, dst, _ in t.flags:
        if k == "set" and src != dst:
            yield i, "source and destination exchanged", edit(t, replaced={i: exchanged(t.lines[i])})


def swap_pipes_both(t):
    for s, w, (src, dst, _) in t.pairs():
        if src != dst:
            yield s, f"source and destination exchanged, also at line {w + 1}", edit(t, replaced={s: exchanged(t.lines[s]), w: exchanged(t.lines[w])})


def wait_later(t):
    for i, k, *_ in t.flags:
        if k == "wait":
            j = next((j for j in range(i + 1, len(t.lines)) if "{" in t.code[j] or t.code[j].strip() == "}" or WORK.search(t.code[j])), None)
            if j is not None and WORK.search(t.code[j]) and "{" not in bare(t.code[j]):
                yield i, f"behind line {j + 1}", moved(t, i, j)


def set_earlier(t):
    for i, k, *_ in t.flags:
        if k == "set":
            j = next((j for j in range(i - 1, 0, -1) if "{" in t.code[j] or t.code[j].strip() == "}" or WORK.search(t.code[j])), None)
            if j is not None and WORK.search(t.code[j]):
                yield i, f"before line {j + 1}", moved(t, i, j)


def drop_barrier(which):
    def go(t):
        for i, pipe in t.barriers:
            if (pipe == "PIPE_ALL") == which:
                yield i, "dropped", edit(t, {i})
    return go


def barrier_wrong_pipe(t):
    for i, pipe in t.barriers:
        for other in ("PIPE_MTE2", "PIPE_MTE1"):
            if other != pipe:
                yield i, f"of {other}", edit(t, replaced={i: t.lines[i].replace(pipe, other)})


def reuse_id(t):
    keys = sorted({flag[2:] for flag in t.flags})
    for src, dst, event in keys:
        for other in (k for k in keys if k[:2] == (src, dst) and k[2] > event):
            lines = {i: with_id(t.lines[i], event) for i, _, *k in t.flags if tuple(k) == other}
            yield min(lines), f"EVENT_ID{other[2]} becomes EVENT_ID{event}", edit(t, replaced=lines)


def drop_backward(t):
    keys = {tuple(key) for _, _, *key in t.flags}
    for key in sorted(keys):
        at = [(i, k) for i, k, *other in t.flags if tuple(other) == key]
        inside = [(i, k) for i, k in at if t.loop_of(i)]
        if [k for _, k in inside][:1] == ["wait"] and at[0][1] == "set" and not t.loop_of(at[0][0]):
            yield at[0][0], "all of " + ", ".join(map(str, key)), edit(t, {i for i, _ in at})


def skipped(kind, first):
    def go(t):
        for i, k, *_ in t.flags:
            loop = t.loop_of(i)
            if k != kind or not loop:
                continue
            m = loop[2]
            iv, low, high, step, kind_ = m[1], m[2], m[3], m[4], m[5] or "index"
            if first:
                made = [f"%sf_on = arith.cmpi ne, {iv}, {low} : {kind_}"]
            else:
                made = [f"%sf_next = arith.addi {iv}, {step} : {kind_}", f"%sf_on = arith.cmpi slt, %sf_next, {high} : {kind_}"]
            made.append("scf.if %sf_on {")
            yield i, f"not in the {'first' if first else 'last'} iteration", edit(t, before={i: made}, after={i: ["}"]})
    return go


def drop_buffer(kind):
    def go(t):
        for i, k, *_ in t.buffers:
            if k == kind:
                yield i, "dropped", edit(t, {i})
    return go


def wrong_buffer(t):
    for i, k, pipe, event in t.buffers:
        yield i, "another id", edit(t, replaced={i: BUFFER.sub(f'pto.{k}_buf "{pipe}", {event + 5}', t.lines[i])})


def get_twice(t):
    for i, k, *_ in t.buffers:
        if k == "get":
            yield i, "twice", edit(t, after={i: [t.lines[i]]})


def drop_signal(kind):
    def go(t):
        for i, k, *_ in t.signals:
            if k == kind:
                yield i, "dropped", edit(t, {i})
    return go


def with_signal(line, group, new):
    m = SIGNAL.search(line)
    return line[: m.start(group)] + str(new) + line[m.end(group):]


def wrong_signal(t):
    for i, k, pipe, event in t.signals:
        yield i, "another id", edit(t, replaced={i: with_signal(t.lines[i], 3, event + 3)})


def drop_mem_bar(t):
    for i in t.mem_bars:
        yield i, "dropped", edit(t, {i})


def wrong_mem_bar(t):
    for i in t.mem_bars:
        for kind in ("VLD_VST", "SV_ALL"):
            if kind not in t.lines[i]:
                yield i, f"of kind {kind}", edit(t, replaced={i: re.sub(r"[A-Z]+_[A-Z]+", kind, t.lines[i])})


def drop_queue(what):
    def go(t):
        for i, line in enumerate(t.code):
            if re.search(rf"pto\.{what}\w*", line) and not re.match(r"\s*%\w+ =", line):
                yield i, "dropped", edit(t, {i})
    return go


def double_queue(t):
    for i, line in enumerate(t.code):
        if re.search(r"pto\.(tpush|tpop|tfree)\w*", line):
            yield i, "twice", edit(t, after={i: [re.sub(r"%\w+ = ", "%sf_again = ", t.lines[i])]})


def before_it(t, i):
    """The instruction or synchronisation in front of a line, within its block."""
    j = next((j for j in range(i - 1, 0, -1) if "{" in bare(t.code[j]) or t.code[j].strip() == "}" or WORK.search(t.code[j]) or SYNC.search(t.code[j])), None)
    return j if j is not None and "{" not in bare(t.code[j]) and t.code[j].strip() != "}" else None


def behind_it(t, i):
    j = next((j for j in range(i + 1, len(t.code)) if "{" in bare(t.code[j]) or t.code[j].strip() == "}" or WORK.search(t.code[j]) or SYNC.search(t.code[j])), None)
    return j if j is not None and "{" not in bare(t.code[j]) and t.code[j].strip() != "}" else None


def bare(line):
    return re.sub(r"\{[^{}]*\}", "", line)


def signal_earlier(t):
    for i, k, *_ in t.signals:
        if k == "set" and (j := before_it(t, i)) is not None:
            yield i, f"before line {j + 1}", moved(t, i, j)


def signal_wait_later(t):
    for i, k, *_ in t.signals:
        if k == "wait" and (j := behind_it(t, i)) is not None:
            yield i, f"behind line {j + 1}", moved(t, i, j)


def signal_wrong_pipe(t):
    for i, k, pipe, _ in t.signals:
        for other in ("PIPE_FIX", "PIPE_MTE3", "PIPE_MTE2", "PIPE_V"):
            if other != pipe:
                yield i, f"of {other}", edit(t, replaced={i: with_signal(t.lines[i], 2, other)})


def signal_wrong_side(t):
    for i, k, *_ in t.signals:
        yield i, "the other side", edit(t, replaced={i: with_signal(t.lines[i], 1, "wait" if k == "set" else "set")})


def signal_wrong_mode(t):
    for i, _, _, event in t.signals:
        m = re.search(r"ffts_mode = (\d)", t.lines[i])
        if m:
            yield i, "another mode", edit(t, replaced={i: t.lines[i].replace(m[0], f"ffts_mode = {(int(m[1]) + 1) % 3}")})
        elif "sync." in t.lines[i] and event < 16:
            yield i, "of mode 1", edit(t, replaced={i: t.lines[i].rstrip() + " {ffts_mode = 1 : i32}"})


def signal_other_core(t):
    for i, k, _, event in t.signals:
        yield i, "for the other vector core", edit(t, replaced={i: with_signal(t.lines[i], 3, (event + 16) % 32)})


def drop_computed(t):
    for i, m in t.computed_flags:
        yield i, "dropped", edit(t, {i})


def id_beyond(t):
    for i, m in t.computed_flags:
        if lines := changed(t, i, m.span(2), by=8):
            yield i, "an id that is 8 more", lines
    for i, k, src, dst, event in t.flags:
        yield i, "an id that is 8 more", edit(t, replaced={i: with_id(t.lines[i], event + 8)})
    for i, k, pipe, event in t.buffers:
        yield i, "an id that is 32 more", edit(t, replaced={i: BUFFER.sub(f'pto.{k}_buf "{pipe}", {event + 32}', t.lines[i])})
    for i, k, _, event in t.signals:
        yield i, "an id that is 32 more", edit(t, replaced={i: with_signal(t.lines[i], 3, event + 32)})


def drop_cache(t):
    for i, line in enumerate(t.code):
        if re.search(r"pto\.(dcci|cmo\.cacheinvalid)\b", line):
            yield i, "dropped", edit(t, {i})


def free_early(t):
    for i, line in enumerate(t.code):
        if re.search(r"pto\.tfree\w*", line) and (j := before_it(t, i)) is not None:
            yield i, f"before line {j + 1}", moved(t, i, j)


CLASSES = {
    "drop-pair": (drop_pair, "a set_flag and the wait_flag that follows it are removed"),
    "drop-wait": (drop_flag("wait"), "a wait_flag is removed"),
    "drop-set": (drop_flag("set"), "a set_flag is removed"),
    "double-set": (double_flag("set"), "a set_flag stands twice"),
    "double-wait": (double_flag("wait"), "a wait_flag stands twice"),
    "swap-id-set": (swap_id("set"), "a set_flag has the next event id"),
    "swap-id-wait": (swap_id("wait"), "a wait_flag has the next event id"),
    "swap-id-both": (swap_id_both, "a set_flag and its wait_flag have the next event id"),
    "swap-pipes-set": (swap_pipes_set, "source and destination of a set_flag are exchanged"),
    "swap-pipes-both": (swap_pipes_both, "source and destination of a set_flag and its wait_flag are exchanged"),
    "wait-later": (wait_later, "a wait_flag stands behind the next instruction of a pipe"),
    "set-earlier": (set_earlier, "a set_flag stands before the last instruction of a pipe"),
    "reuse-id": (reuse_id, "two event ids of a pair of pipes become one"),
    "drop-backward": (drop_backward, "the flag that holds back the next iteration is removed, with its first set and last wait"),
    "skip-wait-first": (skipped("wait", True), "a wait_flag is left out in the first iteration"),
    "skip-wait-last": (skipped("wait", False), "a wait_flag is left out in the last iteration"),
    "skip-set-last": (skipped("set", False), "a set_flag is left out in the last iteration"),
    "drop-barrier": (drop_barrier(False), "a barrier of one pipe is removed"),
    "drop-barrier-all": (drop_barrier(True), "a barrier of PIPE_ALL is removed"),
    "barrier-wrong-pipe": (barrier_wrong_pipe, "a barrier is one of another pipe"),
    "drop-get-buf": (drop_buffer("get"), "a get_buf is removed"),
    "drop-rls-buf": (drop_buffer("rls"), "a rls_buf is removed"),
    "wrong-buf-id": (wrong_buffer, "a get_buf or rls_buf has another id"),
    "get-buf-twice": (get_twice, "a get_buf stands twice"),
    "drop-sync-set": (drop_signal("set"), "a sync.set is removed"),
    "drop-sync-wait": (drop_signal("wait"), "a sync.wait is removed"),
    "wrong-signal-id": (wrong_signal, "a sync.set or sync.wait has another id"),
    "drop-mem-bar": (drop_mem_bar, "a mem_bar is removed"),
    "wrong-mem-bar": (wrong_mem_bar, "a mem_bar is of another kind"),
    "drop-tpush": (drop_queue("tpush"), "a tpush is removed"),
    "drop-tfree": (drop_queue("tfree"), "a tfree is removed"),
    "double-queue": (double_queue, "a tpush, tpop or tfree stands twice"),
    "signal-earlier": (signal_earlier, "a signal is sent before the last instruction, wait or barrier"),
    "signal-wait-later": (signal_wait_later, "the wait for a signal stands behind what follows it"),
    "signal-wrong-pipe": (signal_wrong_pipe, "a signal is sent or awaited by another pipe"),
    "signal-wrong-side": (signal_wrong_side, "a signal is awaited in place of sent, or sent in place of awaited"),
    "signal-wrong-mode": (signal_wrong_mode, "a signal is one of a group, or of another group"),
    "signal-other-core": (signal_other_core, "a signal goes to, or comes from, the other vector core"),
    "drop-computed-flag": (drop_computed, "a set_flag or wait_flag with a computed id is removed"),
    "id-beyond": (id_beyond, "an event id, buffer id or signal id is more than the target has"),
    "drop-cache": (drop_cache, "a dcci or cmo.cacheinvalid is removed"),
    "free-early": (free_early, "a tfree stands before the last use of the tile"),
}
