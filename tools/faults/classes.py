"""The classes of faults: each edits the text of a kernel in one place. Lines keep the number they had in the clean kernel."""
import dataclasses, re

FLAG = re.compile(r'pto\.(set|wait)_flag\s*\[\s*[<"#a-z.]*(PIPE_\w+)>?"?\s*,\s*[<"#a-z.]*(PIPE_\w+)>?"?\s*,\s*[<"#a-z.]*(EVENT_ID(\d+))>?"?\s*\]')
BUFFER = re.compile(r'pto\.(get|rls)_buf\s+"(PIPE_\w+)",\s*(\d+)')
BARRIER = re.compile(r"pto\.barrier\s+[<#a-z.]*(PIPE_\w+)")
SIGNAL = re.compile(r"pto\.sync\.(set|wait)\s+<(PIPE_\w+)>,\s*(\d+)")
SYNC = re.compile(r"pto\.(set_flag|wait_flag|get_buf|rls_buf|barrier|sync\.|mem_bar)")
WORK = re.compile(r"pto\.(t(?!ensor)\w+|mte_\w+|mad\w*|vecscope|load_scalar|store_scalar)[ .]")
FOR = re.compile(r"scf\.for (%\w+) = (%\w+) to (%\w+) step (%\w+)(?: : (\w+))?")
PIPES = ["PIPE_MTE2", "PIPE_MTE3", "PIPE_V"]


@dataclasses.dataclass
class Mutant:
    name: str
    kernel: object
    place: int     # index of the line that was edited
    what: str
    lines: list    # of (line number in the clean kernel or 0, text)

    def text(self):
        return "\n".join(text for _, text in self.lines) + "\n"


class Text:
    """A clean kernel with what the classes look for."""

    def __init__(self, lines):
        self.lines = lines
        code = [re.sub(r"//.*", "", l) for l in lines]
        self.code = code
        self.flags = [(i, m[1], m[2], m[3], int(m[5])) for i, l in enumerate(code) if (m := FLAG.search(l))]
        self.buffers = [(i, m[1], m[2], int(m[3])) for i, l in enumerate(code) if (m := BUFFER.search(l))]
        self.barriers = [(i, m[1]) for i, l in enumerate(code) if (m := BARRIER.search(l))]
        self.signals = [(i, m[1], m[2], int(m[3])) for i, l in enumerate(code) if (m := SIGNAL.search(l))]
        self.mem_bars = [i for i, l in enumerate(code) if "pto.mem_bar" in l]
        self.loops, self.ends = self._blocks()
        self.constants = {m[1]: int(m[2]) for l in code if (m := re.search(r"(%\w+) = arith\.constant (-?\d+) : (?:index|i64|i32)", l))}

    def _blocks(self):
        """(first line, last line, match) of scf.for; of every line that opens a block where that ends, with its other branches; by braces."""
        loops, ends, stack = [], {}, []
        for i, line in enumerate(self.code):
            line = re.sub(r"pto\.\w+ \{[^{}]*\}|\{[^{}]*\}", "", line)
            closed = None
            for c in line:
                if c == "{":
                    stack.append((i if closed is None else closed, FOR.search(self.code[i])))
                elif c == "}" and stack:
                    closed, match = stack.pop()
                    ends[closed] = i
                    if match:
                        loops.append((closed, i, match))
        return loops, ends

    def end_of(self, index):
        """The line where the block ends that a line opens, or the line itself."""
        return self.ends.get(index, index)

    def reached(self, entry):
        """Whether a line is in a function that runs when `entry` does; all are when it names none of several."""
        begins = [(i, m[1]) for i, l in enumerate(self.code) if (m := re.search(r"func\.func (?:public |private )?@([\w.$]+)", l))]
        bodies = {name: range(i, end) for (i, name), end in zip(begins, [i for i, _ in begins[1:]] + [len(self.code)])}
        stem = re.sub(r"_(aic|aiv)$", "", entry)
        todo = [name for name in bodies if entry and re.sub(r"_(mix_)?(aic|aiv)$", "", name) == stem]
        known = set()
        while todo:
            name = todo.pop()
            known.add(name)
            called = re.findall(r"call @([\w.$]+)", "\n".join(self.code[bodies[name].start : bodies[name].stop]))
            todo += [c for c in called if c in bodies and c not in known]
        return lambda place: not known or any(place in bodies[name] for name in known)

    def loop_of(self, index):
        around = [l for l in self.loops if l[0] < index < l[1]]
        return min(around, key=lambda l: l[1] - l[0]) if around else None

    def pairs(self):
        """A set and the wait that follows it in the text."""
        for i, kind, *key in self.flags:
            if kind == "set":
                wait = next((j for j, k, *other in self.flags if j > i and k == "wait" and other == key), None)
                if wait is not None:
                    yield i, wait, key


def edit(text, dropped=(), replaced=None, before=None, after=None):
    """Lines of the mutant: without some, with others, with new ones around some."""
    out = []
    for i, line in enumerate(text.lines):
        out += [(0, l) for l in (before or {}).get(i, [])]
        if i not in dropped:
            out.append((i + 1, (replaced or {}).get(i, line)))
        out += [(0, l) for l in (after or {}).get(i, [])]
    return out


def moved(text, index, to):
    """The line `index` behind the line `to` (or before it, where that comes first)."""
    lines = [(i + 1, l) for i, l in enumerate(text.lines)]
    line = lines.pop(index)
    lines.insert(to, line)
    return lines


def with_id(line, new):
    return re.sub(r"EVENT_ID\d+", f"EVENT_ID{new}", line)


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
            if j is not None and WORK.search(t.code[j]) and "{" not in re.sub(r"\{[^{}]*\}", "", t.code[j]):
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


def wrong_signal(t):
    for i, k, pipe, event in t.signals:
        yield i, "another id", edit(t, replaced={i: SIGNAL.sub(f"pto.sync.{k} <{pipe}>, {event + 3}", t.lines[i])})


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
            if re.search(rf"pto\.{what}\w*", line) and " = " not in line:
                yield i, "dropped", edit(t, {i})
    return go


def double_queue(t):
    for i, line in enumerate(t.code):
        if re.search(r"pto\.(tpush|tpop|tfree)\w*", line):
            yield i, "twice", edit(t, after={i: [re.sub(r"%\w+ = ", "%sf_again = ", t.lines[i])]})


ALLOC = re.compile(r"(%\w+) = pto\.alloc_tile addr = (%\w+) : !pto\.tile_buf<(?:loc=)?(\w+)")
CAST = re.compile(r"(%\w+) = pto\.castptr (%\w+) : i64 -> !pto\.ptr<\w+, ub>")


def places(t):
    for i, line in enumerate(t.code):
        if m := ALLOC.search(line):
            yield i, m[2], m[3]
        elif m := CAST.search(line):
            yield i, m[2], "vec"


def overlap(t):
    every = list(places(t))
    for i, at, space in every:
        for other in sorted({a for _, a, s in every if s == space and a != at}):
            if any(re.match(rf"\s*{other} =", l) for l in t.code[:i]):
                yield i, f"at {other}", edit(t, replaced={i: t.lines[i].replace(at, other)})


def misaligned(t):
    for i, at, space in places(t):
        if at in t.constants:
            made = f"%sf_at = arith.constant {t.constants[at] + 8} : i64"
            yield i, "8 bytes further", edit(t, before={i: [made]}, replaced={i: t.lines[i].replace(at, "%sf_at")})


def misaligned_computed(t):
    """Of what DMA moves in UB, where nothing but a run knows the number."""
    for i, at, space in places(t):
        name = re.match(r"\s*(%\w+) =", t.lines[i])[1]
        if space == "vec" and any(re.search(rf"pto\.(tload|tstore|mte_\w+) .*{name}\b", line) for line in t.code):
            made = ["%sf_n = pto.get_block_num", "%sf_1 = arith.constant 1 : i64", "%sf_8 = arith.constant 8 : i64",
                    "%sf_one = arith.minsi %sf_n, %sf_1 : i64", "%sf_by = arith.muli %sf_one, %sf_8 : i64", f"%sf_at = arith.addi {at}, %sf_by : i64"]
            yield i, "8 bytes further, computed", edit(t, before={i: made}, replaced={i: t.lines[i].replace(at, "%sf_at")})


def beyond(t):
    for i, line in enumerate(t.code):
        m = re.search(r"pto\.partition_view (%\w+), offsets = \[(%\w+),.*sizes = \[(%\w+)", line)
        if m and t.constants.get(m[3]) != 1:  # one row does not leave its view
            view = next((l for l in t.code if re.search(rf"{m[1]} = pto\.make_tensor_view", l)), "")
            rows = re.search(r"shape = \[(%\w+)", view)
            if rows and rows[1] in t.constants:
                made = f"%sf_row = arith.constant {t.constants[rows[1]] - 1} : index"
                yield i, "from the last row on", edit(t, before={i: [made]}, replaced={i: t.lines[i].replace(f"[{m[2]},", "[%sf_row,")})
        m = re.search(r"pto\.mte_\w+ .*nburst\((%\w+),", line)
        if m:
            made = "%sf_burst = arith.constant 1024 : i64"
            yield i, "1024 bursts", edit(t, before={i: [made]}, replaced={i: t.lines[i].replace(f"nburst({m[1]},", "nburst(%sf_burst,")})


def uninitialised(t):
    for i, line in enumerate(t.code):
        m = re.search(r"pto\.tmatmul ins\((.*?) : (.*?)\) outs\((%\w+) : (.*)\)", line)
        if m:
            new = f"pto.tmatmul.acc ins({m[3]}, {m[1]} : {m[4]}, {m[2]}) outs({m[3]} : {m[4]})"
            yield i, "accumulates", edit(t, replaced={i: line[: m.start()] + new})


def drop_load(t):
    for i, line in enumerate(t.code):
        goes_on = i + 1 < len(t.code) and re.match(r"\s*(:|nburst|loop|pad)", t.code[i + 1])
        if re.search(r"pto\.(tload|mte_gm_\w+) ", line) and not goes_on:
            yield i, "dropped", edit(t, {i})


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
    "overlap": (overlap, "a tile or pointer is moved onto another one"),
    "misaligned": (misaligned, "a tile or pointer is moved by 8 bytes"),
    "misaligned-computed": (misaligned_computed, "the same by a number that is computed"),
    "out-of-bounds": (beyond, "a window begins at the last row of its tensor; a transfer has 1024 bursts"),
    "uninitialised": (uninitialised, "the product that begins a sum adds to it"),
    "drop-load": (drop_load, "a load from GM is removed"),
}


def seed(name, kernel):
    """Every mutant of a class, in the functions that the kernel's launch runs."""
    runs = kernel.text.reached(kernel.entry)
    return [Mutant(name, kernel, place, f"line {place + 1} {what}", lines) for place, what, lines in CLASSES[name][0](kernel.text) if runs(place)]
